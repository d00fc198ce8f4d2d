package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// Errors of Included.Read, beside those of the system.
var (
	ErrOutside = errors.New("it leads out of the source folder")
	ErrNotText = errors.New("it is not text")
	ErrLarge   = errors.New("it is too large")
)

// Limits of included files.
const (
	maxIncludedBytes = 16 << 20  // of one file
	maxIncludedTotal = 512 << 20 // of all files that are read
)

// Included reads the files that documents include, each once. It opens them through an os.Root, so that neither ".."
// nor a symbolic link leads out of the folder of the document's source. It is not safe for concurrent use.
type Included struct {
	ctx     context.Context
	several bool
	bases   []string
	roots   []*os.Root // nil: it cannot be opened
	known   map[includedName]*includedFile
	bytes   int64
	buf     bytes.Buffer
}

type includedName struct {
	dir int
	rel string
}

type includedFile struct {
	file *File
	err  error
}

// OpenIncluded opens the sources of a tree for Read. Close it after use.
func (t *Tree) OpenIncluded(ctx context.Context) *Included {
	in := &Included{ctx: ctx, several: len(t.Roots) > 1, known: map[includedName]*includedFile{}}
	for _, r := range t.Roots {
		root, err := os.OpenRoot(r.Abs)
		if err != nil {
			root = nil
		}
		in.roots, in.bases = append(in.roots, root), append(in.bases, r.Base)
	}
	return in
}

// Close closes the folders.
func (in *Included) Close() {
	for _, r := range in.roots {
		if r != nil {
			r.Close()
		}
	}
}

// Base returns the name of a source.
func (in *Included) Base(dir int) string { return in.bases[dir] }

// Read returns the file at a slash path below the folder of source dir.
//
// Errors: ErrOutside, ErrNotText, ErrLarge, also where all files together are too large, fs.ErrNotExist and others of
// the system. A folder is ErrNotText. What lies in a folder called .git is outside: it is no text of the project, and
// may hold passwords. Cost: the file is read once.
func (in *Included) Read(dir int, rel string) (*File, error) {
	name := includedName{dir, rel}
	if known, ok := in.known[name]; ok {
		return known.file, known.err
	}
	f, err := in.read(dir, rel)
	in.known[name] = &includedFile{f, err}
	return f, err
}

func (in *Included) read(dir int, rel string) (*File, error) {
	local, err := filepath.Localize(rel)
	if err != nil || in.roots[dir] == nil || slices.ContainsFunc(strings.Split(rel, "/"), isGit) {
		return nil, ErrOutside
	}
	root := in.roots[dir]
	info, err := root.Stat(local)
	switch {
	case err != nil && leaves(root, err):
		return nil, ErrOutside
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: a %s", ErrNotText, kindOf(info.Mode()))
	case info.Size() > maxIncludedBytes:
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrLarge, info.Size(), maxIncludedBytes)
	case in.bytes+info.Size() > maxIncludedTotal:
		return nil, fmt.Errorf("%w: all included files together have more than %d bytes", ErrLarge, maxIncludedTotal)
	}
	path := rel
	if in.several {
		path = in.bases[dir] + "/" + rel
	}
	c := candidate{mount: &mount{root: root}, name: local, dir: dir, path: path, rel: rel}
	data, _, d := readFile(in.ctx, c, maxIncludedBytes, &in.buf)
	if d.Code != "" {
		if d.Code == diag.TooLarge.Code() {
			return nil, fmt.Errorf("%w: %s", ErrLarge, d.Text)
		}
		return nil, errors.New(d.Text)
	}
	r := classify(path, data)
	if r.reason != "" {
		return nil, fmt.Errorf("%w: %s", ErrNotText, r.diags[0].Text)
	}
	r.file.Path, r.file.Dir, r.file.Rel, r.file.Size, r.file.SHA256 = path, dir, rel, int64(len(data)), sha256.Sum256(data)
	in.bytes += int64(len(r.file.Data))
	return &r.file, nil
}

// isGit reports whether a name is that of git's own folder, as file systems that fold case have it too.
func isGit(name string) bool { return strings.EqualFold(name, ".git") }

// SetIncluded adds the files that documents include to the tree, sorted by path, and to its hash. Without such a file
// the hash stays.
func (t *Tree) SetIncluded(files []File) {
	t.Included = files
	if len(files) == 0 {
		return
	}
	h := sha256.New()
	h.Write([]byte("kdd includes 1\n"))
	h.Write(t.Hash[:])
	included := hashFiles(files)
	h.Write(included[:])
	t.Hash = [32]byte(h.Sum(nil))
}
