package encoder

import (
	"encoding/binary"
	"math"
)

// tableRows is one section.
type tableRows struct {
	form   RowForm
	rows   uint32
	rank   int
	basis  part
	scales part
	groups part
	values part
	stride int // bytes of values a row
}

// tableParts returns the sizes of a section's parts in file order: basis, scales, groups, values. Unused ones are 0.
func tableParts(form RowForm, rows uint32, rank, dim int) (parts [4]int64, stride int64) {
	n, groups := int64(rows), int64((dim+groupSize-1)/groupSize)
	parts[1] = 4 * n
	switch form {
	case FormInt8:
		stride = int64(dim)
	case FormInt4:
		stride = groups * groupSize / 2
		parts[2] = n * groups
	case FormSigns:
		stride = int64(dim+7) / 8
	case FormBasis:
		stride = int64(rank)
		parts[0] = 4 * int64(rank) * int64(dim)
	}
	parts[3] = n * stride
	return parts, stride
}

// Parts returns where Embed reads the rows of a text, as [from, to) of the table's bytes. It reads the map and the keys.
func (t *Table) Parts(ids []int32) (list [][2]uint64) {
	add := func(p part, at, n int) {
		if n > 0 && p.size > 0 {
			list = append(list, [2]uint64{p.at + uint64(at), p.at + uint64(at+n)})
		}
	}
	take := func(row uint32, ok bool) {
		if !ok {
			return
		}
		s, r := t.section(row)
		add(s.scales, 4*int(r), 4)
		add(s.values, int(r)*s.stride, s.stride)
		if n := s.stride * 2 / groupSize; s.form == FormInt4 {
			add(s.groups, int(r)*n, n)
		}
		if s.form == FormBasis {
			add(s.basis, 0, int(s.basis.size))
		}
	}
	for i, id := range ids {
		take(t.row(id))
		if i > 0 {
			take(t.pair(ids[i-1], id))
		}
	}
	return list
}

// add adds row r of a section to dst. Products are rounded to float32 before they are added, so that results have the
// same bits on all processors.
func (t *Table) add(dst []float32, s *tableRows, r uint32) {
	scale := float32At(t.from(s.scales, 4*int(r), 4), 0)
	values := t.from(s.values, int(r)*s.stride, s.stride)
	switch s.form {
	case FormInt8:
		values = values[:len(dst)]
		for i, b := range values {
			dst[i] += float32(scale * float32(int8(b)))
		}
	case FormInt4:
		n := s.stride * 2 / groupSize
		groups := t.from(s.groups, int(r)*n, n)
		for g := 0; g*groupSize < len(dst); g++ {
			step := scale * float32(groups[g]) / 255
			part := dst[g*groupSize : min((g+1)*groupSize, len(dst))]
			packed := values[g*groupSize/2:]
			for i := range part {
				part[i] += float32(step * float32(int(packed[i/2]>>(i%2*4)&15)-8))
			}
		}
	case FormSigns:
		for i := range dst {
			if values[i/8]>>(i%8)&1 == 0 {
				dst[i] += scale
			} else {
				dst[i] -= scale
			}
		}
	case FormBasis:
		all := t.from(s.basis, 0, int(s.basis.size))
		for k, b := range values {
			if b == 0 {
				continue
			}
			c := scale * float32(int8(b))
			basis := all[4*k*len(dst):][:4*len(dst)]
			for i := range dst {
				dst[i] += float32(c * math.Float32frombits(binary.LittleEndian.Uint32(basis[4*i:])))
			}
		}
	}
}
