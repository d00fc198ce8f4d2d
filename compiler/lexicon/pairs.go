package lexicon

import (
	"cmp"
	"math"
	"slices"

	"kdd/format/index"
)

// pairCounter counts, by the hash of a pair of terms, the chunks of a run that have the two side by side. A word stands
// for its stem, or for its folded form where it has none. A title's pairs count in each chunk of its document, those of
// a heading path in each chunk of its section.
type pairCounter struct {
	counts map[uint32]pairCount
	starts []index.PairStart // by term's number in the run
	title  []uint32          // hashes of the document at hand
	path   []uint32          // of the section
	body   []uint32          // of the chunk
	before []pairWord        // at the position before
	at     []pairWord        // at the position at hand

	doc     []uint32 // hashes of all pairs of the document at hand
	filters [][]byte // of the documents before
}

type pairCount struct{ chunks, last uint32 }

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
			if n := c.counts[h]; n.last != row+1 {
				c.counts[h] = pairCount{n.chunks + 1, row + 1}
			}
		}
	}
}

// endDoc makes the filter of the document at hand.
func (c *pairCounter) endDoc() {
	c.filters = append(c.filters, index.PairFilter(c.doc))
	c.doc = c.doc[:0]
}

// sorted returns the counts by hash, and forgets them.
func (c *pairCounter) sorted() []index.PairCount {
	list := make([]index.PairCount, 0, len(c.counts))
	for h, n := range c.counts {
		list = append(list, index.PairCount{Hash: h, Chunks: n.chunks})
	}
	c.counts = nil
	slices.SortFunc(list, func(a, b index.PairCount) int { return cmp.Compare(a.Hash, b.Hash) })
	return list
}

// joinPairs adds up the counts of all runs and keeps the pairs of index.MinPairChunks or more. Cost: linear, times the
// number of runs.
func joinPairs(runs [][]index.PairCount) []index.PairCount {
	var list []index.PairCount
	for {
		first, some := uint32(0), false
		for _, r := range runs {
			if len(r) > 0 && (!some || r[0].Hash < first) {
				first, some = r[0].Hash, true
			}
		}
		if !some {
			return list
		}
		sum := uint32(0)
		for i, r := range runs {
			if len(r) > 0 && r[0].Hash == first {
				sum += r[0].Chunks
				runs[i] = r[1:]
			}
		}
		if sum >= index.MinPairChunks {
			list = append(list, index.PairCount{Hash: first, Chunks: sum})
		}
	}
}
