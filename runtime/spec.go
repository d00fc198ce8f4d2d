package runtime

import (
	"context"
	"slices"
	"time"

	"kdd/format"
	"kdd/runtime/fuse"
	"kdd/runtime/graph"
	"kdd/runtime/shape"
)

// FindSpec finds a document by its name: exact node id, front-matter id, file stem, alias and title first, in this order,
// then headings, then what a search finds. Case and accents do not matter.
func (s *Service) FindSpec(ctx context.Context, q shape.FindSpecRequest) (*shape.SearchResponse, error) {
	start := time.Now()
	q.Limit = orDefault(q.Limit, 5)
	if q.Name == "" {
		return nil, shape.NewError(shape.CodeInvalidInput, "name: it is empty", "give an id, file name, alias or title").With("field", "name")
	}
	var resp *shape.SearchResponse
	err := s.with(ctx, func(set *set) error {
		from, err := set.offset("find-spec", q.Cursor, q)
		if err != nil {
			return err
		}
		r, _, err := set.rank(ctx, q.Name, modeLexical, &shape.Filter{})
		if err != nil {
			return err
		}
		hits := append(set.named(q.Name, r), r.hits...)
		type place struct {
			index   int
			section format.SectionID
		}
		seen := map[place]bool{}
		hits = slices.DeleteFunc(hits, func(h ranked) bool {
			p := place{h.index, h.Section}
			twice := seen[p]
			seen[p] = true
			return twice
		})
		resp = &shape.SearchResponse{Envelope: set.envelope("search_response.v1"), Query: q.Name, Mode: r.mode}
		s.show(set, resp, r, hits, from, q.Limit, false)
		set.page(len(hits), from, q.Limit, &resp.Truncated, &resp.Cursor, func(at int) string { return shape.EncodeCursor(set.id(), "find-spec", q, at) })
		resp.TimeMS = shape.Milliseconds(time.Since(start))
		shape.FitSearch(resp, q.MaxBytes, func(kept int) string { return shape.EncodeCursor(set.id(), "find-spec", q, from+kept) })
		return nil
	})
	return resp, err
}

// named returns the places that a name means, over all artifacts, strongest class first: a document by its first section
// with text, a section by itself.
func (set *set) named(name string, r *ranking) []ranked {
	type found struct {
		ranked
		class uint8
	}
	var list []found
	for i, a := range set.artifacts {
		for _, m := range graph.Resolve(a.Index, name) {
			d := a.NodeDoc(m.Node)
			from, to := a.DocChunks(d)
			if !a.NodeIsDoc(m.Node) {
				from, to = a.SectionChunks(a.NodeSection(m.Node))
			}
			if from == to {
				continue
			}
			for c := from; c < to; c++ {
				if a.ChunkTokens(c) > 0 { // not a heading alone
					from = c
					break
				}
			}
			h := fuse.Hit{Doc: d, Section: a.SectionOfChunk(from), Chunk: from, Score: exactBonus}
			for _, scored := range r.hits {
				if scored.index == i && scored.Section == h.Section {
					h.Own, h.File, h.Score = scored.Own, scored.File, max(exactBonus, scored.Score)
					break
				}
			}
			one := ranked{Hit: h, index: i, exact: graph.ClassName(m.Class)}
			one.score = fuse.Calibrate(&a.Meta.Weights, r.mode, h.Score)
			list = append(list, found{one, m.Class})
			if len(list) == 200 {
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return int(a.class) - int(b.class) })
	hits := make([]ranked, len(list))
	for i, f := range list {
		hits[i] = f.ranked
	}
	return hits
}
