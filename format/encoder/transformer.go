package encoder

import (
	"fmt"
	"math"
	"sync"

	"github.com/viterin/vek/vek32"
)

// Transformer evaluates a BERT or RoBERTa encoder: embeddings, layers of attention and feed-forward parts, pooling,
// dense modules if it has some, and division by the length (Devlin et al. 2019; Reimers & Gurevych 2019). It may be used
// by many goroutines at once.
//
// The last bits of results depend on the CPU: without AVX2 sums have another order.
type Transformer struct {
	config  Config
	pooling Pooling

	words     rows // [Vocab, Hidden]
	positions rows // [Positions, Hidden]
	types     []float32
	norm      layerNorm
	layers    []layer
	dense     []Dense // after the pooling
	cut       int     // numbers that are kept of the result; 0 for all

	scratch sync.Pool // of *scratch
	double  sync.Pool // of *scratch64
}

// layer is one encoder layer. Query, key and value are one matrix, in this order.
type layer struct {
	attention     *matrix // [3·Hidden, Hidden]
	attentionOut  *matrix // [Hidden, Hidden]
	attentionNorm layerNorm
	up            *matrix // [Intermediate, Hidden]
	down          *matrix // [Hidden, Intermediate]
	outputNorm    layerNorm
}

type layerNorm struct{ weight, bias []float32 }

// Config returns the shape of the encoder.
func (t *Transformer) Config() Config { return t.config }

// Pooling returns how token vectors are put together.
func (t *Transformer) Pooling() Pooling { return t.pooling }

// scratch is the working memory of one Embed, for texts up to the length that it was last grown to.
type scratch struct {
	x, y    []float32 // [n, padded Hidden]
	wide    []float32 // [n, padded max(3·Hidden, Intermediate)]
	keys    []float32 // [padded n / 16, head, 16]: a head's keys as panels
	values  []float32 // [padded head / 16, n, 16]: its values
	weights []float32 // [n, padded n]: its attention
	mixed   []float32 // [n, padded head]
	ones    [panelWidth]float32
	zeros   [panelWidth]float32
}

func grow(s *[]float32, n int) {
	if cap(*s) < n {
		*s = make([]float32, n)
	}
	*s = (*s)[:n]
}

// Embed writes the unit vector of a text to dst. The ids are the text's wordpieces with [CLS] and [SEP], as
// [Vocab.EncodeWithSpecials] gives them.
//
// Shapes: dst [Dim]; ids 1 to Positions, each below Vocab.
// Cost: on one core with AVX2, 4 ms (int8) or 5 ms (float32) for 14 ids of all-MiniLM-L6-v2, 70 ms for 256.
func (t *Transformer) Embed(dst []float32, ids []int32) error {
	return t.run(ids, func(x []float32, n, width int) error { return t.pooled(dst, x, n, width) })
}

// check reports ids that the model has no place for.
func (t *Transformer) check(ids []int32) error {
	c := &t.config
	if len(ids) == 0 || len(ids) > c.Positions {
		return fmt.Errorf("embed: %d ids, want 1 to %d", len(ids), c.Positions)
	}
	for i, id := range ids {
		if id < 0 || int(id) >= c.Vocab {
			return fmt.Errorf("embed: id %d at place %d, want 0 to %d; is the tokenizer another model's?",
				id, i, c.Vocab-1)
		}
	}
	return nil
}

// run computes the last layer's output for ids, n rows that are width apart, and hands it to use while it may be read.
func (t *Transformer) run(ids []int32, use func(x []float32, n, width int) error) error {
	c := &t.config
	if err := t.check(ids); err != nil {
		return err
	}
	s, _ := t.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{}
		for i := range s.ones {
			s.ones[i] = 1
		}
	}
	defer t.scratch.Put(s)
	n, width := len(ids), padded(c.Hidden)
	grow(&s.x, n*width)
	grow(&s.y, n*width)
	grow(&s.wide, n*padded(max(3*c.Hidden, c.Intermediate)))
	t.embed(s.x, ids, width)
	for i := range t.layers {
		t.layers[i].forward(s, n, c)
	}
	return use(s.x, n, width)
}

// embed sums word, position and type embeddings of each id into the rows of x.
func (t *Transformer) embed(x []float32, ids []int32, width int) {
	h := t.config.Hidden
	for i, id := range ids {
		row := x[i*width : i*width+h]
		copy(row, t.types)
		t.words.add(row, int(id))
		t.positions.add(row, i)
		t.norm.apply(row, t.config.Epsilon)
	}
}

// forward replaces the n rows of s.x by the layer's output.
func (l *layer) forward(s *scratch, n int, c *Config) {
	h, width := c.Hidden, padded(c.Hidden)
	wide := padded(3 * h)
	l.attention.apply(s.wide, wide, s.x, width, n)
	s.attend(n, h, c.Heads, wide, width)
	l.attentionOut.apply(s.wide, width, s.y, width, n)
	addNorm(s.x, s.wide, n, h, width, &l.attentionNorm, c.Epsilon)

	wide = padded(c.Intermediate)
	l.up.apply(s.wide, wide, s.x, width, n)
	c.Activation.apply(s.wide[:n*wide])
	l.down.apply(s.y, width, s.wide, wide, n)
	addNorm(s.x, s.y, n, h, width, &l.outputNorm, c.Epsilon)
}

// attend writes softmax(q·kᵀ/√head)·v of each head to the rows of s.y. A row of s.wide has q, k and v side by side;
// wide is the distance between rows.
func (s *scratch) attend(n, h, heads, wide, width int) {
	head := h / heads
	across, deep := padded(n), padded(head)
	grow(&s.keys, across*head)
	grow(&s.values, deep*n)
	grow(&s.weights, n*across)
	grow(&s.mixed, n*deep)
	clear(s.keys)
	clear(s.values)
	var scale [panelWidth]float32
	for i := range scale {
		scale[i] = float32(1 / math.Sqrt(float64(head)))
	}
	for a := range heads {
		q := s.wide[a*head:]
		for t := range n {
			row := s.wide[t*wide : t*wide+3*h]
			keys := s.keys[t/panelWidth*head*panelWidth+t%panelWidth:]
			for i, v := range row[h+a*head : h+a*head+head] {
				keys[i*panelWidth] = v
			}
			for i, v := range row[2*h+a*head : 2*h+a*head+head] {
				s.values[(i/panelWidth*n+t)*panelWidth+i%panelWidth] = v
			}
		}
		for p := 0; p < across; p += panelWidth {
			multiply(s.weights[p:], across, q, wide, n, head, s.keys[p*head:(p+panelWidth)*head], &scale, &s.zeros)
		}
		for t := range n {
			softmax(s.weights[t*across : t*across+n])
		}
		for p := 0; p < deep; p += panelWidth {
			multiply(s.mixed[p:], deep, s.weights, across, n, n, s.values[p*n:(p+panelWidth)*n], &s.ones, &s.zeros)
		}
		for t := range n {
			copy(s.y[t*width+a*head:t*width+a*head+head], s.mixed[t*deep:])
		}
	}
}

// softmax replaces x by exp(x) over their sum. The largest value is subtracted first, so that nothing overflows.
//
// A difference below -87 counts as -87, exp of which is close to the smallest normal number: between there and about
// -103, where the result would be subnormal, vek32.Exp (0.4.3, AVX2) gives large negative numbers.
func softmax(x []float32) {
	vek32.SubNumber_Inplace(x, vek32.Max(x))
	vek32.MaximumNumber_Inplace(x, -87)
	vek32.Exp_Inplace(x)
	vek32.DivNumber_Inplace(x, vek32.Sum(x))
}

// addNorm replaces each row of x by the layer norm of x + y.
func addNorm(x, y []float32, n, h, width int, norm *layerNorm, epsilon float32) {
	for t := range n {
		row := x[t*width : t*width+h]
		vek32.Add_Inplace(row, y[t*width:t*width+h])
		norm.apply(row, epsilon)
	}
}

// apply is layer normalisation (Ba et al. 2016): (x - mean) / √(variance + ε) · weight + bias.
func (l *layerNorm) apply(x []float32, epsilon float32) {
	n := float32(len(x))
	vek32.SubNumber_Inplace(x, vek32.Sum(x)/n)
	variance := vek32.Dot(x, x) / n
	vek32.MulNumber_Inplace(x, float32(1/math.Sqrt(float64(variance)+float64(epsilon))))
	vek32.Mul_Inplace(x, l.weight)
	vek32.Add_Inplace(x, l.bias)
}

// pool makes one vector of the rows of x.
func pool(dst, x []float32, n, width int, pooling Pooling) {
	copy(dst, x[:len(dst)])
	if pooling == PoolCLS {
		return
	}
	for t := 1; t < n; t++ {
		if pooling == PoolMax {
			vek32.Maximum_Inplace(dst, x[t*width:t*width+len(dst)])
			continue
		}
		vek32.Add_Inplace(dst, x[t*width:t*width+len(dst)])
	}
}

// unit divides x by its length. The length is no positive number if x is all zeros or a weight is no number.
func unit(x []float32) error {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v) // exact, so that no processor has other bits
	}
	length := math.Sqrt(sum)
	if !(length > 0) || math.IsInf(length, 0) {
		clear(x)
		return corrupt("weights", "a vector of length %g", length)
	}
	vek32.MulNumber_Inplace(x, float32(1/length))
	return nil
}
