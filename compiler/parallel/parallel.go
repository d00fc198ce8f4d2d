// Package parallel does the same to many items on all processors.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// batches is into how many batches the items of each worker are cut: a batch is what a worker takes at once. The last
// worker to end is late by one of them at most.
const batches = 64

// Each calls do once for each of 0 to n-1, from up to workers goroutines (0 = GOMAXPROCS), beginning with the lowest.
// It returns when all calls have: the first error, after which no more items are begun, or the cause of ctx's end.
func Each(ctx context.Context, workers, n int, do func(i int) error) error {
	return With(ctx, workers, n, func() func(i int) error { return do })
}

// With is Each for what needs memory of its own in each goroutine: begin is called in each, and returns its do.
func With(ctx context.Context, workers, n int, begin func() func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	batch := max(1, n/(workers*batches))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			do := begin()
			for {
				from := int(next.Add(int64(batch))) - batch
				if from >= n {
					return
				}
				for i := from; i < min(from+batch, n); i++ {
					if ctx.Err() != nil {
						return
					}
					if err := do(i); err != nil {
						cancel(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
