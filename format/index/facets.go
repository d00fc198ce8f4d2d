package index

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kdd/format"

	"github.com/RoaringBitmap/roaring/v2"
)

// maxFacetBytes is the longest value that is a facet; longer ones are text, not values.
const maxFacetBytes = 200

// maxFacetProblems bounds what FacetProblems returns.
const maxFacetProblems = 8

// Facets returns what can be filtered by: for every field of documents and of front matter and every value in it, the
// documents that have the value. fold folds values as queries do. The compiler stores the facets, and FacetProblems
// compares them with what is stored.
//
// StaleField is not among them: the compiler's rules say whether a document is in force. fields is sorted by document. It
// panics if a document's chunk type is not one of chunkTypes.
func Facets(docs []Doc, fields []Field, chunkTypes []string, fold func(string) string) []Facet {
	type key struct{ field, value string }
	sets := map[key][]uint32{}
	add := func(d int, field, value string) {
		if value == "" || len(value) > maxFacetBytes {
			return
		}
		k := key{field, fold(value)}
		if list := sets[k]; len(list) == 0 || list[len(list)-1] != uint32(d) {
			sets[k] = append(list, uint32(d))
		}
	}
	for i := range docs {
		d := &docs[i]
		add(i, "kind", d.Kind)
		add(i, "domain", d.Domain)
		add(i, "status", d.Status)
		add(i, "language", d.Language)
		add(i, "chunk_type", chunkTypes[d.ChunkType])
		for _, t := range d.Tags {
			add(i, "tag", t)
		}
	}
	for i := range fields {
		f := &fields[i]
		add(int(f.Doc), "."+fold(cut(f.Name)), f.Value)
	}
	list := make([]Facet, 0, len(sets))
	for k, docs := range sets {
		list = append(list, Facet{Field: k.field, Value: k.value, Docs: docs})
	}
	slices.SortStableFunc(list, compareFacets)
	return list
}

func compareFacets(a, b Facet) int {
	return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Value, b.Value))
}

// FacetProblems compares the facets of a file with what its documents and their front matter say, and returns at most
// maxFacetProblems differences. The file must be one that Verify finds nothing in. Cost: that of Facets.
func (x *Index) FacetProblems(fold func(string) string) []format.Problem {
	docs, fields := make([]Doc, x.docN), []Field(nil)
	for i := range docs {
		d := DocID(i)
		docs[i] = Doc{
			Kind: x.DocKind(d), Domain: x.DocDomain(d), Status: x.DocStatus(d), Language: x.DocLanguage(d),
			Tags:      x.DocTags(d),
			ChunkType: uint8(x.docs[docChunkType].At(uint32(i))),
		}
		x.DocChunkType(d) // fails if there is no such type
		fields = append(fields, x.FrontMatter(d)...)
	}
	stored := map[string]*roaring.Bitmap{}
	for i, key := range x.facets.From("") {
		stored[string(key)] = x.facetAt(i)
	}
	delete(stored, facetKey(StaleField, StaleValue))
	problems := []format.Problem{}
	report := func(key, text string) {
		field, value, _ := strings.Cut(key, "\x00")
		problems = append(problems, format.Problem{
			Block: tagBitmaps.String(), Offset: int64(x.File.Block(tagBitmaps).Offset),
			Text: fmt.Sprintf("facet %s %q: %s", field, value, text),
		})
	}
	for _, want := range facetSets(Facets(docs, fields, x.Meta.ChunkTypes, fold)) {
		got := stored[want.key]
		if got == nil {
			got = roaring.New()
		}
		delete(stored, want.key)
		said := roaring.BitmapOf(want.docs...)
		if lacks := roaring.AndNot(said, got); !lacks.IsEmpty() {
			report(want.key, fmt.Sprintf("lacks %s", x.someDocs(lacks)))
		}
		if more := roaring.AndNot(got, said); !more.IsEmpty() {
			report(want.key, fmt.Sprintf("holds %s, which says otherwise", x.someDocs(more)))
		}
	}
	rest := slices.Sorted(maps.Keys(stored))
	for _, key := range rest {
		report(key, "no document says so")
	}
	return problems[:min(len(problems), maxFacetProblems)]
}

// someDocs names the first document of a set.
func (x *Index) someDocs(docs *roaring.Bitmap) string {
	name := fmt.Sprintf("document %q", x.DocPath(DocID(docs.Minimum())))
	if n := docs.GetCardinality(); n > 1 {
		name += fmt.Sprintf(" and %d more", n-1)
	}
	return name
}
