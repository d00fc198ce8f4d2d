package export

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// tempPrefix begins the names of exports that are being written; 16 hexadecimal digits follow.
const tempPrefix = ".kdd-export-"

// tempName is what place.temp calls an export that is being written, and what SQLite writes beside one.
var tempName = regexp.MustCompile(`^\.kdd-export-[0-9a-f]{16}(-journal|-wal|-shm)?$`)

// staleAfter is how long nothing was written to an export of a process that was killed. A running one writes all the
// time.
const staleAfter = time.Hour

// removeStale removes from a folder what exports that were killed have left. A folder in which anything else lies than
// an export, such as the one that was being replaced, stays. Failing is no error: the next export tries again.
func removeStale(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !tempName.MatchString(e.Name()) || !e.IsDir() && !e.Type().IsRegular() || !untouched(path, now.Add(-staleAfter)) {
			continue
		}
		if info, err := e.Info(); err != nil || e.IsDir() && replaceableFolder(&place{path: path, real: path}, info) != nil {
			continue
		}
		os.RemoveAll(path)
	}
}

// untouched says that nothing at path or below it was written to since a time.
func untouched(path string, since time.Time) bool {
	err := filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && !info.ModTime().Before(since) {
			err = fs.ErrExist
		}
		return err
	})
	return err == nil
}
