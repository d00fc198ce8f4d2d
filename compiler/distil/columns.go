package distil

import (
	"cmp"
	"math"
	"slices"
)

// columns are the unknowns of the regression: the wordpieces that texts hold, ascending, then the pairs.
type columns struct {
	weights []float64        // [Pieces], of every wordpiece
	seen    []int32          // wordpieces with a column
	index   []int32          // [Pieces], column of a wordpiece, -1 for none
	pairs   [][2]int32       // the pairs, ascending
	pairOf  map[uint64]int32 // column of a pair
	pairW   float64          // weight of a pair
}

// count is the number of columns.
func (c *columns) count() int { return len(c.seen) + len(c.pairs) }

// newColumns chooses the columns for texts, of which the first are the chunks.
//
// The weight of wordpiece t is max(MinWeight, ln((n + K + 1) / (df + K·p + ½))): an inverse document frequency (Spärck
// Jones 1972) in which K pseudo-chunks hold t with share p.
func newColumns(in *Input, o *Options, texts [][]int32) *columns {
	n := len(in.Chunks)
	df := make([]int, in.Pieces)
	last := make([]int32, in.Pieces) // 1 + the text that held a wordpiece last
	c := &columns{weights: make([]float64, in.Pieces), index: make([]int32, in.Pieces)}
	for i, ids := range texts {
		for _, id := range ids {
			if last[id] != int32(i)+1 {
				if last[id] == 0 {
					c.seen = append(c.seen, id)
				}
				last[id] = int32(i) + 1
				if i < n {
					df[id]++
				}
			}
		}
	}
	slices.Sort(c.seen)
	for i := range c.index {
		c.index[i] = -1
	}
	for k, id := range c.seen {
		c.index[id] = int32(k)
	}
	pseudo := o.PseudoChunks
	if in.Shares == nil {
		pseudo = 0
	}
	var present []float64
	for t := range c.weights {
		held := float64(df[t]) + .5
		if pseudo > 0 {
			held += float64(pseudo * float64(in.Shares[t]))
		}
		c.weights[t] = max(o.MinWeight, logarithm((float64(n)+pseudo+1)/held))
		if df[t] > 0 {
			present = append(present, c.weights[t])
		}
	}
	c.pairW = o.PairWeight * median(present)
	if c.pairW > 0 {
		c.choosePairs(o, texts[:n], df)
	}
	return c
}

// logarithm returns ln x to the bits of float32: those beyond are not the same on all processors.
func logarithm(x float64) float64 { return float64(float32(math.Log(x))) }

// known returns the share of the pieces of general text that the texts hold.
func (c *columns) known(shares []float32) float64 {
	var held, all float64
	for id, s := range shares {
		all += float64(s)
		if c.index[id] >= 0 {
			held += float64(s)
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}

// median returns the middle of some numbers, the mean of the middle two; 0 of none. It sorts them.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// choosePairs finds the most frequent pairs of adjacent wordpieces in the chunks. Of equally frequent ones those of
// lower ids are taken.
//
// Cost: linear in the wordpieces, but for sorting those that follow one wordpiece.
func (c *columns) choosePairs(o *Options, chunks [][]int32, df []int) {
	limit := o.StopShare * float64(len(chunks))
	stop := func(id int32) bool { return float64(df[id]) > limit }
	each := func(do func(a, b int32)) {
		for _, ids := range chunks {
			for k := 1; k < len(ids); k++ {
				if a, b := ids[k-1], ids[k]; !stop(a) || !stop(b) {
					do(a, b)
				}
			}
		}
	}
	// Followers of each wordpiece, side by side: a counting sort by the first of a pair.
	starts := make([]int, len(df)+1)
	each(func(a, _ int32) { starts[a+1]++ })
	for t := range df {
		starts[t+1] += starts[t]
	}
	followers := make([]int32, starts[len(df)])
	at := slices.Clone(starts[:len(df)])
	each(func(a, b int32) {
		followers[at[a]] = b
		at[a]++
	})
	type pair struct{ a, b, n int32 }
	var found []pair
	for a := range df {
		list := followers[starts[a]:starts[a+1]]
		slices.Sort(list)
		for k := 0; k < len(list); {
			end := k + 1
			for end < len(list) && list[end] == list[k] {
				end++
			}
			if end-k >= o.PairMin {
				found = append(found, pair{int32(a), list[k], int32(end - k)})
			}
			k = end
		}
	}
	slices.SortFunc(found, func(x, y pair) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	found = found[:min(o.PairCount, len(found))]
	slices.SortFunc(found, func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	c.pairOf = make(map[uint64]int32, len(found))
	for k, p := range found {
		c.pairs = append(c.pairs, [2]int32{p.a, p.b})
		c.pairOf[pairKey(p.a, p.b)] = int32(len(c.seen) + k)
	}
}

func pairKey(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
