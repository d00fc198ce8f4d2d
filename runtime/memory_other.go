//go:build !linux

package runtime

import goruntime "runtime"

func cachedBytes(string) (int64, error) { return 0, errUnknown }

// residentBytes returns what Go's runtime has from the system: mapped files are not in it.
func residentBytes() (int64, error) {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.Sys), nil
}

func availableBytes() (int64, error) { return 0, errUnknown }
