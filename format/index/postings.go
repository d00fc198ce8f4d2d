package index

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"kdd/format"
	"kdd/format/internal/rice"
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

// The list of one field in a posting record, FORMAT.md §9.3. A list of more than 128 postings begins with a skip entry
// for each block of 128: uvarint rows from the last row of the block before to the last row of this one, uvarint bytes,
// uvarint position bytes (if it has positions), u8 largest impact.
//
// Then the blocks follow: the gaps (row - row before - 1) and the frequencies (less 1) as Rice codes. A list of 16 or
// more postings has the parameters of the codes in a byte before each block and in a byte before each block's
// positions; those of a shorter list follow from n and the field. The first position of a posting is coded as it is,
// each other one as its distance from the one before.
//
// The impact of a posting is ceil(255 · f / (f + k1·(1 - b + b·len/avg))), BM25's saturation with k1 = 1.2 and b = 0.75
// over the length of the field's row; a block stores its largest.
const (
	blockPostings = 128
	shortList     = 16       // lists of fewer postings have no parameter bytes
	gapParam      = 1<<5 - 1 // k of gaps in a parameter byte
	freqOnes      = 7        // in place of k of frequencies: all are 1
	impactK1      = 1.2
	impactB       = 0.75
)

// shortRice gives the parameters of the positions of a short list by field: for first positions and for distances.
var shortRice = [FieldCount]struct{ first, gap uint }{{1, 2}, {2, 2}, {5, 4}, {5, 4}}

// gapRice returns the parameter of the gaps of a short list: n of limit rows are about limit/(n+1) apart.
func gapRice(n, limit uint32) uint {
	return uint(max(1, bits.Len32(limit/(n+1)))) - 1
}

// FieldPostings are the postings of a term in one field: ascending rows, the frequency in each, and the positions of
// all rows end to end, ascending within a row (nil if the list has none).
type FieldPostings struct {
	Rows, Freqs, Positions []uint32
}

// fieldScale says what the encoding of lists needs of a field: the number of its rows and, for impacts, their lengths.
type fieldScale struct {
	rows   uint32
	length func(row uint32) uint32
	avg    float64
}

func (s *fieldScale) impact(row, freq uint32) uint8 {
	if s.length == nil || s.avg == 0 {
		return 255
	}
	f := float64(freq)
	// The conversions keep compilers from fusing a product and a sum: all machines must round alike.
	norm := float64(impactK1 * (1 - impactB + float64(impactB*float64(s.length(row)))/s.avg))
	return uint8(math.Ceil(float64(255*f) / (f + norm)))
}

// listWriter holds the scratch of record; it is for one goroutine.
type listWriter struct {
	skips, body     []byte
	gaps, freqs     []uint32
	first, between  []uint32 // first positions, and distances, of a block
	lists           []byte
	scales          *[FieldCount]fieldScale
	sizes, posSizes [FieldCount]int
}

// list encodes one field's postings; it returns the record's lists and its position stream.
func (w *listWriter) list(dst, pos []byte, field FieldID, p *FieldPostings) ([]byte, []byte) {
	n, scale := len(p.Rows), &w.scales[field]
	w.skips, w.body = w.skips[:0], w.body[:0]
	var next, last uint32 // the least row of the next posting; the last row of the block before
	positions := p.Positions
	for from := 0; from < n; from += blockPostings {
		to := min(from+blockPostings, n)
		bodyAt, posAt := len(w.body), len(pos)
		w.gaps, w.freqs, w.first, w.between = w.gaps[:0], w.freqs[:0], w.first[:0], w.between[:0]
		var largest uint8
		placed := positions
		for i := from; i < to; i++ {
			row, freq := p.Rows[i], p.Freqs[i]
			if row < next || row >= scale.rows || freq == 0 || positions != nil && uint64(freq) > uint64(len(placed)) {
				panic("format: postings are out of order or out of range")
			}
			w.gaps, w.freqs = append(w.gaps, row-next), append(w.freqs, freq-1)
			next = row + 1
			largest = max(largest, scale.impact(row, freq))
			if positions == nil {
				continue
			}
			w.first = append(w.first, placed[0])
			for k := 1; k < int(freq); k++ {
				if placed[k] < placed[k-1] {
					panic("format: positions are out of order")
				}
				w.between = append(w.between, placed[k]-placed[k-1])
			}
			placed = placed[freq:]
		}
		w.body = w.postings(w.body, uint32(n), scale.rows)
		if positions != nil {
			pos = w.positions(pos, n, field)
			positions = placed
		}
		if n > blockPostings {
			w.skips = binary.AppendUvarint(w.skips, uint64(next-1-last))
			w.skips = binary.AppendUvarint(w.skips, uint64(len(w.body)-bodyAt))
			if p.Positions != nil {
				w.skips = binary.AppendUvarint(w.skips, uint64(len(pos)-posAt))
			}
			w.skips = append(w.skips, largest)
			last = next - 1
		}
	}
	return append(append(dst, w.skips...), w.body...), pos
}

// postings encodes the rows and frequencies of the block at hand.
func (w *listWriter) postings(dst []byte, n, limit uint32) []byte {
	gapK, freqK, ones := gapRice(n, limit), uint(0), false
	if n >= shortList {
		gapK, freqK = rice.Best(w.gaps, rice.Max), rice.Best(w.freqs, freqOnes-1)
		ones = slices.Max(w.freqs) == 0
		param := freqK
		if ones {
			param = freqOnes
		}
		dst = append(dst, byte(gapK|param<<5))
	}
	bw := rice.Writer{Dst: dst}
	for _, v := range w.gaps {
		bw.Put(v, gapK)
	}
	if !ones {
		for _, v := range w.freqs {
			bw.Put(v, freqK)
		}
	}
	return bw.End()
}

// positions encodes the positions of the block at hand.
func (w *listWriter) positions(dst []byte, n int, field FieldID) []byte {
	firstK, gapK := shortRice[field].first, shortRice[field].gap
	if n >= shortList {
		firstK, gapK = rice.Best(w.first, 15), rice.Best(w.between, 15)
		dst = append(dst, byte(firstK|gapK<<4))
	}
	bw := rice.Writer{Dst: dst}
	between := w.between
	for i, v := range w.first {
		bw.Put(v, firstK)
		for _, d := range between[:w.freqs[i]] {
			bw.Put(d, gapK)
		}
		between = between[w.freqs[i]:]
	}
	return bw.End()
}

// Postings is a view of one field of a record: an iterator that also knows its blocks.
type Postings struct {
	N      uint32 // postings
	limit  uint32 // rows of the field's table
	field  FieldID
	placed bool
	list   []byte
	pos    []byte
	skips  []skip
}

type skip struct {
	last      uint32 // last row of the block
	at, posAt uint32 // where it begins
	impact    uint8
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
		format.Fail(tagPostings, "%d blocks in %d bytes", n, len(p.list))
	}
	skips := make([]skip, n)
	var last, at, posAt uint64
	for i := range skips {
		last += uint64(r.u32())
		size, posSize := uint64(r.u32()), uint64(0)
		if p.placed {
			posSize = uint64(r.u32())
		}
		skips[i] = skip{last: uint32(last), at: uint32(at), posAt: uint32(posAt), impact: r.byte()}
		at, posAt = at+size, posAt+posSize
		if last >= uint64(p.limit) || at > uint64(len(p.list)) || posAt > uint64(len(p.pos)) {
			format.Fail(tagPostings, "block %d ends at row %d of %d, byte %d", i, last, p.limit, at)
		}
	}
	if at != uint64(len(r.b)) || p.placed && posAt != uint64(len(p.pos)) {
		format.Fail(tagPostings, "blocks of %d bytes in %d", at, len(r.b))
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
	rows, freqs = rows[:n], freqs[:n]
	r := rice.Reader{Tag: tagPostings, Data: p.list[s.at:]}
	gapK, freqK := gapRice(p.N, p.limit), uint(0)
	if p.N >= shortList {
		param := r.Param()
		gapK, freqK = param&gapParam, param>>5
		if gapK > rice.Max {
			format.Fail(tagPostings, "parameter %d, at most %d", gapK, rice.Max)
		}
	}
	r.Read(rows, gapK)
	var next uint64
	if i > 0 {
		next = uint64(p.skips[i-1].last) + 1
	}
	for k, gap := range rows {
		next += uint64(gap) + 1
		rows[k] = uint32(next - 1)
	}
	switch {
	case next > uint64(p.limit):
		format.Fail(tagPostings, "row %d of %d", next-1, p.limit)
	case p.N > blockPostings && next-1 != uint64(s.last):
		format.Fail(tagPostings, "block %d ends at row %d, want %d", i, next-1, s.last)
	}
	if freqK == freqOnes {
		for k := range freqs {
			freqs[k] = 1
		}
		return n
	}
	r.Read(freqs, freqK)
	for k, f := range freqs {
		if f == math.MaxUint32 {
			format.Fail(tagPostings, "frequency over 32 bits")
		}
		freqs[k] = f + 1
	}
	return n
}

// Placed says whether the list has positions.
func (p *Postings) Placed() bool { return p.placed }

// Positions reads the positions of the postings of block i, ascending within each: for posting k, freqs[k] positions
// appended to dst, end to end. freqs is what Decode gave. dst grows by the sum of freqs, at most 8 for each byte of the
// block's position stream.
func (p *Postings) Positions(dst []uint32, i int, freqs []uint32) []uint32 {
	p.openSkips()
	end := len(p.pos)
	if i+1 < len(p.skips) {
		end = int(p.skips[i+1].posAt)
	}
	r := rice.Reader{Tag: tagPositions, Data: p.pos[p.skips[i].posAt:end]}
	var sum uint64
	for _, f := range freqs {
		sum += uint64(f)
	}
	if sum > 8*uint64(len(r.Data)) {
		format.Fail(tagPositions, "%d positions in %d bytes", sum, len(r.Data))
	}
	firstK, gapK := shortRice[p.field].first, shortRice[p.field].gap
	if p.N >= shortList {
		param := r.Param()
		firstK, gapK = param&15, param>>4
	}
	dst = slices.Grow(dst, int(sum))
	for _, f := range freqs {
		dst = r.Positions(dst, f, firstK, gapK)
	}
	return dst
}
