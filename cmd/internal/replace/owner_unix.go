//go:build unix

package replace

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner that info has, where this process may.
func keepOwner(f *os.File, info fs.FileInfo) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		f.Chown(int(s.Uid), int(s.Gid))
	}
}
