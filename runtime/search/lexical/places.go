package lexical

import (
	"slices"

	"kdd/format/index"
)

// places walks over the places of a word in one field: row by row, with the positions of all its terms together.
type places struct {
	cursors []cursor
	merged  []uint32
}

// steps returns how many rows and positions have been decoded since the walk was prepared.
func (w *places) steps() (n int) {
	for i := range w.cursors {
		n += w.cursors[i].steps
	}
	return n
}

// cursor walks over the postings of one term. It decodes a block only if a row of it is wanted, and positions only if
// all words of a phrase are in one row.
type cursor struct {
	p     *index.Postings
	block int // at hand; -1 before the first
	k, n  int // row in the block, and how many it has
	steps int // rows and positions that were decoded
	rows  [128]uint32
	freqs [128]uint32

	placed bool // at and starts are those of the block
	at     []uint32
	starts [129]uint32
}

// noRow is greater than all rows.
const noRow = index.None

// add adds the terms of a word to the walk. Terms without positions are left out, since another term has their
// positions.
func (w *places) add(r *records, terms []index.TermID, field index.FieldID) {
	for _, t := range terms {
		p := &r.record(t).Fields[field]
		if p.N == 0 || !p.Placed() {
			continue
		}
		n := len(w.cursors)
		if n == cap(w.cursors) {
			w.cursors = append(w.cursors, cursor{})
		}
		w.cursors = w.cursors[:n+1]
		c := &w.cursors[n]
		c.p, c.block, c.k, c.n, c.steps, c.placed = p, -1, 0, 0, 0, false
	}
}

// seek returns the first row from row on.
func (c *cursor) seek(row uint32) uint32 {
	for {
		for ; c.k < c.n; c.k++ {
			if c.rows[c.k] >= row {
				return c.rows[c.k]
			}
		}
		c.block++
		for ; c.block < c.p.Blocks(); c.block++ {
			if last, _ := c.p.Block(c.block); last >= row {
				break
			}
		}
		if c.block >= c.p.Blocks() {
			c.block, c.k, c.n = c.p.Blocks(), 0, 0
			return noRow
		}
		c.n, c.k, c.placed = c.p.Decode(c.block, c.rows[:], c.freqs[:]), 0, false
		c.steps += c.n
	}
}

// positions returns the positions in the current row.
func (c *cursor) positions() []uint32 {
	if !c.placed {
		c.at = c.p.Positions(c.at[:0], c.block, c.freqs[:c.n])
		var sum uint32
		for i, f := range c.freqs[:c.n] {
			c.starts[i] = sum
			sum += f
		}
		c.starts[c.n] = sum
		c.steps += len(c.at)
		c.placed = true
	}
	return c.at[c.starts[c.k]:c.starts[c.k+1]]
}

func (w *places) seek(row uint32) uint32 {
	first := uint32(noRow)
	for i := range w.cursors {
		first = min(first, w.cursors[i].seek(row))
	}
	return first
}

// positions returns the positions of the word in a row that seek returned, ascending and distinct; valid until the next
// call.
func (w *places) positions(row uint32) []uint32 {
	var only []uint32
	found := 0
	for i := range w.cursors {
		c := &w.cursors[i]
		if c.k == c.n || c.rows[c.k] != row {
			continue
		}
		at := c.positions()
		if found == 1 && slices.Equal(only, at) { // a word and its stem, mostly
			continue
		}
		switch found++; found {
		case 1:
			only = at
		case 2:
			w.merged = append(append(w.merged[:0], only...), at...)
		default:
			w.merged = append(w.merged, at...)
		}
	}
	if found < 2 {
		return only
	}
	slices.Sort(w.merged)
	w.merged = slices.Compact(w.merged)
	return w.merged
}
