package vector

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"kdd/format/index"
)

// Estimate writes to dst[row] what the sketches say of the cosine of each row of the candidates, up to one factor: the
// sum of the query's values, each with the sign that the row has there. Of random unit vectors of dimension d that is
// sqrt(2·d/π) times the cosine (compare Charikar 2002, which takes the signs of both). It is for artifacts that lie
// elsewhere, whose rows cost more than their sketches. Cost: one look at a table for each byte of the sketches.
func (v *View) Estimate(ctx context.Context, q *Query, candidates Ranges, dst []float32) error {
	signs := v.signs(q)
	for _, run := range candidates {
		for from := run[0]; from < run[1]; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			n := min(run[1]-from, blockRows)
			sketches := v.Sketches(from, n)
			for i := range n {
				dst[from+i] = signs.estimate(sketches, int(i))
			}
			from += n
		}
	}
	return nil
}

// Near returns the n clusters whose centroids are nearest to the query, all if there are no more. Cost: a comparison
// with each centroid.
func (v *View) Near(q *Query, c *index.Clusters, n int) []uint32 {
	cosines, all := make([]float32, c.Count), make([]uint32, c.Count)
	var sums [exactRows]int32
	for from := 0; from < c.Count; from += exactRows {
		some := min(c.Count-from, exactRows)
		rows, scales := c.Centroids(from, some)
		dots(sums[:some], q.values, rows, v.Dim)
		for i := range some {
			scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[i*4:]))
			cosines[from+i], all[from+i] = clamp(float32(sums[i])*q.scale*scale), uint32(from+i)
		}
	}
	slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(cosines[b], cosines[a]) })
	return all[:min(n, len(all))]
}

// EstimateNear is Estimate for the rows of clusters; every other row gets the lowest estimate.
func (v *View) EstimateNear(q *Query, c *index.Clusters, clusters []uint32, dst []float32) {
	signs := v.signs(q)
	const unknown, above = 2, 1 // above all estimates
	lowest := float32(above)
	for i := range dst {
		dst[i] = unknown
	}
	for _, k := range clusters {
		rows, sketches := c.List(k)
		for i, row := range rows {
			dst[row] = signs.estimate(sketches, i)
			lowest = min(lowest, dst[row])
		}
	}
	for i := range dst {
		if dst[i] == unknown {
			dst[i] = lowest
		}
	}
}

// signs is what estimates cosines with a query from sketches.
type signs struct {
	// sums has for each 8 of the query's values the sum for each byte of a sketch: those added whose bit is set, and
	// those subtracted whose bit is not.
	sums  [][256]int32
	scale float32
}

// signs prepares a query for estimates. Cost: 256 sums for each 8 values.
func (v *View) signs(q *Query) *signs {
	s := &signs{sums: make([][256]int32, len(q.bits)*8), scale: q.scale * float32(math.Sqrt(math.Pi/2/float64(v.Dim)))}
	for k := range s.sums {
		t := &s.sums[k]
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
	return s
}

// estimate returns what the i-th of the sketches says of its row's cosine.
func (s *signs) estimate(sketches []byte, i int) float32 {
	sum := int32(0)
	for k, b := range sketches[i*len(s.sums) : (i+1)*len(s.sums)] {
		sum += s.sums[k][b]
	}
	return clamp(float32(sum) * s.scale)
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
