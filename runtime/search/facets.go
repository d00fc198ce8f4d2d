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

// facetsOf counts the documents of all hits that have a word of the query, a similar meaning, or are named by it. Other
// hits do not count, since in a search by meaning every section is a hit. Cost: one pass over the chunks, and the
// bitmaps of the fields.
func facetsOf(set *artifact.Set, r *Ranking) []wire.Facet {
	all := *r
	fill(set, &all, set.Sections())
	docs := make([]*roaring.Bitmap, len(set.Artifacts))
	for i := range docs {
		docs[i] = roaring.New()
	}
	for i := range all.Hits {
		h := &all.Hits[i]
		if words, meaning := matchedBy(set.Artifacts[h.Index], h, &r.Scored[h.Index].Signals); words || meaning || h.class != notNamed {
			docs[h.Index].Add(uint32(h.Doc))
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
