package dict

import (
	"bytes"
	"encoding/binary"
	"iter"
	"sort"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"kdd/format"
	"kdd/format/text"
)

// groupOf returns the group that holds key if any does: the last one that begins at or before it; false if all begin
// after.
func (d *Dict) groupOf(key string) (uint32, bool) {
	list, own := d.heads.list(int(d.groups)), head(key)
	low, high := 0, int(d.groups)
	if d.top != nil && (list == nil || d.block.Remote()) {
		row, ok := d.top.floor(key)
		if !ok {
			return 0, false
		}
		low, high = int(row*d.each), min(high, int((row+1)*d.each))
	}
	g := low + sort.Search(high-low, func(i int) bool {
		i += low
		if list == nil {
			return string(d.first(uint32(i))) > key
		}
		h := list[i].Load()
		if h == 0 {
			h = head(d.first(uint32(i)))
			list[i].Store(h)
		}
		return h > own || h == own && string(d.first(uint32(i))) > key
	})
	return uint32(g) - 1, g > 0
}

// heads are the beginnings of the first strings of groups, once a dictionary is asked often: a look-up then reads one
// group in place of a page for each step of its search.
type heads struct {
	asked atomic.Int32
	once  sync.Once
	all   []atomic.Uint64 // 0 = not read yet
}

// oftenAsked is how many look-ups a dictionary has before its heads are kept: more than most queries make.
const oftenAsked = 64

// list returns the heads, nil before the dictionary is asked often.
func (h *heads) list(groups int) []atomic.Uint64 {
	if h == nil || h.asked.Load() < oftenAsked && h.asked.Add(1) < oftenAsked {
		return nil
	}
	h.once.Do(func() { h.all = make([]atomic.Uint64, groups) })
	return h.all
}

// head is the order of strings by their first eight bytes.
func head[S string | []byte](s S) uint64 {
	var first [8]byte
	copy(first[:], s)
	return binary.BigEndian.Uint64(first[:])
}

// seek returns a cursor that has just read the first string that is not less than key; false if there is none.
func (d *Dict) seek(key string) (dictCursor, bool) {
	if d.n == 0 {
		return dictCursor{d: d}, false
	}
	g, ok := d.groupOf(key)
	if !ok {
		g = 0
	}
	c := d.group(g)
	for c.key = make([]byte, 0, usualKey); c.next < d.n; {
		c.step()
		if string(c.key) >= key {
			return c, true
		}
	}
	return dictCursor{d: d}, false
}

// Find returns the ordinal of key. Cost: a binary search over groups and at most 16 steps.
func (d *Dict) Find(key string) (uint32, bool) {
	if d.n == 0 || len(key) > MaxString {
		return 0, false
	}
	d.ahead(key, key)
	g, ok := d.groupOf(key)
	if !ok {
		return 0, false
	}
	// The strings before the one at hand are less than key, and share so many bytes with it: a string that shares more
	// with the one before it is less too, one that shares less is above key, and the others are compared from there.
	same := 0
	for c := d.group(g); c.next < d.n && c.next < (g+1)*dictGroup; c.next++ {
		shared := 0
		if c.next%dictGroup != 0 {
			shared = int(c.uvarint())
		}
		n := c.uvarint()
		if n > uint64(len(c.rest)) {
			d.fail("string %d does not fit: %d of %d", c.next, n, len(c.rest))
		}
		rest := c.rest[:n]
		c.rest = c.rest[n:]
		switch {
		case shared > same:
			continue
		case shared < same:
			return 0, false
		}
		left := key[same:]
		at := 0
		for at < len(rest) && at < len(left) && rest[at] == left[at] {
			at++
		}
		switch {
		case at == len(rest) && at == len(left):
			return c.next, true
		case at == len(left) || at < len(rest) && rest[at] > left[at]:
			return 0, false
		}
		same += at
	}
	return 0, false
}

// From walks the strings that are not less than key, in order, with their ordinals. The bytes yielded are valid until
// the next step.
func (d *Dict) From(key string) iter.Seq2[uint32, []byte] {
	return d.walk(key, "")
}

// walk is From for one who looks at no string above to; "" is the end.
func (d *Dict) walk(key, to string) iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		d.ahead(key, to)
		c, ok := d.seek(key)
		if !ok || !yield(c.next-1, c.key) {
			return
		}
		for c.next < d.n {
			c.step()
			if !yield(c.next-1, c.key) {
				return
			}
		}
	}
}

// lastRune is not below any character.
const lastRune = string(utf8.MaxRune)

// Prefix walks the strings that begin with prefix. The bytes yielded are valid until the next step.
func (d *Dict) Prefix(prefix string) iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		for i, key := range d.walk(prefix, prefix+lastRune) {
			if !bytes.HasPrefix(key, []byte(prefix)) || !yield(i, key) {
				return
			}
		}
	}
}

// Dump prints a dictionary that lies at byte at of the file.
func (d *Dict) Dump(to *format.Dumper, at uint64) {
	data := at + d.data
	to.Line(at, at+4, "%d strings", d.n)
	to.Line(at+4, at+8, "%d groups of 16", d.groups)
	to.Line(at+8, data, "where each group begins")
	shown := to.Rows(d.Len())
	c := dictCursor{d: d}
	var end uint64 // of the group at hand
	for c.next < uint32(shown) {
		if c.next%dictGroup == 0 {
			c = dictCursor{d: d, rest: d.group(c.next / dictGroup).rest, key: c.key, next: c.next}
			_, end = d.place(c.next / dictGroup)
		}
		from := at + end - uint64(len(c.rest))
		c.step()
		to.Line(from, at+end-uint64(len(c.rest)), "%d: %q", c.next-1, text.Ellipsis(string(c.key), 120))
	}
	to.Left(shown, d.Len(), "strings")
}
