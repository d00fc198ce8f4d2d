package format

import (
	"bytes"
	"hash/maphash"
	"math"
	"runtime"
	"sync"
)

// Columns of the list places table: rising offsets, one row more than lists. FORMAT.md §9.
const (
	placePost = iota
	placePos
	placeColumns
)

// Columns of the link text table.
const (
	linkTarget = iota
	linkText
	linkTokens
	linkCount
	linkIDF // bits of a float32
	linkColumns
)

func (e *encoder) lexicon() {
	c := e.content
	e.block(tagTerms, uint64(len(c.Terms)), appendDict(nil, c.Terms))

	scales := [FieldCount]impactScale{}
	scale := func(f FieldID, n int, sum uint64, length func(row uint32) uint32) {
		if n > 0 {
			scales[f] = impactScale{length, float64(sum) / float64(n)}
		}
	}
	scale(TitleField, len(c.Docs), c.Meta.Lengths.Title, func(i uint32) uint32 { return c.Docs[i].TitleTokens })
	scale(PathField, len(c.Sections), c.Meta.Lengths.Path, func(i uint32) uint32 { return c.Sections[i].PathTokens })
	scale(BodyField, len(c.Chunks), c.Meta.Lengths.Body, func(i uint32) uint32 { return c.Chunks[i].BodyTokens })
	scale(LinkField, len(c.Links), c.Meta.Lengths.Link, func(i uint32) uint32 { return c.Links[i].Tokens })

	// Records are encoded in parallel and laid in order; equal ones are laid once.
	type record struct{ post, pos []byte }
	records := make([]record, len(c.Lists))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(records); i += workers {
				records[i].post, records[i].pos = appendRecord(nil, nil, &c.Lists[i], &scales)
			}
		})
	}
	wg.Wait()
	seed := maphash.MakeSeed() // decides nothing but how fast equal records are found
	seen := make(map[uint64][]uint32, len(records))
	place := make([]uint64, len(records)) // list → laid record
	var post, pos []byte
	var ends [][2]uint64 // of each laid record, before it
	var laid []uint32
	for i, r := range records {
		var h maphash.Hash
		h.SetSeed(seed)
		h.Write(r.post)
		h.Write(r.pos)
		sum, found := h.Sum64(), false
		for _, k := range seen[sum] {
			if o := records[laid[k]]; bytes.Equal(o.post, r.post) && bytes.Equal(o.pos, r.pos) {
				place[i], found = uint64(k), true
				break
			}
		}
		if found {
			continue
		}
		place[i] = uint64(len(laid))
		seen[sum] = append(seen[sum], uint32(len(laid)))
		laid = append(laid, uint32(i))
		ends = append(ends, [2]uint64{uint64(len(post)), uint64(len(pos))})
		post, pos = append(post, r.post...), append(pos, r.pos...)
	}
	ends = append(ends, [2]uint64{uint64(len(post)), uint64(len(pos))})

	t := newTable(len(c.Terms))
	t.plain(func(i int) uint64 { return place[c.TermList[i]] })
	e.block(tagTermLists, uint64(len(c.Terms)), t.bytes())
	l := newTable(len(ends))
	l.rising(func(i int) uint64 { return ends[i][0] })
	l.rising(func(i int) uint64 { return ends[i][1] })
	e.block(tagLists, uint64(len(laid)), l.bytes())
	e.block(tagPostings, uint64(len(laid)), post)
	e.block(tagPositions, uint64(len(laid)), pos)

	k := newTable(len(c.Links))
	k.plain(func(i int) uint64 { return uint64(c.Links[i].Target) })
	k.plain(func(i int) uint64 { return e.str(c.Links[i].Text) })
	k.plain(func(i int) uint64 { return uint64(c.Links[i].Tokens) })
	k.plain(func(i int) uint64 { return uint64(c.Links[i].Count) })
	k.plain(func(i int) uint64 { return uint64(math.Float32bits(c.Links[i].IDF)) })
	e.block(tagLinks, uint64(len(c.Links)), k.bytes())
}

// Terms returns the number of terms.
func (x *Index) Terms() int { return x.terms.Len() }

// TermDict returns the dictionary, for walks and prefix scans.
func (x *Index) TermDict() *Dict { return &x.terms }

// Term returns the id of a term.
func (x *Index) Term(key string) (TermID, bool) {
	i, ok := x.terms.Find(key)
	return TermID(i), ok
}

// ListOf returns the number of a term's posting list; terms with equal postings share one.
func (x *Index) ListOf(t TermID) uint32 { return x.termLists[0].u32(uint32(t)) }

// Postings returns a term's postings in all fields. Cost: O(1) and the check of the pages that hold them.
func (x *Index) Postings(t TermID) Record {
	list := x.ListOf(t)
	from, to := x.places[placePost].pair(list, x.post.Len())
	posFrom, posTo := x.places[placePos].pair(list, x.pos.Len())
	return parseRecord(x.post.Range(from, to-from), x.pos.Range(posFrom, posTo-posFrom), &x.fieldRows)
}

// LinkTexts returns the number of link texts.
func (x *Index) LinkTexts() int { return int(x.links[0].rows) }

// LinkText returns one link text.
func (x *Index) LinkText(i uint32) LinkText {
	l := x.LinkStats(i)
	l.Text = x.strs.At(x.links[linkText].u32(i))
	return l
}

// LinkStats returns one link text without its text.
func (x *Index) LinkStats(i uint32) LinkText {
	return LinkText{Target: NodeID(x.links[linkTarget].u32(i)), Tokens: x.links[linkTokens].u32(i), Count: x.links[linkCount].u32(i), IDF: math.Float32frombits(x.links[linkIDF].u32(i))}
}
