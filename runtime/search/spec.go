package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// FindSpec is the operation of that name; runtime.Service says what it does.
func FindSpec(ctx context.Context, open artifact.Opener, q wire.FindSpecRequest) (resp *wire.SearchResponse, err error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	switch {
	case strings.TrimSpace(q.Name) == "":
		return nil, wire.Empty("name", "give an id, file name, alias or title")
	case q.Limit < 0:
		return nil, wire.Negative("limit", q.Limit)
	}
	if err := badDetail(q.Detail); err != nil {
		return nil, err
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "find-spec", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	r, err := Rank(ctx, set, &Request{Text: q.Name, Mode: ModeLexical, Filter: &wire.Filter{}, Names: placeNamed, Want: pages.From + q.Limit})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if len(r.Hits) > 0 && !slices.ContainsFunc(r.Scored, func(s *Scores) bool { return len(s.names) > 0 }) {
		r.warn("nothing is named " + wire.Quote(q.Name) + ": what a search finds instead")
	}
	resp = &wire.SearchResponse{Envelope: set.Envelope("search_response.v1"), Query: q.Name, Mode: r.Mode}
	resp.Warnings = r.Warnings
	Show(set, resp, r, pages.From, q.Limit, false)
	resp.Brief = detailed(resp.Results, q.Detail)
	if r.more {
		resp.Truncated, resp.Cursor = true, pages.After(q.Limit)
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitSearch(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}
