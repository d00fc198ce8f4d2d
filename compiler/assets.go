package compiler

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"kdd/compiler/source"
)

// assets knows which files lie below the source folders, documents or not. It never looks outside of them: of a path
// that leaves its folder through a symbolic link, it says that the file is there.
//
// Names are compared with the folder's listing, byte by byte: so the answer is the same on file systems that fold case.
// Each folder is read once, when it is first asked for.
type assets struct {
	several bool
	mounts  map[string]*mount // by the first name of a path; "" with a single source
}

// mount is one source folder.
type mount struct {
	root *os.Root // nil: it cannot be opened, and all is taken to be there

	mu sync.Mutex
	// by slash path: names and their types; nil for what is no readable folder
	folders map[string]map[string]fs.FileMode
}

func openAssets(roots []source.Root) *assets {
	a := &assets{several: len(roots) > 1, mounts: map[string]*mount{}}
	for _, r := range roots {
		m := &mount{folders: map[string]map[string]fs.FileMode{}}
		if root, err := os.OpenRoot(r.Abs); err == nil {
			m.root = root
		}
		name := ""
		if a.several {
			name = r.Base
		}
		a.mounts[name] = m
	}
	return a
}

func (a *assets) close() {
	for _, m := range a.mounts {
		if m.root != nil {
			m.root.Close()
		}
	}
}

// exists reports whether there is a file or folder at a path as the artifact has them. With several sources, a path
// that begins with none of their names may lead on from the top of any. It is safe for concurrent use.
func (a *assets) exists(name string) bool {
	if !a.several {
		return a.mounts[""].has(name)
	}
	first, rest, _ := strings.Cut(name, "/")
	if m := a.mounts[first]; m != nil {
		return m.has(rest)
	}
	for _, m := range a.mounts {
		if m.has(name) {
			return true
		}
	}
	return false
}

// Names returns the names in a folder at a path as the artifact has them, sorted; none if there is no such folder.
func (a *assets) Names(dir string) []string {
	m, below := a.mounts[""], dir
	if a.several {
		var first string
		if first, below, _ = strings.Cut(dir, "/"); dir == "" {
			return slices.Sorted(maps.Keys(a.mounts))
		}
		m = a.mounts[first]
	}
	if m == nil || m.root == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	below = path.Clean("./" + below)
	if !fs.ValidPath(below) || !m.exists(below) {
		return nil
	}
	names, _ := m.folder(below)
	return slices.Sorted(maps.Keys(names))
}

// Read returns the bytes of a file of at most limit bytes, at a path as the artifact has them. It never leaves the
// source folder, whatever links there are.
func (a *assets) Read(file string, limit int64) ([]byte, error) {
	m, below := a.mounts[""], file
	if a.several {
		var first string
		first, below, _ = strings.Cut(file, "/")
		m = a.mounts[first]
	}
	if m == nil || m.root == nil || !fs.ValidPath(below) {
		return nil, fs.ErrNotExist
	}
	f, err := m.root.Open(below)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s: no file of at most %d bytes", file, limit)
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// has reports whether there is a file or folder at a path below the source folder.
func (m *mount) has(name string) bool {
	if m.root == nil {
		return true
	}
	name = path.Clean(name)
	if !fs.ValidPath(name) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.exists(name)
}

// exists is has, of a clean path, under the lock.
func (m *mount) exists(name string) bool {
	if name == "." {
		return true
	}
	dir, base := path.Split(name)
	dir = path.Clean("./" + dir)
	if !m.exists(dir) {
		return false
	}
	names, readable := m.folder(dir)
	if !readable {
		return true
	}
	mode, found := names[base]
	if found && mode&fs.ModeSymlink != 0 {
		_, err := m.root.Stat(name)
		return !errors.Is(err, fs.ErrNotExist)
	}
	return found
}

// folder returns the names in a folder; none for a file, and false if the names cannot be known.
func (m *mount) folder(dir string) (map[string]fs.FileMode, bool) {
	names, known := m.folders[dir]
	if known {
		return names, names != nil
	}
	names = map[string]fs.FileMode{}
	if info, err := m.root.Stat(dir); err != nil {
		names = nil
	} else if info.IsDir() {
		names = m.list(dir)
	}
	m.folders[dir] = names
	return names, names != nil
}

func (m *mount) list(dir string) map[string]fs.FileMode {
	f, err := m.root.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil
	}
	names := make(map[string]fs.FileMode, len(entries))
	for _, e := range entries {
		names[e.Name()] = e.Type()
	}
	return names
}
