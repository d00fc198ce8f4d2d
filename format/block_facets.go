package format

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// facetKey joins field and value; neither holds a NUL (the writer replaces it).
func facetKey(field, value string) string {
	return cut(strings.ReplaceAll(field, "\x00", " ")) + "\x00" + cut(strings.ReplaceAll(value, "\x00", " "))
}

func (e *encoder) facets() error {
	c := e.content
	keys := make([]string, len(c.Facets))
	var places []uint64
	var data []byte
	for i, f := range c.Facets {
		keys[i] = facetKey(f.Field, f.Value)
		places = append(places, uint64(len(data)))
		var err error
		if data, err = appendBitmap(data, f.Docs); err != nil {
			return err
		}
	}
	places = append(places, uint64(len(data)))
	e.block(tagFacets, uint64(len(keys)), appendDict(nil, keys))
	t := newTable(len(places))
	t.rising(func(i int) uint64 { return places[i] })
	e.block(tagFacetPlace, uint64(len(keys)), t.bytes())
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
	from, to := x.facetPlace[0].pair(i, x.bitmaps.Len())
	return openBitmap(x.bitmaps.Range(from, to-from), uint32(x.docN))
}

// FacetValues returns the values of a field in order, with the number of documents of each.
func (x *Index) FacetValues(field string) (values []string, docs []int) {
	prefix := strings.ReplaceAll(field, "\x00", " ") + "\x00"
	for i, key := range x.facets.Prefix(prefix) {
		values = append(values, string(key[len(prefix):]))
		docs = append(docs, int(x.facetAt(i).GetCardinality()))
	}
	return values, docs
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
		if next == "" && at != "" || x.facets.Len() == 0 || len(fields) > 0 && next == fields[len(fields)-1] {
			return fields
		}
		fields = append(fields, next)
		at = next + "\x01"
	}
}
