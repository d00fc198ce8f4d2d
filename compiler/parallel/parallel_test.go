package parallel

import (
	"context"
	"errors"
	"fmt"
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
	var mu sync.Mutex
	var sums []*int
	err := With(t.Context(), 4, n, func() func(int) error {
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
	if err != nil || len(sums) != 4 || total != n*(n-1)/2 {
		t.Errorf("%d goroutines, sum %d, %v; want 4, %d", len(sums), total, err, n*(n-1)/2)
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
	ctx, cancel := context.WithCancelCause(t.Context())
	err = Each(ctx, 2, 100_000, func(i int) error {
		if i == 10 {
			cancel(cause)
		}
		return nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("Each of an ended context = %v, want its cause", err)
	}
}
