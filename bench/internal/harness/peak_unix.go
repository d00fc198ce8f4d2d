//go:build unix

package harness

import (
	"os"
	goruntime "runtime"
	"syscall"
	"time"
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

// CPU is the processor time of this process so far.
func CPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
