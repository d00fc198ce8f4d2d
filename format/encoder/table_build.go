package encoder

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// TableRows are rows of one form, for [AppendTable].
type TableRows struct {
	Form RowForm
	// Pieces are the wordpieces that the rows belong to, one each.
	Pieces []int32
	// Values are the rows [len(Pieces), Dim]; of FormBasis their coefficients [len(Pieces), rank].
	Values []float32
	// Basis is the basis [rank, Dim] of FormBasis, nil else.
	Basis []float32
}

// TableSpec is what goes into a table.
type TableSpec struct {
	Dim    int
	Pieces int // size of the vocabulary
	Rows   []TableRows
	// Pairs are adjacent wordpieces with a row each, in any order; PairValues are the rows [len(Pairs), Dim].
	Pairs      [][2]int32
	PairValues []float32
	PairForm   RowForm // any but FormBasis
}

// AppendTable appends a table of the given rows, for [OpenTable]. Rows keep the order that they are given in, pairs are
// sorted; equal input gives equal bytes. The error names a piece or pair that is out of range or comes twice, or a
// section whose rows are not as many as its pieces.
func AppendTable(dst []byte, spec *TableSpec) ([]byte, error) {
	sections := slices.Clone(spec.Rows)
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	order := make([]int, len(spec.Pairs))
	for i := range order {
		order[i] = i
	}
	key := func(i int) uint64 { return pairKey(spec.Pairs[i][0], spec.Pairs[i][1]) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	for i := 1; i < len(order); i++ {
		if key(order[i]) == key(order[i-1]) {
			return nil, fmt.Errorf("table: pair %v comes twice", spec.Pairs[order[i]])
		}
	}
	rowOf := make([]uint32, spec.Pieces)
	next := uint32(0)
	for _, s := range sections {
		for _, id := range s.Pieces {
			if id < 0 || int(id) >= spec.Pieces {
				return nil, fmt.Errorf("table: a row of piece %d, want 0 to %d", id, spec.Pieces-1)
			}
			if rowOf[id] != 0 {
				return nil, fmt.Errorf("table: two rows of piece %d", id)
			}
			next++
			rowOf[id] = next
		}
	}
	if len(order) > 0 || len(sections) == 0 {
		values := make([]float32, 0, len(spec.PairValues))
		for _, i := range order {
			values = append(values, spec.PairValues[i*spec.Dim:(i+1)*spec.Dim]...)
		}
		sections = append(sections, TableRows{Form: max(spec.PairForm, FormInt8), Pieces: make([]int32, len(order)),
			Values: values})
	}
	total := next + uint32(len(order))
	if total > maxTableRows || len(order) > maxTablePairs || len(sections) > maxSections {
		return nil, fmt.Errorf("table: %d rows, %d pairs, %d sections, want at most %d, %d, %d",
			total, len(order), len(sections), maxTableRows, maxTablePairs, maxSections)
	}

	w := quantWriter{b: dst, start: len(dst)}
	le := binary.LittleEndian
	for _, u := range []int{tableKind, spec.Dim, spec.Pieces, len(sections), len(order), int(next)} {
		w.b = le.AppendUint32(w.b, uint32(u))
	}
	w.b = append(w.b, make([]byte, tableHeader-24)...)
	for _, s := range sections {
		w.b = le.AppendUint32(w.b, uint32(s.Form))
		w.b = le.AppendUint32(w.b, uint32(len(s.Pieces)))
		w.b = le.AppendUint32(w.b, uint32(len(s.Basis)/spec.Dim))
		w.b = le.AppendUint32(w.b, 0)
	}
	w.align()
	for _, row := range rowOf {
		if total >= math.MaxUint16 {
			w.b = le.AppendUint32(w.b, row)
		} else {
			w.b = le.AppendUint16(w.b, uint16(row))
		}
	}
	if len(order) > 0 {
		w.align()
	}
	for _, i := range order {
		w.b = le.AppendUint64(w.b, key(i))
	}
	for i := range sections {
		w.tableRows(&sections[i], spec.Dim)
	}
	return w.b, nil
}

func (spec *TableSpec) check() error {
	if spec.Dim < 1 || spec.Dim > maxDim || spec.Pieces < 1 || spec.Pieces > maxPieces {
		return fmt.Errorf("dim %d and %d pieces, want 1 to %d and 1 to %d", spec.Dim, spec.Pieces, maxDim, maxPieces)
	}
	for i, s := range spec.Rows {
		width := spec.Dim
		if s.Form == FormBasis {
			width = len(s.Basis) / spec.Dim
			if width < 1 || width > min(spec.Dim, maxRank) || len(s.Basis)%spec.Dim != 0 {
				return fmt.Errorf("a basis of %d numbers in section %d, want 1 to %d rows of %d",
					len(s.Basis), i, min(spec.Dim, maxRank), spec.Dim)
			}
		} else if s.Form < FormInt8 || s.Form > FormBasis || s.Basis != nil {
			return fmt.Errorf("section %d has form %d and a basis of %d, want form 1 to 3 and none, or 4",
				i, s.Form, len(s.Basis))
		}
		if len(s.Values) != len(s.Pieces)*width {
			return fmt.Errorf("%d numbers for %d rows of %d in section %d", len(s.Values), len(s.Pieces), width, i)
		}
		if err := finite(s.Values, s.Basis); err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
	}
	if len(spec.PairValues) != len(spec.Pairs)*spec.Dim {
		return fmt.Errorf("%d numbers for %d pairs of %d", len(spec.PairValues), len(spec.Pairs), spec.Dim)
	}
	if spec.PairForm > FormSigns {
		return fmt.Errorf("pairs have form %d, want 1 to 3", spec.PairForm)
	}
	for _, p := range spec.Pairs {
		if p[0] < 0 || p[1] < 0 || int(p[0]) >= spec.Pieces || int(p[1]) >= spec.Pieces {
			return fmt.Errorf("a pair of pieces %d and %d, want 0 to %d", p[0], p[1], spec.Pieces-1)
		}
	}
	return finite(spec.PairValues)
}

func finite(parts ...[]float32) error {
	for _, p := range parts {
		for i, v := range p {
			if v-v != 0 {
				return fmt.Errorf("number %d is %g", i, v)
			}
		}
	}
	return nil
}

// tableRows writes the parts of a section. Empty parts take no place, not even alignment.
func (w *quantWriter) tableRows(s *TableRows, dim int) {
	n := len(s.Pieces)
	rank := len(s.Basis) / dim
	parts, stride := tableParts(s.Form, uint32(n), rank, dim)
	if parts[0] > 0 {
		w.floats(s.Basis)
	}
	if n == 0 {
		return
	}
	scales, groups, values := make([]float32, n), make([]byte, parts[2]), make([]byte, parts[3])
	width := len(s.Values) / n
	for i := range n {
		row, out := s.Values[i*width:(i+1)*width], values[i*int(stride):(i+1)*int(stride)]
		switch s.Form {
		case FormInt8, FormBasis:
			scales[i] = quantizeRow(out, 1, row)
		case FormInt4:
			scales[i] = quantizeNibbles(out, groups[i*int(stride)*2/groupSize:], row)
		case FormSigns:
			scales[i] = quantizeSigns(out, row)
		}
	}
	w.floats(scales)
	if len(groups) > 0 {
		w.align()
		w.b = append(w.b, groups...)
	}
	w.align()
	w.b = append(w.b, values...)
}

// coarse returns the number at or above a positive v that is a power of two or 1, 2 or 3 quarters of the way, by
// factors, to the next. Steps of rows are such numbers: so a row that moves by little, because the corpus was edited
// somewhere else, keeps its step, and nearly all of its bytes.
func coarse(v float64) float64 {
	fraction, exponent := math.Frexp(v)
	for _, c := range [...]float64{0.5, 0.5946035575013605, 0.7071067811865476, 0.8408964152537145} {
		if fraction <= c {
			return math.Ldexp(c, exponent)
		}
	}
	return math.Ldexp(1, exponent)
}

// quantizeNibbles writes a row as -7 to 7 (plus 8) times a group's scale, which is u8/255 of the row's.
func quantizeNibbles(dst, groups []byte, row []float32) (scale float32) {
	var top float64
	for _, v := range row {
		top = max(top, math.Abs(float64(v)))
	}
	if top > 0 {
		scale = float32(coarse(top / 7))
	}
	for g := 0; g*groupSize < len(row); g++ {
		part := row[g*groupSize : min((g+1)*groupSize, len(row))]
		var high float64
		for _, v := range part {
			high = max(high, math.Abs(float64(v)))
		}
		packed := dst[g*groupSize/2 : (g+1)*groupSize/2]
		for i := range packed {
			packed[i] = 0x88
		}
		if scale == 0 || high == 0 {
			continue
		}
		groups[g] = byte(min(255, math.Ceil(255*coarse(high/7/float64(scale)))))
		step := float64(scale) * float64(groups[g]) / 255
		for i, v := range part {
			q := max(-7, min(7, math.RoundToEven(float64(v)/step)))
			shift := i % 2 * 4
			packed[i/2] = packed[i/2]&^(15<<shift) | byte(int(q)+8)<<shift
		}
	}
	return scale
}

// quantizeSigns writes the signs of a row; the scale is near the mean magnitude, which is the best in the sense of least
// squares.
func quantizeSigns(dst []byte, row []float32) (scale float32) {
	var sum float64
	for i, v := range row {
		sum += math.Abs(float64(v))
		if v < 0 {
			dst[i/8] |= 1 << (i % 8)
		}
	}
	if sum == 0 {
		return 0
	}
	const half = 0.9170040432046712 // 2^(-1/8): the step below is as near as the one above
	return float32(coarse(sum / float64(len(row)) * half))
}
