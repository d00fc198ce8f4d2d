package index

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// StaleField and StaleValue are the facet of documents that are no longer in force: their status says so, or another
// document supersedes them.
const (
	StaleField = "stale"
	StaleValue = "yes"
)

// facetKey joins field and value, both cut to what a dictionary holds; NUL in either becomes a space.
func facetKey(field, value string) string {
	return cut(strings.ReplaceAll(field, "\x00", " ")) + "\x00" + cut(strings.ReplaceAll(value, "\x00", " "))
}

// facetSet is a facet by its key.
type facetSet struct {
	key  string
	docs []uint32
}

// facetSets returns the content's facets by key; those whose keys are equal once cut are one.
func facetSets(facets []Facet) []facetSet {
	sets := make([]facetSet, len(facets))
	for i, f := range facets {
		sets[i] = facetSet{facetKey(f.Field, f.Value), f.Docs}
	}
	slices.SortStableFunc(sets, func(a, b facetSet) int { return strings.Compare(a.key, b.key) })
	list := sets[:0]
	for _, s := range sets {
		if n := len(list); n > 0 && list[n-1].key == s.key {
			list[n-1].docs = slices.Concat(list[n-1].docs, s.docs)
			continue
		}
		list = append(list, s)
	}
	return list
}

func (e *encoder) facets() error {
	sets := facetSets(e.content.Facets)
	keys := make([]string, len(sets))
	var places []uint64
	var data []byte
	for i, s := range sets {
		keys[i] = s.key
		places = append(places, uint64(len(data)))
		var err error
		if data, err = appendBitmap(data, s.docs); err != nil {
			return err
		}
	}
	places = append(places, uint64(len(data)))
	e.block(tagFacets, uint64(len(keys)), dict.Encode(keys))
	t := table.New(len(places))
	t.Rising(func(i int) uint64 { return places[i] })
	e.block(tagFacetPlace, uint64(len(keys)), t.Bytes())
	e.block(tagBitmaps, uint64(len(keys)), data)
	return nil
}

// Facet returns the documents that have the value in the field; an empty set if none has. The set is the caller's.
func (x *Index) Facet(field, value string) *roaring.Bitmap {
	i, ok := x.facets.Find(facetKey(field, value))
	if !ok {
		return roaring.New()
	}
	return x.facetAt(i)
}

func (x *Index) facetAt(i uint32) *roaring.Bitmap {
	from, to := x.facetPlace[0].Pair(i, x.bitmaps.Len())
	return openBitmap(x.bitmaps.Range(from, to-from), uint32(x.docN))
}

// FacetValues returns the values of a field in order, with the number of documents of each.
func (x *Index) FacetValues(field string) (values []string, docs []int) {
	prefix := facetKey(field, "")
	for i, key := range x.facets.Prefix(prefix) {
		values = append(values, string(key[len(prefix):]))
		docs = append(docs, int(x.facetAt(i).GetCardinality()))
	}
	return values, docs
}

// FacetCounts returns the values of a field that documents of a set have, in order, with the number of these documents.
func (x *Index) FacetCounts(field string, docs *roaring.Bitmap) (values []string, counts []int) {
	prefix := facetKey(field, "")
	for i, key := range x.facets.Prefix(prefix) {
		if n := x.facetAt(i).AndCardinality(docs); n > 0 {
			values, counts = append(values, string(key[len(prefix):])), append(counts, int(n))
		}
	}
	return values, counts
}

// FacetFields returns the fields that have facets, in order.
func (x *Index) FacetFields() []string {
	var fields []string
	at := ""
	for {
		var next string
		for _, key := range x.facets.From(at) {
			next, _, _ = strings.Cut(string(key), "\x00")
			break
		}
		if next == "" && at != "" || x.facets.Len() == 0 {
			return fields
		}
		if len(fields) > 0 && next <= fields[len(fields)-1] {
			format.Fail(tagFacets, "field %q after %q", next, fields[len(fields)-1]) // or the walk would not end
		}
		fields = append(fields, next)
		at = next + "\x01"
	}
}

// facets checks that every key is a field and a value, and that its bitmap is not empty and in its shortest form.
func (v *verifier) facets() {
	x := v.x
	for i, key := range x.facets.From("") {
		if bytes.Count(key, []byte{0}) != 1 {
			v.Add(tagFacets, "facet %d, %q, is not a field, a zero byte and a value", i, key)
		}
		if err := format.Guard(func() error {
			ids := x.facetAt(i).ToArray()
			from, to := x.facetPlace[0].Pair(i, x.bitmaps.Len())
			b, err := appendBitmap(nil, ids)
			switch {
			case err != nil:
				return err
			case len(ids) == 0:
				v.Add(tagBitmaps, "facet %d, %q, has no document", i, key)
			case !bytes.Equal(b, x.bitmaps.Range(from, to-from)):
				v.Add(tagBitmaps, "facet %d, %q: its bitmap is not in its shortest form", i, key)
			}
			return nil
		}); err != nil {
			v.AddError(tagBitmaps, err)
		}
	}
}

// maxFacetBytes is the longest value, and the longest name, that is a facet; longer ones are text.
const maxFacetBytes = 200

// maxFacetProblems bounds what FacetProblems returns.
const maxFacetProblems = 8

// Facets returns what can be filtered by: for every field of documents and of front matter and every value in it, the
// documents that have the value. fold folds values as queries do. The compiler stores the facets, and FacetProblems
// compares them with what is stored.
//
// StaleField is not among them: the compiler's rules say whether a document is in force. fields is sorted by document.
// It panics if a document's chunk type is not one of chunkTypes.
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
		if len(f.Name) <= maxFacetBytes {
			add(int(f.Doc), "."+fold(f.Name), f.Value)
		}
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
		for _, f := range x.FrontMatter(d) {
			if max(len(f.Name), len(f.Value)) <= maxFacetBytes {
				fields = append(fields, f)
			}
		}
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
