package vector

import (
	"context"
	"math"
)

// Estimate writes to dst[row] what the sketches say of the cosine of each row of the candidates, and returns the n rows
// that they say are nearest. It is for artifacts that lie elsewhere, whose rows cost more than their sketches: of two
// unit vectors that differ in h of d signs the angle is about π·h/d (Charikar 2002).
func (v *View) Estimate(ctx context.Context, q *Query, candidates Ranges, n int, dst []float32) ([]uint32, error) {
	cosine := make([]float32, len(q.bits)*64+1)
	for h := range cosine {
		cosine[h] = float32(math.Cos(math.Pi * min(1, float64(h)/float64(v.Dim))))
	}
	var far [blockRows]uint16
	for _, run := range candidates {
		for from := run[0]; from < run[1]; {
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			k := min(run[1]-from, blockRows)
			hamming(far[:k], q.bits, v.Sketches(from, k))
			for i, h := range far[:k] {
				dst[from+uint32(i)] = cosine[h]
			}
			from += k
		}
	}
	return v.choose(ctx, q, candidates, n)
}

// Compare writes to dst[row] the cosines of some rows, ascending.
func (v *View) Compare(ctx context.Context, q *Query, rows []uint32, dst []float32) error {
	return v.each(ctx, q, rows, dst)
}
