package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, 12345} {
		for _, workers := range []int{0, 1, 3, 200} {
			calls := make([]atomic.Int32, n)
			if err := Each(t.Context(), workers, n, func(i int) error { calls[i].Add(1); return nil }); err != nil {
				t.Fatal(err)
			}
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Fatalf("%d items, %d workers: item %d was done %d times", n, workers, i, got)
				}
			}
		}
	}
}

// TestWith adds up in memory of each goroutine's own.
func TestWith(t *testing.T) {
	const n = 10_000
	for _, test := range []struct{ workers, want int }{{0, runtime.GOMAXPROCS(0)}, {1, 1}, {4, 4}} {
		var mu sync.Mutex
		var sums []*int
		err := With(t.Context(), test.workers, n, func() func(int) error {
			sum := new(int)
			mu.Lock()
			sums = append(sums, sum)
			mu.Unlock()
			return func(i int) error { *sum += i; return nil }
		})
		total := 0
		for _, s := range sums {
			total += *s
		}
		if err != nil || len(sums) != test.want || total != n*(n-1)/2 {
			t.Errorf("%d workers: %d goroutines, sum %d, %v; want %d, %d", test.workers, len(sums), total, err, test.want, n*(n-1)/2)
		}
	}
}

// TestEachAtOnce does as many items as there are workers, each of which ends when all have begun.
func TestEachAtOnce(t *testing.T) {
	for _, n := range []int{2, 5} {
		var begun sync.WaitGroup
		begun.Add(n)
		if err := Each(t.Context(), n, n, func(int) error { begun.Done(); begun.Wait(); return nil }); err != nil {
			t.Error(err)
		}
	}
}

func TestEnds(t *testing.T) {
	bad := errors.New("bad")
	var after atomic.Int32
	err := Each(t.Context(), 2, 100_000, func(i int) error {
		if i >= 10 {
			after.Add(1)
			return fmt.Errorf("item %d: %w", i, bad)
		}
		return nil
	})
	if n := after.Load(); !errors.Is(err, bad) || n > 2 {
		t.Errorf("Each = %v, and %d items failed; want the error, of each worker one at the most", err, n)
	}
	cause := errors.New("cause")
	for _, at := range []int{-1, 0, 10} { // the item that ends the context; -1 = it has ended before
		ctx, cancel := context.WithCancelCause(t.Context())
		if at < 0 {
			cancel(cause)
		}
		begun := 0
		err := Each(ctx, 1, 100_000, func(i int) error {
			if begun++; i == at {
				cancel(cause)
			}
			return nil
		})
		if !errors.Is(err, cause) || begun != at+1 {
			t.Errorf("Each of a context that item %d ended = %v, and %d items were begun; want its cause, %d", at, err, begun, at+1)
		}
	}
}
