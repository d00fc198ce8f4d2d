package fuse

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
)

// Candidate is a document and the most that a section of it can score, but for what Total takes away.
type Candidate struct {
	Doc  index.DocID
	most float64
}

var candidateLists = sync.Pool{New: func() any { return new([]Candidate) }}

// TopHits returns the best sections of the allowed documents, at most limit of them, best first and ties by section
// number, and whether there are more. It leaves out sections without any evidence, and scores that keep (if not nil)
// refuses; keep must not refuse a score above one that it accepts.
//
// Word order is looked at only where it can matter: each document has a bound on its scores, made of its best chunk's
// signals and of the pairs whose words it has, and documents are scored by falling bounds until the next one is below
// the worst hit (the threshold algorithm, Fagin, Lotem & Naor 2003). No weight of these signals is below zero.
//
// Cost: one pass over the chunks, and the positions of the query's words in the documents that are scored.
func TopHits(rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights, s *Signals, limit int,
	keep func(score float64) bool) (best []Hit, more bool) {
	room := candidateLists.Get().(*[]Candidate)
	defer candidateLists.Put(room)
	*room = s.bounds((*room)[:0], rows, allowed, w)
	return TopOf(*room, rows, w, s, limit, keep)
}

// Candidates returns the allowed documents that may have a hit that keep does not refuse. Cost: one pass over the
// documents, and of a search with vectors over the chunks.
func Candidates(rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights, s *Signals,
	keep func(score float64) bool) []Candidate {
	return slices.DeleteFunc(s.bounds(nil, rows, allowed, w), func(c Candidate) bool {
		return !keep(c.most) || !keep(above(s.Total(w, c.Doc, c.most, 0)))
	})
}

// TopOf returns what TopHits does, of some candidates, which it puts in another order.
func TopOf(candidates []Candidate, rows *lexical.Rows, w *index.Weights, s *Signals, limit int,
	keep func(score float64) bool) (best []Hit, more bool) {
	list := top{limit: limit + 1}
	reaches := func(score float64) bool {
		if keep != nil && !keep(score) {
			return false
		}
		return len(list.heap) < list.limit || score >= list.heap[0].Score
	}
	// least returns by how much word order may fall before none of the hits reaches the list.
	least := func(hits []Hit) float32 {
		most := math.Inf(-1)
		for _, h := range hits {
			most = max(most, above(h.Score))
		}
		switch {
		case len(hits) == 0 || !reaches(most):
			return -1
		case len(list.heap) < list.limit || w.Pairs <= 0:
			return float32(math.Inf(1))
		}
		return float32((most - list.heap[0].Score) / (w.Pairs * (1 + w.File*(w.Best+w.Top3))))
	}
	var hits []Hit
	score := func(b Candidate) {
		from, to := rows.First[b.Doc], rows.First[b.Doc+1]
		slack := func() float32 {
			hits = s.document(hits[:0], rows, w, b.Doc, int(from), int(to))
			return least(hits)
		}
		if s.Rest != nil {
			s.Rest.Fill(from, to)
		}
		if s.Order != nil && !s.Order.Fill(b.Doc, from, to, slack) {
			return
		}
		hits = s.document(hits[:0], rows, w, b.Doc, int(from), int(to))
		for _, h := range hits {
			if keep == nil || keep(h.Score) {
				list.add(h)
			}
		}
	}
	// The first documents raise the threshold, so that of the others only those above it have to be sorted.
	first := largest(candidates, list.limit)
	for _, b := range candidates[:first] {
		if keep == nil || reaches(above(s.Total(w, b.Doc, b.most, 0))) {
			score(b)
		}
	}
	rest := candidates[first:first]
	for _, b := range candidates[first:] {
		if !reaches(b.most) {
			continue
		}
		if b.most = above(s.Total(w, b.Doc, b.most, 0)); reaches(b.most) {
			rest = append(rest, b)
		}
	}
	slices.SortFunc(rest, func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.Doc, b.Doc)) })
	for _, b := range rest {
		if !reaches(b.most) {
			break
		}
		score(b)
	}
	best = list.sorted()
	return best[:min(limit, len(best))], len(best) > limit
}

// above is a bound that a score in another order of additions does not pass.
func above(score float64) float64 { return score + 1e-5*(1+math.Abs(score)) }

// bounds adds the documents with any evidence, and what their sections can score at most.
func (s *Signals) bounds(list []Candidate, rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights) []Candidate {
	both := 1 + w.File*(w.Best+w.Top3) // what a chunk counts in its section and in its document
	for d := range len(rows.First) - 1 {
		from, to := rows.First[d], rows.First[d+1]
		words, most := float32(0), 0.0
		if s.Best != nil {
			words = s.Best[d]
			most = both * s.Lexical * float64(words)
		}
		if s.Cosine == nil && words == 0 || from == to || !allowed(index.DocID(d)) {
			continue
		}
		chunks := 0.0
		if s.Cosine != nil {
			chunks = float64(slices.Max(s.Cosine[from:to]))
		}
		if s.Order != nil {
			chunks += w.Pairs * float64(s.Order.Bound(index.DocID(d)))
		}
		most += both * chunks
		if s.Anchors != nil {
			most += w.File * w.Anchor * float64(s.Anchors[d])
		}
		if s.Titles != nil {
			most += w.File * w.TitleMatch * float64(s.Titles[d])
		}
		if s.Heading != nil {
			most += w.Heading * float64(s.Heading[d])
		}
		if most = above(most); most != most {
			most = math.Inf(1)
		}
		list = append(list, Candidate{index.DocID(d), most})
	}
	return list
}

// largest moves the n largest bounds to the front, in no order, and returns how many these are (Hoare's selection).
func largest(list []Candidate, n int) int {
	if n >= len(list) {
		return len(list)
	}
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot := list[(lo+hi)/2].most
		i, k := lo, hi
		for i <= k {
			for list[i].most > pivot {
				i++
			}
			for list[k].most < pivot {
				k--
			}
			if i <= k {
				list[i], list[k] = list[k], list[i]
				i++
				k--
			}
		}
		switch {
		case n-1 <= k:
			hi = k
		case n-1 >= i:
			lo = i
		default:
			return n
		}
	}
	return n
}
