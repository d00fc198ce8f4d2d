package index

import (
	"encoding/binary"
	"math"
	"math/bits"

	"kdd/format"
)

// List has the postings of a term in all fields, and the number of chunks that hold it in title, path or body. A
// posting record encodes it, FORMAT.md §9.1:
//
//	u8 fields (bit per FieldID; the same bits 4 higher: the field has positions)
//	uvarint chunks that hold the term, if there is a title or path field; else they are the rows of the body field
//	for each field: uvarint n, uvarint list bytes (not of the last field), uvarint position bytes (not of the last
//	field that has positions, nor of one without)
//	the lists, in the same order
type List struct {
	Fields [FieldCount]FieldPostings
	Chunks uint32
}

// record encodes a list of all fields.
func (w *listWriter) record(post, pos []byte, l *List) ([]byte, []byte) {
	var fields uint8
	last, lastPlaced := -1, -1
	w.lists = w.lists[:0]
	for f := range l.Fields {
		p := &l.Fields[f]
		if len(p.Rows) == 0 {
			continue
		}
		fields |= 1 << f
		last = f
		if p.Positions != nil {
			fields |= 1 << (f + int(FieldCount))
			lastPlaced = f
		}
		at, posAt := len(w.lists), len(pos)
		w.lists, pos = w.list(w.lists, pos, FieldID(f), p)
		w.sizes[f], w.posSizes[f] = len(w.lists)-at, len(pos)-posAt
	}
	post = append(post, fields)
	if fields&(1<<TitleField|1<<PathField) != 0 {
		post = binary.AppendUvarint(post, uint64(l.Chunks))
	}
	for f := range l.Fields {
		if fields>>f&1 == 0 {
			continue
		}
		post = binary.AppendUvarint(post, uint64(len(l.Fields[f].Rows)))
		if f != last {
			post = binary.AppendUvarint(post, uint64(w.sizes[f]))
		}
		if fields>>(f+int(FieldCount))&1 == 1 && f != lastPlaced {
			post = binary.AppendUvarint(post, uint64(w.posSizes[f]))
		}
	}
	return append(post, w.lists...), pos
}

// Record is a decoded record head.
type Record struct {
	Chunks uint32 // chunks that hold the term in title, path or body
	Fields [FieldCount]Postings
}

type byteReader struct {
	tag format.Tag
	b   []byte
}

func (r *byteReader) uvarint() uint64 {
	// Most numbers have one byte.
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		format.Fail(r.tag, "malformed number")
	}
	r.b = r.b[n:]
	return v
}

func (r *byteReader) u32() uint32 {
	v := r.uvarint()
	if v > math.MaxUint32 {
		format.Fail(r.tag, "number %d is over 32 bits", v)
	}
	return uint32(v)
}

func (r *byteReader) byte() byte {
	if len(r.b) == 0 {
		format.Fail(r.tag, "list ends early")
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *byteReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		format.Fail(r.tag, "%d bytes of %d left", n, len(r.b))
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

// parseRecord decodes a record's head; rows are the sizes of the fields' tables.
func parseRecord(post, pos []byte, rows *[FieldCount]uint32) Record {
	var rec Record
	r := byteReader{tagPostings, post}
	flags := r.byte()
	fields, placed := flags&(1<<FieldCount-1), flags>>FieldCount
	if placed&^fields != 0 {
		format.Fail(tagPostings, "positions of fields %#x, which are not all among %#x", placed, fields)
	}
	counted := fields&(1<<TitleField|1<<PathField) != 0
	if counted {
		rec.Chunks = r.u32()
	}
	last, lastPlaced := bits.Len8(fields)-1, bits.Len8(placed)-1
	var sizes, posSizes [FieldCount]uint64
	for f := range rec.Fields {
		if fields>>f&1 == 0 {
			continue
		}
		p := &rec.Fields[f]
		p.N, p.limit, p.field, p.placed = r.u32(), rows[f], FieldID(f), placed>>f&1 == 1
		if f != last {
			sizes[f] = r.uvarint()
		}
		if p.placed && f != lastPlaced {
			posSizes[f] = r.uvarint()
		}
		if p.N == 0 || p.N > p.limit {
			format.Fail(tagPostings, "%d postings over %d rows", p.N, p.limit)
		}
	}
	if !counted {
		rec.Chunks = rec.Fields[BodyField].N
	}
	where := byteReader{tagPositions, pos}
	for f := range rec.Fields {
		if fields>>f&1 == 0 {
			continue
		}
		p := &rec.Fields[f]
		if f == last {
			sizes[f] = uint64(len(r.b))
		}
		if f == lastPlaced {
			posSizes[f] = uint64(len(where.b))
		}
		p.list, p.pos = r.take(sizes[f]), where.take(posSizes[f])
	}
	if len(r.b) != 0 || len(where.b) != 0 {
		format.Fail(tagPostings, "%d and %d bytes after the last list", len(r.b), len(where.b))
	}
	return rec
}
