package encoder

import (
	"encoding/binary"
	"math"
)

// A table's bytes are those of ETAB, FORMAT.md §11: a header, a descriptor of each section (form, rows, rank), and the
// aligned parts that cutParts finds; integers and floats are little-endian.
//
// Rows are numbered through the sections in order. There are several forms since the pieces of the corpus are worth a
// full row, while the other three quarters of the vocabulary are rarely asked for and would cost three times as much as
// those.
const (
	tableKind     = 3
	tableHeader   = 64
	tableAlign    = 64
	tableSection  = 16 // bytes of a descriptor
	maxSections   = 8
	maxTableRows  = 1 << 24
	maxTablePairs = 1 << 22
	maxDim        = 8192
	maxRank       = 256
	groupSize     = 32 // values that share a scale in form 2
)

// RowForm says how a section of a table stores its rows.
type RowForm uint32

const (
	FormInt8  RowForm = 1 // D bytes and a scale a row
	FormInt4  RowForm = 2 // half of that: nibbles, with a scale for each 32
	FormSigns RowForm = 3 // a bit a value: the row's signs, with one magnitude
	FormBasis RowForm = 4 // rank bytes a row: coefficients of a basis that the section holds
)

// Table is the distilled query encoder: a text's vector is the sum of its wordpieces' rows and of the rows of its
// adjacent pairs, divided by its length. It is a view over bytes and may be used by many goroutines at once.
type Table struct {
	raw      Bytes
	dim      int
	pieces   uint32
	pairs    int
	pairRow  uint32
	rowCount uint32
	wide     bool
	rowMap   part
	keys     part
	sections []tableRows
}

// Bytes are those of a table. Range returns [at, at+n) of them, which may be checked then. A format.Block is one.
type Bytes interface {
	Len() uint64
	Range(at, n uint64) []byte
}

// Memory is the bytes of a table that need no check.
type Memory []byte

// Len returns their number.
func (m Memory) Len() uint64 { return uint64(len(m)) }

// Range returns some of them.
func (m Memory) Range(at, n uint64) []byte { return m[at : at+n : at+n] }

// part is where a part of a table lies.
type part struct{ at, size uint64 }

// from returns n bytes of the part.
func (t *Table) from(p part, at, n int) []byte { return t.raw.Range(p.at+uint64(at), uint64(n)) }

// OpenTable returns a view over the bytes that [AppendTable] wrote: they must not change while the Table is in use.
//
// Cost: O(sections), well under a microsecond. Rows and keys are not looked at; [Table.Verify] does that. A text needs
// the pages of its own rows.
func OpenTable(raw Bytes) (*Table, error) {
	const what = "table"
	size := raw.Len()
	if size < tableHeader {
		return nil, corrupt(what, "%d bytes, want a header of %d", size, tableHeader)
	}
	b := raw.Range(0, min(size, tableHeader+tableSection*maxSections))
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if k := u32(0); k != tableKind {
		return nil, corrupt(what, "kind %d, want %d (wordpiece and pair rows)", k, tableKind)
	}
	dim, pieces, sections, pairs := u32(4), u32(8), u32(12), u32(16)
	switch {
	case dim == 0 || dim > maxDim:
		return nil, corrupt(what, "dim %d, want 1 to %d", dim, maxDim)
	case pieces == 0 || pieces > maxPieces:
		return nil, corrupt(what, "%d pieces, want 1 to %d", pieces, maxPieces)
	case sections == 0 || sections > maxSections:
		return nil, corrupt(what, "%d sections, want 1 to %d", sections, maxSections)
	case pairs > maxTablePairs:
		return nil, corrupt(what, "%d pairs, want at most %d", pairs, maxTablePairs)
	case size < tableHeader+tableSection*uint64(sections):
		return nil, corrupt(what, "%d bytes, want %d descriptors of sections after the header", size, sections)
	}
	for i := 24; i < tableHeader; i++ {
		if b[i] != 0 {
			return nil, corrupt(what, "byte %d of the header is %d, want 0", i, b[i])
		}
	}
	t := &Table{raw: raw, dim: int(dim), pieces: pieces, pairs: int(pairs), pairRow: u32(20),
		sections: make([]tableRows, sections)}
	for i := range t.sections {
		at := tableHeader + tableSection*i
		s := tableRows{form: RowForm(u32(at)), rows: u32(at + 4)}
		rank := u32(at + 8)
		switch {
		case s.form < FormInt8 || s.form > FormBasis:
			return nil, corrupt(what, "section %d has form %d, want 1 to 4", i, s.form)
		case s.rows > maxTableRows-t.rowCount:
			return nil, corrupt(what, "over %d rows", maxTableRows)
		case (s.form == FormBasis) != (rank > 0) || rank > min(dim, maxRank):
			return nil, corrupt(what, "section %d of form %d has rank %d", i, s.form, rank)
		case u32(at+12) != 0:
			return nil, corrupt(what, "the last word of section %d is %d, want 0", i, u32(at+12))
		}
		s.rank = int(rank)
		t.rowCount += s.rows
		t.sections[i] = s
	}
	if pairs > t.rowCount || t.pairRow > t.rowCount-pairs {
		return nil, corrupt(what, "pairs from row %d to %d of %d",
			t.pairRow, uint64(t.pairRow)+uint64(pairs), t.rowCount)
	}
	t.wide = t.rowCount >= math.MaxUint16
	return t, t.cutParts()
}

// cutParts finds the parts in the bytes and checks that nothing follows them.
func (t *Table) cutParts() error {
	end := uint64(tableHeader + tableSection*len(t.sections))
	cut := func(size int64) part {
		if size == 0 {
			return part{}
		}
		start := (end + tableAlign - 1) / tableAlign * tableAlign
		end = start + uint64(size)
		return part{start, uint64(size)}
	}
	width := int64(2)
	if t.wide {
		width = 4
	}
	t.rowMap = cut(width * int64(t.pieces))
	t.keys = cut(8 * int64(t.pairs))
	for i := range t.sections {
		s := &t.sections[i]
		parts, stride := tableParts(s.form, s.rows, s.rank, t.dim)
		s.stride = int(stride)
		s.basis, s.scales, s.groups, s.values = cut(parts[0]), cut(parts[1]), cut(parts[2]), cut(parts[3])
	}
	if end != t.raw.Len() {
		return corrupt("table", "%d bytes, its header says %d", t.raw.Len(), end)
	}
	return nil
}

// Dim returns the length of the vectors.
func (t *Table) Dim() int { return t.dim }

// Pieces returns the size of the vocabulary that the table belongs to.
func (t *Table) Pieces() int { return int(t.pieces) }

// Knows reports whether a piece has a row.
func (t *Table) Knows(id int32) bool {
	_, ok := t.row(id)
	return ok
}

// Form returns the form of a piece's row, 0 if it has none.
func (t *Table) Form(id int32) RowForm {
	row, ok := t.row(id)
	if !ok {
		return 0
	}
	s, _ := t.section(row)
	return s.form
}

func (t *Table) row(id int32) (uint32, bool) {
	if id < 0 || uint32(id) >= t.pieces {
		return 0, false
	}
	var row uint32
	if t.wide {
		row = binary.LittleEndian.Uint32(t.from(t.rowMap, 4*int(id), 4))
	} else {
		row = uint32(binary.LittleEndian.Uint16(t.from(t.rowMap, 2*int(id), 2)))
	}
	return row - 1, row > 0 && row <= t.rowCount
}

// pair returns the row of two adjacent pieces.
func (t *Table) pair(a, b int32) (uint32, bool) {
	key := pairKey(a, b)
	low, high := 0, t.pairs
	for low < high {
		mid := (low + high) / 2
		switch k := binary.LittleEndian.Uint64(t.from(t.keys, 8*mid, 8)); {
		case k == key:
			return t.pairRow + uint32(mid), true
		case k < key:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false
}

func pairKey(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// section returns the section of a row below rowCount, and the row's number in it.
func (t *Table) section(row uint32) (*tableRows, uint32) {
	for i := range t.sections {
		s := &t.sections[i]
		if row < s.rows {
			return s, row
		}
		row -= s.rows
	}
	panic("encoder: a row outside the table") // row and pair return none
}

// Embed writes the unit vector of a text to dst and returns how many of its pieces have a row. If none has, or the rows
// add up to zero or are no numbers, dst is zeros.
//
// Shapes: dst [Dim]; ids are a text's wordpieces without [CLS] and [SEP], as [Vocab.Encode] gives them.
// Cost: about 0.4 µs for each int8 row of 384, 0.9 µs for int4. It panics if len(dst) != Dim.
func (t *Table) Embed(dst []float32, ids []int32) (known int) {
	if len(dst) != t.dim {
		panic("embed: dst is not as long as the table's rows")
	}
	clear(dst)
	for i, id := range ids {
		if row, ok := t.row(id); ok {
			known++
			s, r := t.section(row)
			t.add(dst, s, r)
		}
		if i > 0 {
			if row, ok := t.pair(ids[i-1], id); ok {
				s, r := t.section(row)
				t.add(dst, s, r)
			}
		}
	}
	if known == 0 || unit(dst) != nil {
		clear(dst)
		return 0
	}
	return known
}

// Verify reads the whole table: rows of the map exist, pair keys ascend and name pieces, scales and bases are numbers.
//
// Cost: O(bytes of the map, keys and scales).
func (t *Table) Verify() error {
	const what = "table"
	for id := range int32(t.pieces) {
		if row, ok := t.row(id); !ok && row != math.MaxUint32 { // the latter is 0-1: no row
			return corrupt(what, "piece %d has row %d of %d", id, row, t.rowCount)
		}
	}
	var last uint64
	for i := range t.pairs {
		key := binary.LittleEndian.Uint64(t.from(t.keys, 8*i, 8))
		if i > 0 && key <= last {
			return corrupt(what, "pair %d is not after the one before it", i)
		}
		if key>>32 >= uint64(t.pieces) || key&math.MaxUint32 >= uint64(t.pieces) {
			return corrupt(what, "pair %d is of pieces %d and %d of %d", i, key>>32, key&math.MaxUint32, t.pieces)
		}
		last = key
	}
	for i := range t.sections {
		for _, p := range []part{t.sections[i].scales, t.sections[i].basis} {
			numbers := t.from(p, 0, int(p.size))
			for k := range len(numbers) / 4 {
				if v := float32At(numbers, k); v-v != 0 {
					return corrupt(what, "number %d of section %d is %g", k, i, v)
				}
			}
		}
	}
	return nil
}
