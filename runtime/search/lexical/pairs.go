package lexical

import (
	"context"

	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Pairs adds to each dst, by chunk, how much of the query's word order it keeps: BM25 without length norm over adjacent
// pairs of the query's words, in body, heading path and title, over its own ideal. scorers, queries and dst are one
// each for every artifact that answers.
//
//	score(c) = Σ_p idf(p) · f·(k1+1) / (f + k1) / Σ_p idf(p)·(k1+1)
//
// f counts where the second word follows the first directly. A pair's idf is over the chunks of all artifacts that
// hold it, whether a filter admits them or not. The first maxPairs distinct pairs of a query are looked for.
//
// Errors: ErrSteps if there are more pairs; dst is filled by the others. Cost: the postings and positions of the words
// that are in a pair.
func Pairs(ctx context.Context, scorers []*Scorer, queries []*query.Query, dst [][]float32) error {
	if len(scorers) == 0 {
		return nil
	}
	var n float64
	for _, s := range scorers {
		n += float64(s.x.Chunks())
	}
	var ideal float64
	pairs := adjacent(queries[0].All)
	for _, p := range pairs[:min(len(pairs), maxPairs)] {
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
	if len(pairs) > maxPairs {
		return ErrSteps
	}
	return nil
}

// maxPairs bounds the pairs of a query that are looked for. In a text longer than a question, with frequent words, the
// pairs would take more time than all else.
const maxPairs = 48

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
	w := &s.x.Meta.Weights
	add := func(c uint32, f float32) {
		if s.term[c] == 0 {
			s.fresh = append(s.fresh, c)
		}
		s.term[c] += f
	}
	for field := range index.LinkField {
		together(s.places(&s.left, a, field), s.places(&s.right, b, field), func(row, n uint32) {
			switch f := float32(n); field {
			case index.BodyField:
				add(row, f)
			case index.PathField:
				from, to := s.x.SectionChunks(index.SectionID(row))
				for c := from; c < to; c++ {
					add(uint32(c), f*float32(w.Path))
				}
			case index.TitleField:
				from, to := s.x.DocChunks(index.DocID(row))
				for c := from; c < to; c++ {
					add(uint32(c), f*float32(w.Title))
				}
			}
		})
	}
}

// maxPlacedTerms bounds the terms of a word in a pair. A word has one term for each language and its folded form; a
// single character that stands for hundreds of terms tells nothing about word order.
const maxPlacedTerms = 32

func placeable(w *query.Word) bool {
	n := len(w.Terms) + len(w.Near)
	return n > 0 && n <= maxPlacedTerms
}
