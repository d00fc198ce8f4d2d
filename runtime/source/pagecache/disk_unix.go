//go:build unix

package pagecache

import (
	"io/fs"
	"syscall"
)

// onDisk is what a file takes of the disk, without its holes.
func onDisk(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Blocks) * 512
	}
	return info.Size()
}
