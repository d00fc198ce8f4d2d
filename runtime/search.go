package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/fuse"
	"kdd/runtime/graph"
	"kdd/runtime/lexical"
	"kdd/runtime/query"
	"kdd/runtime/wire"
)

// The modes of a search.
const (
	modeHybrid  = "hybrid"
	modeLexical = "lexical"
	modeVector  = "vector"
)

// Search finds the sections that answer a query, best first, arranged to be read (see arrange).
//
// Errors: invalid_input for an empty query or a malformed filter, no_vectors, stale_cursor, and those of opening an
// index. No hit is no error. Cost: the postings of the query's words, and one pass over the chunks; Facets and sorting by
// date look at every hit.
func (s *Service) Search(ctx context.Context, q wire.SearchRequest) (*wire.SearchResponse, error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	q.Mode = cmp.Or(q.Mode, modeHybrid)
	switch {
	case strings.TrimSpace(q.Query) == "":
		return nil, empty("query", "give a question or keywords")
	case !knownMode(q.Mode):
		return nil, badMode(q.Mode)
	case q.Limit < 0:
		return nil, negative("limit", q.Limit)
	case !knownDiversity(q.Diversity):
		return nil, badDiversity(q.Diversity)
	case q.Sort != "" && q.Sort != sortRelevance && q.Sort != sortDate:
		return nil, badChoice("sort", q.Sort, "relevance or date")
	}
	long := "" // what is to be said of a query that is too long
	if text, cut := query.Clip(strings.TrimSpace(q.Query)); cut {
		long = query.ClipNote(len(q.Query))
		q.Query = text
	}
	var resp *wire.SearchResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "search", q.Cursor, q)
		if err != nil {
			return err
		}
		r, more, err := set.find(ctx, &q, pages.from+q.Limit, false)
		if err != nil {
			return err
		}
		resp = &wire.SearchResponse{Envelope: set.envelope("search_response.v1"), Query: q.Query, Mode: r.mode}
		r.warn(set.absent(r))
		r.warn(long)
		resp.Warnings = r.warnings
		if q.Facets {
			resp.Facets = set.facets(r)
		}
		set.show(resp, r, pages.from, q.Limit, q.Explain)
		if more {
			resp.Truncated, resp.Cursor = true, pages.after(q.Limit)
		}
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitSearch(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// find returns the ranking that a search shows, arranged: want hits of it if there are so many, and whether there are more. With
// pieces it keeps those of the query.
func (set *set) find(ctx context.Context, q *wire.SearchRequest, want int, pieces bool) (*ranking, bool, error) {
	names := pageNamed
	if q.Mode == modeVector {
		names = noNames
	}
	r, err := set.rank(ctx, &ask{text: q.Query, mode: q.Mode, operators: true, filter: &q.Filter, names: names, want: want + ahead, threshold: q.ScoreThreshold, pieces: pieces})
	if err != nil {
		return nil, false, err
	}
	if r.total == 0 && q.ScoreThreshold > 0 {
		set.warnBelow(r)
	}
	more, err := set.arrange(ctx, r, q, want)
	return r, more, err
}

// warnBelow says what the best score is where none reaches the threshold. Cost: as that of fill.
func (set *set) warnBelow(r *ranking) {
	all, every := *r, *r.ask
	every.threshold = 0
	all.ask = &every
	if set.fill(&all, 1); len(all.hits) > 0 {
		r.warn(fmt.Sprintf("no section has the score %g or more; the best has %.4f", r.ask.threshold, wire.Round4(all.hits[0].score)))
	}
}

// ask is what rank is asked.
type ask struct {
	text, mode string
	operators  bool // the text may have them
	typed      bool // its words are what the documents have: none is corrected or translated
	filter     *wire.Filter
	names      namedMode
	want       int     // how many hits are needed, from the first
	threshold  float64 // of calibrated scores; 0 = none
	pieces     bool    // what the transformer makes of each wordpiece of the text is kept
}

// ranked is one hit of one artifact.
type ranked struct {
	fuse.Hit
	index int              // of the artifact
	score float64          // calibrated
	class format.NameClass // of the name that the query is to the document or section; notNamed
	bonus float64          // what Score has gained for that

	note *wire.Neighbour // it stands where it does since it is related with a hit above
}

// ranking is what a search found, before it is cut and shown.
type ranking struct {
	ask      *ask
	hits     []ranked // the first ones, as many as were asked for
	total    int      // how many there are
	queries  []*query.Query
	scored   []*scored
	mode     string
	warnings []string
	arranged bool // hits are what the reader is to see: near duplicates have left the list
}

func (r *ranking) warn(text string) {
	if text != "" && !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

// rank scores every section of every artifact that the filter admits, and returns the first ones.
func (set *set) rank(ctx context.Context, q *ask) (*ranking, error) {
	xs := set.indexes()
	admitted, warnings, err := set.admit(q.filter)
	if err != nil {
		return nil, err
	}
	r := &ranking{ask: q, queries: query.Read(xs, q.text, query.Options{Plain: !q.operators, AsTyped: q.typed, Asked: query.Asked(q.filter), IsWord: set.isWord}), mode: q.mode, warnings: warnings}
	for _, note := range r.queries[0].Notes {
		r.warn(note)
	}
	average := lexical.AverageLength(xs)
	for i, a := range set.artifacts {
		allowed := r.queries[i].Narrow(admitted[i], a.Docs())
		own := &scored{mode: q.mode, docs: set.documents(), scale: 1, scorer: lexical.NewScorer(a.Index, a.rows(), average, allowed)}
		if own.signals.Only, err = lexical.Holding(ctx, a.Index, a.rows(), r.queries[i].Clauses); errors.Is(err, lexical.ErrSteps) {
			r.warn("what the query requires takes too long to check: it only ranks")
		} else if err != nil {
			return nil, err
		}
		own.signals.Stale, own.signals.Foreign = a.stale, a.foreign(r.queries[i])
		warning, err := set.prepare(a, own, r.queries[i], q.pieces)
		if err != nil {
			return nil, err
		}
		r.warn(warning)
		r.scored = append(r.scored, own)
	}
	if q.mode == modeHybrid && !slices.ContainsFunc(r.scored, func(s *scored) bool { return s.mode == modeHybrid }) {
		r.mode = modeLexical
	}
	if q.mode != modeVector {
		if err := set.lexical(ctx, r); err != nil {
			return nil, err
		}
	}
	set.resolve(q.names, r)
	for i, a := range set.artifacts {
		if err := a.cosines(ctx, r.scored[i]); err != nil {
			return nil, err
		}
	}
	set.fill(r, q.want)
	return r, nil
}

// fill makes the list of the first want hits from what was scored. Cost: one pass over the chunks.
func (set *set) fill(r *ranking, want int) {
	q := *r.ask
	q.want = want
	r.hits, r.total = nil, 0
	for i, a := range set.artifacts {
		hits, total := a.rank(&q, r.scored[i], i)
		r.hits, r.total = append(r.hits, hits...), r.total+total
	}
	if len(set.artifacts) > 1 {
		slices.SortStableFunc(r.hits, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.score, a.score), cmp.Compare(a.index, b.index))
		})
	}
	r.hits = r.hits[:min(want, len(r.hits))]
}

// scored is what one artifact's chunks got.
type scored struct {
	mode    string // what was really done: hybrid becomes lexical where there is no vector to compare with
	signals fuse.Signals
	scorer  *lexical.Scorer
	vector  []float32     // of the query; nil if none is compared
	pieces  pieces        // of the query; none where they are not wanted, too many, or the encoder is no transformer
	docs    int           // of all artifacts
	scale   float64       // of raw scores before they are calibrated, see fuse.Usual
	names   []graph.Match // what the query names, of the classes that come first
}

// calibrate turns a raw score into [0, 1].
func (s *scored) calibrate(w *format.Weights, raw float64) float64 {
	return fuse.Calibrate(w, s.mode, raw*s.scale, s.docs)
}

// documents is how many the artifacts have.
func (set *set) documents() int {
	n := 0
	for _, a := range set.artifacts {
		n += a.Docs()
	}
	return n
}

// prepare decides how an artifact is searched, and embeds the query if its meaning is to be compared.
func (set *set) prepare(a *artifact, s *scored, q *query.Query, pieces bool) (warning string, err error) {
	w := &a.Meta.Weights
	s.signals.Lexical = fuse.LexicalWeight(w, q.Rarity, false)
	if s.mode == modeLexical {
		return "", nil
	}
	why, err := a.embed(s, a.reading(q), pieces)
	switch {
	case err != nil:
		return "", err
	case s.vector != nil:
		s.signals.Lexical = fuse.LexicalWeight(w, q.Rarity, true)
		switch {
		case s.mode != modeHybrid:
		case q.Into != "" && !q.Short():
			if !a.Meta.Model.Knows(string(q.Own)) || !a.Meta.Model.Knows(string(q.Into)) {
				s.signals.Lexical = max(s.signals.Lexical, w.LexicalText)
				s.scale = fuse.Usual(w, &s.signals, q.Rarity)
			}
		case a.leansLexical(q, q.Language):
			s.signals.Lexical = w.LexicalOnly
			if a.leansLexical(q, q.Own) { // a filter changes no score
				s.scale = fuse.Usual(w, &s.signals, q.Rarity)
			}
		case a.Meta.StrangeText():
			s.signals.Lexical = max(s.signals.Lexical, w.LexicalText)
			s.scale = fuse.Usual(w, &s.signals, q.Rarity)
		}
		return "", nil
	case s.mode == modeVector && why != unknownWords:
		return "", wire.NewError(wire.CodeNoVectors, "index "+a.name+": "+why, "search with mode lexical, or build the index with a model and a query encoder")
	case s.mode == modeHybrid:
		s.mode = modeLexical
		why += ": lexical only"
	}
	if set.several() {
		why = "index " + a.name + ": " + why
	}
	return why, nil
}

// lexical fills the signals that come from words. Frequencies and lengths are those of all artifacts together.
func (set *set) lexical(ctx context.Context, r *ranking) error {
	scorers := make([]*lexical.Scorer, len(set.artifacts))
	pairs := make([][]float32, len(set.artifacts))
	for i, a := range set.artifacts {
		s := r.scored[i]
		s.signals.BM25, s.signals.Pairs = make([]float32, a.Chunks()), make([]float32, a.Chunks())
		s.signals.Headings = make([]float32, a.Sections())
		s.signals.Anchors, s.signals.Titles = make([]float32, a.Docs()), make([]float32, a.Docs())
		scorers[i], pairs[i] = s.scorer, s.signals.Pairs
		if err := s.scorer.BM25(ctx, r.queries[i], s.signals.BM25); err != nil {
			return err
		}
		s.scorer.Anchors(r.queries[i], s.signals.Anchors)
		s.scorer.Headings(r.queries[i], s.signals.Headings)
		s.scorer.Titles(r.queries[i], s.signals.Titles)
	}
	err := lexical.Pairs(ctx, scorers, r.queries, pairs)
	if errors.Is(err, lexical.ErrSteps) {
		r.warn("the query is long: the order of its first words counts, of the others their number")
		return nil
	}
	return err
}

// rank returns the first hits of one artifact, those that the query names before all others, and how many there are.
func (a *artifact) rank(q *ask, s *scored, index int) ([]ranked, int) {
	w := &a.Meta.Weights
	calibrate := func(raw float64) float64 { return s.calibrate(w, raw) }
	keep := func(raw float64) bool { return q.threshold <= 0 || calibrate(raw) >= q.threshold }
	front := a.named(q, s, index)
	hits, total := fuse.Rank(a.rows(), s.scorer.Allowed, w, &s.signals, q.want+len(front), keep)
	moved := make(map[format.SectionID]bool, len(front))
	list := make([]ranked, 0, len(front)+len(hits))
	for _, h := range front {
		moved[h.Section] = true
		if h.evidence && keep(s.signals.Total(w, h.Doc, h.Own, h.File)) {
			total--
		}
		if h.score = calibrate(h.Score); q.threshold <= 0 || h.score >= q.threshold {
			list = append(list, h.ranked)
			total++
		}
	}
	for _, h := range hits {
		if !moved[h.Section] {
			list = append(list, ranked{Hit: h, index: index, score: calibrate(h.Score), class: notNamed})
		}
	}
	return list, total
}
