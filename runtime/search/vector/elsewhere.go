package vector

import (
	"context"
	"math"
)

// Estimate writes to dst[row] what the sketches say of the cosine of each row of the candidates, up to one factor: the
// sum of the query's values, each with the sign that the row has there. Of random unit vectors of dimension d that is
// sqrt(2·d/π) times the cosine (compare Charikar 2002, which takes the signs of both). It is for artifacts that lie
// elsewhere, whose rows cost more than their sketches. Cost: one look at a table for each byte of the sketches.
func (v *View) Estimate(ctx context.Context, q *Query, candidates Ranges, dst []float32) error {
	sums := q.signSums()
	scale := q.scale * float32(math.Sqrt(math.Pi/2/float64(v.Dim)))
	width := len(q.bits) * 8
	for _, run := range candidates {
		for from := run[0]; from < run[1]; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			n := min(run[1]-from, blockRows)
			sketches := v.Sketches(from, n)
			for i := range n {
				var sum int32
				for k, b := range sketches[int(i)*width : int(i+1)*width] {
					sum += sums[k][b]
				}
				dst[from+i] = clamp(float32(sum) * scale)
			}
			from += n
		}
	}
	return nil
}

// signSums returns the sums of each 8 of the query's values, those added whose bit is set, and those subtracted whose
// bit is not.
func (q *Query) signSums() [][256]int32 {
	sums := make([][256]int32, len(q.bits)*8)
	for k := range sums {
		t := &sums[k]
		values := q.values[min(k*8, len(q.values)):min(k*8+8, len(q.values))]
		for _, x := range values {
			t[0] -= int32(x)
		}
		for i, x := range values {
			for low := range 1 << i {
				t[1<<i|low] = t[low] + 2*int32(x)
			}
		}
	}
	return sums
}

// Compare writes to dst[row] the cosines of some of the candidates' rows, ascending, and scales the estimates of the
// others by what these were and are: the factor with the least squares of errors.
func (v *View) Compare(ctx context.Context, q *Query, candidates Ranges, rows []uint32, dst []float32) error {
	estimates := make([]float32, len(rows))
	for i, row := range rows {
		estimates[i] = dst[row]
	}
	if err := v.each(ctx, q, rows, dst); err != nil {
		return err
	}
	var both, square float64
	cosines := make([]float32, len(rows))
	for i, row := range rows {
		cosines[i] = dst[row]
		both += float64(estimates[i]) * float64(cosines[i])
		square += float64(estimates[i]) * float64(estimates[i])
	}
	if both <= 0 || square == 0 {
		return nil
	}
	factor := float32(both / square)
	for _, run := range candidates {
		for row := run[0]; row < run[1]; row++ {
			dst[row] = clamp(dst[row] * factor)
		}
	}
	for i, row := range rows {
		dst[row] = cosines[i]
	}
	return nil
}
