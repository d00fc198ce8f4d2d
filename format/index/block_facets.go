package index

import (
	"bytes"
	"slices"
	"strings"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"

	"github.com/RoaringBitmap/roaring/v2"
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
