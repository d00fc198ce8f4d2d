package lexical

import (
	"slices"
	"sort"

	"kdd/format/index"
	"kdd/runtime/search/query"
)

// placedList is the postings of one term in one field, of which the blocks that were looked at stay decoded.
type placedList struct {
	p      *index.Postings
	blocks []*block // by number; nil = not decoded
	memory *Scratch
}

// block is a decoded block of postings.
type block struct {
	rows, freqs []uint32
	ends        []uint32 // of the positions of each row; nil = not decoded
	places      []uint32 // of all rows
}

// occurrence is a row of a list.
type occurrence struct {
	row   uint32
	k     int32 // in its block
	block int32
	list  *placedList
}

// within adds the rows of [from, to).
func (l *placedList) within(list []occurrence, from, to uint32) []occurrence {
	n := l.p.Blocks()
	for i := sort.Search(n, func(i int) bool { last, _ := l.p.Block(i); return last >= from }); i < n; i++ {
		b := l.block(i)
		k, _ := slices.BinarySearch(b.rows, from)
		for ; k < len(b.rows); k++ {
			if b.rows[k] >= to {
				return list
			}
			list = append(list, occurrence{b.rows[k], int32(k), int32(i), l})
		}
	}
	return list
}

func (l *placedList) block(i int) *block {
	b := l.blocks[i]
	if b == nil {
		b = &block{rows: l.memory.numbers(128), freqs: l.memory.numbers(128)}
		n := l.p.Decode(i, b.rows, b.freqs)
		b.rows, b.freqs = b.rows[:n], b.freqs[:n]
		l.blocks[i] = b
	}
	return b
}

// positions returns the positions of the term in the row.
func (o *occurrence) positions() []uint32 {
	l := o.list
	b := l.blocks[o.block]
	if b.ends == nil {
		ends := l.memory.numbers(len(b.rows))
		var sum uint64
		for i, f := range b.freqs {
			sum += uint64(f)
			ends[i] = uint32(sum)
		}
		var room []uint32
		if sum <= pieceSize { // Positions refuses what is more than the file can hold
			room = l.memory.numbers(int(sum))[:0]
		}
		b.places, b.ends = l.p.Positions(room, int(o.block), b.freqs), ends
	}
	from := uint32(0)
	if o.k > 0 {
		from = b.ends[o.k-1]
	}
	return b.places[from:b.ends[o.k]]
}

// placed is a word with its places in the field of one document at a time.
type placed struct {
	word   *query.Word
	fields [index.LinkField][]placedList // nil until the first document
	found  [index.LinkField][]occurrence // rows of the document at hand, ascending
	doc    index.DocID                   // the document at hand, plus one
	merged []uint32
	before []occurrence // of merge
}

// open finds the lists of a word. Terms without positions are left out, since another term has their positions.
func (w *placed) open(r *records, m *Scratch) {
	for f := range w.fields {
		w.fields[f] = []placedList{}
		for _, ids := range [...][]index.TermID{w.word.Terms, w.word.Near} {
			for _, t := range ids {
				if p := &r.record(t).Fields[f]; p.N > 0 && p.Placed() {
					w.fields[f] = append(w.fields[f], placedList{p, make([]*block, p.Blocks()), m})
				}
			}
		}
	}
}

// find finds the rows of a field in [from, to), of all terms of the word.
func (w *placed) find(field index.FieldID, from, to uint32) {
	found := w.found[field][:0]
	for i := range w.fields[field] {
		n := len(found)
		if found = w.fields[field][i].within(found, from, to); n > 0 && n < len(found) {
			w.merge(found, n)
		}
	}
	w.found[field] = found
}

// merge sorts a list by row, of which the first n and the others ascend.
func (w *placed) merge(list []occurrence, n int) {
	w.before = append(w.before[:0], list[:n]...)
	a, b := w.before, list[n:]
	for i := 0; len(a) > 0; i++ { // what is left of b is in its place
		if len(b) > 0 && b[0].row < a[0].row {
			list[i], b = b[0], b[1:]
		} else {
			list[i], a = a[0], a[1:]
		}
	}
}

// positions returns the positions of the word in the row that list begins with, ascending and distinct, and the rest
// of the list. They are valid until the next call.
func (w *placed) positions(list []occurrence) (at []uint32, rest []occurrence) {
	n := 1
	for n < len(list) && list[n].row == list[0].row {
		n++
	}
	at = list[0].positions()
	if n == 2 && slices.Equal(at, list[1].positions()) { // a word and its stem, mostly
		return at, list[n:]
	}
	if n > 1 {
		w.merged = append(w.merged[:0], at...)
		for i := 1; i < n; i++ {
			w.merged = append(w.merged, list[i].positions()...)
		}
		slices.Sort(w.merged)
		w.merged = slices.Compact(w.merged)
		at = w.merged
	}
	return at, list[n:]
}

// together calls each for every row of the document at hand in which a position of b follows a position of a directly,
// with the number of such positions.
func together(a, b *placed, field index.FieldID, each func(row, n uint32)) {
	x, y := a.found[field], b.found[field]
	for len(x) > 0 && len(y) > 0 {
		row := x[0].row
		switch {
		case row < y[0].row:
			x = x[1:]
			continue
		case row > y[0].row:
			y = y[1:]
			continue
		}
		var first, second []uint32
		first, x = a.positions(x)
		second, y = b.positions(y)
		if n := following(first, second); n > 0 {
			each(row, n)
		}
	}
}

// following counts the positions of a that one of b follows directly. Both ascend.
func following(a, b []uint32) (n uint32) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0]+1 < b[0]:
			a = a[1:]
		case a[0]+1 > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
