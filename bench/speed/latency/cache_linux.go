package latency

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropCache drops a file's pages from the page cache; on file systems in memory it does nothing.
func dropCache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
