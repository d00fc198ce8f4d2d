package index

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// Columns of the list places table: rising offsets, one row more than lists. FORMAT.md §9.
const (
	placePost = iota
	placePos
)

// Columns of the link text table.
const (
	linkTarget = iota
	linkText
	linkTokens
	linkCount
	linkIDF // bits of a float32
)

func (e *encoder) lexicon() {
	c := e.content
	terms := dict.Encode(c.Terms)
	e.block(tagTerms, uint64(len(c.Terms)), terms)

	sums := &c.Meta.Lengths
	scales := [FieldCount]fieldScale{
		TitleField: newScale(len(c.Docs), sums.Title, func(i uint32) uint32 { return c.Docs[i].TitleTokens }),
		PathField:  newScale(len(c.Sections), sums.Path, func(i uint32) uint32 { return c.Sections[i].PathTokens }),
		BodyField:  newScale(len(c.Chunks), sums.Body, func(i uint32) uint32 { return c.Chunks[i].BodyTokens }),
		LinkField:  newScale(len(c.Links), sums.Link, func(i uint32) uint32 { return c.Links[i].Tokens }),
	}

	place := e.lists(&scales)
	t := table.New(len(c.Terms))
	t.Plain(func(i int) uint64 { return uint64(place[c.TermList[i]]) })
	e.block(tagTermLists, uint64(len(c.Terms)), t.Bytes())
	lists := listsBefore(func(term int) uint32 { return uint32(place[c.TermList[term]]) })
	e.top(tagTermTop, tagTermTopPlace, c.Terms, terms, lists)

	k := table.New(len(c.Links))
	k.Plain(func(i int) uint64 { return uint64(c.Links[i].Target) })
	k.Plain(func(i int) uint64 { return e.str(c.Links[i].Text) })
	k.Plain(func(i int) uint64 { return uint64(c.Links[i].Tokens) })
	k.Plain(func(i int) uint64 { return uint64(c.Links[i].Count) })
	k.Plain(func(i int) uint64 { return uint64(math.Float32bits(c.Links[i].IDF)) })
	e.block(tagLinks, uint64(len(c.Links)), k.Bytes())
}

// encoded is the record of a list.
type encoded struct{ post, pos []byte }

// lists writes the records of all lists that terms have, in the order of the terms, and equal records once. It returns
// the number of each list's record.
func (e *encoder) lists(scales *[FieldCount]fieldScale) (place []uint32) {
	c := e.content
	records := e.records(scales)
	seed := maphash.MakeSeed() // random, but the result does not depend on it
	seen := make(map[uint64][]uint32, len(records))
	place = make([]uint32, len(records))
	var laid []encoded
	var postBytes, posBytes int
	for _, list := range c.TermList {
		r := &records[list]
		if r.post == nil {
			continue // written for an earlier term
		}
		var h maphash.Hash
		h.SetSeed(seed)
		h.Write(r.post)
		h.Write(r.pos)
		sum := h.Sum64()
		same := slices.IndexFunc(seen[sum], func(k uint32) bool {
			return bytes.Equal(laid[k].post, r.post) && bytes.Equal(laid[k].pos, r.pos)
		})
		if same >= 0 {
			place[list] = seen[sum][same]
		} else {
			place[list] = uint32(len(laid))
			seen[sum] = append(seen[sum], place[list])
			laid = append(laid, *r)
			postBytes, posBytes = postBytes+len(r.post), posBytes+len(r.pos)
		}
		*r = encoded{}
	}
	post, pos := make([]byte, 0, postBytes), make([]byte, 0, posBytes)
	ends := make([][2]uint64, 0, len(laid)+1) // of each record, before it
	for _, r := range laid {
		ends = append(ends, [2]uint64{uint64(len(post)), uint64(len(pos))})
		post, pos = append(post, r.post...), append(pos, r.pos...)
	}
	ends = append(ends, [2]uint64{uint64(len(post)), uint64(len(pos))})
	l := table.New(len(ends))
	l.Rising(func(i int) uint64 { return ends[i][0] })
	l.Rising(func(i int) uint64 { return ends[i][1] })
	e.block(tagLists, uint64(len(laid)), l.Bytes())
	e.block(tagPostings, uint64(len(laid)), post)
	e.block(tagPositions, uint64(len(laid)), pos)
	return place
}

// recordsSlab is how much room for records is made at once.
const recordsSlab = 1 << 16

// records encodes the lists that terms have, in parallel.
func (e *encoder) records(scales *[FieldCount]fieldScale) []encoded {
	c := e.content
	if c.Lists == nil { // content without words
		return nil
	}
	used := make([]bool, c.Lists.Len())
	for _, list := range c.TermList {
		used[list] = true
	}
	records := make([]encoded, len(used))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lw := listWriter{scales: scales}
			read := c.Lists.Reader()
			var post, pos, slab []byte
			for i := w; i < len(records); i += workers {
				if !used[i] {
					continue
				}
				post, pos = lw.record(post[:0], pos[:0], read(i))
				if n := len(post) + len(pos); n > cap(slab)-len(slab) {
					slab = make([]byte, 0, max(n, recordsSlab))
				}
				at := len(slab)
				slab = append(append(slab, post...), pos...)
				records[i] = encoded{slab[at : at+len(post)], slab[at+len(post):]}
			}
		})
	}
	wg.Wait()
	return records
}

// Terms returns the number of terms.
func (x *Index) Terms() int { return x.terms.Len() }

// TermDict returns the dictionary, for walks and prefix scans.
func (x *Index) TermDict() *dict.Dict { return &x.terms }

// FirstLetters returns the characters that folded forms begin with. They are found once.
func (x *Index) FirstLetters() []rune { return x.firstLetters() }

// Term returns the id of a term.
func (x *Index) Term(key string) (TermID, bool) {
	i, ok := x.terms.Find(key)
	return TermID(i), ok
}

// ListOf returns the number of a term's posting list; terms with equal postings share one.
func (x *Index) ListOf(t TermID) uint32 { return x.termLists[0].U32(uint32(t)) }

// Postings returns a term's postings in all fields. Cost: O(1) and the check of the pages that hold them.
func (x *Index) Postings(t TermID) Record { return x.record(x.ListOf(t)) }

// record returns the posting list of a number.
func (x *Index) record(list uint32) Record {
	from, to := x.places[placePost].Pair(list, x.post.Len())
	posFrom, posTo := x.places[placePos].Pair(list, x.pos.Len())
	return parseRecord(x.post.Range(from, to-from), x.pos.Range(posFrom, posTo-posFrom), &x.fieldRows)
}

// LinkTexts returns the number of link texts.
func (x *Index) LinkTexts() int { return int(x.links[0].Rows) }

// LinkText returns one link text.
func (x *Index) LinkText(i uint32) LinkText {
	l := x.LinkStats(i)
	l.Text = x.strs.At(x.links[linkText].U32(i))
	return l
}

// LinkStats returns one link text without its text.
func (x *Index) LinkStats(i uint32) LinkText {
	return LinkText{Target: NodeID(x.links[linkTarget].U32(i)), Tokens: x.links[linkTokens].U32(i),
		Count: x.links[linkCount].U32(i), IDF: math.Float32frombits(x.links[linkIDF].U32(i))}
}

// list decodes all of a posting list.
func (x *Index) list(number uint32) List {
	rec := x.record(number)
	l := List{Chunks: rec.Chunks}
	var rows, freqs [blockPostings]uint32
	for f := range rec.Fields {
		p, to := &rec.Fields[f], &l.Fields[f]
		for i := range p.Blocks() {
			n := p.Decode(i, rows[:], freqs[:])
			to.Rows, to.Freqs = append(to.Rows, rows[:n]...), append(to.Freqs, freqs[:n]...)
			if p.Placed() {
				to.Positions = p.Positions(to.Positions, i, freqs[:n])
			}
		}
	}
	return l
}

// newScale is the scale of a field of n rows whose lengths have that sum.
func newScale(n int, sum uint64, length func(row uint32) uint32) fieldScale {
	s := fieldScale{rows: uint32(n)}
	if n > 0 {
		s.length, s.avg = length, float64(sum)/float64(n)
	}
	return s
}

// scales returns what impacts are computed with.
func (x *Index) scales() [FieldCount]fieldScale {
	sums := &x.Meta.Lengths
	return [FieldCount]fieldScale{
		TitleField: newScale(x.docN, sums.Title, x.docs[docTitleTokens].U32),
		PathField:  newScale(x.sectionN, sums.Path, x.secs[secPathTokens].U32),
		BodyField:  newScale(x.chunkN, sums.Body, x.chunks[chunkTokens].U32),
		LinkField:  newScale(x.LinkTexts(), sums.Link, x.links[linkTokens].U32),
	}
}

// postings decodes every list, encodes it again and compares the bytes: this checks rows, frequencies, positions, skip
// entries, impacts and forms. It also counts the chunks of each list.
func (v *verifier) postings() {
	x := v.x
	scales := x.scales()
	w := listWriter{scales: &scales}
	var post, pos []byte
	for i := range uint32(x.limit(listCell)) {
		if err := format.Guard(func() error {
			l := x.list(i)
			from, to := x.places[placePost].Pair(i, x.post.Len())
			posFrom, posTo := x.places[placePos].Pair(i, x.pos.Len())
			post, pos = w.record(post[:0], pos[:0], &l)
			if !bytes.Equal(post, x.post.Range(from, to-from)) {
				v.Add(tagPostings, "list %d: its rows, frequencies or impacts are not encoded as they must be", i)
			}
			if !bytes.Equal(pos, x.pos.Range(posFrom, posTo-posFrom)) {
				v.Add(tagPositions, "list %d: its positions are not encoded as they must be", i)
			}
			if got := x.countChunks(&l); got != uint64(l.Chunks) {
				v.Add(tagPostings, "list %d: in %d chunks, its rows are in %d", i, l.Chunks, got)
			}
			return nil
		}); err != nil {
			v.AddError(tagPostings, err)
		}
	}
}

// chunkRange is the chunks [from, to).
type chunkRange struct{ from, to uint64 }

// countChunks returns the number of chunks that hold a list's term in title, path or body. A row of each field stands
// for a range of chunks, and these ascend: it merges the ranges of the three fields.
func (x *Index) countChunks(l *List) uint64 {
	var next [BodyField + 1]chunkRange // the first range of each field that is not counted yet
	var taken [BodyField + 1]int       // rows before it
	load := func(f FieldID) {
		rows := l.Fields[f].Rows
		if taken[f] == len(rows) {
			next[f] = chunkRange{from: math.MaxUint64}
			return
		}
		row := rows[taken[f]]
		taken[f]++
		switch f {
		case TitleField:
			from, to := x.DocChunks(DocID(row))
			next[f] = chunkRange{uint64(from), uint64(to)}
		case PathField:
			from, to := x.SectionChunks(SectionID(row))
			next[f] = chunkRange{uint64(from), uint64(to)}
		default:
			next[f] = chunkRange{uint64(row), uint64(row) + 1}
		}
	}
	for f := range next {
		load(FieldID(f))
	}
	var n, done uint64
	for {
		first := 0
		for f := range next {
			if next[f].from < next[first].from {
				first = f
			}
		}
		s := next[first]
		if s.from == math.MaxUint64 {
			return n
		}
		if s.to > done {
			n += s.to - max(s.from, done)
			done = s.to
		}
		load(FieldID(first))
	}
}

// links checks that link texts are sorted and weighted.
func (v *verifier) links() {
	x := v.x
	var before LinkText
	for i := range uint32(x.LinkTexts()) {
		l := x.LinkText(i)
		if i > 0 && cmp.Or(cmp.Compare(before.Target, l.Target), strings.Compare(before.Text, l.Text)) >= 0 {
			v.Add(tagLinks, "link text %d, %q of node %d, is not sorted after the one before", i, l.Text, l.Target)
		}
		if l.Count == 0 || !(l.IDF >= 0 && l.IDF <= math.MaxFloat32) {
			v.Add(tagLinks, "link text %d, %q, has %d links and idf %g", i, l.Text, l.Count, l.IDF)
		}
		before = l
	}
}
