package runtime

import (
	"path"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/runtime/wire"
)

// facetFields are the facets of an answer that the artifact has a bitmap of; folder is one more.
var facetFields = []string{"kind", "domain", "status", "tag", "language"}

// facets counts the documents of all hits of a ranking that have a word of the query, are near in meaning or are named by
// it: in a search by meaning every section is a hit, and counting these tells nothing. Cost: one pass over the chunks, and
// the bitmaps of the fields.
func (set *set) facets(r *ranking) []wire.Facet {
	all := *r
	set.fill(&all, set.sections())
	docs := make([]*roaring.Bitmap, len(set.artifacts))
	for i := range docs {
		docs[i] = roaring.New()
	}
	for i := range all.hits {
		h := &all.hits[i]
		if words, meaning := set.artifacts[h.index].found(h, &r.scored[h.index].signals); words || meaning || h.class != notNamed {
			docs[h.index].Add(uint32(h.Doc))
		}
	}
	return set.count(docs)
}

// count makes the facets of documents, a set for each artifact.
func (set *set) count(docs []*roaring.Bitmap) []wire.Facet {
	byField := map[string]map[string]int{}
	for _, field := range facetFields {
		byField[field] = map[string]int{}
	}
	folders := map[string]int{}
	for i, a := range set.artifacts {
		for _, field := range facetFields {
			values, counts := a.FacetCounts(field, docs[i])
			for k, v := range values {
				byField[field][v] += counts[k]
			}
		}
		for it := docs[i].Iterator(); it.HasNext(); {
			folders[path.Dir(a.DocPath(format.DocID(it.Next())))]++
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
