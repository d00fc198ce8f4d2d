package runtime

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// cachedBytes returns how much of a file is in the page cache: cachestat(2), Linux 6.5.
func cachedBytes(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	var stat unix.Cachestat_t
	if err := unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{Len: uint64(info.Size())}, &stat, 0); err != nil {
		return 0, err
	}
	return min(int64(stat.Cache)*int64(os.Getpagesize()), info.Size()), nil
}

// residentBytes returns the memory of this process that is in RAM, mapped files included: proc(5), statm.
func residentBytes() (int64, error) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, errUnknown
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// availableBytes returns how much memory the system can give without swapping (MemAvailable), but no more than is left
// of the control group's limit.
func availableBytes() (int64, error) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	free := int64(-1)
	for line := range bytes.Lines(data) {
		var kB int64
		if _, err := fmt.Sscanf(string(line), "MemAvailable: %d kB", &kB); err == nil {
			free = kB * 1024
		}
	}
	if free < 0 {
		return 0, errUnknown
	}
	limit, err1 := readNumber("/sys/fs/cgroup/memory.max")
	used, err2 := readNumber("/sys/fs/cgroup/memory.current")
	if err1 == nil && err2 == nil {
		free = min(free, max(0, limit-used))
	}
	return free, nil
}

// readNumber reads a file that holds one number.
func readNumber(path string) (int64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
}
