package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// The orders of List.
const (
	SortPath  = "path"
	SortTitle = "title"
)

// List is the operation of that name; runtime.Service says what it does.
func List(ctx context.Context, open artifact.Opener, q wire.ListRequest) (resp *wire.ListResponse, err error) {
	start := time.Now()
	if q.Limit = cmp.Or(q.Limit, 20); q.Limit < 0 {
		return nil, wire.Negative("limit", q.Limit)
	}
	if q.Sort != "" && q.Sort != SortPath && q.Sort != SortDate && q.Sort != SortTitle {
		return nil, wire.BadChoice("sort", q.Sort, "path, date or title")
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "list", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	filter := wire.Filter{
		Kinds: splitValues(q.Kind), Domains: splitValues(q.Domain), Tags: splitValues(q.Tag), Languages: splitValues(q.Language),
		Since: q.Since, PathGlob: q.PathGlob, Where: q.Where,
	}
	if !strings.EqualFold(q.Status, "INDEXED") {
		filter.Status = splitValues(q.Status)
	}
	resp = &wire.ListResponse{Envelope: set.Envelope("list_response.v1"), Documents: []wire.Listed{}}
	docs, warnings, err := admit(set, &filter)
	if err != nil {
		return nil, err
	}
	resp.Warnings = warnings
	var all []listEntry
	for i, a := range set.Artifacts {
		if docs[i] == nil {
			docs[i] = roaring.New()
			docs[i].AddRange(0, uint64(a.Docs()))
		}
		for it := docs[i].Iterator(); it.HasNext(); {
			all = append(all, listEntryOf(a, i, index.DocID(it.Next()), q.Sort))
		}
	}
	slices.SortStableFunc(all, func(x, y listEntry) int {
		if q.Sort == SortDate {
			return cmp.Compare(y.key, x.key) // the newest first, undated last
		}
		return cmp.Compare(x.key, y.key)
	})
	resp.Total = len(all)
	locators := make([]*artifact.Locator, len(set.Artifacts))
	for _, e := range all[min(pages.From, len(all)):min(pages.From+q.Limit, len(all))] {
		a := set.Artifacts[e.index]
		if locators[e.index] == nil {
			locators[e.index] = set.Where(a)
		}
		doc := listedDoc(a, e.doc, locators[e.index])
		doc.Index = set.IndexName(a)
		resp.Documents = append(resp.Documents, doc)
	}
	if q.Facets {
		resp.Facets = countFacets(set, docs)
	}
	resp.Count = len(resp.Documents)
	resp.Truncated, resp.Cursor = pages.More(resp.Total, q.Limit)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitList(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// listEntry is a document of a list, with the key that it is sorted by; all keys are "" in a list by path.
type listEntry struct {
	index int // of the artifact
	doc   index.DocID
	key   string
}

func listEntryOf(a *artifact.Artifact, index int, d index.DocID, by string) listEntry {
	e := listEntry{index: index, doc: d}
	switch by {
	case SortDate:
		e.key = a.DocDate(d)
	case SortTitle:
		e.key = text.Fold(a.DocTitle(d))
	}
	return e
}

// splitValues returns the values in a list that is separated by commas.
func splitValues(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

func listedDoc(a *artifact.Artifact, d index.DocID, where *artifact.Locator) wire.Listed {
	firstChunk, lastChunk := a.DocChunks(d)
	firstSection, lastSection := a.DocSections(d)
	doc := wire.Listed{
		Path: a.DocPath(d), Title: a.DocTitle(d), Kind: a.DocKind(d), Domain: a.DocDomain(d), Status: a.DocStatus(d), Tags: a.DocTags(d),
		Date: a.DocDate(d), Version: a.DocVersion(d), SupersededBy: a.Successors(d), Language: a.DocLanguage(d), Chunks: int(lastChunk - firstChunk), Entities: int(lastSection-firstSection) - 1, NodeID: a.DocNodeID(d),
	}
	doc.URL, _ = where.URL(d, "")
	return doc
}
