//go:build darwin || freebsd || netbsd

package format

import (
	"io/fs"
	"syscall"
)

// changeTime returns when the file or its attributes were changed last, in nanoseconds.
func changeTime(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Ctimespec.Sec)*1e9 + int64(s.Ctimespec.Nsec)
	}
	return 0
}
