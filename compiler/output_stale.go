package compiler

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kdd/compiler/embedding/vectorfile"
	"kdd/format"
)

// tempPrefix begins the names of files that are being written; a number of tempDigits digits to the base 36 follows.
const (
	tempPrefix = ".kddx-"
	tempDigits = 13
)

// tempName returns the name of a file that is being written. No name that people give looks so.
func tempName(n uint64) string {
	digits := strconv.FormatUint(n, 36)
	return tempPrefix + strings.Repeat("0", tempDigits-len(digits)) + digits
}

// maxStaleNames is how many names of the output's folder are looked at for what killed builds have left.
const maxStaleNames = 100_000

// removeStale removes from a folder the temporary files of builds that were killed. One that a running build writes is
// locked, and stays; so does whatever has such a name and is neither empty nor the beginning of an artifact or a part. Where
// files cannot be locked, nothing is removed.
func removeStale(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for seen := 0; seen < maxStaleNames; {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if isTemp(name) {
				removeIfStale(filepath.Join(dir, name))
			}
		}
		if seen += len(names); err != nil || len(names) == 0 {
			return
		}
	}
}

// isTemp says whether a name is one that tempName gives.
func isTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, tempPrefix)
	n, err := strconv.ParseUint(digits, 36, 64)
	return ok && err == nil && name == tempName(n)
}

func removeIfStale(path string) {
	f, release, err := openLocked(path)
	if err != nil {
		return
	}
	defer release()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	var head [8]byte
	if n, _ := io.ReadFull(f, head[:]); n > 0 && !format.Begins(head[:n]) && !vectorfile.Begins(head[:n]) { // a short file has what it has
		return
	}
	if there, err := os.Lstat(path); err == nil && os.SameFile(info, there) {
		os.Remove(path)
	}
}

// hold locks a file that was just made, until release is called or the process ends; ok is false if a build that looks
// for stale files was quicker, so that it is gone or will be. Where files cannot be locked, none is ever removed as
// stale.
func hold(f *os.File) (release func(), ok bool) {
	locked, release, err := openLocked(f.Name())
	switch {
	case errors.Is(err, errLocked), errors.Is(err, os.ErrNotExist):
		return nil, false
	case err != nil:
		return func() {}, true
	}
	mine, err := f.Stat()
	if err == nil {
		held, err := locked.Stat()
		there, errThere := os.Lstat(f.Name())
		if err == nil && errThere == nil && os.SameFile(mine, held) && os.SameFile(mine, there) {
			return release, true
		}
	}
	release()
	return nil, false
}

// errLocked says that another process holds a file.
var errLocked = errors.New("the file is locked")
