package lexical

import (
	"context"
	"slices"

	"kdd/format"
	"kdd/runtime/query"
)

// occurrences are where a word stands in one field: rows ascending, and each row's positions, ascending.
type occurrences struct {
	rows   []uint32
	starts []uint32 // into at; one more than rows
	at     []uint32
}

// Pairs adds to each dst, by chunk, how much of the query's word order it keeps: BM25 without length norm over adjacent
// pairs of the query's words, in body, heading path and title, over its own ideal. scorers, queries and dst are one each
// for every artifact that answers.
//
//	score(c) = Σ_p idf(p) · f·(k1+1) / (f + k1) / Σ_p idf(p)·(k1+1)
//
// f counts where the second word follows the first directly. A pair's idf is over the chunks of all artifacts that
// hold it, whether a filter admits them or not. Cost: the postings and positions of the words that are in a pair.
func Pairs(ctx context.Context, scorers []*Scorer, queries []*query.Query, dst [][]float32) error {
	if len(scorers) == 0 {
		return nil
	}
	var n float64
	for _, s := range scorers {
		n += float64(s.x.Chunks())
	}
	var ideal float64
	for _, p := range adjacent(queries[0].All) {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		df := 0
		for i, s := range scorers {
			s.count(&queries[i].All[p.a], &queries[i].All[p.b])
			df += len(s.fresh)
		}
		idf := query.IDF(n, float64(df)) * float64(p.times)
		for i, s := range scorers {
			w := &s.x.Meta.Weights
			weight, k1 := float32(idf*(w.K1+1)), float32(w.K1)
			for _, c := range s.fresh {
				if f := s.term[c]; s.allow == nil || s.allow[s.rows.Doc[c]] {
					dst[i][c] += weight * f / (f + k1)
				}
				s.term[c] = 0
			}
			s.fresh = s.fresh[:0]
		}
		ideal += idf
	}
	for i, s := range scorers {
		whole := ideal * (s.x.Meta.Weights.K1 + 1)
		if whole <= 0 {
			continue
		}
		scale := float32(1 / whole)
		for c := range dst[i] {
			dst[i][c] *= scale
		}
	}
	return nil
}

// pair is two words of a query, by their places in it, and how often the query has them side by side.
type pair struct{ a, b, times int }

// adjacent returns the distinct pairs of neighbours among the words, in order of their first place.
func adjacent(words []query.Word) []pair {
	var pairs []pair
	index := map[[2]string]int{}
	for i := 1; i < len(words); i++ {
		for k := i - 1; k >= 0 && words[k].Pos+1 >= words[i].Pos; k-- {
			a, b := &words[k], &words[i]
			if a.Pos+1 != b.Pos || a.Whole || b.Whole {
				continue
			}
			key := [2]string{a.Text, b.Text}
			if at, ok := index[key]; ok {
				pairs[at].times++
				continue
			}
			index[key] = len(pairs)
			pairs = append(pairs, pair{k, i, 1})
		}
	}
	return pairs
}

// count fills term and fresh with the weighted count of b right after a, by chunk, of all documents.
func (s *Scorer) count(a, b *query.Word) {
	if !placeable(a) || !placeable(b) {
		return
	}
	x, y := s.occurrences(a), s.occurrences(b)
	w := &s.x.Meta.Weights
	add := func(c uint32, f float32) {
		if s.term[c] == 0 {
			s.fresh = append(s.fresh, c)
		}
		s.term[c] += f
	}
	for field := range x {
		together(&x[field], &y[field], func(row, n uint32) {
			switch f := float32(n); format.FieldID(field) {
			case format.BodyField:
				add(row, f)
			case format.PathField:
				from, to := s.x.SectionChunks(format.SectionID(row))
				for c := from; c < to; c++ {
					add(uint32(c), f*float32(w.Path))
				}
			case format.TitleField:
				from, to := s.x.DocChunks(format.DocID(row))
				for c := from; c < to; c++ {
					add(uint32(c), f*float32(w.Title))
				}
			}
		})
	}
}

// maxPlacedTerms bounds the terms of a word that stands in a pair: a word has one for each language and its folded form; a
// lone character that stands for hundreds of terms tells nothing about order.
const maxPlacedTerms = 32

func placeable(w *query.Word) bool { return len(w.Terms) > 0 && len(w.Terms) <= maxPlacedTerms }

// together calls each with every row where some position of b is one after a position of a, and how many are.
func together(a, b *occurrences, each func(row, n uint32)) {
	i, k := 0, 0
	for i < len(a.rows) && k < len(b.rows) {
		switch {
		case a.rows[i] < b.rows[k]:
			i++
		case a.rows[i] > b.rows[k]:
			k++
		default:
			x, y := a.at[a.starts[i]:a.starts[i+1]], b.at[b.starts[k]:b.starts[k+1]]
			var n uint32
			for len(x) > 0 && len(y) > 0 {
				switch {
				case x[0]+1 < y[0]:
					x = x[1:]
				case x[0]+1 > y[0]:
					y = y[1:]
				default:
					n++
					x, y = x[1:], y[1:]
				}
			}
			if n > 0 {
				each(a.rows[i], n)
			}
			i, k = i+1, k+1
		}
	}
}

// maxPlaced bounds the positions that are kept for the next pairs of a query, 16 MiB.
const maxPlaced = 4 << 20

// occurrences reads where a word stands, in the fields that have positions, and keeps it for the word's next pair.
func (s *Scorer) occurrences(word *query.Word) *[3]occurrences {
	if known := s.placed[word.Text]; known != nil {
		return known
	}
	var out [3]occurrences
	for _, t := range word.Terms {
		rec := s.x.Postings(t)
		for f := range out {
			out[f] = union(out[f], read(&rec.Fields[f]))
		}
	}
	for f := range out {
		s.placedCount += len(out[f].at)
	}
	if s.placed == nil || s.placedCount > maxPlaced {
		s.placed, s.placedCount = map[string]*[3]occurrences{}, 0
	}
	s.placed[word.Text] = &out
	return &out
}

// read decodes one field of a list; nothing if it has no positions, which then are among another term's of the word.
func read(p *format.Postings) occurrences {
	var o occurrences
	if !p.Placed() {
		return o
	}
	var rows, freqs [128]uint32
	for i := range p.Blocks() {
		n := p.Decode(i, rows[:], freqs[:])
		at := uint32(len(o.at))
		o.at = p.Positions(o.at, i, freqs[:n])
		o.rows = append(o.rows, rows[:n]...)
		for _, f := range freqs[:n] {
			o.starts = append(o.starts, at)
			at += f
		}
	}
	if len(o.rows) > 0 {
		o.starts = append(o.starts, uint32(len(o.at)))
	}
	return o
}

// union merges two lists of occurrences; positions of a row that both have are merged without duplicates.
func union(a, b occurrences) occurrences {
	if len(a.rows) == 0 {
		return b
	}
	if len(b.rows) == 0 {
		return a
	}
	o := occurrences{rows: make([]uint32, 0, len(a.rows)+len(b.rows)), starts: []uint32{0}}
	for i, k := 0, 0; i < len(a.rows) || k < len(b.rows); {
		switch {
		case k == len(b.rows) || i < len(a.rows) && a.rows[i] < b.rows[k]:
			o.rows, o.at = append(o.rows, a.rows[i]), append(o.at, a.at[a.starts[i]:a.starts[i+1]]...)
			i++
		case i == len(a.rows) || b.rows[k] < a.rows[i]:
			o.rows, o.at = append(o.rows, b.rows[k]), append(o.at, b.at[b.starts[k]:b.starts[k+1]]...)
			k++
		default:
			from := len(o.at)
			o.rows = append(o.rows, a.rows[i])
			o.at = append(append(o.at, a.at[a.starts[i]:a.starts[i+1]]...), b.at[b.starts[k]:b.starts[k+1]]...)
			slices.Sort(o.at[from:])
			o.at = o.at[:from+len(slices.Compact(o.at[from:]))]
			i, k = i+1, k+1
		}
		o.starts = append(o.starts, uint32(len(o.at)))
	}
	return o
}
