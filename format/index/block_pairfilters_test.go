package index

import (
	"math/rand/v2"
	"testing"
)

// TestPairFilter: a filter has every pair that was put into it, in any order and more than once, and few others.
func TestPairFilter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 1000, 50_000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		hashes := make([]uint32, n)
		for i := range hashes {
			hashes[i] = r.Uint32()
		}
		filter := DocPairs{PairFilter(append(hashes[:n:n], hashes[:n/2]...)), true}
		if want := (n + 1) / 2; len(filter.filter) != want {
			t.Errorf("%d pairs: %d bytes, want %d", n, len(filter.filter), want)
		}
		for _, h := range hashes {
			if !filter.May(h) {
				t.Fatalf("%d pairs: %08x is not in the filter", n, h)
			}
		}
		wrong := 0
		for range 20_000 {
			if filter.May(r.Uint32()) {
				wrong++
			}
		}
		// (1 - e^(-3/4))^3 = 0.147; a filter of a few bytes may be full
		if n >= 1000 && (wrong < 2_500 || wrong > 3_500) || n == 0 && wrong > 0 {
			t.Errorf("%d pairs: %d of 20000 others are in the filter, want some 2900", n, wrong)
		}
	}
	if !(DocPairs{}).May(7) {
		t.Error("a file without filters lacks a pair")
	}
}
