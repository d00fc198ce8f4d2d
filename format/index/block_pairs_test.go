package index

import (
	"math"
	"testing"
)

// TestPairChunks finds each pair of a block, and none beside it, wherever the hashes lie: spread evenly, which is what
// the search counts on, or all at one end.
func TestPairChunks(t *testing.T) {
	spreads := map[string]func(i uint32) uint32{
		"even":  func(i uint32) uint32 { return i * (math.MaxUint32 / 1000) },
		"low":   func(i uint32) uint32 { return i * 2 },
		"high":  func(i uint32) uint32 { return math.MaxUint32 - 2*(999-i) },
		"steep": func(i uint32) uint32 { return i * i * 4000 },
	}
	for name, hash := range spreads {
		for _, n := range []uint32{0, 1, 2, 63, 64, 65, 1000} {
			c := generate(3, 20)
			c.Pairs = nil
			for i := range n {
				c.Pairs = append(c.Pairs, PairCount{hash(i), MinPairChunks + i%3})
			}
			x := open(t, image(t, c))
			for i := range n {
				h := hash(i)
				if got := x.PairChunks(h); got != MinPairChunks+i%3 {
					t.Fatalf("%s of %d: PairChunks of row %d = %d, want %d", name, n, i, got, MinPairChunks+i%3)
				}
				if got := x.PairChunks(h + 1); got != 0 && (i+1 == n || hash(i+1) != h+1) && h+1 != hash(0) {
					t.Fatalf("%s of %d: PairChunks of no row, after %d = %d, want 0", name, n, i, got)
				}
			}
			for _, h := range []uint32{1, math.MaxUint32 - 1, math.MaxUint32 / 2} {
				if got := x.PairChunks(h); got != 0 {
					t.Fatalf("%s of %d: PairChunks(%d) = %d, want 0", name, n, h, got)
				}
			}
		}
	}
}
