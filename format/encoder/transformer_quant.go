package encoder

import (
	"encoding/binary"
	"math"
)

// An int8 transformer's bytes are a header and the tensors in a fixed order; integers and floats are little-endian.
// Each tensor starts at a multiple of 64 from the start, with zeros before it where needed. H is hidden, P(n) is n
// rounded up to a multiple of 16.
//
//	offset  size  name
//	0       4     kind           2: BERT, int8 rows
//	4       4     hidden
//	8       4     layers
//	12      4     heads
//	16      4     intermediate
//	20      4     vocab
//	24      4     positions
//	28      4     pooling        0 mean, 1 [CLS], 2 max
//	32      4     epsilon        float32
//	36      4     activation     0 GELU by erf, 1 GELU by tanh, 2 ReLU
//	40      4     dimensions     that are kept of a vector; 0 for all
//	44      1     dense          modules after the pooling, 0 to 4
//	45      1     tanh           bit i is set if module i ends with tanh
//	46      2     zero
//	48      16    widths         uint32 [4]: numbers that each module gives, 0 where there is none
//
// Positions are those of a text: rows before the first one's, which RoBERTa has, are left out.
//
// Tensors:
//
//	word scales      float32 [vocab]
//	words            int8 [vocab, H]
//	position scales  float32 [positions]
//	positions        int8 [positions, H]
//	type             float32 [H], of token type 0
//	norm             float32 [2, H]: weight, bias
//	then of each layer
//	  query, key and value as one matrix [3·H, H]
//	  attention norm after its output matrix [H, H]
//	  feed-forward matrices [intermediate, H] and [H, intermediate], and the output norm
//	then of each dense module
//	  its matrix [width, width before]
//
// A matrix [out, in] is three tensors: float32 scales [P(out)], float32 biases [P(out)], and int8 weights in panels of
// 16 outputs [P(out)/16, in, 16]; the weight of output o for input k is scale[o] · byte[(o/16·in + k)·16 + o%16]. In a
// panel 16 weights of one input lie side by side, so the product kernel reads the file's bytes as they are.
//
// A row's scale is its largest magnitude over 127, its bytes round(weight / scale), ties to even.
const (
	quantKind   = 2
	quantHeader = 64
	quantAlign  = 64
)

// AppendQuantized appends the encoder with its matrices and embeddings as int8, for [OpenQuantized]. It is
// deterministic.
func AppendQuantized(dst []byte, t *Transformer) []byte {
	w := quantWriter{b: dst, start: len(dst)}
	c := t.config
	for _, u := range []int{quantKind, c.Hidden, c.Layers, c.Heads, c.Intermediate, c.Vocab, c.Positions,
		int(t.pooling)} {
		w.b = binary.LittleEndian.AppendUint32(w.b, uint32(u))
	}
	w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(c.Epsilon))
	w.b = binary.LittleEndian.AppendUint32(w.b, uint32(c.Activation))
	w.b = t.appendHead(w.b)
	w.rows(&t.words, c.Vocab)
	w.rows(&t.positions, c.Positions)
	w.floats(t.types)
	w.floats(t.norm.weight, t.norm.bias)
	for i := range t.layers {
		l := &t.layers[i]
		w.matrix(l.attention)
		w.matrix(l.attentionOut)
		w.floats(l.attentionNorm.weight, l.attentionNorm.bias)
		w.matrix(l.up)
		w.matrix(l.down)
		w.floats(l.outputNorm.weight, l.outputNorm.bias)
	}
	for _, d := range t.dense {
		w.matrix(d.matrix)
	}
	return w.b
}

type quantWriter struct {
	b     []byte
	start int
}

func (w *quantWriter) align() {
	for (len(w.b)-w.start)%quantAlign != 0 {
		w.b = append(w.b, 0)
	}
}

func (w *quantWriter) floats(parts ...[]float32) {
	w.align()
	for _, p := range parts {
		for _, v := range p {
			w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(v))
		}
	}
}

func (w *quantWriter) rows(r *rows, n int) {
	if r.i8 != nil {
		w.align()
		w.b = append(w.b, r.scales...)
		w.align()
		w.b = append(w.b, r.i8...)
		return
	}
	scales, quants := make([]float32, n), make([]byte, n*r.width)
	for i := range n {
		scales[i] = quantizeRow(quants[i*r.width:], 1, r.f32[i*r.width:(i+1)*r.width])
	}
	w.floats(scales)
	w.align()
	w.b = append(w.b, quants...)
}

func (w *quantWriter) matrix(m *matrix) {
	scale, quants := m.scale, m.i8
	if quants == nil {
		scale, quants = make([]float32, padded(m.out)), make([]byte, padded(m.out)*m.in)
		for o := range m.out {
			scale[o] = quantizeRow(quants[o/panelWidth*m.in*panelWidth+o%panelWidth:], panelWidth, m.row(o))
		}
	}
	w.floats(scale)
	w.floats(m.bias)
	w.align()
	w.b = append(w.b, quants...)
}

// OpenQuantized returns an encoder over the bytes that [AppendQuantized] wrote. It aliases b: b must not change while
// the encoder is in use. Damaged weights give wrong vectors or an error from Embed, nothing worse.
//
// Cost: biases, norms and scales of matrices are copied, 0.2 MB for all-MiniLM-L6-v2; the rest is read when used.
func OpenQuantized(b []byte) (*Transformer, error) {
	const what = "int8 transformer"
	if len(b) < quantHeader {
		return nil, corrupt(what, "%d bytes, want a header of %d", len(b), quantHeader)
	}
	u32 := func(i int) int { return int(min(binary.LittleEndian.Uint32(b[4*i:]), math.MaxInt32)) }
	if k := u32(0); k != quantKind {
		return nil, corrupt(what, "kind %d, want %d (BERT, int8 rows)", k, quantKind)
	}
	c := Config{
		Hidden: u32(1), Layers: u32(2), Heads: u32(3), Intermediate: u32(4), Vocab: u32(5), Positions: u32(6), Types: 1,
		Epsilon: float32At(b, 8), Activation: Activation(u32(9)),
	}
	if err := c.check(corrupt); err != nil {
		return nil, err
	}
	pooling := Pooling(u32(7))
	if pooling >= poolings {
		return nil, corrupt(what, "pooling %d, want 0 to %d", pooling, poolings-1)
	}
	dense, err := readHead(b)
	if err != nil {
		return nil, err
	}
	if want := quantBytes(&c, dense); want != int64(len(b)) {
		return nil, corrupt(what, "%d bytes, its header says %d", len(b), want)
	}
	r := quantReader{b: b, at: quantHeader}
	t := &Transformer{config: c, pooling: pooling}
	h := c.Hidden
	t.words = rows{width: h, scales: r.bytes(4 * c.Vocab), i8: r.bytes(c.Vocab * h)}
	t.positions = rows{width: h, scales: r.bytes(4 * c.Positions), i8: r.bytes(c.Positions * h)}
	t.types = r.floats(h)
	t.norm = r.norm(h)
	t.layers = make([]layer, c.Layers)
	for i := range t.layers {
		t.layers[i] = layer{attention: r.matrix(3*h, h), attentionOut: r.matrix(h, h), attentionNorm: r.norm(h)}
		t.layers[i].up, t.layers[i].down = r.matrix(c.Intermediate, h), r.matrix(h, c.Intermediate)
		t.layers[i].outputNorm = r.norm(h)
	}
	in := h
	for i, d := range dense {
		dense[i].matrix = r.matrix(d.matrix.out, in)
		in = d.matrix.out
	}
	if err := t.SetHead(dense, u32(10)); err != nil {
		return nil, corrupt(what, "%v", err)
	}
	return t, nil
}

// quantBytes is the length that the header's dimensions give. Config.check keeps it far below 2^63.
func quantBytes(c *Config, dense []Dense) int64 {
	at := int64(quantHeader)
	add := func(sizes ...int64) {
		for _, s := range sizes {
			at = (at+quantAlign-1)/quantAlign*quantAlign + s
		}
	}
	matrix := func(out, in int) {
		add(4*int64(padded(out)), 4*int64(padded(out)), int64(padded(out))*int64(in))
	}
	h := int64(c.Hidden)
	add(4*int64(c.Vocab), int64(c.Vocab)*h, 4*int64(c.Positions), int64(c.Positions)*h, 4*h, 8*h)
	for range c.Layers {
		matrix(3*c.Hidden, c.Hidden)
		matrix(c.Hidden, c.Hidden)
		add(8 * h)
		matrix(c.Intermediate, c.Hidden)
		matrix(c.Hidden, c.Intermediate)
		add(8 * h)
	}
	in := c.Hidden
	for _, d := range dense {
		matrix(d.matrix.out, in)
		in = d.matrix.out
	}
	return at
}

// quantReader cuts tensors off bytes whose length quantBytes has confirmed.
type quantReader struct {
	b  []byte
	at int
}

func (r *quantReader) bytes(n int) []byte {
	r.at = (r.at + quantAlign - 1) / quantAlign * quantAlign
	part := r.b[r.at : r.at+n : r.at+n]
	r.at += n
	return part
}

func (r *quantReader) floats(n int) []float32 {
	b := r.bytes(4 * n)
	s := make([]float32, n)
	for i := range s {
		s[i] = float32At(b, i)
	}
	return s
}

func (r *quantReader) norm(h int) layerNorm {
	both := r.floats(2 * h)
	return layerNorm{weight: both[:h:h], bias: both[h:]}
}

func (r *quantReader) matrix(out, in int) *matrix {
	m := &matrix{out: out, in: in}
	m.scale = r.floats(padded(out))
	m.bias = r.floats(padded(out))
	m.i8 = r.bytes(padded(out) * in)
	return m
}
