package index

import "math"

// scaleBits is the number of bits after the first that a row's scale has: a grid so coarse that the noise of float32
// sums seldom decides between two of its points, and so fine that no value of 127 becomes 126.
const scaleBits = 10

// QuantiseRows returns unit vectors as int8 rows with a scale each: row·scale is within scale/2 of the vector. The scale
// is the row's largest magnitude / 127, rounded up to 11 significant bits. Rows times their scales give the same rows
// and scales again.
//
// Shapes: vectors [rows, dim] row-major; out [rows, dim] int8 as bytes, scales [rows].
func QuantiseRows(vectors []float32, dim int) (out []byte, scales []float32) {
	rows := len(vectors) / dim
	out, scales = make([]byte, rows*dim), make([]float32, rows)
	for i := range rows {
		v := vectors[i*dim : (i+1)*dim]
		scales[i] = float32(roundUp(largest(v) / 127))
		if scales[i] == 0 {
			continue
		}
		for k, x := range v {
			out[i*dim+k] = byte(int8(math.RoundToEven(float64(x) / float64(scales[i]))))
		}
	}
	return out, scales
}

// largest returns the largest magnitude of v.
func largest(v []float32) float64 {
	var top float32
	for _, x := range v {
		top = max(top, x, -x)
	}
	return float64(top)
}

// roundUp returns the least number of 1 + scaleBits significant bits that is not below x ≥ 0.
func roundUp(x float64) float64 {
	const low = 1<<(52-scaleBits) - 1
	return math.Float64frombits((math.Float64bits(x) + low) &^ low)
}

// NearTie says whether QuantiseRows could make another row or scale of a vector that differs from v by less than band,
// in units of the row's scale, in every number.
func NearTie(v []float32, band float64) bool {
	exact := largest(v) / 127
	scale := roundUp(exact)
	if !(scale > 0) {
		return true
	}
	// A largest magnitude that differs by band · scale has an exact scale that differs by a 127th of it.
	noise := band * scale / 127
	if roundUp(max(exact-noise, 0)) != scale || roundUp(exact+noise) != scale {
		return true
	}
	for _, x := range v {
		q := math.Abs(float64(x) / scale)
		if math.Abs(q-math.Floor(q)-0.5) < band {
			return true
		}
	}
	return false
}

// DequantiseRows returns the vectors that int8 rows and their scales stand for: [rows, dim] float32.
func DequantiseRows(rows []byte, scales []float32, dim int) []float32 {
	out := make([]float32, len(rows))
	for i, s := range scales {
		for k := range dim {
			out[i*dim+k] = float32(int8(rows[i*dim+k])) * s
		}
	}
	return out
}
