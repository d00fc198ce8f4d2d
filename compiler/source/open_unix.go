//go:build unix

package source

import (
	"os"
	"syscall"
)

// openFlags keep an open from waiting for the other end, should a pipe have taken a file's place.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
