package search

import (
	"container/heap"
	"math"
)

// furtherShare is what a further hit of a document counts of its score, for each hit of the document above it: a second
// hit has the place of a score of .97 of its own, a third of .97², and so on. Hits of a document keep their order, and
// one has a fourth hit only behind every document whose best hit has at least .97³ = .91 of its score: that is a
// comparable one.
//
// Of .9 to .99 it is the least that loses nothing by section on questions over ten sources, with vectors and without
// (bench/runs/2026-11-26-epyc/groups). Less of a share gains documents and loses sections.
const furtherShare = .97

// waiting is a hit, with the neighbours that stand below it, that has no place in the list yet.
type waiting struct {
	hits   []Result
	at     int     // in the ranking
	counts float64 // what its score counts
}

// queue is a heap of hits: what counts most comes first, then what came first.
type queue []waiting

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].counts > q[j].counts || q[i].counts == q[j].counts && q[i].at < q[j].at
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(waiting)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// Spread brings hits in the order of what their scores count (furtherShare). Hits that the query names, which come
// first, stay where they are; neighbours stay below their hit. complete says that no hits follow; otherwise it returns
// as many as have their place, whatever follows.
//
// Cost: that of sorting the hits.
func Spread(hits []Result, complete bool) []Result {
	list := make([]Result, 0, len(hits))
	shares := map[spot]float64{} // what the next hit of a document counts of its score
	last := -1                   // the place in the ranking of what is listed, the largest
	var wait queue
	release := func(score float64) {
		for len(wait) > 0 && wait[0].counts >= score {
			w := heap.Pop(&wait).(waiting)
			first := len(list)
			list = append(list, w.hits...)
			list[first].moved = w.at < last
			last = max(last, w.at)
		}
	}
	for i, end := 0, 0; i < len(hits); i = end {
		for end = i + 1; end < len(hits) && hits[end].note != nil; {
			end++
		}
		w := waiting{hits: hits[i:end], at: i, counts: hits[i].Calibrated}
		if hits[i].class != notNamed {
			list, last = append(list, w.hits...), i
		} else {
			release(w.counts) // those that follow count no more
			if share, further := shares[spot{hits[i].Index, uint32(hits[i].Doc)}]; further {
				w.counts *= share
			}
			heap.Push(&wait, w)
		}
		for _, h := range w.hits {
			at := spot{h.Index, uint32(h.Doc)}
			if share, further := shares[at]; further {
				shares[at] = share * furtherShare
			} else {
				shares[at] = furtherShare
			}
		}
	}
	if complete {
		release(math.Inf(-1))
	}
	return list
}
