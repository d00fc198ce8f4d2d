//go:build !linux

package runtime

import goruntime "runtime"

func cachedBytes(string) (int64, error) { return 0, errUnknown }

// residentBytes returns the memory that Go's runtime got from the system, without mapped files.
func residentBytes() (int64, error) {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.Sys), nil
}

func availableBytes() (int64, error) { return 0, errUnknown }
