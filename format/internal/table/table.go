// Package table encodes rows of numbers column by column, FORMAT.md §6, and reads any cell in constant time.
package table

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"kdd/format"
)

// A table holds rows of unsigned numbers, column by column, each column in the fewest bits that its values need
// (frame of reference: a base, and the difference in a fixed width). FORMAT.md §6. Any cell is read in constant time.
//
//	u32 columns · u32 zero · u64 rows · columns × {u32 id, u8 width, u8 kind, u16 zero, u64 base} · column data
//
// Column 0 is never narrower than one bit: so a table's rows are bounded by its bytes, and no count in a damaged file
// can ask for more memory than the file is worth. A plain column's cell is base + its width bits. An ascending column
// keeps an absolute u64 for every 64th row and the difference to it in width bits. Each column's data begins on 8 bytes
// and ends with 8 spare zero bytes, so that a cell may be read as one unaligned word.
const (
	tableHeader  = 16
	columnHeader = 16
	plainColumn  = 0
	risingColumn = 1
	risingStride = 64
	// MaxWidth is the number of bits that one word read gives at any bit offset.
	MaxWidth      = 56
	maxTableWidth = 64 // columns
	// MaxRows bounds any table, since row numbers are int on every platform.
	MaxRows = 1<<31 - 1
)

// Builder encodes columns of equal length, one after the other.
type Builder struct {
	rows    int
	columns int
	values  []uint64 // of the column at hand
	heads   []byte
	data    []byte
}

// New returns a builder of a table of that many rows.
func New(rows int) *Builder {
	return &Builder{rows: rows, values: make([]uint64, rows)}
}

func (t *Builder) fill(value func(row int) uint64) {
	for i := range t.values {
		t.values[i] = value(i)
	}
}

// Plain appends a column; its id is its position. It panics if the values span more than 2^56: a caller's bug.
func (t *Builder) Plain(value func(row int) uint64) {
	t.fill(value)
	var base uint64
	if t.rows > 0 {
		base = slices.Min(t.values)
	}
	for i := range t.values {
		t.values[i] -= base
	}
	t.column(plainColumn, base)
}

// Rising appends a column whose values never fall. It panics if they do: a caller's bug.
func (t *Builder) Rising(value func(row int) uint64) {
	t.fill(value)
	var anchor, last uint64
	for i, v := range t.values {
		if v < last {
			panic(fmt.Sprintf("format: column %d falls at row %d", t.columns, i))
		}
		last = v
		if i%risingStride == 0 {
			anchor = v
			t.data = binary.LittleEndian.AppendUint64(t.data, anchor)
		}
		t.values[i] = v - anchor
	}
	t.column(risingColumn, 0)
}

// column packs the values, which are what is left of a column without its base or anchors.
func (t *Builder) column(kind uint8, base uint64) {
	var span uint64
	for _, v := range t.values {
		span = max(span, v)
	}
	width := bits.Len64(span)
	if t.columns == 0 {
		width = max(width, 1)
	}
	if width > MaxWidth {
		panic(fmt.Sprintf("format: column %d needs %d bits", t.columns, width))
	}
	t.heads = binary.LittleEndian.AppendUint32(t.heads, uint32(t.columns))
	t.heads = append(t.heads, uint8(width), kind, 0, 0)
	t.heads = binary.LittleEndian.AppendUint64(t.heads, base)
	t.columns++
	size := (uint64(len(t.values))*uint64(width) + 7) / 8
	t.data = slices.Grow(t.data, int(size)+16)
	t.data = appendPacked(t.data, t.values, width)
	t.data = append(t.data, make([]byte, 8+(-len(t.data)&7))...)
}

// Bytes returns the table.
func (t *Builder) Bytes() []byte {
	le := binary.LittleEndian
	dst := make([]byte, 0, tableHeader+len(t.heads)+len(t.data))
	dst = le.AppendUint32(dst, uint32(t.columns))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint64(dst, uint64(t.rows))
	return append(append(dst, t.heads...), t.data...)
}

// appendPacked adds values of width bits each, lowest bit first, ending on a whole byte.
func appendPacked(dst []byte, values []uint64, width int) []byte {
	if width == 0 {
		return dst
	}
	var word uint64
	var have int
	for _, v := range values {
		word |= v << have
		have += width
		for have >= 8 {
			dst = append(dst, byte(word))
			word >>= 8
			have -= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(word))
	}
	return dst
}

// Column is a view of one column. The zero column has no rows.
type Column struct {
	block   *format.Block
	Rows    uint64
	width   uint8
	rising  bool
	base    uint64
	mask    uint64
	anchors uint64   // where they begin in the block; rising columns
	packed  uint64   // where the cells begin
	table   []Column // all columns, of a file that lies elsewhere
}

// At returns the cell of a row; it fails where the row does not exist.
func (c *Column) At(row uint32) uint64 {
	if uint64(row) >= c.Rows {
		c.fail("row %d of %d", row, c.Rows)
	}
	bit := uint64(row) * uint64(c.width)
	if c.table != nil && !(format.Span{Block: c.block, At: c.packed + bit>>3, N: 8}).Here() {
		c.ahead(row)
	}
	v := c.block.Word(c.packed+bit>>3)>>(bit&7)&c.mask + c.base
	if c.rising {
		v += c.block.Word(c.anchors + uint64(row/risingStride)*8)
	}
	return v
}

// ahead reads the row, and the next one, of all columns in one round: who needs a cell mostly needs others.
func (c *Column) ahead(row uint32) {
	var spans []format.Span
	for i := range c.table {
		spans = append(spans, c.table[i].Spans(row, 2)...)
	}
	if err := c.block.Fetch(spans...); err != nil {
		panic(err) // as a read does
	}
}

// Spans returns where the cells of rows [row, row+n) lie, for format.File.Fetch. Rows that do not exist have none.
func (c *Column) Spans(row, n uint32) []format.Span {
	if uint64(row) >= c.Rows || n == 0 {
		return nil
	}
	last := min(uint64(row)+uint64(n), c.Rows) - 1
	from := c.packed + uint64(row)*uint64(c.width)>>3
	list := []format.Span{{Block: c.block, At: from, N: c.packed + last*uint64(c.width)>>3 + 8 - from}}
	if c.rising {
		first := uint64(row) / risingStride
		list = append(list, format.Span{Block: c.block, At: c.anchors + first*8, N: (last/risingStride + 1 - first) * 8})
	}
	return list
}

// fail is format.Fail with the block's tag.
func (c *Column) fail(reason string, args ...any) {
	var tag format.Tag
	if c.block != nil {
		tag = c.block.Tag
	}
	format.Fail(tag, reason, args...)
}

// U32 returns a cell that must fit 32 bits.
func (c *Column) U32(row uint32) uint32 {
	v := c.At(row)
	if v > 1<<32-1 {
		c.fail("row %d holds %d, which is over 32 bits", row, v)
	}
	return uint32(v)
}

// Fill reads the first cells into dst, as many as it holds; each must fit 32 bits, and dst no more rows than there are.
// It costs a third of a call of U32 for each.
func (c *Column) Fill(dst []uint32) {
	if uint64(len(dst)) > c.Rows {
		c.fail("%d rows of %d", len(dst), c.Rows)
	}
	if len(dst) == 0 {
		return
	}
	width, mask := uint64(c.width), c.mask
	packed := c.block.Range(c.packed, uint64(len(dst)-1)*width>>3+8)
	add, over := c.base, uint64(0)
	for i := range dst {
		if c.rising && i%risingStride == 0 {
			add = c.block.Word(c.anchors + uint64(i/risingStride)*8)
		}
		bit := uint64(i) * width
		v := binary.LittleEndian.Uint64(packed[bit>>3:])>>(bit&7)&mask + add
		over |= v
		dst[i] = uint32(v)
	}
	if over > 1<<32-1 {
		c.fail("a row holds a number over 32 bits")
	}
}

// U8 returns a cell that must fit 8 bits.
func (c *Column) U8(row uint32) uint8 {
	v := c.At(row)
	if v > 1<<8-1 {
		c.fail("row %d holds %d, which is over 8 bits", row, v)
	}
	return uint8(v)
}

// Pair returns cells row and row+1 of a column of offsets: a range that must not fall and end at most at limit.
func (c *Column) Pair(row uint32, limit uint64) (from, to uint64) {
	if uint64(row)+1 >= c.Rows {
		c.fail("range %d of %d", row, c.Rows)
	}
	from, to = c.At(row), c.At(row+1)
	if from > to || to > limit {
		c.fail("range %d is [%d, %d) of %d", row, from, to, limit)
	}
	return from, to
}

// Search returns the largest row whose value is at most v, of a rising column: the row of the range that holds v.
func (c *Column) Search(v uint64) uint32 {
	lo, hi := uint64(0), c.Rows // value(lo) <= v < value(hi)
	if c.table != nil && c.Rows > 0 {
		if err := c.block.Fetch(format.Span{Block: c.block, At: c.anchors, N: c.anchorBytes()}); err != nil {
			panic(err) // as a read does
		}
		group := sort.Search(int(c.anchorBytes()/8), func(i int) bool { return c.block.Word(c.anchors+uint64(i)*8) > v })
		lo, hi = uint64(max(group, 1)-1)*risingStride, min(hi, uint64(max(group, 1))*risingStride)
	}
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if c.At(uint32(mid)) <= v {
			lo = mid
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}

// Spec is a column of a table. Rising columns hold offsets: they begin at 0, never fall, and end at their limit.
type Spec struct {
	Name   string
	Of     Cell
	Rising bool
}

// Cell says what the numbers of a column count or name; the schema knows what each value stands for.
type Cell uint8

// Parse checks a table's header against the block's length and returns its columns. The pages of their cells are
// checked when they are read. Cost: O(columns).
func Parse(b *format.Block, want []Spec) ([]Column, error) {
	le := binary.LittleEndian
	bad := func(reason string, args ...any) error {
		return format.Corrupt(b.Tag, reason, args...)
	}
	if b.Len() < tableHeader {
		return nil, bad("table of %d bytes, its header has %d", b.Len(), tableHeader)
	}
	head := b.Range(0, tableHeader)
	n, rows := le.Uint32(head), le.Uint64(head[8:])
	switch {
	case le.Uint32(head[4:]) != 0:
		return nil, bad("reserved bytes are not zero")
	case n > maxTableWidth || int(n) != len(want):
		return nil, bad("%d columns, want %d", n, len(want))
	case rows > MaxRows:
		return nil, bad("%d rows, at most %d", rows, MaxRows)
	case b.Len() < tableHeader+uint64(n)*columnHeader:
		return nil, bad("table ends in its column headers")
	}
	columns := make([]Column, n)
	heads := b.Range(tableHeader, uint64(n)*columnHeader)
	at := tableHeader + uint64(n)*columnHeader
	for i := range columns {
		h := heads[i*columnHeader:]
		c := &columns[i]
		width, kind := h[4], h[5]
		if le.Uint32(h) != uint32(i) || width > MaxWidth || kind > risingColumn || h[6] != 0 || h[7] != 0 {
			return nil, bad("malformed header of column %d", i)
		}
		if (kind == risingColumn) != want[i].Rising {
			return nil, bad("column %d (%s) is of kind %d", i, want[i].Name, kind)
		}
		if i == 0 && width == 0 {
			return nil, bad("column 0 has no width")
		}
		c.block, c.Rows, c.width, c.base, c.mask = b, rows, width, le.Uint64(h[8:]), 1<<width-1
		if c.base > math.MaxUint64-c.mask {
			return nil, bad("base %d of column %d is too large for %d bits", c.base, i, width)
		}
		if kind == risingColumn {
			c.rising, c.anchors = true, at
			if at += c.anchorBytes(); at > b.Len() || c.base != 0 {
				return nil, bad("column %d ends in its anchors", i)
			}
		}
		c.packed = at
		if at += c.packedBytes(); at > b.Len() {
			return nil, bad("column %d needs %d bytes, %d are left", i, c.packedBytes(), b.Len()-c.packed)
		}
	}
	if at != b.Len() {
		return nil, bad("%d bytes after the last column", b.Len()-at)
	}
	if b.Remote() {
		for i := range columns {
			columns[i].table = columns
		}
	}
	return columns, nil
}

// anchorBytes is the size of a rising column's anchors.
func (c *Column) anchorBytes() uint64 { return (c.Rows + risingStride - 1) / risingStride * 8 }

// packedBytes is the size of the cells, spare bytes included.
func (c *Column) packedBytes() uint64 { return (c.Rows*uint64(c.width)+63)/64*8 + 8 }

// Shortest says whether the columns of a table are encoded as Builder encodes them; no rising one of them may fall. Cost:
// a pass over the cells, and no memory.
func Shortest(columns []Column) bool {
	for i := range columns {
		if !columns[i].shortest(i == 0) {
			return false
		}
	}
	return true
}

// shortest says whether a column has the least base, the least width, and zeros behind its cells.
func (c *Column) shortest(first bool) bool {
	least, most := uint64(math.MaxUint64), uint64(0)
	for row := range uint32(c.Rows) {
		v := c.At(row)
		if c.rising {
			v -= c.block.Word(c.anchors + uint64(row/risingStride)*8)
			if row%risingStride == 0 && v != 0 {
				return false // the anchor is not the value
			}
		}
		least, most = min(least, v), max(most, v)
	}
	if c.Rows == 0 || c.rising { // a rising column has anchors in place of a base
		least = 0
	}
	width := bits.Len64(most - least)
	if first {
		width = max(width, 1)
	}
	if c.base != least || int(c.width) != width {
		return false
	}
	end := c.Rows * uint64(c.width)
	rest := c.block.Range(c.packed+end/8, c.packedBytes()-end/8)
	if rest[0]>>(end%8) != 0 {
		return false
	}
	return !slices.ContainsFunc(rest[1:], func(b byte) bool { return b != 0 })
}

// Most is the largest value that a cell of the column could hold, by its header.
func (c *Column) Most() uint64 { return c.base + c.mask }

// Dump prints the header of a table that lies at byte at of the file, and where its columns lie; extra is the
// number of rows beyond the last one.
func Dump(to *format.Dumper, at uint64, columns []Column, specs []Spec, extra uint64) {
	to.Line(at, at+4, "%d columns", len(columns))
	to.Line(at+4, at+8, "zero")
	to.Line(at+8, at+16, "%d rows, of these %d beyond the last", columns[0].Rows, extra)
	at += tableHeader
	for i := range columns {
		c := &columns[i]
		kind := "plain"
		if c.rising {
			kind = "rising"
		}
		to.Line(at, at+columnHeader, "column %d, %s: %s, %d bits, base %d", i, specs[i].Name, kind, c.width, c.base)
		at += columnHeader
	}
	for i := range columns {
		c := &columns[i]
		if n := c.anchorBytes(); c.rising && n > 0 {
			to.Line(at, at+n, "%s: anchors", specs[i].Name)
			at += n
		}
		to.Line(at, at+c.packedBytes(), "%s: cells", specs[i].Name)
		at += c.packedBytes()
	}
}
