package wire

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// facetValues bounds the values of one facet in an answer.
const facetValues = 8

// NewFacet makes a facet from the number of documents that have each value. The most frequent values come first, values
// with equal counts by name; their number is bounded. It returns false if there is no value.
func NewFacet(field string, counts map[string]int) (Facet, bool) {
	f := Facet{Field: field}
	for value, n := range counts {
		if n > 0 {
			f.Values = append(f.Values, FacetValue{Value: value, Count: n})
		}
	}
	slices.SortStableFunc(f.Values, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return limitValues([]Facet{f}, facetValues)[0], len(f.Values) > 0
}

// NewFolders makes a facet of documents by folder. Its values are the folders right below the deepest folder that all
// documents share, and that folder itself for documents in it. docs counts the documents of each folder; "." is the
// source folder.
func NewFolders(docs map[string]int) (Facet, bool) {
	shared, first := "", true // with a slash behind it, unless it is empty
	for folder := range docs {
		whole := folder + "/"
		switch {
		case folder == ".":
			shared, first = "", false
		case first:
			shared, first = whole, false
		}
		for !strings.HasPrefix(whole, shared) {
			shared = shared[:strings.LastIndexByte(shared[:len(shared)-1], '/')+1]
		}
	}
	counts := map[string]int{}
	for folder, n := range docs {
		if folder != "." && len(folder) > len(shared) {
			if end := strings.IndexByte(folder[len(shared):], '/'); end >= 0 {
				folder = folder[:len(shared)+end]
			}
		}
		counts[folder] += n
	}
	return NewFacet("folder", counts)
}

// fewer keeps at most n values of each facet; with n = 0 no facet is left.
func limitValues(facets []Facet, n int) []Facet {
	if n == 0 {
		return nil
	}
	out := slices.Clone(facets)
	for i := range out {
		if f := &out[i]; len(f.Values) > n {
			f.Others += len(f.Values) - n
			f.Values = f.Values[:n]
		}
	}
	return out
}

// ByCount returns the names of counts, the largest count first, names with equal counts in their order.
func ByCount[K cmp.Ordered](counts map[K]int) []K {
	return slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// cleanFacets neutralises the values and bounds their length.
func cleanFacets(facets []Facet) {
	for _, f := range facets {
		for i := range f.Values {
			f.Values[i].Value = Shorten(Clean(f.Values[i].Value), 60)
		}
	}
}
