package format

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for each of 0 to n-1, on all processors where there are several of both, and returns the first error
// by number, after all calls. Each call runs under Guard.
func Each(n int, do func(i int) error) error {
	if n == 1 {
		return do(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			errs[i] = Guard(func() error { return do(i) })
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
