package compiler

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/source"
	"kdd/format"
)

// another is the cure where a name is taken.
const another = "name another output with -o"

// outputKind is the kind of file that an output is.
type outputKind struct {
	extension string
	begins    func(head []byte) bool // says whether a file may be one
}

// The kinds of files that are written.
var (
	artifactOutput = &outputKind{".kddx", format.Begins}
	partOutput     = &outputKind{vectorfile.Extension, vectorfile.Begins}
)

// output is where an artifact or a part goes.
type output struct {
	kind *outputKind
	path string      // as told
	real string      // the file itself, where path is a symbolic link
	mode fs.FileMode // permissions of the file that is replaced; 0 if there is none
}

// name returns where the artifact goes: as told, else the first source's base name in the working folder.
func (o *Options) name(roots []source.Root) string {
	if o.Output != "" {
		return o.Output
	}
	base := roots[0].Base
	if roots[0].File {
		base = base[:len(base)-len(filepath.Ext(base))]
	}
	return base + ".kddx"
}

// newOutput checks that a file can be written to path, and that nothing is lost if it is: minutes of embedding
// come between this and the writing.
func newOutput(kind *outputKind, path string, tree *source.Tree) (*output, error) {
	out := &output{kind: kind, path: path}
	if os.IsPathSeparator(path[len(path)-1]) {
		return nil, diag.Cure("name a file in it with -o", "%s: a folder", path)
	}
	var err error
	if out.real, err = followOutput(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(out.real)
	switch {
	case err == nil:
		if err := out.replaceable(info, tree); err != nil {
			return nil, err
		}
		out.mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR): // temp says it better
		return nil, fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	f, release, err := out.temp()
	if err != nil {
		return nil, err
	}
	defer release()
	f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	removeStale(filepath.Dir(out.real))
	return out, nil
}

// followOutput returns the file that path stands for: a symbolic link stays one, and its target is replaced.
func followOutput(path string) (string, error) {
	const most = 40 // links, as Linux has it
	real := path
	for range most {
		info, err := os.Lstat(real)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return real, nil // what is wrong with it shows later
		}
		target, err := os.Readlink(real)
		if err != nil {
			return "", fmt.Errorf("%s: cannot be written: %w", path, cause(err))
		}
		if !filepath.IsAbs(target) {
			// The link's folder may be reached through links itself, so ".." is not resolved by name.
			target = filepath.Dir(real) + string(filepath.Separator) + target
		}
		real = target
	}
	return "", diag.Cure(another, "%s: a symbolic link that leads in a circle", path)
}

// replaceable reports why the file that is there must stay.
func (out *output) replaceable(info fs.FileInfo, tree *source.Tree) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return diag.Cure("name a file in it with -o, such as "+filepath.Join(out.path, "docs"+out.kind.extension), "%s: a folder", out.path)
	case !mode.IsRegular():
		return diag.Cure(another, "%s: a pipe, socket or device, not a file", out.path)
	case mode.Perm()&0o222 == 0:
		return diag.Cure("permit writing, or "+another, "%s: the file is read-only", out.path)
	}
	for i := range tree.Files {
		f := &tree.Files[i]
		file := filepath.Join(tree.Roots[f.Dir].Abs, filepath.FromSlash(f.Rel))
		if !strings.EqualFold(filepath.Base(file), filepath.Base(out.real)) {
			continue
		}
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return diag.Cure(another, "%s: one of the sources would be overwritten", out.path)
		}
	}
	// Opening it for writing changes nothing, but finds what permissions cannot tell.
	f, err := os.OpenFile(out.real, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", out.path, cause(err))
	}
	defer f.Close()
	var head [8]byte
	n, _ := io.ReadFull(f, head[:]) // a short file has what it has
	// The name that counts is the file's own: a link of a tree that somebody else made may lead anywhere.
	if n > 0 && !strings.EqualFold(filepath.Ext(out.real), out.kind.extension) && !out.kind.begins(head[:n]) {
		return diag.Cure("remove it, or "+another, "%s: a file that kdd has not made would be overwritten", out.path)
	}
	return nil
}

// temp creates an empty file beside the output. It has the permissions that the umask leaves, or those of the file that
// it will replace. Until release is called no other build takes it for one that was left behind.
func (out *output) temp() (f *os.File, release func(), err error) {
	dir := filepath.Dir(out.real)
	for {
		name := filepath.Join(dir, tempName(rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case err == nil:
			if release, ok := hold(f); ok {
				return f, release, nil
			}
			f.Close()
			os.Remove(name)
			continue
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, diag.Cure("make it, or "+another, "%s: the folder %s does not exist", out.path, dir)
		case errors.Is(err, syscall.ENOTDIR):
			return nil, nil, diag.Cure(another, "%s: %s is no folder", out.path, dir)
		}
		return nil, nil, fmt.Errorf("%s: cannot be written: %w", out.path, cause(err))
	}
}

// write puts the image under a temporary name beside its place, syncs it and renames it: the output is the old file or
// the whole new one, whatever happens.
func (out *output) write(ctx context.Context, image *format.Image, trailer []byte) error {
	return out.replace(ctx, func(w io.Writer) error {
		if _, err := image.WriteTo(w); err != nil {
			return err
		}
		_, err := w.Write(trailer)
		return err
	})
}

// replace makes the output of what fill writes.
func (out *output) replace(ctx context.Context, fill func(w io.Writer) error) (err error) {
	f, release, err := out.temp()
	if err != nil {
		return err
	}
	defer release()
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			} else {
				err = fmt.Errorf("%s: not written, what was there before is untouched: %w", out.path, cause(err))
			}
		}
	}()
	w := bufio.NewWriterSize(&cancelled{ctx, f}, 1<<20)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.place(f)
}

// place syncs a file that was written whole, closes it and gives it the output's name.
func (out *output) place(f *os.File) error {
	if out.mode != 0 {
		if err := f.Chmod(out.mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), out.real); err != nil {
		return err
	}
	syncFolder(filepath.Dir(out.real))
	return nil
}

// syncFolder makes a rename durable, where folders can be synced.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// cause returns what the system said, without operation and path: messages name the output as the user did.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// cancelled is a writer that ends with its context.
type cancelled struct {
	ctx context.Context
	w   io.Writer
}

// cancelBytes is how much is written between two looks at the context.
const cancelBytes = 1 << 20

// Write writes b in pieces of cancelBytes. The error is w's, or ctx's once it has ended; n counts what was written
// until then.
func (c *cancelled) Write(b []byte) (int, error) {
	var n int
	for {
		if err := c.ctx.Err(); err != nil {
			return n, err
		}
		k, err := c.w.Write(b[n:min(len(b), n+cancelBytes)])
		n += k
		if err != nil || n == len(b) {
			return n, err
		}
	}
}
