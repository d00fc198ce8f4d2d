package index

import (
	"slices"

	"kdd/format"
	"kdd/format/internal/table"
)

// The parameters of the filters of pairs, FORMAT.md §11: Bloom filters (Bloom 1970) with so many bits for each pair, of
// which each sets so many. At four bits, three probes take one pair in seven that a document lacks for one that it has.
const (
	filterBits   = 4
	filterProbes = 3
)

// PairFilter returns the filter of a document that has the pairs with these hashes, which it sorts.
func PairFilter(hashes []uint32) []byte {
	slices.Sort(hashes)
	distinct := slices.Compact(hashes)
	filter := make([]byte, (len(distinct)*filterBits+7)/8)
	for _, h := range distinct {
		for i := range uint32(filterProbes) {
			bit := filterBit(h, i, len(filter))
			filter[bit/8] |= 1 << (bit % 8)
		}
	}
	return filter
}

// filterBit returns probe i of a hash in a filter of that many bytes.
func filterBit(hash, i uint32, size int) uint64 {
	return uint64(hash+i*(hash*0x9e3779b1|1)) * uint64(size) * 8 >> 32
}

// pairFilters encodes the filters; no block if there is none.
func (e *encoder) pairFilters() {
	filters := e.content.PairFilters
	if len(filters) == 0 {
		return
	}
	var data []byte
	places := make([]uint64, 1, len(filters)+1)
	for _, f := range filters {
		data = append(data, f...)
		places = append(places, uint64(len(data)))
	}
	t := table.New(len(places))
	t.Rising(func(i int) uint64 { return places[i] })
	e.blocks = append(e.blocks,
		format.RawBlock{Tag: tagFilterPlace, Rows: uint64(len(filters)), Data: t.Bytes()},
		format.RawBlock{Tag: tagFilters, Rows: uint64(len(filters)), Data: data})
}

// DocPairs tells which pairs of terms a document may have.
type DocPairs struct {
	filter []byte
	known  bool
}

// DocPairs returns those of a document.
func (x *Index) DocPairs(d DocID) DocPairs {
	x.checkDoc(d)
	if x.filterPlace[0].Rows == 0 || x.File.Remote() { // positions are here already, filters would have to be asked for
		return DocPairs{}
	}
	from, to := x.filterPlace[0].Pair(uint32(d), x.filters.Len())
	return DocPairs{x.filters.Range(from, to-from), true}
}

// May says whether the document may have the pair with that hash: false is certain. A file without filters says true.
func (p DocPairs) May(hash uint32) bool {
	if !p.known {
		return true
	}
	if len(p.filter) == 0 {
		return false
	}
	for i := range uint32(filterProbes) {
		if bit := filterBit(hash, i, len(p.filter)); p.filter[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}
