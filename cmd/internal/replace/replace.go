// Package replace writes a file in the place of another.
package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes data to a temporary file beside path and renames it to path, so that a full disk or a process that is
// ended half-way leaves the old file as it was. The caller has followed the links of path and made sure that its folder
// exists.
//
// old describes the file that is replaced: its permissions and owner are kept. If old is nil there is none, and the new
// file gets perm. ready, if it is not nil, is called before the rename; an error of it is returned, and nothing is
// replaced.
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
