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

// Pairs adds to dst, by chunk, how much of the query's word order it keeps: BM25 without length norm over adjacent pairs
// of the query's words, in body, heading path and title, over its own ideal.
//
//	score(c) = Σ_p idf(p) · f·(k1+1) / (f + k1) / Σ_p idf(p)·(k1+1)
//
// f counts where the second word follows the first directly. A pair's idf is over the chunks of this artifact that
// hold it. Cost: the postings and positions of the words that are in a pair.
func (s *Scorer) Pairs(ctx context.Context, q *query.Query, dst []float32) error {
	type pair struct{ a, b int }
	var pairs []pair
	for i := 1; i < len(q.All); i++ {
		for k := i - 1; k >= 0 && q.All[k].Pos+1 >= q.All[i].Pos; k-- {
			a, b := &q.All[k], &q.All[i]
			if a.Pos+1 == b.Pos && !a.Whole && !b.Whole {
				pairs = append(pairs, pair{k, i})
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	w := &s.x.Meta.Weights
	n := float64(s.x.Chunks())
	words := map[int]*[3]occurrences{}
	where := func(i int) *[3]occurrences {
		if words[i] == nil {
			words[i] = s.occurrences(&q.All[i])
		}
		return words[i]
	}
	k1 := float32(w.K1)
	type scored struct {
		chunks []uint32
		freqs  []float32
		idf    float64
	}
	var all []scored
	var ideal float64
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if len(q.All[p.a].Terms) > 0 && len(q.All[p.b].Terms) > 0 {
			s.pair(where(p.a), where(p.b))
		}
		one := scored{chunks: slices.Clone(s.fresh), idf: query.IDF(n, float64(len(s.fresh)))}
		for _, c := range s.fresh {
			one.freqs = append(one.freqs, s.term[c])
			s.term[c] = 0
		}
		s.fresh = s.fresh[:0]
		ideal += one.idf * (w.K1 + 1)
		all = append(all, one)
	}
	for _, one := range all {
		idf := float32(one.idf * (w.K1 + 1) / ideal)
		for i, c := range one.chunks {
			dst[c] += idf * one.freqs[i] / (one.freqs[i] + k1)
		}
	}
	return nil
}

// pair fills term and fresh with the weighted count of b right after a, by chunk.
func (s *Scorer) pair(a, b *[3]occurrences) {
	w := &s.x.Meta.Weights
	for field := range a {
		together(&a[field], &b[field], func(row, n uint32) {
			switch f := float32(n); format.FieldID(field) {
			case format.BodyField:
				s.add(row, f)
			case format.PathField:
				from, to := s.x.SectionChunks(format.SectionID(row))
				for c := from; c < to; c++ {
					s.add(uint32(c), f*float32(w.Path))
				}
			case format.TitleField:
				from, to := s.x.DocChunks(format.DocID(row))
				for c := from; c < to; c++ {
					s.add(uint32(c), f*float32(w.Title))
				}
			}
		})
	}
}

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

// occurrences reads where a word stands, in the fields that have positions.
func (s *Scorer) occurrences(word *query.Word) *[3]occurrences {
	var out [3]occurrences
	for _, t := range word.Terms {
		rec := s.x.Postings(t)
		for f := range out {
			out[f] = union(out[f], read(&rec.Fields[f]))
		}
	}
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
