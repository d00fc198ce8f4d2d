// Package replace writes a file in the place of another.
package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes data beside path and renames it, so that a full disk or an end half-way leaves what was there. old is that, whose
// permissions and owner are kept; nil: there is nothing, and the file gets perm. ready, if it is not nil, is asked before the
// rename, and its error stops it. path is where links lead, and its folder is there.
func File(path string, data []byte, old fs.FileInfo, perm fs.FileMode, ready func() error) error {
	out, err := os.CreateTemp(filepath.Dir(path), ".kdd-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // gone once it was renamed
	_, err = out.Write(data)
	if old != nil {
		perm = old.Mode().Perm()
		keepOwner(out, old)
	}
	if err = errors.Join(err, out.Chmod(perm), out.Sync(), out.Close()); err != nil {
		return err
	}
	if ready != nil {
		if err := ready(); err != nil {
			return err
		}
	}
	return os.Rename(out.Name(), path)
}
