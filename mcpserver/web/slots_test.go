package web

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/semaphore"
)

// used returns how much of a semaphore of that size is taken.
func used(s *semaphore.Weighted, size int64) int64 {
	for n := range size {
		if s.TryAcquire(size - n) {
			s.Release(size - n)
			return n
		}
	}
	return size
}

// The slot is given back once, by the last that lets go; what is unsent is held from "free" to "end".
func TestLease(t *testing.T) {
	const body, answer = 30, 10
	tests := []struct {
		name, steps string // each step: what is called
		given       int    // after which step the slot was given back, from 1
		held        []int64
	}{
		{"answered and read", "free end", 1, []int64{40, 0}},
		{"nothing to send", "end", 1, []int64{0}},
		{"freed again", "free free end", 1, []int64{40, 40, 0}},
		{"freed late", "end free", 1, []int64{0, 0}},
		{"worked for", "hold letGo free end", 3, []int64{0, 0, 40, 0}},
		{"work goes on while the answer is sent", "hold free letGo end", 3, []int64{0, 40, 40, 0}},
		{"work goes on after the end", "hold free end letGo", 4, []int64{0, 40, 0, 0}},
		{"work goes on after an end without an answer", "hold hold end letGo letGo", 5, []int64{0, 0, 0, 0, 0}},
		{"too much is held", "fill free end", 3, []int64{90, 90, 90}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			unsent := semaphore.NewWeighted(100)
			var given []int
			var held []int64
			step := 0
			l := newLease(func() { given = append(given, step) }, body, unsent)
			for _, name := range strings.Fields(tt.steps) {
				step++
				switch name {
				case "hold":
					l.hold()
				case "letGo":
					l.letGo()
				case "free":
					l.free(answer)
				case "end":
					l.end()
				case "fill":
					unsent.TryAcquire(90)
				}
				held = append(held, used(unsent, 100))
			}
			if !slices.Equal(given, []int{tt.given}) || !slices.Equal(held, tt.held) {
				t.Errorf("%s: given back after steps %v, held %v, want once after %d, held %v", tt.steps, given, held, tt.given, tt.held)
			}
		})
	}
}
