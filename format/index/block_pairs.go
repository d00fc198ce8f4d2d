package index

import (
	"sort"

	"kdd/format"
	"kdd/format/internal/table"
)

// Columns of the table of pairs, FORMAT.md §11: a row for each pair of terms that stand side by side in two or more
// chunks, by hash.
const (
	pairHash = iota
	pairChunks
)

// MinPairChunks is the least number of chunks that a pair in the file stands in. Most pairs of a text stand in one
// chunk alone: they would make the block five times as large and say nothing that a reader cannot assume.
const MinPairChunks = 2

// PairCount is how many chunks have two terms side by side, in title, heading path or body. Pairs with one hash count
// together.
type PairCount struct {
	Hash, Chunks uint32
}

// PairHash returns the hash of a pair of terms, as they are in the dictionary: FNV-1a in 32 bits over the first term, a
// zero byte and the second term, mixed.
func PairHash(first, second string) uint32 { return PairPrefix(first).Hash(second) }

// PairPrefix returns what the hashes of all pairs with that first term have in common.
func PairPrefix(first string) PairStart {
	h := uint32(2166136261)
	for i := range len(first) {
		h = (h ^ uint32(first[i])) * 16777619
	}
	return PairStart(h * 16777619)
}

// PairStart is the hash of a pair after its first term and the zero byte.
type PairStart uint32

// Hash returns the hash of the pair with that second term.
func (p PairStart) Hash(second string) uint32 {
	h := uint32(p)
	for i := range len(second) {
		h = (h ^ uint32(second[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	return h ^ h>>13
}

// pairs encodes the pairs; no block if there is none.
func (e *encoder) pairs() {
	pairs := e.content.Pairs
	if len(pairs) == 0 {
		return
	}
	t := table.New(len(pairs))
	t.Plain(func(i int) uint64 { return uint64(pairs[i].Hash) })
	t.Plain(func(i int) uint64 { return uint64(pairs[i].Chunks) })
	e.blocks = append(e.blocks, format.RawBlock{Tag: tagPairs, Rows: uint64(len(pairs)), Data: t.Bytes()})
}

// PairChunks returns how many chunks have a pair of terms side by side, by its PairHash; 0 if the file does not say,
// which means fewer than MinPairChunks. One pair in 2^32 / Pairs that stands nowhere has the number of another. Cost: an
// interpolation search (Peterson 1957), which reads a page or two of the block: hashes are spread evenly, so that a
// hash lies some √Pairs rows from where its value says.
func (x *Index) PairChunks(hash uint32) uint32 {
	hashes := &x.pairs[pairHash]
	n := int(hashes.Rows)
	at := x.pairRow(hash)
	below := func(row int) bool { return hashes.At(uint32(row)) < uint64(hash) }
	low, high := at, at // in the end, what is before low is below hash, and high is not
	for step := pairStep; low > 0 && !below(low-1); step *= 2 {
		low, high = max(0, low-step), low
	}
	for step := pairStep; high < n && below(high); step *= 2 {
		low, high = high+1, min(n, high+step)
	}
	row := low + sort.Search(high-low, func(i int) bool { return !below(low + i) })
	if row == n || hashes.At(uint32(row)) != uint64(hash) {
		return 0
	}
	return min(x.pairs[pairChunks].U32(uint32(row)), uint32(x.chunkN))
}

// pairRow is where a hash should lie.
func (x *Index) pairRow(hash uint32) int { return int(uint64(hash) * x.pairs[pairHash].Rows >> 32) }

// pairStep is how many rows PairChunks looks ahead at first.
const pairStep = 64

// Pairs returns the number of pairs in the file.
func (x *Index) Pairs() int { return int(x.pairs[pairHash].Rows) }

// Pair returns one of them.
func (x *Index) Pair(i uint32) PairCount {
	return PairCount{x.pairs[pairHash].U32(i), x.pairs[pairChunks].U32(i)}
}

// pairs checks that hashes ascend, and that each pair stands in two chunks or more, and in no more than there are. That
// they are the numbers of these chunks is not checked: a wrong one makes a pair count more or less in a score.
func (v *verifier) pairs() {
	x := v.x
	var before PairCount
	for i := range uint32(x.Pairs()) {
		p := x.Pair(i)
		if i > 0 && p.Hash <= before.Hash {
			v.Add(tagPairs, "row %d: hash %08x is not above the one before", i, p.Hash)
			return
		}
		if p.Chunks < MinPairChunks || uint64(p.Chunks) > uint64(x.chunkN) {
			v.Add(tagPairs, "row %d: a pair in %d chunks, of %d", i, p.Chunks, x.chunkN)
			return
		}
		before = p
	}
}
