package encoder

import (
	"fmt"
	"math"
)

// panel64 is the number of outputs that the product kernel of float64 computes at once.
const panel64 = 8

// EmbedFloat64 is Embed in float64 throughout. Results of two processors differ by some 1e-14, so that what is rounded
// from them is the same everywhere.
//
// Shapes: dst [Dim]; ids as for Embed. Cost: twice to three times that of Embed with AVX2.
func (t *Transformer) EmbedFloat64(dst []float64, ids []int32) error {
	c := &t.config
	if err := t.check(ids); err != nil {
		return err
	}
	if len(dst) != t.Dim() {
		return fmt.Errorf("embed: a vector of %d numbers for a model of %d", len(dst), t.Dim())
	}
	s, _ := t.double.Get().(*scratch64)
	if s == nil {
		s = &scratch64{}
	}
	defer t.double.Put(s)
	n, width := len(ids), padded(c.Hidden)
	rows := (n + tileRows - 1) / tileRows * tileRows
	grow64(&s.x, rows*width)
	grow64(&s.y, rows*width)
	grow64(&s.wide, rows*padded(max(3*c.Hidden, c.Intermediate)))
	for i, id := range ids {
		row := s.x[i*width : i*width+c.Hidden]
		for k, v := range t.types {
			row[k] = float64(v)
		}
		t.words.add64(row, int(id))
		t.positions.add64(row, i)
		t.norm.apply64(row, c.Epsilon)
	}
	for i := range t.layers {
		t.layers[i].forward64(s, n, c)
	}
	all := dst
	if !t.plain() {
		all = make([]float64, c.Hidden)
	}
	pool64(all, s.x, n, width, t.pooling)
	if !t.plain() {
		if t.pooling == PoolMean {
			for k := range all {
				all[k] /= float64(n)
			}
		}
		t.head64(s, dst, all)
	}
	return unit64(dst)
}

// pool64 makes one vector of n rows of x, see pool.
func pool64(dst, x []float64, n, width int, pooling Pooling) {
	clear(dst)
	for i := range n {
		for k, v := range x[i*width : i*width+len(dst)] {
			switch {
			case i == 0:
				dst[k] = v
			case pooling == PoolMax:
				dst[k] = max(dst[k], v)
			case pooling == PoolMean:
				dst[k] += v
			}
		}
	}
}

// unit64 divides x by its length.
func unit64(x []float64) error {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	length := math.Sqrt(sum)
	if !(length > 0) || math.IsInf(length, 0) {
		clear(x)
		return corrupt("weights", "a vector of length %g", length)
	}
	for i := range x {
		x[i] /= length
	}
	return nil
}

// scratch64 is the working memory of one EmbedFloat64. Rows are padded to a multiple of tileRows.
type scratch64 struct {
	x, y    []float64 // [n, padded Hidden]
	wide    []float64 // [n, padded max(3·Hidden, Intermediate)]
	keys    []float64 // [padded n / 8, head, 8]: a head's keys as panels
	values  []float64 // [padded head / 8, n, 8]: its values
	weights []float64 // [n, padded n]: its attention
	mixed   []float64 // [n, padded head]
	panel   []float32 // [in, 16]: weights of int8
}

func grow64(s *[]float64, n int) {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	*s = (*s)[:n]
}

func (r *rows) add64(dst []float64, i int) {
	dst = dst[:r.width]
	if r.i8 == nil {
		for k, v := range r.f32[i*r.width : (i+1)*r.width] {
			dst[k] += float64(v)
		}
		return
	}
	scale := float64(float32At(r.scales, i))
	for k, b := range r.i8[i*r.width : (i+1)*r.width] {
		dst[k] += float64(int8(b)) * scale
	}
}

// forward64 replaces the n rows of s.x by the layer's output.
func (l *layer) forward64(s *scratch64, n int, c *Config) {
	h, width := c.Hidden, padded(c.Hidden)
	wide := padded(3 * h)
	l.attention.apply64(s, s.wide, wide, s.x, width, n)
	s.attend(n, h, c.Heads, wide, width)
	l.attentionOut.apply64(s, s.wide, width, s.y, width, n)
	addNorm64(s.x, s.wide, n, h, width, &l.attentionNorm, c.Epsilon)

	wide = padded(c.Intermediate)
	l.up.apply64(s, s.wide, wide, s.x, width, n)
	c.Activation.apply64(s.wide[:n*wide])
	l.down.apply64(s, s.y, width, s.wide, wide, n)
	addNorm64(s.x, s.y, n, h, width, &l.outputNorm, c.Epsilon)
}

// apply64 writes W·x + bias of each of n rows of x to y.
func (m *matrix) apply64(s *scratch64, y []float64, ldy int, x []float64, ldx, n int) {
	for p := 0; p < padded(m.out); p += panelWidth {
		panel := s.panel
		if m.i8 == nil {
			panel = m.f32[p*m.in : p*m.in+m.in*panelWidth]
		} else {
			if len(panel) < m.in*panelWidth {
				s.panel = make([]float32, m.in*panelWidth)
				panel = s.panel
			}
			for i, b := range m.i8[p*m.in : p*m.in+m.in*panelWidth] {
				panel[i] = float32(int8(b))
			}
		}
		product64(y[p:], ldy, x, ldx, n, m.in, panel)
		product64(y[p+panel64:], ldy, x, ldx, n, m.in, panel[panel64:])
	}
	for t := range n {
		row := y[t*ldy : t*ldy+padded(m.out)]
		for o := range row {
			row[o] = row[o]*float64(m.scale[o]) + float64(m.bias[o])
		}
	}
}

// panelStride is how many numbers of a panel are 64 bytes: those from one input to the next.
func panelStride[W float32 | float64](panel []W) int {
	if _, ok := any(panel).([]float32); ok {
		return panelWidth
	}
	return panel64
}

// product64Go is the portable product of n rows of x with 8 outputs of a panel.
func product64Go[W float32 | float64](y []float64, ldy int, x []float64, ldx, n, in int, panel []W) {
	stride := panelStride(panel)
	for t := range n {
		var sum [panel64]float64
		for k, v := range x[t*ldx : t*ldx+in] {
			row := (*[panel64]W)(panel[k*stride:])
			for j := range sum {
				sum[j] += v * float64(row[j])
			}
		}
		copy(y[t*ldy:], sum[:])
	}
}

// attend writes softmax(q·kᵀ/√head)·v of each head to the rows of s.y, as scratch.attend does.
func (s *scratch64) attend(n, h, heads, wide, width int) {
	head := h / heads
	rows := (n + tileRows - 1) / tileRows * tileRows
	across, deep := padded(n), padded(head)
	grow64(&s.keys, across*head)
	grow64(&s.values, deep*n)
	grow64(&s.weights, rows*across)
	grow64(&s.mixed, rows*deep)
	clear(s.keys)
	clear(s.values)
	scale := 1 / math.Sqrt(float64(head))
	for a := range heads {
		q := s.wide[a*head:]
		for t := range n {
			row := s.wide[t*wide : t*wide+3*h]
			keys := s.keys[t/panel64*head*panel64+t%panel64:]
			for i, v := range row[h+a*head : h+a*head+head] {
				keys[i*panel64] = v
			}
			for i, v := range row[2*h+a*head : 2*h+a*head+head] {
				s.values[(i/panel64*n+t)*panel64+i%panel64] = v
			}
		}
		for p := 0; p < across; p += panel64 {
			product64(s.weights[p:], across, q, wide, n, head, s.keys[p*head:(p+panel64)*head])
		}
		for t := range n {
			softmax64(s.weights[t*across:t*across+n], scale)
		}
		for p := 0; p < deep; p += panel64 {
			product64(s.mixed[p:], deep, s.weights, across, n, n, s.values[p*n:(p+panel64)*n])
		}
		for t := range n {
			copy(s.y[t*width+a*head:t*width+a*head+head], s.mixed[t*deep:])
		}
	}
}

// softmax64 replaces x by exp(scale·x) over their sum.
func softmax64(x []float64, scale float64) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	sum := 0.0
	for i, v := range x {
		e := exp64((v - top) * scale)
		x[i] = e
		sum += e
	}
	sum = 1 / sum
	for i := range x {
		x[i] *= sum
	}
}

// addNorm64 replaces each row of x by the layer norm of x + y.
func addNorm64(x, y []float64, n, h, width int, norm *layerNorm, epsilon float32) {
	for t := range n {
		row := x[t*width : t*width+h]
		for i, v := range y[t*width : t*width+h] {
			row[i] += v
		}
		norm.apply64(row, epsilon)
	}
}

// apply64 is layer normalisation, see apply.
func (l *layerNorm) apply64(x []float64, epsilon float32) {
	n := float64(len(x))
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	mean, variance := sum/n, 0.0
	for i, v := range x {
		v -= mean
		x[i] = v
		variance += v * v
	}
	scale := 1 / math.Sqrt(variance/n+float64(epsilon))
	for i, v := range x {
		x[i] = v*scale*float64(l.weight[i]) + float64(l.bias[i])
	}
}
