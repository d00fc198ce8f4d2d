package source

import (
	"errors"
	"io/fs"
	"syscall"

	"kdd/compiler/diag"
)

// unreadable says that the system gave an error for a path, and what to do about that error.
func unreadable(path, what string, err error) diag.Diagnostic {
	d := diag.New(diag.Unreadable, path, "cannot read the %s: %s", what, reason(err))
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		d.Hint = `permit more open files, such as with "ulimit -n 1024"`
	case errors.Is(err, syscall.EIO):
		d.Hint = "check the disk, or name it in .kddignore"
	case errors.Is(err, fs.ErrNotExist):
		d.Hint = "it has vanished since its folder was listed: build again"
	}
	return d
}
