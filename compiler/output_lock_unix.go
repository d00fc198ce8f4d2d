//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package compiler

import (
	"errors"
	"os"
	"syscall"
)

// openLocked opens a file and locks it (flock(2)) until release is called. It neither follows a link nor waits.
func openLocked(path string) (f *os.File, release func(), err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}
