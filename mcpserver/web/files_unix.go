//go:build unix

package web

import "syscall"

// OpenFiles returns how many files and connections this process may have open at once, 0 where the system does not say.
// Go raises the soft limit to the hard one when the process starts.
func OpenFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30)) // "unlimited" does not fit into an int
}
