package lexicon

import (
	"encoding/binary"
	"slices"

	"kdd/format/index"
)

// segmentPostings is after how many postings a run packs its log, at the end of a document: the log takes 12 bytes for
// each, what is packed 3 to 4. A variable for tests.
var segmentPostings = 1 << 20

// segment has the postings of some documents of a run, by term. A term's are
//
//	u8 fields (bit per FieldID)
//	for each field: uvarint rows, rows × {uvarint distance · 2 + (1 if the frequency is above 1), uvarint frequency if so}
//	for each field that has positions, of each row: its positions, uvarint distances
//
// The first distance of a field is from base, that of a row's positions from 0.
type segment struct {
	base  [index.FieldCount]uint32 // rows of the first document's
	terms []uint32                 // the run's numbers, ascending
	at    []uint32                 // by index of terms: where its postings begin in data; one more for the end
	data  []byte
}

// posting is a term at a place.
type posting struct {
	key      uint32 // term and field
	row, pos uint32
}

// spot is a posting whose term and field are known.
type spot struct{ row, pos uint32 }

// keyOf numbers a term's field. A run has as many terms as its text has words, at most, so 30 bits of them are enough.
func keyOf(term uint32, field index.FieldID) uint32 { return term*uint32(fields) + uint32(field) }

// placed says whether a field has positions.
func placed(field int) bool { return index.FieldID(field) != index.LinkField }

// sorter sorts a log by term and field. It is memory that one segment after another uses.
type sorter struct {
	local []uint32 // by the run's number of a term: 1 + its index in the segment; 0 if it is not in it
	ends  []uint32 // by term's index and field: where its postings end in spots
	spots []spot
	data  []byte
}

// pack makes a segment of the log of a run with n terms. Rows and positions ascend in the log already.
func (s *sorter) pack(log []posting, n int, base [index.FieldCount]uint32) segment {
	seg := segment{base: base}
	s.local = slices.Grow(s.local[:0], n)[:n]
	clear(s.local)
	for i := range log {
		if term := log[i].key / uint32(fields); s.local[term] == 0 {
			s.local[term] = 1
			seg.terms = append(seg.terms, term)
		}
	}
	seg.terms = slices.Clone(seg.terms)
	slices.Sort(seg.terms)
	for i, term := range seg.terms {
		s.local[term] = uint32(i) + 1
	}
	s.sort(log, len(seg.terms)*fields)
	s.data = s.data[:0]
	seg.at = make([]uint32, 0, len(seg.terms)+1)
	for i := range seg.terms {
		seg.at = append(seg.at, uint32(len(s.data)))
		s.encode(i*fields, &base)
	}
	seg.at = append(seg.at, uint32(len(s.data)))
	seg.data = slices.Clone(s.data)
	return seg
}

// sort puts the spots of the log's postings in the order of their keys, of which there are n: a counting sort.
func (s *sorter) sort(log []posting, n int) {
	key := func(p *posting) uint32 {
		return (s.local[p.key/uint32(fields)]-1)*uint32(fields) + p.key%uint32(fields)
	}
	s.ends = slices.Grow(s.ends[:0], n+1)[:n+1]
	clear(s.ends)
	for i := range log {
		s.ends[key(&log[i])+1]++
	}
	for k := range n {
		s.ends[k+1] += s.ends[k]
	}
	s.spots = slices.Grow(s.spots[:0], len(log))[:len(log)]
	for i := range log {
		p := &log[i]
		k := key(p)
		s.spots[s.ends[k]] = spot{p.row, p.pos}
		s.ends[k]++ // from the key's beginning to its end
	}
}

// encode appends the postings of one term, whose first key is given, to data.
func (s *sorter) encode(key int, base *[index.FieldCount]uint32) {
	var lists [fields][]spot
	var mask byte
	for f := range lists {
		from := uint32(0)
		if key+f > 0 {
			from = s.ends[key+f-1]
		}
		if lists[f] = s.spots[from:s.ends[key+f]]; len(lists[f]) > 0 {
			mask |= 1 << f
		}
	}
	s.data = append(s.data, mask)
	for f, list := range lists {
		if len(list) == 0 {
			continue
		}
		n := 0
		for range rows(list) {
			n++
		}
		s.data = binary.AppendUvarint(s.data, uint64(n))
		before := base[f]
		for row := range rows(list) {
			distance := uint64(row[0].row-before) * 2
			before = row[0].row
			if len(row) == 1 {
				s.data = binary.AppendUvarint(s.data, distance)
				continue
			}
			s.data = binary.AppendUvarint(s.data, distance+1)
			s.data = binary.AppendUvarint(s.data, uint64(len(row)))
		}
	}
	for f, list := range lists {
		if !placed(f) {
			continue
		}
		for row := range rows(list) {
			before := uint32(0)
			for _, at := range row {
				s.data = binary.AppendUvarint(s.data, uint64(at.pos-before))
				before = at.pos
			}
		}
	}
}

// rows yields the spots of each row.
func rows(list []spot) func(yield func(row []spot) bool) {
	return func(yield func(row []spot) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].row == list[0].row {
				n++
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// of returns what data has of the i-th of the segment's terms.
func (s *segment) of(i uint32) []byte { return s.data[s.at[i]:s.at[i+1]] }

// read appends the postings of the i-th of the segment's terms to l, positions only if they are wanted.
func (s *segment) read(i uint32, l *index.List, positions bool) {
	r := reader(s.of(i))
	mask := r[0]
	r = r[1:]
	var from [fields]int // of each field's frequencies
	for f := range l.Fields {
		p := &l.Fields[f]
		from[f] = len(p.Freqs)
		if mask>>f&1 == 0 {
			continue
		}
		n := int(r.next())
		p.Rows, p.Freqs = slices.Grow(p.Rows, n), slices.Grow(p.Freqs, n)
		row := s.base[f]
		for range n {
			distance, freq := r.next(), uint32(1)
			if row += distance >> 1; distance&1 == 1 {
				freq = r.next()
			}
			p.Rows, p.Freqs = append(p.Rows, row), append(p.Freqs, freq)
		}
	}
	if !positions {
		return
	}
	for f := range l.Fields {
		if !placed(f) {
			continue
		}
		p := &l.Fields[f]
		for _, n := range p.Freqs[from[f]:] {
			pos := uint32(0)
			for range n {
				pos += r.next()
				p.Positions = append(p.Positions, pos)
			}
		}
	}
}

// reader reads what encode wrote.
type reader []byte

func (r *reader) next() uint32 {
	if b := *r; b[0] < 0x80 {
		*r = b[1:]
		return uint32(b[0])
	}
	v, n := binary.Uvarint(*r)
	*r = (*r)[n:]
	return uint32(v)
}
