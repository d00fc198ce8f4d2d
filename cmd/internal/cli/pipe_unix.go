//go:build !windows

package cli

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// brokenPipe says that whoever read our output has gone, as head does. That ends the work, and is no error.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// enableColors prepares f for ANSI sequences and says whether it shows them.
func enableColors(f *os.File) bool { return true }
