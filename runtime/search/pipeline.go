package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// A search in its steps, each one call below: parse, candidates, score by words, names and meaning, fuse (Rank);
// arrange (Run); show and explain (Search).

// Search is the operation of that name; runtime.Service says what it does.
func Search(ctx context.Context, open artifact.Opener, q wire.SearchRequest) (resp *wire.SearchResponse, err error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	q.Mode = cmp.Or(q.Mode, ModeHybrid)
	switch {
	case strings.TrimSpace(q.Query) == "":
		return nil, wire.Empty("query", "give a question or keywords")
	case q.Limit < 0:
		return nil, wire.Negative("limit", q.Limit)
	case q.Sort != "" && q.Sort != SortRelevance && q.Sort != SortDate:
		return nil, wire.BadChoice("sort", q.Sort, "relevance or date")
	}
	if err := cmp.Or(CheckMode(q.Mode), CheckDiversity(q.Diversity), checkGroup(q.Group), badDetail(q.Detail)); err != nil {
		return nil, err
	}
	long := "" // a warning if the query was cut
	if text, cut := query.Clip(strings.TrimSpace(q.Query)); cut {
		long = query.ClipNote(len(q.Query))
		q.Query = text
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "search", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	r, more, err := Retrieve(ctx, set, &q, pages.From+q.Limit)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	resp = &wire.SearchResponse{Envelope: set.Envelope("search_response.v1"), Query: q.Query, Mode: r.Mode}
	r.warn(absentNames(set, r))
	r.warn(long)
	resp.Warnings = r.Warnings
	if q.Facets {
		resp.Facets = facetsOf(set, r)
	}
	if q.Group == GroupDocument {
		resp.Group = q.Group
	}
	Show(set, resp, r, pages.From, q.Limit, q.Explain)
	resp.Brief = detailed(resp.Results, q.Detail)
	if more {
		resp.Truncated, resp.Cursor = true, pages.After(q.Limit)
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitSearch(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// Retrieve returns the ranking that a search shows, arranged, with want hits if there are so many, and says whether
// there are more.
func Retrieve(ctx context.Context, set *artifact.Set, q *wire.SearchRequest, want int) (*Ranking, bool, error) {
	names := PageNamed
	if q.Mode == ModeVector {
		names = NoNames
	}
	r, err := Rank(ctx, set, &Request{Text: q.Query, Mode: q.Mode, Operators: true, Filter: &q.Filter, Names: names, Want: want + ahead, threshold: q.ScoreThreshold})
	if err != nil {
		return nil, false, err
	}
	if len(r.Hits) == 0 && q.ScoreThreshold > 0 {
		warnBelow(set, r)
	}
	r.floor = q.ScoreThreshold
	more, err := arrange(ctx, set, r, q, want)
	if err == nil {
		fetchShown(set, r.Hits[min(max(0, want-q.Limit), len(r.Hits)):min(want, len(r.Hits))])
	}
	return r, more, err
}

// Rank scores every section that the filter admits, in every artifact, and returns the first hits: parse, candidates,
// score, fuse.
func Rank(ctx context.Context, set *artifact.Set, q *Request) (*Ranking, error) {
	r, admitted, err := parse(set, q)
	if err != nil {
		return nil, err
	}
	if err := candidates(ctx, set, r, admitted); err != nil {
		return nil, err
	}
	meaning := beside(set, r, func() error { return scoreMeaning(ctx, set, r) })
	defer meaning() // it ends before its memory and the file do, whatever happens here
	if q.Mode != ModeVector {
		err = scoreWords(ctx, set, r)
	}
	if err == nil {
		resolveNames(set, q.Names, r)
	}
	if err := cmp.Or(meaning(), err); err != nil {
		return nil, err
	}
	if err := scoreElsewhere(ctx, set, r, q.Want); err != nil {
		return nil, err
	}
	fill(set, r, q.Want, q.threshold)
	return r, nil
}

// beside begins the work of comparing vectors on another core, if there is any, and returns what waits for its end.
func beside(set *artifact.Set, r *Ranking, work func() error) (wait func() error) {
	some := false
	for i, s := range r.Scored {
		if s.Vector != nil && !elsewhere(set.Artifacts[i]) { // its memory is for one goroutine: words are scored in it too
			s.Signals.Cosine, some = s.scorer.Floats(set.Artifacts[i].Chunks()), true
		}
	}
	if !some {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() { done <- format.Guard(work) }()
	return sync.OnceValue(func() error { return <-done })
}

// parse reads the query and the filter. The query is read once for each artifact, since each has its own words. It
// returns the documents that the filter admits.
func parse(set *artifact.Set, q *Request) (*Ranking, []*roaring.Bitmap, error) {
	admitted, warnings, err := admit(set, q.Filter)
	if err != nil {
		return nil, nil, err
	}
	if q.Mode != ModeLexical {
		defer fetchMeaning(set, q.Text)()
	}
	known := func(word string) bool { return isWord(set, word) }
	r := &Ranking{ask: q, Mode: q.Mode, Warnings: warnings}
	r.Queries = query.Read(set.Indexes(), q.Text, query.Options{Plain: !q.Operators, AsTyped: q.typed, Asked: query.Asked(q.Filter), IsWord: known})
	for _, note := range r.Queries[0].Notes {
		r.warn(note)
	}
	return r, admitted, nil
}

// candidates finds for each artifact which sections may be hits, by the filter and by the words that the query
// requires, and how they are compared: by words, by meaning, or both.
func candidates(ctx context.Context, set *artifact.Set, r *Ranking, admitted []*roaring.Bitmap) error {
	average, vectors := lexical.AverageLength(set.Indexes()), embedded{}
	for i, a := range set.Artifacts {
		q := r.Queries[i]
		s := &Scores{mode: r.Mode, docs: set.Documents(), scale: 1}
		s.scorer = lexical.NewScorer(a.Index, a.Rows(), average, q.Narrow(admitted[i], a.Docs()))
		s.Signals.Stale, s.Signals.Foreign = a.IsStale, foreignTo(a, q)
		var err error
		if s.Signals.Only, err = lexical.Holding(ctx, a.Index, a.Rows(), q.Clauses); errors.Is(err, lexical.ErrSteps) {
			r.warn("what the query requires takes too long to check: it only ranks")
		} else if err != nil {
			return err
		}
		warning, err := prepare(set, a, s, q, vectors)
		if err != nil {
			return err
		}
		r.warn(warning)
		r.Scored = append(r.Scored, s)
	}
	markAsides(set, r)
	joinVectors(set, r)
	if r.Mode == ModeHybrid && !slices.ContainsFunc(r.Scored, func(s *Scores) bool { return s.mode == ModeHybrid }) {
		r.Mode = ModeLexical
	}
	return nil
}
