//go:build unix

package harness

import (
	"os"
	goruntime "runtime"
	"syscall"
)

// Peak returns the most memory that an ended process had, in bytes, as wait4 tells it.
func Peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if goruntime.GOOS == "darwin" || goruntime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
