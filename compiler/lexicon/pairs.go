package lexicon

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"kdd/compiler/parallel"
	"kdd/format/index"
)

// pairCounter counts, by the hash of a pair of terms, the chunks of a segment that have the two side by side. A word
// stands for its stem, or for its folded form where it has none. A title's pairs count in each chunk of its document,
// those of a heading path in each chunk of its section.
type pairCounter struct {
	seen   []uint64          // hash << 32 | chunk, by chunk
	spare  []uint64          // memory to sort them in
	bytes  []byte            // memory to pack them in
	starts []index.PairStart // by term's number in the run
	title  []uint32          // hashes of the document at hand
	path   []uint32          // of the section
	body   []uint32          // of the chunk
	before []pairWord        // at the position before
	at     []pairWord        // at the position at hand

	doc     []uint32 // hashes of all pairs of the document at hand
	filters [][]byte // of the documents before
}

// pairWord is a word at a position.
type pairWord struct {
	term, pos uint32
	// It is the folded form of a word that has a stem, for filters alone: a word that is spelled otherwise (café, cafe)
	// may be found by it and have another stem.
	fold bool
}

// row takes the words of one row of a field, by position.
func (c *pairCounter) row(field index.FieldID, row uint32, words []pairWord, names []string) {
	var to *[]uint32
	switch field {
	case index.TitleField:
		to = &c.title
	case index.PathField:
		to = &c.path
	case index.BodyField:
		to = &c.body
	default:
		return
	}
	*to = (*to)[:0]
	for len(c.starts) < len(names) {
		c.starts = append(c.starts, index.PairPrefix(names[len(c.starts)]))
	}
	c.before, c.at = c.before[:0], c.at[:0]
	pos := uint32(math.MaxUint32)
	for _, w := range words {
		if w.pos != pos {
			c.before, c.at = c.at, c.before[:0]
			if w.pos != pos+1 {
				c.before = c.before[:0]
			}
			pos = w.pos
		}
		c.at = append(c.at, w)
		for _, first := range c.before {
			h := c.starts[first.term].Hash(names[w.term])
			if c.doc = append(c.doc, h); !first.fold && !w.fold {
				*to = append(*to, h)
			}
		}
	}
	if field != index.BodyField {
		return
	}
	for _, list := range [...][]uint32{c.title, c.path, c.body} {
		for _, h := range list {
			c.seen = append(c.seen, uint64(h)<<32|uint64(row))
		}
	}
}

// endDoc makes the filter of the document at hand.
func (c *pairCounter) endDoc() {
	c.filters = append(c.filters, index.PairFilter(c.doc))
	c.doc = c.doc[:0]
}

// reset forgets the terms and pairs of another run.
func (c *pairCounter) reset() {
	c.seen, c.starts, c.title, c.path = c.seen[:0], c.starts[:0], c.title[:0], c.path[:0]
	c.doc, c.filters = c.doc[:0], nil
}

// pack returns what was counted since the last call.
func (c *pairCounter) pack() pairList {
	c.seen, c.spare = sortByHash(c.seen, c.spare)
	p := pairList{at: make([]uint32, 0, shares+1)}
	c.bytes = c.bytes[:0]
	left := c.seen
	for share := range uint32(shares) {
		p.at = append(p.at, uint32(len(c.bytes)))
		before := share << shareShift
		for len(left) > 0 && hashOf(left[0])>>shareShift == share {
			hash, chunks := hashOf(left[0]), uint64(0)
			for last := ^left[0]; len(left) > 0 && hashOf(left[0]) == hash; left = left[1:] {
				if left[0] != last { // not once more in the same chunk
					last = left[0]
					chunks++
				}
			}
			distance := uint64(hash-before) * 2
			before = hash
			if chunks == 1 {
				c.bytes = binary.AppendUvarint(c.bytes, distance)
			} else {
				c.bytes = binary.AppendUvarint(binary.AppendUvarint(c.bytes, distance+1), chunks)
			}
		}
	}
	p.at = append(p.at, uint32(len(c.bytes)))
	p.bytes = slices.Clone(c.bytes)
	c.seen = c.seen[:0]
	return p
}

// Pairs are joined by shares of all hashes: those whose highest bits are equal.
const (
	shares     = 256
	shareShift = 24
)

// pairList has the pairs of a segment by hash: uvarint distance · 2 + (1 if there is more than one chunk), uvarint
// chunks if so. The first distance of a share is from its least hash.
type pairList struct {
	at    []uint32 // by share: where it begins in bytes; one more for the end
	bytes []byte
}

// read appends the pairs of a share, hash << 32 | chunks.
func (p *pairList) read(dst []uint64, share int) []uint64 {
	hash := uint32(share) << shareShift
	for r := reader(p.bytes[p.at[share]:p.at[share+1]]); len(r) > 0; {
		distance, chunks := r.next(), uint32(1)
		if hash += distance >> 1; distance&1 == 1 {
			chunks = r.next()
		}
		dst = append(dst, uint64(hash)<<32|uint64(chunks))
	}
	return dst
}

// joinPairs adds up the counts of all segments and keeps the pairs of index.MinPairChunks or more. Cost: linear, in
// parallel.
func joinPairs(lists []pairList) []index.PairCount {
	var parts [shares][]index.PairCount
	_ = parallel.With(context.Background(), 0, shares, func() func(i int) error {
		var all, spare []uint64
		var kept []index.PairCount
		return func(i int) error {
			all, kept = all[:0], kept[:0]
			for k := range lists {
				all = lists[k].read(all, i)
			}
			all, spare = sortByHash(all, spare)
			for left := all; len(left) > 0; {
				pair := index.PairCount{Hash: hashOf(left[0])}
				for ; len(left) > 0 && hashOf(left[0]) == pair.Hash; left = left[1:] {
					pair.Chunks += uint32(left[0])
				}
				if pair.Chunks >= index.MinPairChunks {
					kept = append(kept, pair)
				}
			}
			parts[i] = slices.Clone(kept)
			return nil
		}
	})
	return slices.Concat(parts[:]...)
}

// hashOf returns the hash of a pair that is sorted.
func hashOf(v uint64) uint32 { return uint32(v >> 32) }

// sortByHash sorts by the higher 32 bits and, where these are equal, keeps the order or sorts by the others: a radix
// sort from the lowest digit, unless there are few. It returns the sorted values and memory for the next call.
func sortByHash(list, spare []uint64) (sorted, other []uint64) {
	if len(list) < 1000 {
		slices.Sort(list)
		return list, spare
	}
	spare = slices.Grow(spare[:0], len(list))[:len(list)]
	const bits = 11 // of a digit
	for shift := 32; shift < 64; shift += bits {
		var ends [1 << bits]int
		for _, v := range list {
			ends[v>>shift%(1<<bits)]++
		}
		sum := 0
		for d, n := range ends {
			ends[d] = sum
			sum += n
		}
		for _, v := range list {
			d := v >> shift % (1 << bits)
			spare[ends[d]] = v
			ends[d]++
		}
		list, spare = spare, list
	}
	return list, spare
}
