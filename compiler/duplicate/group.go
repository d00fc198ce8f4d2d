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
// the leader first; groups by their leaders. The result depends on the texts alone. text is called by several
// goroutines at once, and more than once for texts that are close to others.
//
// Cost: linear in the bytes of the texts, at most 512 comparisons for a text; 2 bytes of memory for each of its words,
// 8 for those of a leader that another text is close to.
func Groups[ID ~uint32](ctx context.Context, n int, text func(i int) string) ([][]ID, error) {
	parts, err := shingles(ctx, n, text)
	if err != nil {
		return nil, err
	}
	whole := wholeSets{text: text, leaders: map[uint32][]uint64{}}
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
		sketch := parts[i].least[:min(sketchN, len(parts[i].least))]
		for k, h := range sketch {
			lengths[k] = 0
			for at := byHash[h]; at > 0; at = entries[at-1].next {
				lengths[k]++
				l := entries[at-1].leader
				if seen[l] == i+1 || found && l > leader {
					continue
				}
				seen[l] = i + 1
				if !apart(parts[i], parts[l]) && near(whole.of(i), whole.ofLeader(l)) {
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

// part is what is kept of each text's set of shingles: enough to tell most pairs apart. The sets of all texts would take
// more memory than the texts.
type part struct {
	least []uint64 // the smallest hashes, ascending
	size  int      // of the set
}

// keptOf returns how many hashes of a set are kept. Two sets at the threshold differ in a ninth of each; of sets that
// have little in common, so many differences are among a quarter of the hashes.
func keptOf(size int) int { return min(size, size/4+sketchN) }

// shingles returns the part of each text's set of shingles, in parallel; none for one that is too short.
func shingles(ctx context.Context, n int, text func(i int) string) ([]part, error) {
	parts := make([]part, n)
	return parts, parallel.With(ctx, 0, n, func() func(i int) error {
		var s shingler
		return func(i int) error {
			if set := s.set(text(i)); len(set) >= minShingles {
				parts[i] = part{slices.Clone(set[:keptOf(len(set))]), len(set)}
			}
			return nil
		}
	})
}

// wholeSets makes the sets of the text at hand and of leaders again.
type wholeSets struct {
	text    func(i int) string
	made    shingler
	at      uint32 // 1 + the text whose set is in set
	set     []uint64
	leaders map[uint32][]uint64
}

// of returns the set of the text at hand.
func (w *wholeSets) of(i uint32) []uint64 {
	if w.at != i+1 {
		w.at, w.set = i+1, slices.Clone(w.made.set(w.text(int(i))))
	}
	return w.set
}

// ofLeader returns the set of a leader and keeps it: a text that one is close to mostly has others too.
func (w *wholeSets) ofLeader(l uint32) []uint64 {
	set := w.leaders[l]
	if set == nil {
		set = slices.Clone(w.made.set(w.text(int(l))))
		w.leaders[l] = set
	}
	return set
}

// needed is how many hashes two sets of these sizes have in common at least if they are near.
func needed(a, b int) int {
	// |A ∩ B| / |A ∪ B| ≥ t is |A ∩ B| ≥ t / (1 + t) · (|A| + |B|).
	return int(math.Ceil(threshold/(1+threshold)*float64(a+b) - 1e-9))
}

// apart says that the parts of two sets show that these are not near.
func apart(a, b part) bool {
	need := needed(a.size, b.size)
	both := 0
	for i, j := 0, 0; ; {
		if both+min(a.size-i, b.size-j) < need {
			return true
		}
		if i == len(a.least) || j == len(b.least) {
			return false
		}
		switch {
		case a.least[i] < b.least[j]:
			i++
		case a.least[i] > b.least[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
}

// near says whether two ascending sets have a Jaccard similarity of at least the threshold. It gives up as soon as too
// few members are left to reach that.
func near(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	need := needed(len(a), len(b))
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
