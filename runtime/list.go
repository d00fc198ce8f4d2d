package runtime

import (
	"context"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/query"
	"kdd/runtime/shape"
)

// List lists documents in path order.
//
// Errors: invalid_input for a malformed filter. Cost: the filter's, and the documents that are returned.
func (s *Service) List(ctx context.Context, q shape.ListRequest) (*shape.ListResponse, error) {
	start := time.Now()
	if q.Limit = orDefault(q.Limit, 20); q.Limit < 0 {
		return nil, negative("limit", q.Limit)
	}
	var resp *shape.ListResponse
	err := s.with(ctx, func(set *set) error {
		from, err := set.offset("list", q.Cursor, q)
		if err != nil {
			return err
		}
		filter := shape.Filter{Kinds: one(q.Kind), Domains: one(q.Domain), Tags: one(q.Tag), Since: q.Since, PathGlob: q.PathGlob, Where: q.Where}
		if !strings.EqualFold(q.Status, "INDEXED") {
			filter.Status = one(q.Status)
		}
		resp = &shape.ListResponse{Envelope: set.envelope("list_response.v1"), Documents: []shape.Listed{}}
		resp.Warnings = query.Unknown(set.indexes(), &filter)
		for _, a := range set.artifacts {
			set.at = a
			allowed, err := query.Filter(a.Index, &filter)
			if err != nil {
				return err
			}
			where := s.locator(a, set.several())
			for d := range format.DocID(a.Docs()) {
				if allowed != nil && !allowed.Contains(uint32(d)) {
					continue
				}
				if resp.Total >= from && resp.Total < from+q.Limit {
					doc := a.listed(d, where)
					doc.Index = set.indexName(a)
					resp.Documents = append(resp.Documents, doc)
				}
				resp.Total++
			}
		}
		resp.Count = len(resp.Documents)
		set.page(resp.Total, from, q.Limit, &resp.Truncated, &resp.Cursor, func(at int) string { return shape.EncodeCursor(set.id(), "list", q, at) })
		resp.TimeMS = shape.Milliseconds(time.Since(start))
		shape.FitList(resp, q.MaxBytes, func(kept int) string { return shape.EncodeCursor(set.id(), "list", q, from+kept) })
		return nil
	})
	return resp, err
}

func one(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

func (a *artifact) listed(d format.DocID, where *locator) shape.Listed {
	firstChunk, lastChunk := a.DocChunks(d)
	firstSection, lastSection := a.DocSections(d)
	doc := shape.Listed{
		Path: a.DocPath(d), Title: a.DocTitle(d), Kind: a.DocKind(d), Domain: a.DocDomain(d), Status: a.DocStatus(d), Tags: a.DocTags(d),
		Date: a.DocDate(d), Language: a.DocLanguage(d), Chunks: int(lastChunk - firstChunk), Entities: int(lastSection-firstSection) - 1, NodeID: a.DocNodeID(d),
	}
	doc.URL, _ = where.url(d, "")
	return doc
}
