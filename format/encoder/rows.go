package encoder

import (
	"encoding/binary"
	"math"
)

// rows is a table of vectors: float32, or int8 with a scale for each row. Exactly one of the two is set.
type rows struct {
	width  int
	f32    []float32
	i8     []byte // [n, width]
	scales []byte // [n] float32, little-endian
}

// add adds row i to dst.
func (r *rows) add(dst []float32, i int) {
	dst = dst[:r.width]
	if r.i8 == nil {
		for k, v := range r.f32[i*r.width : (i+1)*r.width] {
			dst[k] += v
		}
		return
	}
	scale := float32At(r.scales, i)
	for k, b := range r.i8[i*r.width : (i+1)*r.width] {
		dst[k] += float32(int8(b)) * scale
	}
}

// float32At returns the i-th little-endian float32 of b.
func float32At(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

// Unit scales v to length one; a vector of zeros stays.
func Unit(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}
