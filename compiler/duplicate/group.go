package duplicate

import (
	"context"
	"math"
	"slices"

	"kdd/compiler/parallel"
)

const (
	threshold = 0.8 // Jaccard similarity of near duplicates
	// smallest hashes of a text; two texts at the threshold share none of them with a probability below 1e-5
	sketchN     = 8
	minShingles = 8  // of a text that can be a duplicate: a shorter one, such as a lone heading, says too little
	maxLeaders  = 64 // texts with a hash that one is compared with: bounds texts made to share hashes
)

// Groups returns the groups of near duplicates among n texts: each with two members or more, as ascending positions,
// the leader first; groups by their leaders. The result depends on the texts alone. text is called once for each, by
// several goroutines at once.
//
// Cost: linear in the bytes of the texts, at most 512 comparisons for a text; 8 bytes of memory for each of its words.
func Groups[ID ~uint32](ctx context.Context, n int, text func(i int) string) ([][]ID, error) {
	sets, err := shingles(ctx, n, text)
	if err != nil {
		return nil, err
	}
	byHash := map[uint64]uint32{} // by a hash of a sketch: 1 + the last entry of its leaders
	var entries []entry
	members := map[uint32][]ID{} // by leader
	seen := make([]uint32, n)    // by leader: 1 + the last text that was compared with it
	var lengths [sketchN]int     // of the lists of the text's sketch
	for i := range uint32(n) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		leader, found := uint32(0), false
		sketch := sets[i][:min(sketchN, len(sets[i]))]
		for k, h := range sketch {
			lengths[k] = 0
			for at := byHash[h]; at > 0; at = entries[at-1].next {
				lengths[k]++
				l := entries[at-1].leader
				if seen[l] == i+1 || found && l > leader {
					continue
				}
				seen[l] = i + 1
				if near(sets[i], sets[l]) {
					leader, found = l, true
				}
			}
		}
		if found {
			members[leader] = append(members[leader], ID(i))
			continue
		}
		for k, h := range sketch {
			if lengths[k] < maxLeaders {
				entries = append(entries, entry{leader: i, next: byHash[h]})
				byHash[h] = uint32(len(entries))
			}
		}
	}
	var groups [][]ID
	for i := range uint32(n) {
		if list := members[i]; list != nil {
			groups = append(groups, append([]ID{ID(i)}, list...))
		}
	}
	return groups, nil
}

// entry is a leader in the list of those that have a hash in their sketch.
type entry struct {
	leader uint32
	next   uint32 // 1 + the entry before it in the list; 0 = none
}

// shingles returns each text's set of shingles, in parallel; none for one that is too short.
func shingles(ctx context.Context, n int, text func(i int) string) ([][]uint64, error) {
	sets := make([][]uint64, n)
	return sets, parallel.With(ctx, 0, n, func() func(i int) error {
		var s shingler
		return func(i int) error {
			if set := s.set(text(i)); len(set) >= minShingles {
				sets[i] = slices.Clone(set)
			}
			return nil
		}
	})
}

// near says whether two ascending sets have a Jaccard similarity of at least the threshold. It gives up as soon as too
// few members are left to reach that.
func near(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	// |A ∩ B| / |A ∪ B| ≥ t is |A ∩ B| ≥ t / (1 + t) · (|A| + |B|).
	need := int(math.Ceil(threshold/(1+threshold)*float64(len(a)+len(b)) - 1e-9))
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b) && both+min(len(a)-i, len(b)-j) >= need; {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return both >= need
}
