package runtime

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/wire"
)

// The orders of List.
const (
	sortPath  = "path"
	sortTitle = "title"
)

// List lists documents in order of their paths, of their dates (newest first, undated last) or of their titles. Of equal
// ones the first by path comes first.
//
// Errors: invalid_input for a malformed filter. Cost: the filter's, and the documents that are returned.
func (s *Service) List(ctx context.Context, q wire.ListRequest) (*wire.ListResponse, error) {
	start := time.Now()
	if q.Limit = cmp.Or(q.Limit, 20); q.Limit < 0 {
		return nil, negative("limit", q.Limit)
	}
	if q.Sort != "" && q.Sort != sortPath && q.Sort != sortDate && q.Sort != sortTitle {
		return nil, badChoice("sort", q.Sort, "path, date or title")
	}
	var resp *wire.ListResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "list", q.Cursor, q)
		if err != nil {
			return err
		}
		filter := wire.Filter{Kinds: one(q.Kind), Domains: one(q.Domain), Tags: one(q.Tag), Languages: one(q.Language), Since: q.Since, PathGlob: q.PathGlob, Where: q.Where}
		if !strings.EqualFold(q.Status, "INDEXED") {
			filter.Status = one(q.Status)
		}
		resp = &wire.ListResponse{Envelope: set.envelope("list_response.v1"), Documents: []wire.Listed{}}
		docs, warnings, err := set.admit(&filter)
		if err != nil {
			return err
		}
		resp.Warnings = warnings
		var all []listEntry
		for i, a := range set.artifacts {
			if docs[i] == nil {
				docs[i] = roaring.New()
				docs[i].AddRange(0, uint64(a.Docs()))
			}
			for it := docs[i].Iterator(); it.HasNext(); {
				all = append(all, a.entry(i, format.DocID(it.Next()), q.Sort))
			}
		}
		if q.Sort == sortDate || q.Sort == sortTitle {
			slices.SortStableFunc(all, func(x, y listEntry) int {
				if q.Sort == sortDate {
					return newest(x.key, y.key)
				}
				return cmp.Compare(x.key, y.key)
			})
		}
		resp.Total = len(all)
		locators := make([]*locator, len(set.artifacts))
		for _, e := range all[min(pages.from, len(all)):min(pages.from+q.Limit, len(all))] {
			a := set.artifacts[e.index]
			if locators[e.index] == nil {
				locators[e.index] = set.where(a)
			}
			doc := a.listed(e.doc, locators[e.index])
			doc.Index = set.indexName(a)
			resp.Documents = append(resp.Documents, doc)
		}
		if q.Facets {
			resp.Facets = set.count(docs)
		}
		resp.Count = len(resp.Documents)
		resp.Truncated, resp.Cursor = pages.more(resp.Total, q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitList(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// listEntry is a document of a list, with what it is sorted by.
type listEntry struct {
	index int // of the artifact
	doc   format.DocID
	key   string
}

func (a *artifact) entry(index int, d format.DocID, by string) listEntry {
	e := listEntry{index: index, doc: d}
	switch by {
	case sortDate:
		e.key = a.DocDate(d)
	case sortTitle:
		e.key = text.Fold(a.DocTitle(d))
	}
	return e
}

func one(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

func (a *artifact) listed(d format.DocID, where *locator) wire.Listed {
	firstChunk, lastChunk := a.DocChunks(d)
	firstSection, lastSection := a.DocSections(d)
	doc := wire.Listed{
		Path: a.DocPath(d), Title: a.DocTitle(d), Kind: a.DocKind(d), Domain: a.DocDomain(d), Status: a.DocStatus(d), Tags: a.DocTags(d),
		Date: a.DocDate(d), Version: a.version(d), SupersededBy: a.successors(d), Language: a.DocLanguage(d), Chunks: int(lastChunk - firstChunk), Entities: int(lastSection-firstSection) - 1, NodeID: a.DocNodeID(d),
	}
	doc.URL, _ = where.url(d, "")
	return doc
}
