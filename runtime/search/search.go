package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// Search is the operation of that name; Service of package runtime says what it does.
func Search(ctx context.Context, with artifact.With, q wire.SearchRequest) (*wire.SearchResponse, error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	q.Mode = cmp.Or(q.Mode, ModeHybrid)
	switch {
	case strings.TrimSpace(q.Query) == "":
		return nil, wire.Empty("query", "give a question or keywords")
	case !KnownMode(q.Mode):
		return nil, BadMode(q.Mode)
	case q.Limit < 0:
		return nil, wire.Negative("limit", q.Limit)
	case !KnownDiversity(q.Diversity):
		return nil, BadDiversity(q.Diversity)
	case q.Sort != "" && q.Sort != SortRelevance && q.Sort != SortDate:
		return nil, wire.BadChoice("sort", q.Sort, "relevance or date")
	}
	long := "" // what is to be said of a query that is too long
	if text, cut := query.Clip(strings.TrimSpace(q.Query)); cut {
		long = query.ClipNote(len(q.Query))
		q.Query = text
	}
	var resp *wire.SearchResponse
	err := with(ctx, func(set *artifact.Set) error {
		pages, err := render.NewPages(set.Id(), "search", q.Cursor, q)
		if err != nil {
			return err
		}
		r, more, err := Run(ctx, set, &q, pages.From+q.Limit, false)
		if err != nil {
			return err
		}
		resp = &wire.SearchResponse{Envelope: set.Envelope("search_response.v1"), Query: q.Query, Mode: r.Mode}
		r.warn(absentNames(set, r))
		r.warn(long)
		resp.Warnings = r.Warnings
		if q.Facets {
			resp.Facets = facetsOf(set, r)
		}
		Show(set, resp, r, pages.From, q.Limit, q.Explain)
		if more {
			resp.Truncated, resp.Cursor = true, pages.After(q.Limit)
		}
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitSearch(resp, pages.Budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// Run returns the ranking that a search shows, arranged: want hits of it if there are so many, and whether there are more. With
// pieces it keeps those of the query.
func Run(ctx context.Context, set *artifact.Set, q *wire.SearchRequest, want int, pieces bool) (*Ranking, bool, error) {
	names := PageNamed
	if q.Mode == ModeVector {
		names = NoNames
	}
	r, err := Rank(ctx, set, &Request{Text: q.Query, Mode: q.Mode, Operators: true, Filter: &q.Filter, Names: names, Want: want + ahead, threshold: q.ScoreThreshold, pieces: pieces})
	if err != nil {
		return nil, false, err
	}
	if r.total == 0 && q.ScoreThreshold > 0 {
		warnBelow(set, r)
	}
	more, err := arrange(ctx, set, r, q, want)
	return r, more, err
}

// warnBelow says what the best score is where none reaches the threshold. Cost: as that of fill.
func warnBelow(set *artifact.Set, r *Ranking) {
	all, every := *r, *r.ask
	every.threshold = 0
	all.ask = &every
	if fill(set, &all, 1); len(all.Hits) > 0 {
		r.warn(fmt.Sprintf("no section has the score %g or more; the best has %.4f", r.ask.threshold, wire.Round4(all.Hits[0].Calibrated)))
	}
}

// ask is what rank is asked.
type Request struct {
	Text, Mode string
	Operators  bool // the text may have them
	typed      bool // its words are what the documents have: none is corrected or translated
	Filter     *wire.Filter
	Names      NameMode
	Want       int     // how many hits are needed, from the first
	threshold  float64 // of calibrated scores; 0 = none
	pieces     bool    // what the transformer makes of each wordpiece of the text is kept
}

// ranked is one hit of one artifact.
type Result struct {
	fuse.Hit
	Index      int              // of the artifact
	Calibrated float64          // calibrated
	class      format.NameClass // of the name that the query is to the document or section; notNamed
	bonus      float64          // what Score has gained for that

	note *wire.Neighbour // it stands where it does since it is related with a hit above
}

// ranking is what a search found, before it is cut and shown.
type Ranking struct {
	ask      *Request
	Hits     []Result // the first ones, as many as were asked for
	total    int      // how many there are
	Queries  []*query.Query
	Scored   []*Scores
	Mode     string
	Warnings []string
	arranged bool // hits are what the reader is to see: near duplicates have left the list
}

func (r *Ranking) warn(text string) {
	if text != "" && !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// rankAll scores every section of every artifact that the filter admits, and returns the first ones.
func Rank(ctx context.Context, set *artifact.Set, q *Request) (*Ranking, error) {
	xs := set.Indexes()
	admitted, warnings, err := Admit(set, q.Filter)
	if err != nil {
		return nil, err
	}
	r := &Ranking{ask: q, Queries: query.Read(xs, q.Text, query.Options{Plain: !q.Operators, AsTyped: q.typed, Asked: query.Asked(q.Filter), IsWord: func(word string) bool { return isWord(set, word) }}), Mode: q.Mode, Warnings: warnings}
	for _, note := range r.Queries[0].Notes {
		r.warn(note)
	}
	average := lexical.AverageLength(xs)
	for i, a := range set.Artifacts {
		allowed := r.Queries[i].Narrow(admitted[i], a.Docs())
		own := &Scores{mode: q.Mode, docs: set.Documents(), scale: 1, scorer: lexical.NewScorer(a.Index, a.Rows(), average, allowed)}
		if own.Signals.Only, err = lexical.Holding(ctx, a.Index, a.Rows(), r.Queries[i].Clauses); errors.Is(err, lexical.ErrSteps) {
			r.warn("what the query requires takes too long to check: it only ranks")
		} else if err != nil {
			return nil, err
		}
		own.Signals.Stale, own.Signals.Foreign = a.IsStale, foreignTo(a, r.Queries[i])
		warning, err := prepare(set, a, own, r.Queries[i], q.pieces)
		if err != nil {
			return nil, err
		}
		r.warn(warning)
		r.Scored = append(r.Scored, own)
	}
	if q.Mode == ModeHybrid && !slices.ContainsFunc(r.Scored, func(s *Scores) bool { return s.mode == ModeHybrid }) {
		r.Mode = ModeLexical
	}
	if q.Mode != ModeVector {
		if err := scoreWords(ctx, set, r); err != nil {
			return nil, err
		}
	}
	resolveNames(set, q.Names, r)
	for i, a := range set.Artifacts {
		if err := scoreMeaning(ctx, a, r.Scored[i]); err != nil {
			return nil, err
		}
	}
	fill(set, r, q.Want)
	return r, nil
}

// fill makes the list of the first want hits from what was scored. Cost: one pass over the chunks.
func fill(set *artifact.Set, r *Ranking, want int) {
	q := *r.ask
	q.Want = want
	r.Hits, r.total = nil, 0
	for i, a := range set.Artifacts {
		hits, total := rankOne(a, &q, r.Scored[i], i)
		r.Hits, r.total = append(r.Hits, hits...), r.total+total
	}
	if len(set.Artifacts) > 1 {
		slices.SortStableFunc(r.Hits, func(a, b Result) int {
			return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Calibrated, a.Calibrated), cmp.Compare(a.Index, b.Index))
		})
	}
	r.Hits = r.Hits[:min(want, len(r.Hits))]
}

// scored is what one artifact's chunks got.
type Scores struct {
	mode    string // what was really done: hybrid becomes lexical where there is no vector to compare with
	Signals fuse.Signals
	scorer  *lexical.Scorer
	Vector  []float32       // of the query; nil if none is compared
	Pieces  artifact.Pieces // of the query; none where they are not wanted, too many, or the encoder is no transformer
	docs    int             // of all artifacts
	scale   float64         // of raw scores before they are calibrated, see fuse.Usual
	names   []names.Match   // what the query names, of the classes that come first
}

// calibrate turns a raw score into [0, 1].
func (s *Scores) calibrate(w *format.Weights, raw float64) float64 {
	return fuse.Calibrate(w, s.mode, raw*s.scale, s.docs)
}

// prepare decides how an artifact is searched, and embeds the query if its meaning is to be compared.
func prepare(set *artifact.Set, a *artifact.Artifact, s *Scores, q *query.Query, pieces bool) (warning string, err error) {
	w := &a.Meta.Weights
	s.Signals.Lexical = fuse.LexicalWeight(w, q.Rarity, false)
	if s.mode == ModeLexical {
		return "", nil
	}
	why, err := embedQuery(a, s, Reading(a, q), pieces)
	switch {
	case err != nil:
		return "", err
	case s.Vector != nil:
		s.Signals.Lexical = fuse.LexicalWeight(w, q.Rarity, true)
		switch {
		case s.mode != ModeHybrid:
		case q.Into != "" && !q.Short():
			if !a.Meta.Model.Knows(string(q.Own)) || !a.Meta.Model.Knows(string(q.Into)) {
				s.Signals.Lexical = max(s.Signals.Lexical, w.LexicalText)
				s.scale = fuse.Usual(w, &s.Signals, q.Rarity)
			}
		case leansLexical(a, q, q.Language):
			s.Signals.Lexical = w.LexicalOnly
			if leansLexical(a, q, q.Own) { // a filter changes no score
				s.scale = fuse.Usual(w, &s.Signals, q.Rarity)
			}
		case a.Meta.StrangeText():
			s.Signals.Lexical = max(s.Signals.Lexical, w.LexicalText)
			s.scale = fuse.Usual(w, &s.Signals, q.Rarity)
		}
		return "", nil
	case s.mode == ModeVector && why != unknownWords:
		return "", wire.NewError(wire.CodeNoVectors, "index "+a.Name+": "+why, "search with mode lexical, or build the index with a model and a query encoder")
	case s.mode == ModeHybrid:
		s.mode = ModeLexical
		why += ": lexical only"
	}
	if set.Several() {
		why = "index " + a.Name + ": " + why
	}
	return why, nil
}

// scoreWords fills the signals that come from words. Frequencies and lengths are those of all artifacts together.
func scoreWords(ctx context.Context, set *artifact.Set, r *Ranking) error {
	scorers := make([]*lexical.Scorer, len(set.Artifacts))
	pairs := make([][]float32, len(set.Artifacts))
	for i, a := range set.Artifacts {
		s := r.Scored[i]
		s.Signals.BM25, s.Signals.Pairs = make([]float32, a.Chunks()), make([]float32, a.Chunks())
		s.Signals.Headings = make([]float32, a.Sections())
		s.Signals.Anchors, s.Signals.Titles = make([]float32, a.Docs()), make([]float32, a.Docs())
		scorers[i], pairs[i] = s.scorer, s.Signals.Pairs
		if err := s.scorer.BM25(ctx, r.Queries[i], s.Signals.BM25); err != nil {
			return err
		}
		s.scorer.Anchors(r.Queries[i], s.Signals.Anchors)
		s.scorer.Headings(r.Queries[i], s.Signals.Headings)
		s.scorer.Titles(r.Queries[i], s.Signals.Titles)
	}
	err := lexical.Pairs(ctx, scorers, r.Queries, pairs)
	if errors.Is(err, lexical.ErrSteps) {
		r.warn("the query is long: the order of its first words counts, of the others their number")
		return nil
	}
	return err
}

// rankOne returns the first hits of one artifact, those that the query names before all others, and how many there are.
func rankOne(a *artifact.Artifact, q *Request, s *Scores, index int) ([]Result, int) {
	w := &a.Meta.Weights
	calibrate := func(raw float64) float64 { return s.calibrate(w, raw) }
	keep := func(raw float64) bool { return q.threshold <= 0 || calibrate(raw) >= q.threshold }
	front := frontHits(a, q, s, index)
	hits, total := fuse.Rank(a.Rows(), s.scorer.Allowed, w, &s.Signals, q.Want+len(front), keep)
	moved := make(map[format.SectionID]bool, len(front))
	list := make([]Result, 0, len(front)+len(hits))
	for _, h := range front {
		moved[h.Section] = true
		if h.evidence && keep(s.Signals.Total(w, h.Doc, h.Own, h.File)) {
			total--
		}
		if h.Calibrated = calibrate(h.Score); q.threshold <= 0 || h.Calibrated >= q.threshold {
			list = append(list, h.Result)
			total++
		}
	}
	for _, h := range hits {
		if !moved[h.Section] {
			list = append(list, Result{Hit: h, Index: index, Calibrated: calibrate(h.Score), class: notNamed})
		}
	}
	return list, total
}
