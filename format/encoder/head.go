package encoder

import (
	"fmt"
	"math"
	"slices"

	"github.com/viterin/vek/vek32"
)

// MaxDense is how many dense modules may follow the pooling.
const MaxDense = 4

// Dense is a module of sentence-transformers after the pooling: y = W·x + bias, or the tanh of it.
type Dense struct {
	matrix *matrix
	tanh   bool
}

// LoadDense reads the weights of a dense module: "linear.weight" [out, in], and "linear.bias" [out] if it has one.
func LoadDense(tensors *Tensors, in, out int, bias, tanh bool) (Dense, error) {
	if in < 1 || out < 1 || in > maxHidden || out > maxHidden {
		return Dense{}, unsupported("dense module", "%d to %d numbers, want 1 to %d", in, out, maxHidden)
	}
	w, err := tensors.Float32("linear.weight", out, in)
	if err != nil {
		return Dense{}, err
	}
	b := make([]float32, out)
	if bias {
		if b, err = tensors.Float32("linear.bias", out); err != nil {
			return Dense{}, err
		}
	}
	for _, v := range slices.Concat(w, b) {
		if v-v != 0 {
			return Dense{}, unsupported("dense module", "a weight that is %g, want finite numbers", v)
		}
	}
	return Dense{newMatrix(w, b, out, in), tanh}, nil
}

// Linear returns W·x of each row of x, without bias and tanh.
//
// Shapes: rows [n, in]; the result [n, out].
func (d Dense) Linear(rows []float32) []float32 {
	m := *d.matrix
	m.bias = make([]float32, len(m.bias))
	y, out := make([]float32, padded(m.out)), []float32(nil)
	for row := range slices.Chunk(rows, m.in) {
		m.apply(y, len(y), row, m.in, 1)
		out = append(out, y[:m.out]...)
	}
	return out
}

// SetHead has the pooled vector go through dense modules, in their order, before it is divided by its length, and keeps
// of the result its first dimensions: 0 keeps all. It is called before the first Embed.
//
// To keep the first numbers and divide by their length is what Matryoshka representations are trained for (Kusupati et
// al. 2022).
func (t *Transformer) SetHead(dense []Dense, dimensions int) error {
	width := t.config.Hidden
	if len(dense) > MaxDense {
		return unsupported("dense modules", "%d, want at most %d", len(dense), MaxDense)
	}
	for i, d := range dense {
		if d.matrix.in != width {
			return unsupported("dense module", "%d takes %d numbers, want %d", i+1, d.matrix.in, width)
		}
		width = d.matrix.out
	}
	if dimensions < 0 || dimensions > width {
		return unsupported("dimensions", "%d, want 1 to %d", dimensions, width)
	}
	t.dense, t.cut = dense, dimensions
	if dimensions == width {
		t.cut = 0
	}
	return nil
}

// Dim returns the length of a vector.
func (t *Transformer) Dim() int {
	switch n := len(t.dense); {
	case t.cut > 0:
		return t.cut
	case n > 0:
		return t.dense[n-1].matrix.out
	}
	return t.config.Hidden
}

// head writes what the dense modules make of x to dst, of its first numbers as many as dst has. X is overwritten.
//
// Shapes: x [Hidden], dst [Dim].
func (t *Transformer) head(dst, x []float32) {
	for _, d := range t.dense {
		y := make([]float32, padded(d.matrix.out))
		d.matrix.apply(y, len(y), x, len(x), 1)
		if d.tanh {
			for i, v := range y {
				y[i] = float32(math.Tanh(float64(v)))
			}
		}
		x = y
	}
	copy(dst, x[:len(dst)])
}

// head64 is head in float64.
func (t *Transformer) head64(s *scratch64, dst, x []float64) {
	for _, d := range t.dense {
		in := make([]float64, tileRows*len(x)) // the kernel reads and writes whole tiles
		copy(in, x)
		width := padded(d.matrix.out)
		y := make([]float64, tileRows*width)
		d.matrix.apply64(s, y, width, in, len(x), 1)
		if x = y[:d.matrix.out]; d.tanh {
			for i, v := range x {
				x[i] = tanh64(v)
			}
		}
	}
	copy(dst, x[:len(dst)])
}

// tanh64 returns the hyperbolic tangent of x, the same on every processor.
func tanh64(x float64) float64 {
	e := exp64(-2 * math.Abs(x))
	return math.Copysign((1-e)/(1+e), x)
}

// plain says that the pooled vector is the result, but for its length.
func (t *Transformer) plain() bool { return len(t.dense) == 0 && t.cut == 0 }

// pooled writes the unit vector of the pooled n rows of x.
func (t *Transformer) pooled(dst, x []float32, n, width int) error {
	if len(dst) != t.Dim() {
		return fmt.Errorf("embed: a vector of %d floats for a model of %d", len(dst), t.Dim())
	}
	if t.plain() {
		pool(dst, x, n, width, t.pooling)
		return unit(dst)
	}
	all := make([]float32, t.config.Hidden)
	pool(all, x, n, width, t.pooling)
	if t.pooling == PoolMean {
		vek32.MulNumber_Inplace(all, 1/float32(n))
	}
	t.head(dst, all)
	return unit(dst)
}
