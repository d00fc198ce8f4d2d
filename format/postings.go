package format

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// FieldID numbers the fields of a posting record. The rows of a field are of its own table.
type FieldID uint8

// The fields, FORMAT.md §9.
const (
	TitleField FieldID = iota // rows are documents
	PathField                 // rows are sections: the words of the headings above and of the section's own
	BodyField                 // rows are chunks
	LinkField                 // rows are link texts; without positions
	FieldCount
)

// A posting record holds all fields of one list, FORMAT.md §9:
//
//	u8 fields (bit per FieldID) · uvarint chunks that hold the term in title, path or body
//	for each field: uvarint n, uvarint list bytes, uvarint position bytes (0: the list has no positions)
//	the lists, in the same order
//
// A list of more than 128 postings begins with a skip entry per block of 128: uvarint rows from the last row of the
// block before to the last row of this one, uvarint bytes, uvarint position bytes, u8 largest impact. A full block is
// u8 gap width, u8 frequency width, 128 gaps (row - row before - 1) and 128 frequencies (less 1), bit-packed. The rest
// are uvarint gap·2 + (1 if the frequency is 1), and else uvarint frequency - 2.
//
// The impact of a posting is ceil(255 · f / (f + k1·(1 - b + b·len/avg))), BM25's saturation with k1 = 1.2 and b = 0.75
// over the length of the field's row; a block stores its largest.
const (
	blockPostings = 128
	maxWidth      = 32
	impactK1      = 1.2
	impactB       = 0.75
)

// FieldPostings are one field's postings of a term: rows ascending, a frequency each, and the positions of all rows end
// to end, ascending within a row (nil where the list has none).
type FieldPostings struct {
	Rows, Freqs, Positions []uint32
}

// List is what a term has in all fields, and in how many chunks (through any of title, path and body) it stands.
type List struct {
	Fields [FieldCount]FieldPostings
	Chunks uint32
}

// impactScale gives the average length of a field's rows, for impacts.
type impactScale struct {
	length func(row uint32) uint32
	avg    float64
}

func (s *impactScale) impact(row, freq uint32) uint8 {
	if s.length == nil || s.avg == 0 {
		return 255
	}
	f := float64(freq)
	// The conversions keep compilers from fusing a product and a sum: all machines must round alike.
	norm := float64(impactK1 * (1 - impactB + float64(impactB*float64(s.length(row)))/s.avg))
	return uint8(math.Ceil(float64(255*f) / (f + norm)))
}

// appendList encodes one field's postings; it returns the record's list and its position stream.
func appendList(dst, pos []byte, p *FieldPostings, scale *impactScale) ([]byte, []byte) {
	n := len(p.Rows)
	var skips, body []byte
	var next uint32 // the smallest row that the next posting may have
	positions := p.Positions
	var last uint32
	for from := 0; from < n; from += blockPostings {
		to := min(from+blockPostings, n)
		bodyAt, posAt := len(body), len(pos)
		var largest uint8
		if to-from == blockPostings {
			var gaps, freqs [blockPostings]uint64
			var gapBits, freqBits uint64
			first := next
			for i := range gaps {
				gaps[i] = uint64(p.Rows[from+i] - first)
				freqs[i] = uint64(p.Freqs[from+i] - 1)
				gapBits |= gaps[i]
				freqBits |= freqs[i]
				first = p.Rows[from+i] + 1
			}
			gw, fw := bits.Len64(gapBits), bits.Len64(freqBits)
			body = append(body, uint8(gw), uint8(fw))
			body = appendPacked(body, gaps[:], gw)
			body = appendPacked(body, freqs[:], fw)
		} else {
			first := next
			for i := from; i < to; i++ {
				gap := uint64(p.Rows[i]-first) << 1
				if p.Freqs[i] == 1 {
					body = binary.AppendUvarint(body, gap|1)
				} else {
					body = binary.AppendUvarint(body, gap)
					body = binary.AppendUvarint(body, uint64(p.Freqs[i]-2))
				}
				first = p.Rows[i] + 1
			}
		}
		for i := from; i < to; i++ {
			if positions != nil {
				var before uint32
				for k := range p.Freqs[i] {
					at := positions[k]
					if k == 0 {
						pos = binary.AppendUvarint(pos, uint64(at))
					} else {
						pos = binary.AppendUvarint(pos, uint64(at-before))
					}
					before = at
				}
				positions = positions[p.Freqs[i]:]
			}
			largest = max(largest, scale.impact(p.Rows[i], p.Freqs[i]))
		}
		next = p.Rows[to-1] + 1
		if n > blockPostings {
			skips = binary.AppendUvarint(skips, uint64(p.Rows[to-1]-last))
			skips = binary.AppendUvarint(skips, uint64(len(body)-bodyAt))
			skips = binary.AppendUvarint(skips, uint64(len(pos)-posAt))
			skips = append(skips, largest)
			last = p.Rows[to-1]
		}
	}
	return append(append(dst, skips...), body...), pos
}

// appendRecord encodes a list of all fields.
func appendRecord(post, pos []byte, l *List, scales *[FieldCount]impactScale) ([]byte, []byte) {
	var fields uint8
	var head, lists []byte
	for f := range l.Fields {
		p := &l.Fields[f]
		if len(p.Rows) == 0 {
			continue
		}
		fields |= 1 << f
		at, posAt := len(lists), len(pos)
		lists, pos = appendList(lists, pos, p, &scales[f])
		head = binary.AppendUvarint(head, uint64(len(p.Rows)))
		head = binary.AppendUvarint(head, uint64(len(lists)-at))
		head = binary.AppendUvarint(head, uint64(len(pos)-posAt))
	}
	post = append(post, fields)
	post = binary.AppendUvarint(post, uint64(l.Chunks))
	return append(append(post, head...), lists...), pos
}

// Postings is a view of one field of a record: an iterator that also knows its blocks.
type Postings struct {
	N     uint32 // postings
	limit uint32 // rows of the field's table
	list  []byte
	pos   []byte
	skips []skip
}

type skip struct {
	last      uint32 // last row of the block
	at, posAt uint32 // where it begins
	impact    uint8
}

// Record is a decoded record head.
type Record struct {
	Chunks uint32 // chunks that hold the term in title, path or body
	Fields [FieldCount]Postings
}

type byteReader struct {
	tag Tag
	b   []byte
}

func (r *byteReader) uvarint() uint64 {
	// One-byte numbers are most of them.
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		fail(r.tag, "malformed number")
	}
	r.b = r.b[n:]
	return v
}

func (r *byteReader) u32() uint32 {
	v := r.uvarint()
	if v > math.MaxUint32 {
		fail(r.tag, "number %d is over 32 bits", v)
	}
	return uint32(v)
}

func (r *byteReader) byte() byte {
	if len(r.b) == 0 {
		fail(r.tag, "list ends early")
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *byteReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		fail(r.tag, "%d bytes of %d left", n, len(r.b))
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

// parseRecord decodes a record's head; rows are the sizes of the fields' tables.
func parseRecord(post, pos []byte, rows *[FieldCount]uint32) Record {
	var rec Record
	r := byteReader{tagPostings, post}
	fields := r.byte()
	if fields>>FieldCount != 0 {
		fail(tagPostings, "unknown fields %#x", fields)
	}
	rec.Chunks = r.u32()
	var sizes, posSizes [FieldCount]uint64
	for f := range rec.Fields {
		if fields>>f&1 == 0 {
			continue
		}
		p := &rec.Fields[f]
		p.N, p.limit = r.u32(), rows[f]
		sizes[f], posSizes[f] = r.uvarint(), r.uvarint()
		if p.N == 0 || p.N > p.limit {
			fail(tagPostings, "%d postings over %d rows", p.N, p.limit)
		}
	}
	where := byteReader{tagPositions, pos}
	for f := range rec.Fields {
		if fields>>f&1 == 0 {
			continue
		}
		p := &rec.Fields[f]
		p.list, p.pos = r.take(sizes[f]), where.take(posSizes[f])
	}
	if len(r.b) != 0 || len(where.b) != 0 {
		fail(tagPostings, "%d and %d bytes after the last list", len(r.b), len(where.b))
	}
	return rec
}

// openSkips decodes the skip entries, once.
func (p *Postings) openSkips() {
	if p.skips != nil || p.N == 0 {
		return
	}
	if p.N <= blockPostings {
		p.skips = []skip{{last: p.limit - 1, impact: 255}}
		return
	}
	r := byteReader{tagPostings, p.list}
	n := (p.N + blockPostings - 1) / blockPostings
	if uint64(n) > uint64(len(p.list)) {
		fail(tagPostings, "%d blocks in %d bytes", n, len(p.list))
	}
	skips := make([]skip, n)
	var last, at, posAt uint64
	for i := range skips {
		last += uint64(r.u32())
		size, posSize := uint64(r.u32()), uint64(r.u32())
		skips[i] = skip{last: uint32(last), at: uint32(at), posAt: uint32(posAt), impact: r.byte()}
		at, posAt = at+size, posAt+posSize
		if last >= uint64(p.limit) || at > uint64(len(p.list)) || posAt > uint64(len(p.pos)) {
			fail(tagPostings, "block %d ends at row %d of %d, byte %d", i, last, p.limit, at)
		}
	}
	if at != uint64(len(r.b)) || posAt != uint64(len(p.pos)) {
		fail(tagPostings, "blocks of %d bytes in %d", at, len(r.b))
	}
	p.list, p.skips = r.b, skips
}

// Blocks returns the number of blocks of up to 128 postings.
func (p *Postings) Blocks() int {
	p.openSkips()
	return len(p.skips)
}

// Block returns the largest row (an upper bound in a list of one block) and the largest impact, of 255, of block i.
func (p *Postings) Block(i int) (last uint32, impact uint8) {
	p.openSkips()
	return p.skips[i].last, p.skips[i].impact
}

// Decode reads block i into rows and freqs, which have room for 128, and returns how many there are.
// Rows ascend and lie in the field's table; frequencies are at least 1.
func (p *Postings) Decode(i int, rows, freqs []uint32) int {
	p.openSkips()
	s := p.skips[i]
	from := uint32(i * blockPostings)
	n := int(min(blockPostings, p.N-from))
	r := byteReader{tagPostings, p.list[s.at:]}
	var next uint64
	if i > 0 {
		next = uint64(p.skips[i-1].last) + 1
	}
	if n == blockPostings {
		gw, fw := r.byte(), r.byte()
		if gw > maxWidth || fw > maxWidth {
			fail(tagPostings, "block %d has widths %d and %d", i, gw, fw)
		}
		unpack(rows[:n], r.take(uint64(n)*uint64(gw)/8), uint(gw))
		unpack(freqs[:n], r.take(uint64(n)*uint64(fw)/8), uint(fw))
		for k := range n {
			next += uint64(rows[k])
			if next >= uint64(p.limit) || freqs[k] == math.MaxUint32 {
				fail(tagPostings, "row %d of %d", next, p.limit)
			}
			rows[k] = uint32(next)
			freqs[k]++
			next++
		}
		return n
	}
	for k := range n {
		gap := r.uvarint()
		if gap&1 == 1 {
			freqs[k] = 1
		} else {
			f := r.u32()
			if f > math.MaxUint32-2 {
				fail(tagPostings, "frequency %d", f)
			}
			freqs[k] = f + 2
		}
		next += gap >> 1
		if gap>>1 >= uint64(p.limit) || next >= uint64(p.limit) {
			fail(tagPostings, "row %d of %d", next, p.limit)
		}
		rows[k] = uint32(next)
		next++
	}
	return n
}

// unpack reads len(dst) values of width bits, lowest bit first.
func unpack(dst []uint32, b []byte, width uint) {
	if width == 0 {
		clear(dst)
		return
	}
	mask := uint64(1)<<width - 1
	var word uint64
	var have uint
	k := 0
	for i := range dst {
		for have < width {
			if k+4 <= len(b) && have <= 32 {
				word |= uint64(binary.LittleEndian.Uint32(b[k:])) << have
				k, have = k+4, have+32
			} else {
				word |= uint64(b[k]) << have
				k, have = k+1, have+8
			}
		}
		dst[i] = uint32(word & mask)
		word >>= width
		have -= width
	}
}

// Placed says whether the list has positions.
func (p *Postings) Placed() bool { return len(p.pos) > 0 }

// Positions reads the positions of the postings of block i: for posting k, freqs[k] positions appended to dst, end to
// end. freqs is what Decode gave. dst grows by the sum of freqs, at most the bytes of the block's position stream.
func (p *Postings) Positions(dst []uint32, i int, freqs []uint32) []uint32 {
	p.openSkips()
	end := len(p.pos)
	if i+1 < len(p.skips) {
		end = int(p.skips[i+1].posAt)
	}
	r := byteReader{tagPositions, p.pos[p.skips[i].posAt:end]}
	for _, f := range freqs {
		if uint64(f) > uint64(len(r.b)) {
			fail(tagPositions, "%d positions in %d bytes", f, len(r.b))
		}
		var at uint64
		for range f {
			at += r.uvarint()
			if at > math.MaxUint32 {
				fail(tagPositions, "position %d", at)
			}
			dst = append(dst, uint32(at))
		}
	}
	return dst
}
