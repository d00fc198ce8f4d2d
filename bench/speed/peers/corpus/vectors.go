package corpus

import "math"

// Noise is the share of the difference of two other rows that Blend adds to a row. Noise of that kind lies where the
// rows themselves lie; noise in all directions alike would be harder for graphs and sketches than any text is.
const Noise = 0.4

// Blend writes a row with noise from the difference of two others, of unit length.
func Blend(dst, base, one, two []float32) {
	for k := range dst {
		dst[k] = base[k] + Noise*(one[k]-two[k])
	}
	Unit(dst)
}

// Unit makes a row one of unit length; of zeros the first becomes 1.
func Unit(row []float32) {
	var sum float64
	for _, x := range row {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		row[0], sum = 1, 1
	}
	for k := range row {
		row[k] /= float32(math.Sqrt(sum))
	}
}
