package eval

import (
	"cmp"
	"context"
	"slices"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
)

// BM25 ranks sections by the BM25 of their best chunk with k1 1.2 and b 0.75 over the artifact's stems; title, headings
// and text have equal weights. It is safe for concurrent use.
type BM25 struct {
	x       *index.Index
	rows    *lexical.Rows
	average float32 // mean length of a chunk
}

// NewBM25 returns the ranking over x, which stays as it is. Cost: one pass over the chunks' lengths.
func NewBM25(x *index.Index) *BM25 {
	plain, meta := *x, *x.Meta
	meta.Weights.K1, meta.Weights.B, meta.Weights.Title, meta.Weights.Path = 1.2, 0.75, 1, 1
	plain.Meta = &meta
	b := &BM25{x: &plain, rows: lexical.NewRows(&plain)}
	var sum float64
	for _, n := range b.rows.Length {
		sum += float64(n)
	}
	b.average = float32(max(1, sum/float64(max(1, len(b.rows.Length)))))
	return b
}

// Rank returns the sections that hold a word of the question, best first.
func (b *BM25) Rank(ctx context.Context, text string) ([]Place, error) {
	q := query.Read([]*index.Index{b.x}, text, query.Options{Plain: true, AsTyped: true})[0]
	scores := make([]float32, b.x.Chunks())
	if err := lexical.NewScorer(b.x, b.rows, b.average, nil).BM25(ctx, q, scores); err != nil {
		return nil, err
	}
	return RankSections(b.x, scores, 0), nil
}

// RankSections lists the sections whose best chunk has a score above low, best first; sections with equal scores keep
// their order.
//
// Shapes: scores [chunks of x].
func RankSections(x *index.Index, scores []float32, low float32) []Place {
	type hit struct {
		section index.SectionID
		score   float32
	}
	var hits []hit
	for s := range index.SectionID(x.Sections()) {
		from, to := x.SectionChunks(s)
		if from == to {
			continue
		}
		if best := slices.Max(scores[from:to]); best > low {
			hits = append(hits, hit{s, best})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	places := make([]Place, len(hits))
	for i, h := range hits {
		places[i] = Place{Path: x.DocPath(x.DocOfSection(h.section)), Anchor: x.SectionAnchor(h.section)}
	}
	return places
}
