// Package dict encodes distinct strings in ascending order, FORMAT.md §7, and reads them: look-up, ordered walks, and
// walks for strings at a small edit distance.
package dict

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"kdd/format"
)

// A dictionary holds distinct byte strings in ascending order, front-coded in groups of 16; a string's ordinal is its
// rank. FORMAT.md §7. It serves look-up, prefix scans, ordered walks, and the way back from ordinal to string.
//
//	u32 strings · u32 groups · groups × u32 offset into the data · data
//
// A group's first string is uvarint length, bytes; each other is uvarint shared (with the one before), uvarint rest,
// bytes.
const (
	dictHeader = 8
	dictGroup  = 16
	maxStrings = 1<<31 - 1 // ordinals are int on every platform
	// MaxString is the longest string that a dictionary holds; longer ones are cut when a file is written.
	MaxString = 1 << 16
)

// Encode encodes keys, which must ascend and be at most MaxString long (a caller's bug otherwise).
func Encode(keys []string) []byte {
	le := binary.LittleEndian
	groups := (len(keys) + dictGroup - 1) / dictGroup
	data := dictHeader + groups*4
	dst := make([]byte, data)
	le.PutUint32(dst, uint32(len(keys)))
	le.PutUint32(dst[4:], uint32(groups))
	for i, key := range keys {
		if i > 0 && keys[i-1] >= key || len(key) > MaxString {
			panic(fmt.Sprintf("format: dictionary key %d is out of order or too long", i))
		}
		if i%dictGroup == 0 {
			le.PutUint32(dst[dictHeader+i/dictGroup*4:], uint32(len(dst)-data))
			dst = binary.AppendUvarint(dst, uint64(len(key)))
			dst = append(dst, key...)
			continue
		}
		shared := sharedPrefix(keys[i-1], key)
		dst = binary.AppendUvarint(dst, uint64(shared))
		dst = binary.AppendUvarint(dst, uint64(len(key)-shared))
		dst = append(dst, key[shared:]...)
	}
	return dst
}

// Shortest says whether a dictionary is encoded as Encode does it; its strings must ascend. Cost: a pass over the strings,
// of which two are in memory at once.
func (d *Dict) Shortest() bool {
	if d.block == nil {
		return true
	}
	var before, code []byte
	at := d.data
	for i, key := range d.From("") {
		code = code[:0]
		if i%dictGroup == 0 {
			if from, _ := d.place(i / dictGroup); from != at {
				return false
			}
			code = append(binary.AppendUvarint(code, uint64(len(key))), key...)
		} else {
			shared := sharedPrefix(before, key)
			code = binary.AppendUvarint(code, uint64(shared))
			code = binary.AppendUvarint(code, uint64(len(key)-shared))
			code = append(code, key[shared:]...)
		}
		if n := uint64(len(code)); n > d.block.Len()-at || !bytes.Equal(d.block.Range(at, n), code) {
			return false
		}
		at += uint64(len(code))
		before = append(before[:0], key...)
	}
	return at == d.block.Len()
}

func sharedPrefix[T string | []byte](a, b T) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Dict is a view of a dictionary. The zero Dict is empty.
type Dict struct {
	block  *format.Block
	n      uint32
	groups uint32
	data   uint64 // where the groups begin
	heads  *heads

	top   *Dict                   // a row for every few groups; nil = none
	topAt func(row uint32) uint64 // where the groups from each row on begin, and where the last ends
	each  uint32                  // groups of a row
}

// Parse checks a dictionary's header against the block's length. Cost: O(1); offsets and strings, and the pages that
// hold them, are checked as they are read.
func Parse(b *format.Block) (Dict, error) {
	bad := func(reason string, args ...any) (Dict, error) {
		return Dict{}, format.Corrupt(b.Tag, reason, args...)
	}
	if b.Len() < dictHeader {
		return bad("dictionary of %d bytes, its header has %d", b.Len(), dictHeader)
	}
	head := b.Range(0, dictHeader)
	d := Dict{block: b, n: binary.LittleEndian.Uint32(head), groups: binary.LittleEndian.Uint32(head[4:])}
	if want := (uint64(d.n) + dictGroup - 1) / dictGroup; uint64(d.groups) != want {
		return bad("%d groups for %d strings, want %d", d.groups, d.n, want)
	}
	if d.n > maxStrings {
		return bad("%d strings, at most %d", d.n, maxStrings)
	}
	d.data = dictHeader + uint64(d.groups)*4
	if d.data > b.Len() {
		return bad("dictionary ends in its index")
	}
	d.heads = new(heads)
	return d, nil
}

// TopStrings is how many strings one of the upper level usually stands for.
const TopStrings = 16 * dictGroup

// Top returns the upper level of a dictionary: each each-th key from the first one on, each being a multiple of 16, and
// where in the dictionary's bytes, as Encode returned them, the groups from there on begin, counted from the first
// group; one number more says where the last group ends.
func Top(keys []string, encoded []byte, each int) (first []string, at []uint64) {
	groups := binary.LittleEndian.Uint32(encoded[4:])
	for i := 0; i < len(keys); i += each {
		first = append(first, keys[i])
		at = append(at, uint64(binary.LittleEndian.Uint32(encoded[dictHeader+i/dictGroup*4:])))
	}
	return first, append(at, uint64(len(encoded))-dictHeader-uint64(groups)*4)
}

// SetTop gives a dictionary its upper level, each row of which stands for each strings: the groups of row i begin at byte
// at(i). A string of it may be a start of the dictionary's, if that is above the string before it. A look-up then reads
// the groups of one row.
func (d *Dict) SetTop(top *Dict, at func(row uint32) uint64, each int) {
	d.top, d.topAt, d.each = top, at, uint32(each)/dictGroup
}

// Rows returns which rows [first, end) of the upper level have the strings from one to another, "" being the end; all
// of them if there is no upper level.
func (d *Dict) Rows(from, to string) (first, end uint32) {
	if d.top == nil {
		return 0, 1
	}
	first, _ = d.top.floor(from)
	if to == "" {
		return first, d.top.n
	}
	end, _ = d.top.floor(to)
	return first, max(first, end) + 1
}

// Spans returns where the strings of rows of the upper level lie, for format.File.Fetch.
func (d *Dict) Spans(first, end uint32) []format.Span {
	if d.block == nil {
		return nil
	}
	if d.top == nil {
		return []format.Span{{Block: d.block, N: d.block.Len()}}
	}
	from := d.topAt(first)
	return []format.Span{
		{Block: d.block, At: dictHeader + uint64(first)*uint64(d.each)*4, N: uint64(end-first)*uint64(d.each)*4 + 4},
		{Block: d.block, At: d.data + from, N: d.topAt(end) - from},
	}
}

// SpansOf returns where the strings of ordinals lie. It reads the index of groups.
func (d *Dict) SpansOf(ordinals []uint32) (list []format.Span) {
	for _, i := range ordinals {
		if i < d.n {
			from, to := d.place(i / dictGroup)
			list = append(list, format.Span{Block: d.block, At: from, N: to - from})
		}
	}
	return list
}

// IndexSpan returns where a dictionary of n strings has its index of groups.
func IndexSpan(b *format.Block, n uint64) format.Span {
	return format.Span{Block: b, N: dictHeader + (n+dictGroup-1)/dictGroup*4}
}

// ahead reads the strings from one to another, "" being the end, of a file that lies elsewhere.
func (d *Dict) ahead(from, to string) {
	if d.n == 0 || !d.block.Remote() {
		return
	}
	if err := d.block.Fetch(d.Spans(d.Rows(from, to))...); err != nil {
		panic(err) // as a read does
	}
}

// floor returns the ordinal of the last string that is not above key; false if all are.
func (d *Dict) floor(key string) (ordinal uint32, ok bool) {
	if d.n == 0 {
		return 0, false
	}
	g, ok := d.groupOf(key)
	if !ok {
		return 0, false
	}
	c := d.group(g)
	c.key = make([]byte, 0, usualKey)
	for ordinal = c.next; c.next < min(d.n, (g+1)*dictGroup); {
		if c.step(); string(c.key) > key {
			break
		}
		ordinal = c.next - 1
	}
	return ordinal, true
}

// fail is format.Fail with the block's tag.
func (d *Dict) fail(reason string, args ...any) {
	var tag format.Tag
	if d.block != nil {
		tag = d.block.Tag
	}
	format.Fail(tag, reason, args...)
}

// Len returns the number of strings.
func (d *Dict) Len() int { return int(d.n) }

// Bytes returns how many bytes the groups have.
func (d *Dict) Bytes() uint64 {
	if d.block == nil {
		return 0
	}
	return d.block.Len() - d.data
}

// usualKey is how many bytes nearly every string has: a cursor's key with so much room does not grow.
const usualKey = 64

// dictCursor walks a dictionary from the start of a group.
type dictCursor struct {
	d    *Dict
	rest []byte
	key  []byte
	next uint32 // ordinal of the string that step reads
}

// place returns where the bytes of a group lie in the block. The index has no entry after the last one.
func (d *Dict) place(g uint32) (from, to uint64) {
	end := d.block.Len() - d.data
	if at := dictHeader + uint64(g)*4; g+1 < d.groups {
		both := d.block.Word(at)
		from, to = both&math.MaxUint32, both>>32
	} else {
		from, to = uint64(binary.LittleEndian.Uint32(d.block.Range(at, 4))), end
	}
	if from > to || to > end {
		d.fail("group %d is [%d, %d) of %d", g, from, to, end)
	}
	return d.data + from, d.data + to
}

// PlaceOf returns where the group of an ordinal begins, counted from the first group.
func (d *Dict) PlaceOf(ordinal uint32) uint64 {
	from, _ := d.place(ordinal / dictGroup)
	return from - d.data
}

func (d *Dict) group(g uint32) dictCursor {
	from, to := d.place(g)
	return dictCursor{d: d, rest: d.block.Range(from, to-from), next: g * dictGroup}
}

func (c *dictCursor) uvarint() uint64 {
	if len(c.rest) > 0 && c.rest[0] < 0x80 {
		v := c.rest[0]
		c.rest = c.rest[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(c.rest)
	if n <= 0 || v > MaxString {
		c.d.fail("malformed length of string %d", c.next)
	}
	c.rest = c.rest[n:]
	return v
}

// step reads the next string into c.key; the first one of a group is where the index says. It returns the number of
// bytes that the string shares with the one before.
func (c *dictCursor) step() int {
	var shared uint64
	if c.next%dictGroup != 0 {
		shared = c.uvarint()
	} else {
		c.rest = c.d.group(c.next / dictGroup).rest
	}
	n := c.uvarint()
	if shared > uint64(len(c.key)) || n > uint64(len(c.rest)) || shared+n > MaxString {
		c.d.fail("string %d does not fit: %d shared of %d, %d more of %d",
			c.next, shared, len(c.key), n, len(c.rest))
	}
	c.key = append(c.key[:shared], c.rest[:n]...)
	c.rest = c.rest[n:]
	c.next++
	return int(shared)
}

// first returns a group's first string, aliasing the mapping.
func (d *Dict) first(g uint32) []byte {
	c := d.group(g)
	n := c.uvarint()
	if n > uint64(len(c.rest)) {
		d.fail("string %d does not fit: %d of %d", c.next, n, len(c.rest))
	}
	return c.rest[:n]
}

// At returns the string of an ordinal. Cost: at most 16 steps and two allocations.
func (d *Dict) At(ordinal uint32) string {
	if ordinal >= d.n {
		d.fail("string %d of %d", ordinal, d.n)
	}
	c := d.group(ordinal / dictGroup)
	if ordinal%dictGroup == 0 {
		return string(d.first(ordinal / dictGroup))
	}
	c.key = make([]byte, 0, usualKey)
	for c.next <= ordinal {
		c.step()
	}
	return string(c.key)
}
