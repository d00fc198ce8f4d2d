package duplicate

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

const (
	threshold   = 0.8 // Jaccard similarity of near duplicates
	sketchN     = 8   // smallest hashes of a text; two texts at the threshold share none of them with a probability below 1e-5
	minShingles = 8   // of a text that can be a duplicate: a shorter one, such as a lone heading, says too little
	maxLeaders  = 64  // texts with a hash that one is compared with: bounds texts made to share hashes
)

// Groups returns the groups of near duplicates among texts: each with two members or more, as ascending positions, the
// leader first; groups by their leaders. The result depends on the texts alone.
//
// Cost: linear in the bytes of the texts, at most 512 comparisons for a text; 64 bytes of memory for each.
func Groups(ctx context.Context, texts []string) ([][]uint32, error) {
	sketches := make([][]uint64, len(texts))
	group, shingled := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() error {
			var s shingler
			for i := w; i < len(texts); i += workers {
				if err := shingled.Err(); err != nil {
					return err
				}
				if set := s.set(texts[i]); len(set) >= minShingles {
					sketches[i] = append([]uint64(nil), set[:min(sketchN, len(set))]...)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	byHash := map[uint64][]uint32{} // leaders that have a hash in their sketch
	members := map[uint32][]uint32{}
	var mine, other shingler
	for i := range uint32(len(texts)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		leader, found := uint32(0), false
		var set []uint64
		seen := map[uint32]bool{}
		for _, h := range sketches[i] {
			for _, l := range byHash[h] {
				if seen[l] || found && l > leader {
					continue
				}
				seen[l] = true
				if texts[l] != texts[i] {
					if set == nil {
						set = mine.set(texts[i])
					}
					if !near(set, other.set(texts[l])) {
						continue
					}
				}
				leader, found = l, true
			}
		}
		if found {
			members[leader] = append(members[leader], i)
			continue
		}
		for _, h := range sketches[i] {
			if len(byHash[h]) < maxLeaders {
				byHash[h] = append(byHash[h], i)
			}
		}
	}
	var groups [][]uint32
	for i := range uint32(len(texts)) {
		if list := members[i]; list != nil {
			groups = append(groups, append([]uint32{i}, list...))
		}
	}
	return groups, nil
}

// near says whether two ascending sets have a Jaccard similarity of at least the threshold.
func near(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < threshold*float64(len(b)) {
		return false
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) >= threshold*float64(len(a)+len(b)-both)
}
