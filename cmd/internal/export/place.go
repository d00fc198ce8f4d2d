package export

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
	"slices"
	"time"

	"kdd/runtime/wire"
)

// bufferBytes is how much is gathered before it is written.
const bufferBytes = 1 << 20

// another is the cure where a name is taken.
const another = "name another output with -o"

// place is where an export goes: a file or a folder, which is there whole or as it was before.
type place struct {
	path string      // as told
	real string      // the file itself, where path is a symbolic link
	mode fs.FileMode // permissions of the file that is replaced; 0 if there is none
	old  bool        // something is there
}

// refuse returns the error for an output that cannot be written.
func refuse(path, why, cure string) error {
	return wire.NewError(wire.CodeIO, wire.Clean(path)+": "+why, cure).With("field", "output")
}

// newPlace checks that an export in a format can be written to path, and that nothing is lost if it is.
func newPlace(path, input string, t *target) (*place, error) {
	if t.folder == nil && os.IsPathSeparator(path[len(path)-1]) {
		return nil, refuse(path, "a folder, want a file", "name a file in it with -o")
	}
	p := &place{path: path, real: filepath.Clean(path)}
	info, err := os.Lstat(p.real)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if p.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, refuse(path, "a symbolic link that leads nowhere", another)
		}
		info, err = os.Stat(p.real)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil // what is wrong with its folder shows when a file is made there
	}
	if err != nil {
		return p, nil
	}
	p.old = true
	if t.folder != nil {
		return p, replaceableFolder(p, info)
	}
	return p, p.replaceable(info, input, t)
}

// replaceable reports why the file that is there must stay.
func (p *place) replaceable(info fs.FileInfo, input string, t *target) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return refuse(p.path, "a folder, want a file", "name a file in it with -o")
	case !mode.IsRegular():
		return refuse(p.path, "a pipe, socket or device, not a file", "write to standard output with -o -, or "+another)
	case mode.Perm()&0o222 == 0:
		return refuse(p.path, "the file is read-only", "permit writing, or "+another)
	}
	if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
		return refuse(p.path, "the artifact itself would be overwritten", another)
	}
	f, err := os.OpenFile(p.real, os.O_RDWR, 0) // changes nothing, but finds what permissions cannot tell
	if err != nil {
		return refuse(p.path, "cannot be written: "+cause(err).Error(), another)
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := io.ReadFull(f, head) // a short file has what it has
	if n > 0 && !t.ours(head[:n]) {
		return refuse(p.path, "a file that is no "+t.name+" export would be overwritten", "remove it, or "+another)
	}
	p.mode = info.Mode().Perm()
	return nil
}

// replaceableFolder reports why the folder that is there must stay: it holds something else than an export.
func replaceableFolder(p *place, info fs.FileInfo) error {
	if !info.IsDir() {
		return refuse(p.path, "a file, want a folder", another)
	}
	return filepath.WalkDir(p.real, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return refuse(p.path, cause(err).Error(), another)
		}
		name, _ := filepath.Rel(p.real, path) // path is below it
		name = filepath.ToSlash(name)
		if name == "." || name == "qrels" && e.IsDir() || e.Type().IsRegular() && slices.Contains(beirFiles[:], name) {
			return nil
		}
		return refuse(p.path, "the folder holds "+wire.Clean(name)+", which is no part of an export",
			"name an empty folder, or one that is not there")
	})
}

// temp makes an empty file or folder beside the place.
func (p *place) temp(folder bool) (name string, err error) {
	dir := filepath.Dir(p.real)
	for {
		name = filepath.Join(dir, fmt.Sprintf(tempPrefix+"%016x", rand.Uint64()))
		if folder {
			err = os.Mkdir(name, 0o777)
		} else {
			var f *os.File
			if f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
				err = f.Close()
			}
		}
		switch {
		case err == nil:
			return name, nil
		case errors.Is(err, fs.ErrExist):
		case errors.Is(err, fs.ErrNotExist):
			return "", refuse(p.path, "the folder "+wire.Clean(dir)+" does not exist", "make it, or "+another)
		default:
			return "", refuse(p.path, "cannot be written: "+cause(err).Error(), another)
		}
	}
}

// write calls fill with the name of an empty file or folder beside the place, and puts that in the place if fill returns
// no error: what was there stays until then.
func (p *place) write(ctx context.Context, folder bool, fill func(temp string) error) error {
	removeStale(filepath.Dir(p.real), time.Now())
	temp, err := p.temp(folder)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) // gone once it was renamed
	if err := fill(temp); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := p.replace(temp, folder); err != nil {
		return &writeError{err}
	}
	return nil
}

// replace puts the file or folder temp in the place.
func (p *place) replace(temp string, folder bool) error {
	if !folder {
		f, err := os.OpenFile(temp, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if p.mode != 0 {
			err = f.Chmod(p.mode)
		}
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			return err
		}
	} else if p.old {
		aside, err := p.temp(true)
		if err != nil {
			return err
		}
		defer os.RemoveAll(aside)
		before := filepath.Join(aside, "before")
		if err := os.Rename(p.real, before); err != nil {
			return err
		}
		if err := os.Rename(temp, p.real); err != nil {
			return errors.Join(err, os.Rename(before, p.real))
		}
		return nil
	}
	return os.Rename(temp, p.real)
}

// writeError is an error of the output, not of the artifact.
type writeError struct{ err error }

// Error returns the text of the error.
func (e *writeError) Error() string { return e.err.Error() }

// Unwrap returns the error.
func (e *writeError) Unwrap() error { return e.err }

// output calls fill with a buffered writer of the file.
func output(path string, fill func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return &writeError{err}
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, bufferBytes)
	if err := fill(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return &writeError{err}
	}
	return nil
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
