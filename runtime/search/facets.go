package search

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
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
		for i, a := range set.Artifacts {
			reaching(newOne(a, r, r.ask.threshold, i), docs[i])
		}
		r.warnOrder()
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

// reaching adds the documents with a hit that reaches the threshold. Where a hit does without word order, which lowers
// no score, its document needs no look at positions; with vectors that would say nothing of the chunk that is shown.
func reaching(o *one, docs *roaring.Bitmap) {
	for i := range o.front {
		docs.Add(uint32(o.front[i].Doc))
	}
	rows, w, s := o.a.Rows(), &o.a.Meta.Weights, &o.s.Signals
	plain := *s
	plain.Order = nil
	is := func(h fuse.Hit) bool { return o.keep(h.Score) && matches(o.a, h.Chunk, s) }
	for _, c := range fuse.Candidates(rows, o.s.scorer.Allowed, w, s, o.keep) {
		from, to := o.a.DocChunks(c.Doc)
		if s.Cosine == nil && slices.ContainsFunc(fuse.Document(rows, w, &plain, c.Doc, from, to), is) ||
			slices.ContainsFunc(fuse.Document(rows, w, s, c.Doc, from, to), is) {
			docs.Add(uint32(c.Doc))
		}
	}
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
		a.CountFolders(docs[i], folders)
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
