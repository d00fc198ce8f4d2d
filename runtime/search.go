package runtime

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/runtime/fuse"
	"kdd/runtime/graph"
	"kdd/runtime/lexical"
	"kdd/runtime/query"
	"kdd/runtime/shape"
)

// The modes of a search.
const (
	modeHybrid  = "hybrid"
	modeLexical = "lexical"
	modeVector  = "vector"
)

// exactBonus is what the raw score gains where the whole query is an id, file stem, alias or title: more than all other
// signals together can give, so that nothing pushes such a document from the first place.
const exactBonus = 6

// ranked is one hit of one artifact.
type ranked struct {
	fuse.Hit
	index int     // of the artifact
	score float64 // calibrated
	exact string  // what the query is to the document: "id", "title", ...
}

// ranking is what a search found, before it is cut and shown.
type ranking struct {
	hits    []ranked
	queries []*query.Query
	signals []*fuse.Signals
	mode    string
}

// Search finds the sections that answer a query, best first.
//
// Errors: invalid_input for an empty query or a malformed filter, no_vectors, stale_cursor, and those of opening an
// index. No hit is no error. Cost: the postings of the query's words, and one pass over the chunks.
func (s *Service) Search(ctx context.Context, q shape.SearchRequest) (*shape.SearchResponse, error) {
	start := time.Now()
	q.Limit = orDefault(q.Limit, 5)
	q.Mode = cmp.Or(q.Mode, modeHybrid)
	if q.Query == "" {
		return nil, shape.NewError(shape.CodeInvalidInput, "query: it is empty", "give a question or keywords").With("field", "query")
	}
	var resp *shape.SearchResponse
	err := s.with(ctx, func(set *set) error {
		from, err := set.offset("search", q.Cursor, q)
		if err != nil {
			return err
		}
		r, warnings, err := set.rank(ctx, q.Query, q.Mode, &q.Filter)
		if err != nil {
			return err
		}
		hits := r.hits
		if q.ScoreThreshold > 0 {
			n := 0
			for n < len(hits) && hits[n].score >= q.ScoreThreshold {
				n++
			}
			hits = hits[:n]
		}
		resp = &shape.SearchResponse{Envelope: set.envelope("search_response.v1"), Query: q.Query, Mode: r.mode}
		resp.Warnings = warnings
		s.show(set, resp, r, hits, from, q.Limit, q.Explain)
		set.page(len(hits), from, q.Limit, &resp.Truncated, &resp.Cursor, func(at int) string { return shape.EncodeCursor(set.id(), "search", q, at) })
		resp.TimeMS = shape.Milliseconds(time.Since(start))
		shape.FitSearch(resp, q.MaxBytes, func(kept int) string { return shape.EncodeCursor(set.id(), "search", q, from+kept) })
		return nil
	})
	return resp, err
}

// rank scores every section of every artifact that the filter admits.
func (set *set) rank(ctx context.Context, text, mode string, filter *shape.Filter) (*ranking, []string, error) {
	xs := set.indexes()
	r := &ranking{queries: query.Parse(xs, text), mode: modeLexical}
	var warnings []string
	for i, a := range set.artifacts {
		allowed, err := query.Filter(a.Index, filter)
		if err != nil {
			return nil, nil, err
		}
		own, warning, err := a.score(ctx, r.queries[i], mode, allowed)
		if err != nil {
			return nil, nil, err
		}
		if warning != "" && !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
		if own.mode != modeLexical {
			r.mode = own.mode
		}
		r.signals = append(r.signals, own.signals)
		w := &a.Meta.Weights
		hits := fuse.Rank(a.rows(), own.scorer.Allowed, w, own.signals)
		var exact []string
		if mode != modeVector {
			exact, hits = exactHits(a, own.scorer, text, hits)
		}
		for k, h := range hits {
			one := ranked{Hit: h, index: i}
			if k < len(exact) {
				one.exact = exact[k]
			}
			one.score = fuse.Calibrate(w, own.mode, h.Score)
			r.hits = append(r.hits, one)
		}
	}
	if len(set.artifacts) > 1 {
		slices.SortStableFunc(r.hits, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.index, b.index))
		})
	}
	return r, warnings, nil
}

// scored is what one artifact's chunks got.
type scored struct {
	mode    string // what was really done: hybrid becomes lexical where there are no vectors
	signals *fuse.Signals
	scorer  *lexical.Scorer
}

// score fills the signals of a mode for the chunks of the allowed documents.
func (a *artifact) score(ctx context.Context, q *query.Query, mode string, allowed *roaring.Bitmap) (*scored, string, error) {
	w := &a.Meta.Weights
	s := &scored{mode: mode, signals: &fuse.Signals{Lexical: w.Lexical}, scorer: lexical.NewScorer(a.Index, a.rows(), allowed)}
	var warning string
	var vec []float32
	if mode != modeLexical {
		var err error
		if vec, warning, err = a.embed(q.Text); err != nil {
			return nil, "", err
		}
		if vec == nil && mode == modeVector {
			return nil, "", shape.NewError(shape.CodeNoVectors, "index "+a.name+": "+warning, `search with mode lexical, or build the index with a model`)
		}
		if vec == nil {
			s.mode = modeLexical
		} else if a.leansLexical(q) {
			s.signals.Lexical = w.LexicalOnly
		}
	}
	if mode != modeVector {
		s.signals.BM25, s.signals.Pairs, s.signals.Anchors = make([]float32, a.Chunks()), make([]float32, a.Chunks()), make([]float32, a.Docs())
		if err := s.scorer.BM25(ctx, q, s.signals.BM25); err != nil {
			return nil, "", err
		}
		if err := s.scorer.Pairs(ctx, q, s.signals.Pairs); err != nil {
			return nil, "", err
		}
		s.scorer.Anchors(q, s.signals.Anchors)
	}
	if vec != nil {
		s.signals.Cosine = make([]float32, a.Chunks())
		if err := a.cosines(ctx, vec, s); err != nil {
			return nil, "", err
		}
	}
	return s, warning, nil
}

// exactHits moves to the front one section of each document that the whole text names, and says what the name is to it.
func exactHits(a *artifact, scorer *lexical.Scorer, text string, hits []fuse.Hit) ([]string, []fuse.Hit) {
	var classes []string
	var front []fuse.Hit
	taken := map[format.DocID]bool{}
	for _, m := range graph.Resolve(a.Index, text) {
		d := a.NodeDoc(m.Node)
		if m.Class > graph.TitleName || taken[d] || !scorer.Allowed(d) || len(front) == 100 {
			continue
		}
		taken[d] = true
		h, ok := bestOf(a, hits, d, m)
		if !ok {
			continue
		}
		h.Score += exactBonus
		front, classes = append(front, h), append(classes, graph.ClassName(m.Class))
	}
	if len(front) == 0 {
		return nil, hits
	}
	moved := make(map[format.SectionID]bool, len(front))
	for _, h := range front {
		moved[h.Section] = true
	}
	rest := slices.DeleteFunc(slices.Clone(hits), func(h fuse.Hit) bool { return moved[h.Section] })
	return classes, append(front, rest...)
}

// bestOf returns the section to show for a document that was named: the one that was named, else its best hit that has
// more than a heading, else its first section.
func bestOf(a *artifact, hits []fuse.Hit, d format.DocID, m graph.Match) (fuse.Hit, bool) {
	named := !a.NodeIsDoc(m.Node)
	for _, h := range hits {
		if h.Doc != d {
			continue
		}
		if named && h.Section == a.NodeSection(m.Node) || !named && a.ChunkTokens(h.Chunk) > 0 {
			return h, true
		}
	}
	from, to := a.DocChunks(d)
	if named {
		from, to = a.SectionChunks(a.NodeSection(m.Node))
	}
	if from == to {
		return fuse.Hit{}, false
	}
	return fuse.Hit{Doc: d, Section: a.SectionOfChunk(from), Chunk: from}, true
}

func orDefault(v, otherwise int) int {
	if v == 0 {
		return otherwise
	}
	return v
}
