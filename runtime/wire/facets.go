package wire

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// facetValues bounds the values of one facet in an answer.
const facetValues = 8

// NewFacet makes a facet of documents by value: the most frequent values first, the first by name of equal ones, a
// bounded number of them; false if there is no value.
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
	few := fewer([]Facet{f}, facetValues)
	if len(f.Values) == 0 {
		return f, false
	}
	return few[0], true
}

// NewFolders makes a facet of documents by folder: those below the folder that all of them share, or it itself.
// docs counts the documents of each folder, "." being the source folder.
func NewFolders(docs map[string]int) (Facet, bool) {
	var shared []string
	for i, folder := range slices.Sorted(maps.Keys(docs)) {
		parts := strings.Split(folder, "/")
		if folder == "." {
			parts = nil
		}
		if i == 0 {
			shared = parts
			continue
		}
		n := 0
		for n < len(shared) && n < len(parts) && shared[n] == parts[n] {
			n++
		}
		shared = shared[:n]
	}
	counts := map[string]int{}
	for folder, n := range docs {
		if parts := strings.Split(folder, "/"); folder != "." && len(parts) > len(shared) {
			folder = strings.Join(parts[:len(shared)+1], "/")
		}
		counts[folder] += n
	}
	return NewFacet("folder", counts)
}

// fewer keeps at most n values of each facet; with n = 0 no facet is left.
func fewer(facets []Facet, n int) []Facet {
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

// ByCount returns the names of counts, the largest count first and equal ones by name.
func ByCount[K cmp.Ordered](counts map[K]int) []K {
	return slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// cleanFacets neutralises the values, and bounds their length: what is longer is no value to choose by.
func cleanFacets(facets []Facet) {
	const most = 60
	for i := range facets {
		for k := range facets[i].Values {
			v := &facets[i].Values[k]
			v.Value = Shorten(Clean(v.Value), most)
		}
	}
}
