package vector

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

	"kdd/format/index"
)

// sketched is how many candidates, chosen by their sketches, are compared exactly: recall@10 was at least .99 in a run
// that was not kept.
const sketched = 1_000

// View compares queries with the vectors of one artifact. It is safe for concurrent use.
type View struct{ *index.Vectors }

// Query is a unit query vector, ready to be compared with int8 rows: values of 13 bits and a sign, and a scale.
type Query struct {
	floats []float32
	values []int16
	scale  float32
	bits   []uint64
}

// NewQuery prepares a unit vector q of the view's dimension. The error of a cosine that the rounding adds is below
// 1e-4.
func NewQuery(q []float32) *Query {
	p := &Query{floats: q, values: make([]int16, (len(q)+15)/16*16), bits: make([]uint64, (len(q)+63)/64)}
	var largest float32
	for _, x := range q {
		largest = max(largest, float32(math.Abs(float64(x))))
	}
	if largest == 0 {
		return p
	}
	p.scale = largest / (1 << 13)
	for i, x := range q {
		p.values[i] = int16(math.RoundToEven(float64(x / p.scale)))
		if x > 0 {
			p.bits[i/64] |= 1 << (i % 64)
		}
	}
	return p
}

// Ranges are runs [from, to) of rows, ascending and apart.
type Ranges [][2]uint32

// Rows counts the rows of all runs.
func (r Ranges) Rows() int {
	n := 0
	for _, run := range r {
		n += int(run[1] - run[0])
	}
	return n
}

// Cosines writes to dst[row] the cosine of the query with every row of the candidates, as the artifact holds the rows.
// Rows that are no candidates are left alone.
//
// Up to index.ExactRows candidates are compared one by one. Above it, the sketches choose the best sketched ones; those
// are compared, and every other candidate gets the lowest cosine of the chosen ones. Of these rest compares those that
// matter; it is nil if there are none. Cost: one pass over the candidates' rows (dim bytes each) or sketches (dim/8
// bytes each).
func (v *View) Cosines(ctx context.Context, q *Query, candidates Ranges, dst []float32) (rest *Rest, err error) {
	if candidates.Rows() <= index.ExactRows || !v.HasSketches() {
		for _, run := range candidates {
			if err := v.exact(ctx, q, run[0], run[1], dst); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	chosen, err := v.choose(ctx, q, candidates, sketched)
	if err != nil {
		return nil, err
	}
	if err := v.each(ctx, q, chosen, dst); err != nil {
		return nil, err
	}
	cosines := make([]float32, len(chosen))
	for i, row := range chosen {
		cosines[i] = dst[row]
	}
	lowest := slices.Min(cosines)
	for _, run := range candidates {
		rows := dst[run[0]:run[1]]
		for i := range rows {
			rows[i] = lowest
		}
	}
	for i, row := range chosen {
		dst[row] = cosines[i]
	}
	return &Rest{v, q, dst, lowest}, nil
}

// Rest are the candidates that sketches did not choose. Their cosine is taken to be at most the lowest of the chosen
// ones, which is a bound on it until Fill compares them.
type Rest struct {
	view *View
	q    *Query
	dst  []float32
	most float32
}

// Fill compares those of rows [from, to), which are candidates. Cost: dim bytes a row, the first time.
func (r *Rest) Fill(from, to uint32) {
	var own [exactRows]float32
	for row := from; row < to; row++ {
		if r.dst[row] != r.most { // chosen, or compared before
			continue
		}
		end := row + 1
		for end < to && end-row < exactRows && r.dst[end] == r.most {
			end++
		}
		r.view.compare(r.q, row, own[:end-row])
		for i, cosine := range own[:end-row] {
			r.dst[row+uint32(i)] = min(cosine, r.most)
		}
		row = end - 1
	}
}

// each compares rows, ascending. Those that lie side by side are compared together.
func (v *View) each(ctx context.Context, q *Query, rows []uint32, dst []float32) error {
	var from, to uint32
	for _, row := range rows {
		if row == to && to > from {
			to++
			continue
		}
		if err := v.exact(ctx, q, from, to, dst); err != nil {
			return err
		}
		from, to = row, row+1
	}
	return v.exact(ctx, q, from, to, dst)
}

// exactRows is how many rows are compared at once. Their sums are zeroed for a single row too.
const exactRows = 256

// exact compares rows [from, to).
func (v *View) exact(ctx context.Context, q *Query, from, to uint32, dst []float32) error {
	for from < to {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		n := min(to-from, exactRows)
		v.compare(q, from, dst[from:from+n])
		from += n
	}
	return nil
}

// compare writes the cosines of the rows from a first one on, of at most exactRows.
func (v *View) compare(q *Query, from uint32, dst []float32) {
	var sums [exactRows]int32
	n := uint32(len(dst))
	dots(sums[:n], q.values, v.Rows(from, n), v.Dim)
	scales := v.Scales(from, n)
	for i := range dst {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[i*4:]))
		dst[i] = clamp(float32(sums[i]) * q.scale * scale)
	}
}

// clamp keeps a cosine in [-1, 1]; a hostile scale gives no infinity or NaN.
func clamp(x float32) float32 {
	if x != x {
		return -1
	}
	return min(1, max(-1, x))
}

// blockRows is how many sketches are compared between two looks at the context.
const blockRows = 4096

// distances are lists of one number for each candidate, for one scan after another.
var distances = sync.Pool{New: func() any { return new([]uint16) }}

// choose returns the n candidates whose sketches differ least from the query's, rows ascending. Of equal ones the first
// are taken.
func (v *View) choose(ctx context.Context, q *Query, candidates Ranges, n int) ([]uint32, error) {
	kept := distances.Get().(*[]uint16)
	defer distances.Put(kept)
	*kept = slices.Grow((*kept)[:0], candidates.Rows())
	far := *kept
	var counts [index.MaxDim + 64]int
	for _, run := range candidates {
		for from := run[0]; from < run[1]; {
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			k := min(run[1]-from, blockRows)
			b := v.Sketches(from, k)
			at := len(far)
			far = far[:at+int(k)]
			hamming(far[at:], q.bits, b)
			for _, d := range far[at:] {
				counts[d]++
			}
			from += k
		}
	}
	// The largest distance of which all are taken, and how many of the next.
	limit, room := 0, n
	for limit < len(counts) && counts[limit] <= room {
		room -= counts[limit]
		limit++
	}
	chosen := make([]uint32, 0, n)
	i := 0
	for _, run := range candidates {
		for row := run[0]; row < run[1]; row++ {
			switch d := int(far[i]); {
			case d < limit:
				chosen = append(chosen, row)
			case d == limit && room > 0:
				chosen, room = append(chosen, row), room-1
			}
			i++
		}
	}
	return chosen, nil
}

// hamming writes the number of bits in which each sketch differs from q. Sketches are len(q) little-endian words each.
func hamming(dst []uint16, q []uint64, sketches []byte) {
	if len(q) == 6 { // 384 dimensions
		for i := range dst {
			b := sketches[i*48 : i*48+48 : i*48+48]
			dst[i] = uint16(bits.OnesCount64(q[0]^binary.LittleEndian.Uint64(b)) + bits.OnesCount64(q[1]^binary.LittleEndian.Uint64(b[8:])) +
				bits.OnesCount64(q[2]^binary.LittleEndian.Uint64(b[16:])) + bits.OnesCount64(q[3]^binary.LittleEndian.Uint64(b[24:])) +
				bits.OnesCount64(q[4]^binary.LittleEndian.Uint64(b[32:])) + bits.OnesCount64(q[5]^binary.LittleEndian.Uint64(b[40:])))
		}
		return
	}
	hammingPlain(dst, q, sketches)
}

func hammingPlain(dst []uint16, q []uint64, sketches []byte) {
	for i := range dst {
		var n int
		for k, w := range q {
			n += bits.OnesCount64(w ^ binary.LittleEndian.Uint64(sketches[(i*len(q)+k)*8:]))
		}
		dst[i] = uint16(n)
	}
}
