package encoder

import (
	"math"
)

// panelWidth is the number of outputs that the product kernel computes at once, and the width of a stored panel.
const panelWidth = 16

// tileRows is the largest number of input rows that the kernel takes at once.
const tileRows = 6

// matrix is a linear layer y = W·x + bias, with W [out, in] kept in panels: weight (o, k) is element
// (o/16·in + k)·16 + o%16. Outputs are padded to a multiple of 16 with zeros.
//
// Weights are float32, or int8 with a scale for each output; exactly one of the two is set.
type matrix struct {
	out, in int
	f32     []float32
	i8      []byte
	scale   []float32 // [padded out]; ones for float32 weights
	bias    []float32 // [padded out]
}

func padded(n int) int { return (n + panelWidth - 1) / panelWidth * panelWidth }

// newMatrix packs weights w [out, in], row-major.
func newMatrix(w, bias []float32, out, in int) *matrix {
	m := &matrix{out: out, in: in, f32: make([]float32, padded(out)*in), scale: ones(padded(out)),
		bias: make([]float32, padded(out))}
	copy(m.bias, bias)
	for o := range out {
		panel := m.f32[o/panelWidth*in*panelWidth+o%panelWidth:]
		for k, v := range w[o*in : o*in+in] {
			panel[k*panelWidth] = v
		}
	}
	return m
}

func ones(n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// row returns the weights of one output as float32, for quantisation and tests.
func (m *matrix) row(o int) []float32 {
	w := make([]float32, m.in)
	at := o/panelWidth*m.in*panelWidth + o%panelWidth
	for k := range w {
		if m.i8 != nil {
			w[k] = float32(int8(m.i8[at+k*panelWidth])) * m.scale[o]
		} else {
			w[k] = m.f32[at+k*panelWidth]
		}
	}
	return w
}

// apply writes W·x + bias of each of n rows of x to y.
//
// Shapes: x [n, ≥in] with rows ldx apart, y [n, padded out] with rows ldy apart; float32.
// Cost: n·in·out multiply-adds in one goroutine, no allocation.
func (m *matrix) apply(y []float32, ldy int, x []float32, ldx, n int) {
	width := padded(m.out)
	_ = y[(n-1)*ldy+width-1]
	_ = x[(n-1)*ldx+m.in-1]
	size := m.in * panelWidth
	for p := 0; p < width; p += panelWidth {
		scale, bias := (*[panelWidth]float32)(m.scale[p:]), (*[panelWidth]float32)(m.bias[p:])
		if m.i8 != nil {
			multiplyInt8(y[p:], ldy, x, ldx, n, m.in, m.i8[p*m.in:p*m.in+size], scale, bias)
		} else {
			multiply(y[p:], ldy, x, ldx, n, m.in, m.f32[p*m.in:p*m.in+size], scale, bias)
		}
	}
}

// tiles calls f with the start and height of each tile of n rows. Heights are nearly equal, since a tile of one row
// costs nearly as much as one of six.
func tiles(n int, f func(row, height int)) {
	count := (n + tileRows - 1) / tileRows
	for i, row := 0, 0; i < count; i++ {
		height := (n - row + count - i - 1) / (count - i)
		f(row, height)
		row += height
	}
}

// multiplyGo is the portable product of n rows of x with a panel [in, 16]: y = x·panel·scale + bias.
func multiplyGo(y []float32, ldy int, x []float32, ldx, n, in int, panel []float32, scale, bias *[panelWidth]float32) {
	panel = panel[:in*panelWidth]
	for t := range n {
		var sum [panelWidth]float32
		w := panel
		for _, v := range x[t*ldx : t*ldx+in] {
			row := (*[panelWidth]float32)(w)
			for j := range sum {
				sum[j] += v * row[j]
			}
			w = w[panelWidth:]
		}
		dst := (*[panelWidth]float32)(y[t*ldy:])
		for j := range dst {
			dst[j] = sum[j]*scale[j] + bias[j]
		}
	}
}

// multiplyInt8Go is multiplyGo for an int8 panel: the bytes are widened once for all rows.
func multiplyInt8Go(y []float32, ldy int, x []float32, ldx, n, in int, panel []byte, scale, bias *[panelWidth]float32) {
	const block = 64
	var wide [block * panelWidth]float32
	for t := range n {
		clear(y[t*ldy : t*ldy+panelWidth])
	}
	for k := 0; k < in; k += block {
		size := min(block, in-k)
		for i, b := range panel[k*panelWidth : (k+size)*panelWidth] {
			wide[i] = float32(int8(b))
		}
		for t := range n {
			sum := (*[panelWidth]float32)(y[t*ldy:])
			for i, v := range x[t*ldx+k : t*ldx+k+size] {
				row := (*[panelWidth]float32)(wide[i*panelWidth:])
				for j := range sum {
					sum[j] += v * row[j]
				}
			}
		}
	}
	for t := range n {
		dst := (*[panelWidth]float32)(y[t*ldy:])
		for j := range dst {
			dst[j] = dst[j]*scale[j] + bias[j]
		}
	}
}

// quantizeRow writes round(w / scale) to dst and returns the scale, the largest magnitude over 127; 0 for a row of
// zeros.
func quantizeRow(dst []byte, stride int, w []float32) (scale float32) {
	var top float32
	for _, v := range w {
		top = max(top, float32(math.Abs(float64(v))))
	}
	scale = top / 127
	if scale == 0 {
		return 0
	}
	for i, v := range w {
		q := math.RoundToEven(float64(v) / float64(scale))
		dst[i*stride] = byte(int8(max(-127, min(127, q))))
	}
	return scale
}
