package artifact

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/lock"
	"kdd/runtime/wire"
)

// pin is what a lock says of a source.
type pin struct {
	lock    string // path of the lock
	place   string // of the entry, for messages
	source  string // where the artifact is published
	root    string // its root hash, 64 hex digits
	fetched bool   // it lies in PinnedFolder, and was verified there; else where the lock's folder has it
}

// lockFile is a lock that sources were read from, as it was.
type lockFile struct {
	path    string
	stamp   format.Stamp
	refused format.Stamp // of the one that could not be taken up, so that the log has it once
}

// locked returns the artifacts of a lock. Those that are published elsewhere have to have been fetched.
func (s *Store) locked(path string) ([]*Source, error) {
	stamp, err := format.StampOf(path)
	if err != nil {
		return nil, FileError(path, err)
	}
	l, err := lock.Read(path)
	if err != nil {
		return nil, FileError(path, err)
	}
	s.locks = append(s.locks, lockFile{path: path, stamp: stamp})
	if len(l.Artifacts) == 0 {
		return nil, wire.NewError(wire.CodeIndexNotFound, path+": it has no artifacts",
			`add one with "kdd add NAME SOURCE", or name a file with -i`)
	}
	var list []*Source
	for i := range l.Artifacts {
		e := &l.Artifacts[i]
		src := &Source{Name: e.Name}
		src.pin = &pin{lock: path, place: l.Place(e), source: e.Source, root: e.Root, fetched: !e.IsPath()}
		if src.Path, err = pinnedPath(l, e, s.config.Environ); err != nil {
			return nil, err
		}
		if src.Gone() {
			return nil, src.pin.gone(e.Name, src.Path)
		}
		list = append(list, src)
	}
	return list, nil
}

// pinnedPath returns the file of an entry.
func pinnedPath(l *lock.Lock, e *lock.Entry, environ map[string]string) (string, error) {
	if e.IsPath() {
		return l.File(e)
	}
	folder, err := PinnedFolder(environ)
	return PinnedFile(folder, e.Root), err
}

// gone is the error for an artifact that is not where it should be.
func (p *pin) gone(name, path string) error {
	if !p.fetched {
		return wire.NewError(wire.CodeIndexNotFound, fmt.Sprintf("%s: %s: no file %s", p.place, name, path),
			`build it with "kdd build", or correct its path`)
	}
	return wire.NewError(wire.CodeIndexNotFound,
		fmt.Sprintf("%s: %s: %s is not on this machine yet", p.place, name, wire.Clean(p.source)),
		`get it with "kdd fetch" or "kddq fetch"`)
}

// open opens the file of a pin. One that was fetched was verified, so the checksums of its pages are enough; another
// one is compared with the root hash page by page, as with a policy.
func (p *pin) open(name, path string, accept func(*format.File) error) (*index.Index, error) {
	open := format.OpenHashed
	if p.fetched && accept == nil {
		open = format.Open
	}
	x, err := openChecked(open, path, func(f *format.File) error {
		root := f.RootHash()
		switch {
		case hex.EncodeToString(root[:]) == p.root:
		case p.fetched:
			return wire.NewError(wire.CodeIndexCorrupt,
				fmt.Sprintf("%s: its root hash is %s…, want %.16s…", path, f.ID(), p.root), `get it again with "kdd fetch"`)
		default:
			return wire.NewError(wire.CodeIndexUntrusted,
				fmt.Sprintf("%s: %s: %s has the root hash %s…, the lock pins %.16s…", p.place, name, path, f.ID(), p.root),
				fmt.Sprintf(`if that is meant, move the pin with "kdd update %s"`, name))
		}
		if accept == nil {
			return nil
		}
		return accept(f)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, p.gone(name, path)
	}
	return x, err
}

// same says whether two sources are the same artifact under the same name.
func (s *Source) same(other *Source) bool {
	if s.Name != other.Name || s.Path != other.Path || (s.pin == nil) != (other.pin == nil) {
		return false
	}
	return s.pin == nil || s.pin.root == other.pin.root
}

// relock takes up locks that were changed since their artifacts were found. Those that the new lock has too stay open.
// One that cannot be taken up, such as one whose artifacts have not been fetched yet, leaves the artifacts before it,
// and the log says why.
func (s *Store) relock() {
	moved := false
	for i := range s.locks {
		l := &s.locks[i]
		now, err := format.StampOf(l.path)
		moved = moved || err == nil && l.stamp.Change(now) != format.Same
	}
	if !moved {
		return
	}
	before, locks := s.Sources, s.locks
	list, err := s.find()
	if err != nil {
		s.locks = locks
		for i := range s.locks {
			l := &s.locks[i]
			now, missing := format.StampOf(l.path)
			if missing == nil && l.stamp.Change(now) != format.Same && l.refused.Change(now) != format.Same {
				l.refused = now
				s.logger().Error("the changed lock cannot be used: answers go on coming from the artifacts before it",
					"path", l.path, "error", err.Error())
			}
		}
		return
	}
	for i, src := range list {
		if at := slices.IndexFunc(before, src.same); at >= 0 {
			list[i] = before[at]
		}
	}
	for _, src := range before {
		if !slices.Contains(list, src) {
			src.close()
		}
	}
	s.Sources = list
}

// lockIn returns the path of the lock in a folder.
func lockIn(dir string) (string, bool) {
	path := filepath.Join(dir, lock.FileName)
	return path, Exists(path)
}
