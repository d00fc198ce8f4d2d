package fuse

import (
	"slices"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
)

// Part is one term of a hit's raw score: value · weight.
type Part struct {
	Name   string
	Value  float64
	Weight float64
	Rank   int // of the value among all chunks or documents that are admitted, from 1; 0 if it is not above zero
}

// Explainer takes scores apart. It is for one query and one goroutine.
type Explainer struct {
	rows    *lexical.Rows
	allowed func(index.DocID) bool
	w       *index.Weights
	s       *Signals
	sorted  map[string][]float64 // values of all that are admitted, ascending, by the name of a part

	completed bool // see complete
}

// NewExplainer returns an explainer of hits that TopHits returned for the same arguments.
func NewExplainer(rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights, s *Signals) *Explainer {
	return &Explainer{rows: rows, allowed: allowed, w: w, s: s, sorted: map[string][]float64{}}
}

// Parts returns the terms of a hit's score, whose document has the chunks [from, to): their sum is h.Score.
// Cost: a sort of each signal, once.
func (e *Explainer) Parts(h *Hit, from, to index.ChunkID) []Part {
	e.complete()
	var parts []Part
	add := func(name string, value, weight float64, all func() []float64) {
		parts = append(parts, Part{Name: name, Value: value, Weight: weight, Rank: e.rank(name, value, all)})
	}
	for _, g := range e.s.signals(e.w) {
		if g.scores != nil {
			add("section "+g.name, float64(g.scores[h.Chunk]), g.weight, func() []float64 { return e.chunks(g.scores) })
		}
	}
	if e.s.Headings != nil { // of what is not admitted they are zero
		add("section headings", float64(e.s.Headings[h.Section]), e.w.Heading, func() []float64 {
			list := make([]float64, len(e.s.Headings))
			for i, v := range e.s.Headings {
				list[i] = float64(v)
			}
			return list
		})
	}
	for _, g := range e.s.signals(e.w) {
		if g.scores != nil {
			add("document "+g.name, pool(g.scores[from:to], e.w), e.w.File*g.weight, func() []float64 { return e.documents(g.scores) })
		}
	}
	for _, g := range []struct {
		name   string
		scores []float32
		weight float64
	}{{"link texts", e.s.Anchors, e.w.Anchor}, {"title", e.s.Titles, e.w.TitleMatch}} {
		if g.scores != nil {
			add("document "+g.name, float64(g.scores[h.Doc]), e.w.File*g.weight, func() []float64 { return e.admitted(g.scores) })
		}
	}
	if e.s.Stale != nil && e.s.Stale(h.Doc) {
		parts = append(parts, Part{Name: "no longer in force", Value: 1, Weight: -e.w.Stale})
	}
	if e.s.Aside != nil && e.s.Aside(h.Doc) || e.s.AsideSection != nil && e.s.AsideSection(h.Doc, h.Section) {
		parts = append(parts, Part{Name: "aside", Value: 1, Weight: -e.w.Aside})
	}
	if e.s.Foreign != nil && e.s.Foreign(h.Doc) {
		parts = append(parts, Part{Name: "in another language", Value: 1, Weight: -OtherLanguage * e.w.Stale})
	}
	return parts
}

// complete makes the scores of all documents that are made when they are needed: a rank is among all.
func (e *Explainer) complete() {
	if e.completed {
		return
	}
	e.completed = true
	for d := range index.DocID(max(1, len(e.rows.First)) - 1) {
		if e.allowed(d) {
			e.s.complete(d, index.ChunkID(e.rows.First[d]), index.ChunkID(e.rows.First[d+1]))
		}
	}
}

// admitted returns the scores of the admitted documents.
func (e *Explainer) admitted(scores []float32) []float64 {
	var list []float64
	for d, v := range scores {
		if e.allowed(index.DocID(d)) {
			list = append(list, float64(v))
		}
	}
	return list
}

// rank returns one plus the number of values above value.
func (e *Explainer) rank(name string, value float64, all func() []float64) int {
	if value <= 0 {
		return 0
	}
	list, ok := e.sorted[name]
	if !ok {
		list = all()
		slices.Sort(list)
		e.sorted[name] = list
	}
	at, _ := slices.BinarySearchFunc(list, value, func(v, value float64) int {
		if v <= value {
			return -1
		}
		return 1
	})
	return len(list) - at + 1
}

func (e *Explainer) chunks(scores []float32) []float64 {
	list := make([]float64, 0, len(scores))
	for c, v := range scores {
		if e.allowed(index.DocID(e.rows.Doc[c])) {
			list = append(list, float64(v))
		}
	}
	return list
}

func (e *Explainer) documents(scores []float32) []float64 {
	var list []float64
	for from := 0; from < len(scores); {
		to := from
		for to < len(scores) && e.rows.Doc[to] == e.rows.Doc[from] {
			to++
		}
		if e.allowed(index.DocID(e.rows.Doc[from])) {
			list = append(list, pool(scores[from:to], e.w))
		}
		from = to
	}
	return list
}
