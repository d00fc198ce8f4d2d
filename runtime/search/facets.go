package search

import (
	"path"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// facetFields are the fields of facets that the artifact has bitmaps of; the facet of folders is made from paths.
var facetFields = []string{"kind", "domain", "status", "tag", "language"}

// facetsOf counts the documents that have a word of the query, a similar meaning, or are named by it, in a section that
// may be a hit. Others do not count, since in a search by meaning every section is a hit. With a threshold only hits
// that reach it count. Cost: one pass over the chunks, and the bitmaps of the fields.
func facetsOf(set *artifact.Set, r *Ranking) []wire.Facet {
	docs := make([]*roaring.Bitmap, len(set.Artifacts))
	for i := range docs {
		docs[i] = roaring.New()
	}
	if r.ask.threshold > 0 {
		all := *r
		fill(set, &all, set.Sections(), r.ask.threshold)
		for i := range all.Hits {
			h := &all.Hits[i]
			if matches(set.Artifacts[h.Index], h.Chunk, &r.Scored[h.Index].Signals) || h.class != notNamed {
				docs[h.Index].Add(uint32(h.Doc))
			}
		}
		return countFacets(set, docs)
	}
	for i, a := range set.Artifacts {
		s := r.Scored[i]
		for _, h := range frontHits(a, r.ask, s, i) {
			docs[i].Add(uint32(h.Doc))
		}
		rows := a.Rows()
		for d := range index.DocID(a.Docs()) {
			for c := rows.First[d]; c < rows.First[d+1]; c++ {
				if s.scorer.Allowed(d) && s.Signals.Only.Has(index.SectionID(rows.Section[c])) && matches(a, index.ChunkID(c), &s.Signals) {
					docs[i].Add(uint32(d))
					break
				}
			}
		}
	}
	return countFacets(set, docs)
}

// countFacets makes the facets of documents, a set for each artifact.
func countFacets(set *artifact.Set, docs []*roaring.Bitmap) []wire.Facet {
	byField := map[string]map[string]int{}
	for _, field := range facetFields {
		byField[field] = map[string]int{}
	}
	folders := map[string]int{}
	for i, a := range set.Artifacts {
		for _, field := range facetFields {
			values, counts := a.FacetCounts(field, docs[i])
			for k, v := range values {
				byField[field][v] += counts[k]
			}
		}
		for it := docs[i].Iterator(); it.HasNext(); {
			folders[path.Dir(a.DocPath(index.DocID(it.Next())))]++
		}
	}
	list := []wire.Facet{}
	for _, field := range facetFields {
		if f, ok := wire.NewFacet(field, byField[field]); ok {
			list = append(list, f)
		}
	}
	if f, ok := wire.NewFolders(folders); ok {
		list = append(list, f)
	}
	return list
}
