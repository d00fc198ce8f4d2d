package web

import (
	"context"
	"time"
)

// slots bound how many requests work at the same time. The others wait for a while, then they are refused: a queue that
// grows only answers clients that have gone.
type slots struct {
	free chan struct{}
	wait time.Duration
}

func newSlots(n int, wait time.Duration) slots {
	return slots{free: make(chan struct{}, n), wait: wait}
}

// take reports whether a slot was got before the wait was over or ctx ended; give returns it.
func (s *slots) take(ctx context.Context) bool {
	select {
	case s.free <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.free <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func (s *slots) give() { <-s.free }
