package model

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// The largest files that are read, by what they hold. The limits are several times what the largest encoder of this
// architecture has.
const (
	maxWeightsBytes   = 4 << 30
	maxTokenizerBytes = 64 << 20
	maxConfigBytes    = 1 << 20
)

// Limits of an archive: maxEntries is how many members it may have, maxRatio how many times its packed size a member
// above ratioMinimum bytes may have. Weights hardly shrink when packed, so a larger ratio is a sign of an attack.
const (
	maxEntries   = 10_000
	maxRatio     = 100
	ratioMinimum = 4 << 20
)

// maxDepth is how many folders lead to a file at most: of a router, of a model in its route, of that model's module.
const maxDepth = 3

// ErrSource marks a folder or archive that a model cannot be imported from.
var ErrSource = errors.New("not a model that can be imported")

// sourceError is an ErrSource with a text of its own.
func sourceError(format string, args ...any) error {
	return &textError{fmt.Sprintf(format, args...), ErrSource}
}

// textError is an error with a text of its own that errors.Is takes for one of this package's kinds of error.
type textError struct {
	text string
	is   error
}

// Error returns the text.
func (e *textError) Error() string { return e.text }

// Is makes errors.Is(err, e.is) true.
func (e *textError) Is(target error) bool { return target == e.is }

// wanted says whether a file, by its path in a model, is read at all, and its limit.
func wanted(name string) (limit int64, ok bool) {
	switch base := path.Base(name); base {
	case "model.safetensors", "model.onnx":
		return maxWeightsBytes, true
	case "tokenizer.json", "vocab.txt":
		return maxTokenizerBytes, true
	case "config.json", "modules.json", "router_config.json", "sentence_bert_config.json", "config_sentence_transformers.json",
		"tokenizer_config.json", "README.md":
		return maxConfigBytes, true
	}
	return 0, false
}

// entry is one file of a source.
type entry struct {
	size int64
	open func() (io.ReadCloser, error)
}

// source is what a model is imported from: the wanted files by their path below the model's folder.
type source struct {
	label string // base name of folder or archive
	files map[string]entry
	other []string // names of other files at the model's root, for messages
	close func() error
}

// openSource opens a folder, or a zip archive (a wheel is one).
func openSource(name string) (*source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, sourceError("%s: no such folder or archive", name)
	}
	if info.IsDir() {
		return folderSource(name)
	}
	return archiveSource(name)
}

// folderSource takes the files of a folder and of the folders in it. Links to files are followed: the folder is the
// user's, and the caches of hub clients consist of links.
func folderSource(dir string) (*source, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &source{label: filepath.Base(abs), files: map[string]entry{}, close: func() error { return nil }}
	folder := os.DirFS(dir)
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == "." && err != nil:
			return fmt.Errorf("%s: %w", dir, err)
		case name == "." || err != nil: // a folder below that cannot be read counts as empty
			return nil
		}
		if limit, ok := wanted(name); !ok {
			s.other = append(s.other, name)
		} else if info, err := fs.Stat(folder, name); err != nil || !info.Mode().IsRegular() {
			return sourceError("%s: not a regular file", name)
		} else if info.Size() > limit {
			return sourceError("%s: %d bytes, want at most %d", name, info.Size(), limit)
		} else {
			s.files[name] = entry{info.Size(), func() (io.ReadCloser, error) { return folder.Open(name) }}
		}
		if d.IsDir() && strings.Count(name, "/") >= maxDepth {
			return fs.SkipDir
		}
		return nil
	})
	return s, err
}

// archiveSource takes the files of the one model in a zip archive.
func archiveSource(name string) (*source, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, sourceError("%s: not a folder, wheel or zip archive: %v", filepath.Base(name), err)
	}
	s := &source{label: filepath.Base(name), files: map[string]entry{}, close: z.Close}
	if err := s.addMembers(z.File); err != nil {
		z.Close()
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return s, nil
}

// addMembers finds the model's folder in the archive and checks the members that are wanted.
func (s *source) addMembers(members []*zip.File) error {
	if len(members) > maxEntries {
		return sourceError("%d members, want at most %d", len(members), maxEntries)
	}
	var roots []string
	for _, m := range members {
		if path.Base(m.Name) == "config.json" {
			if _, pooling := strings.CutSuffix(path.Dir(m.Name), "_Pooling"); !pooling {
				roots = append(roots, path.Dir(m.Name))
			}
		}
	}
	if len(roots) == 0 {
		return sourceError("no config.json in the archive: not a sentence-transformers model")
	}
	depth := func(dir string) int {
		if dir == "." {
			return 0
		}
		return strings.Count(dir, "/") + 1
	}
	slices.SortFunc(roots, func(a, b string) int {
		return cmp.Or(depth(a)-depth(b), strings.Compare(a, b))
	})
	roots = slices.Compact(roots)
	// Folders below the first are parts of its model (2_Dense); another beside or above it is another model.
	root := roots[0]
	for _, r := range roots[1:] {
		if depth(r) == depth(root) {
			return diag.Cure("unpack it and import one folder", "%w", sourceError("several models in the archive: %s and %s", root, r))
		}
	}
	for _, m := range members {
		rel := m.Name
		if root != "." {
			var below bool
			if rel, below = strings.CutPrefix(m.Name, root+"/"); !below {
				continue
			}
		}
		if rel == "" || strings.HasSuffix(rel, "/") || strings.Count(rel, "/") > maxDepth {
			continue
		}
		limit, ok := wanted(rel)
		if !ok {
			s.other = append(s.other, rel)
			continue
		}
		if err := checkMember(m, limit); err != nil {
			return err
		}
		if _, twice := s.files[rel]; twice {
			return sourceError("member %s is in the archive twice", m.Name)
		}
		s.files[rel] = entry{int64(m.UncompressedSize64), m.Open}
	}
	return nil
}

// checkMember refuses members that are not plain files of a sane size and name.
func checkMember(m *zip.File, limit int64) error {
	switch {
	case !fs.ValidPath(m.Name) || strings.ContainsAny(m.Name, "\\:\x00"):
		return sourceError("member %q: not a path below the archive's top", m.Name)
	case !m.Mode().IsRegular():
		return sourceError("member %s: a link or special file (%v), want a plain file", m.Name, m.Mode().Type())
	case m.Flags&1 != 0:
		return sourceError("member %s: encrypted", m.Name)
	case m.UncompressedSize64 > uint64(limit):
		return sourceError("member %s: %d bytes, want at most %d", m.Name, m.UncompressedSize64, limit)
	case m.UncompressedSize64 > ratioMinimum && m.UncompressedSize64/maxRatio > m.CompressedSize64:
		return sourceError("member %s: %d bytes from %d packed ones, want at most %d times as many", m.Name,
			m.UncompressedSize64, m.CompressedSize64, maxRatio)
	}
	return nil
}

// has says whether the source holds a file.
func (s *source) has(name string) bool { _, ok := s.files[name]; return ok }

// read returns a small file, or nil if there is none.
func (s *source) read(name string) ([]byte, error) {
	if !s.has(name) {
		return nil, nil
	}
	var data bytes.Buffer
	if err := s.copyTo(&data, name); err != nil {
		return nil, sourceError("%v", err) // a buffer takes all: the fault is the source's
	}
	return data.Bytes(), nil
}

// copyTo copies a file of the source to w.
func (s *source) copyTo(w io.Writer, name string) error {
	e := s.files[name]
	f, err := e.open()
	if err != nil {
		return sourceError("%s: %v", name, err)
	}
	defer f.Close()
	// One byte more than declared shows a member that lies about its size; zip readers check the other direction.
	n, err := io.Copy(w, io.LimitReader(f, e.size+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if n != e.size {
		return sourceError("%s: %d bytes or more, want %d", name, n, e.size)
	}
	return nil
}
