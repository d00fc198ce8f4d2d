package runtime

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kdd/runtime/wire"
)

// FindSpec finds a document by its name: exact node id, front-matter id, file stem, alias and title first, in this order,
// then headings, then what a search finds. Case and accents do not matter.
func (s *Service) FindSpec(ctx context.Context, q wire.FindSpecRequest) (*wire.SearchResponse, error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	switch {
	case strings.TrimSpace(q.Name) == "":
		return nil, empty("name", "give an id, file name, alias or title")
	case q.Limit < 0:
		return nil, negative("limit", q.Limit)
	}
	var resp *wire.SearchResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "find-spec", q.Cursor, q)
		if err != nil {
			return err
		}
		r, err := set.rank(ctx, &ask{text: q.Name, mode: modeLexical, filter: &wire.Filter{}, names: placeNamed, want: pages.from + q.Limit})
		if err != nil {
			return err
		}
		if r.total > 0 && !slices.ContainsFunc(r.scored, func(s *scored) bool { return len(s.names) > 0 }) {
			r.warn("nothing is named " + quote(q.Name) + ": what a search finds instead")
		}
		resp = &wire.SearchResponse{Envelope: set.envelope("search_response.v1"), Query: q.Name, Mode: r.mode}
		resp.Warnings = r.warnings
		set.show(resp, r, pages.from, q.Limit, false)
		resp.Truncated, resp.Cursor = pages.more(r.total, q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitSearch(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}
