package onnx

import (
	"encoding/binary"
	"io"
	"math"
	"strconv"
)

// InputName and OutputName are the graph's only input (int32 [texts, n], special tokens included) and output (float32
// [texts, dim]).
const (
	InputName  = "ids"
	OutputName = "embedding"
)

// Write writes the encoder as an ONNX model in the given form and returns its size in bytes. Metadata is stored as
// key-value pairs, in the order given.
//
// Cost: reads each tensor once; memory of about twice the largest tensor.
func Write(w io.Writer, c Config, weights Weights, form Form, metadata ...[2]string) (int64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	b := &builder{c: c, weights: weights, form: form}
	b.embeddings()
	for i := range c.Layers {
		b.layer(i)
	}
	b.head()
	m := &model{
		opsets:   []opset{{"", 17}},
		metadata: metadata,
		graph: graph{
			name:    "bert-" + form.String(),
			nodes:   b.nodes,
			inits:   b.inits,
			inputs:  [][]byte{valueInfo(InputName, typeInt32, dim{name: "texts"}, dim{name: "n"})},
			outputs: [][]byte{valueInfo(OutputName, typeFloat, dim{name: "texts"}, dim{size: int64(c.Dim())})},
		},
	}
	if form != Plain {
		m.opsets = append(m.opsets, opset{contrib, 1})
	}
	return m.writeTo(w)
}

// contrib is the domain of ONNX Runtime's contributed operators.
const contrib = "com.microsoft"

// builder collects the nodes and tensors of a graph. x is the value that the next node reads.
type builder struct {
	c       Config
	weights Weights
	form    Form
	nodes   []node
	inits   []initializer
	x       string
}

// op adds a node of the standard set with one output and returns that.
func (b *builder) op(op, out string, inputs []string, attrs ...attribute) string {
	b.nodes = append(b.nodes, node{op: op, inputs: inputs, outputs: []string{out}, attrs: attrs})
	return out
}

// fused adds a contributed node with one output and returns that.
func (b *builder) fused(op, out string, inputs []string, attrs ...attribute) string {
	b.nodes = append(b.nodes, node{op: op, domain: contrib, inputs: inputs, outputs: []string{out}, attrs: attrs})
	return out
}

// floats adds a float32 tensor whose values come from make when the file is written.
func (b *builder) floats(name string, values func() ([]float32, error), shape ...int) string {
	t := initializer{name: name, elem: typeFloat, size: 4}
	for _, d := range shape {
		t.shape = append(t.shape, int64(d))
		t.size *= d
	}
	t.data = func(dst []byte) ([]byte, error) {
		v, err := values()
		for _, f := range v {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(f))
		}
		return dst, err
	}
	b.inits = append(b.inits, t)
	return name
}

// ints adds a small int64 vector.
func (b *builder) ints(name string, values ...int64) string {
	b.inits = append(b.inits, initializer{name: name, elem: typeInt64, shape: []int64{int64(len(values))},
		size: 8 * len(values), data: func(dst []byte) ([]byte, error) {
			for _, v := range values {
				dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
			}
			return dst, nil
		}})
	return name
}

// stored adds a tensor as the weights have it.
func (b *builder) stored(name string, shape ...int) string {
	return b.floats(name, func() ([]float32, error) { return b.weights.Tensor(name, shape...) }, shape...)
}

// epsilon is the attribute that all layer norms have.
func (b *builder) epsilon() attribute { return floatAttr("epsilon", b.c.Epsilon) }

// embeddings adds word, position and type embeddings and their LayerNorm.
func (b *builder) embeddings() {
	const p = "embeddings."
	h := b.c.Hidden
	// Row 0 of the type embeddings goes into the positions: a single text has no other type.
	positions := b.floats(p+"positions", func() ([]float32, error) {
		v, err := b.weights.Tensor(p+"token_type_embeddings.weight", b.c.Types, h)
		if err != nil {
			return nil, err
		}
		first := append([]float32(nil), v[:h]...)
		v, err = b.weights.Tensor(p+"position_embeddings.weight", b.c.Offset+b.c.Positions, h)
		if err != nil {
			return nil, err
		}
		v = v[b.c.Offset*h:]
		sum := make([]float32, len(v))
		for i := range v {
			sum[i] = v[i] + first[i%h]
		}
		return sum, nil
	}, b.c.Positions, h)
	gamma, beta := b.stored(p+"LayerNorm.weight", h), b.stored(p+"LayerNorm.bias", h)

	if b.form == Fused {
		words := b.stored(p+"word_embeddings.weight", b.c.Vocab, h)
		b.x = p + "out"
		b.nodes = append(b.nodes, node{op: "EmbedLayerNormalization", domain: contrib,
			inputs:  []string{InputName, "", words, positions, "", gamma, beta},
			outputs: []string{b.x, p + "mask"}, attrs: []attribute{b.epsilon()}})
		return
	}
	n := b.op("Shape", p+"n", []string{InputName}, intAttr("start", 1), intAttr("end", 2))
	pos := b.op("Slice", p+"position", []string{positions, b.ints(p+"zero", 0), n, b.ints(p+"axis", 0)})
	words := b.op("Gather", p+"word", []string{b.stored(p+"word_embeddings.weight", b.c.Vocab, h), InputName})
	b.x = b.residual(p+"out", words, pos, gamma, beta, "")
}

// layer adds one transformer layer.
func (b *builder) layer(i int) {
	p := "encoder.layer." + strconv.Itoa(i) + "."
	h, inner := b.c.Hidden, b.c.Inner
	att := p + "attention.output."
	ctx := b.attention(p + "attention.")
	y := b.dense(att+"dense.", ctx, h, h)
	y = b.residual(att+"out", y, b.x, b.stored(att+"LayerNorm.weight", h), b.stored(att+"LayerNorm.bias", h), b.bias(att+"dense.bias", h))
	mid := b.activation(p+"intermediate.", b.dense(p+"intermediate.dense.", y, h, inner), inner)
	out := p + "output."
	z := b.dense(out+"dense.", mid, inner, h)
	b.x = b.residual(out+"out", z, y, b.stored(out+"LayerNorm.weight", h), b.stored(out+"LayerNorm.bias", h), b.bias(out+"dense.bias", h))
}

// attention adds the self-attention of b.x and returns its context, before the output projection. The projections to
// query, key and value are one matrix of width 3·hidden.
func (b *builder) attention(p string) string {
	h, heads := b.c.Hidden, b.c.Heads
	bias := b.floats(p+"qkv.bias", func() ([]float32, error) {
		var all []float32
		for _, part := range []string{"query", "key", "value"} {
			v, err := b.weights.Tensor(p+"self."+part+".bias", h)
			if err != nil {
				return nil, err
			}
			all = append(all, v...)
		}
		return all, nil
	}, 3*h)
	weight := b.floats(p+"qkv.weight", func() ([]float32, error) { return b.qkv(p) }, h, 3*h)
	if b.form == Fused {
		return b.fused("Attention", p+"context", []string{b.x, weight, bias}, intAttr("num_heads", int64(heads)))
	}
	qkv := b.op("Add", p+"qkv", []string{b.op("MatMul", p+"qkv.product", []string{b.x, weight}), bias})
	b.nodes = append(b.nodes, node{op: "Split", inputs: []string{qkv}, outputs: []string{p + "q", p + "k", p + "v"},
		attrs: []attribute{intAttr("axis", -1)}})
	size := int64(h / heads)
	split := b.ints(p+"split", 0, -1, int64(heads), size)
	turned := func(name string, perm ...int64) string {
		r := b.op("Reshape", p+name+".rows", []string{p + name, split})
		return b.op("Transpose", p+name+".heads", []string{r}, intsAttr("perm", perm...))
	}
	scores := b.op("MatMul", p+"product", []string{turned("q", 0, 2, 1, 3), turned("k", 0, 2, 3, 1)})
	scale := b.floats(p+"scale", func() ([]float32, error) {
		return []float32{float32(1 / math.Sqrt(float64(size)))}, nil
	}, 1)
	scores = b.op("Softmax", p+"scores", []string{b.op("Mul", p+"scaled", []string{scores, scale})}, intAttr("axis", -1))
	ctx := b.op("MatMul", p+"mixed", []string{scores, turned("v", 0, 2, 1, 3)})
	ctx = b.op("Transpose", p+"mixed.rows", []string{ctx}, intsAttr("perm", 0, 2, 1, 3))
	return b.op("Reshape", p+"context", []string{ctx, b.ints(p+"join", 0, -1, int64(h))})
}

// qkv returns the three projections of an attention as one [hidden, 3·hidden] matrix.
func (b *builder) qkv(p string) ([]float32, error) {
	h := b.c.Hidden
	all := make([]float32, 3*h*h)
	for j, part := range []string{"query", "key", "value"} {
		v, err := b.weights.Tensor(p+"self."+part+".weight", h, h)
		if err != nil {
			return nil, err
		}
		transpose(all[j*h:], 3*h, v, h, h)
	}
	return all, nil
}

// transpose writes m [rows, cols] to dst [cols, stride], turned.
func transpose(dst []float32, stride int, m []float32, rows, cols int) {
	for r := range rows {
		for c := range cols {
			dst[c*stride+r] = m[r*cols+c]
		}
	}
}

// matrix returns a stored [out, in] weight as [in, out], which is what MatMul wants on its right.
func (b *builder) matrix(name string, in, out int) ([]float32, error) {
	v, err := b.weights.Tensor(name, out, in)
	if err != nil {
		return nil, err
	}
	t := make([]float32, in*out)
	transpose(t, out, v, out, in)
	return t, nil
}

// dense adds x·W without the bias, which goes into the node that follows.
func (b *builder) dense(p, x string, in, out int) string {
	w := b.floats(p+"weight", func() ([]float32, error) { return b.matrix(p+"weight", in, out) }, in, out)
	return b.op("MatMul", p+"product", []string{x, w})
}

// bias names a stored bias.
func (b *builder) bias(name string, n int) string { return b.stored(name, n) }

// residual adds LayerNorm(x + bias + skip); bias may be "". The parts stay apart in all forms: the contributed
// operator for them takes five times as long, since it adds up in plain loops.
func (b *builder) residual(out, x, skip, gamma, beta, bias string) string {
	if bias != "" {
		x = b.op("Add", out+".biased", []string{x, bias})
	}
	sum := b.op("Add", out+".sum", []string{x, skip})
	return b.op("LayerNormalization", out, []string{sum, gamma, beta}, b.epsilon(), intAttr("axis", -1))
}

// activation adds f(x + bias). GELU is x/2 · (1 + erf(x/√2)), or x/2 · (1 + tanh(√(2/π) · (x + 0.044715·x³))).
func (b *builder) activation(p, x string, n int) string {
	bias := b.bias(p+"dense.bias", n)
	switch f := b.c.Activation; {
	case f == ReLU:
		return b.op("Relu", p+"out", []string{b.op("Add", p+"biased", []string{x, bias})})
	case f == GELUTanh && b.form != Plain:
		return b.fused("FastGelu", p+"out", []string{x, bias})
	case b.form != Plain:
		return b.fused("BiasGelu", p+"out", []string{x, bias})
	}
	constant := func(name string, v float32) string {
		return b.floats(p+name, func() ([]float32, error) { return []float32{v}, nil }, 1)
	}
	x = b.op("Add", p+"biased", []string{x, bias})
	var e string
	if b.c.Activation == GELUTanh {
		cube := b.op("Mul", p+"cube", []string{b.op("Mul", p+"square", []string{x, x}), x})
		sum := b.op("Add", p+"sum", []string{x, b.op("Mul", p+"part", []string{cube, constant("cubic", 0.044715)})})
		e = b.op("Tanh", p+"tanh", []string{b.op("Mul", p+"scaled", []string{sum, constant("root2pi", float32(math.Sqrt(2/math.Pi)))})})
	} else {
		e = b.op("Erf", p+"erf", []string{b.op("Div", p+"scaled", []string{x, constant("root2", math.Sqrt2)})})
	}
	e = b.op("Add", p+"erf1", []string{e, constant("one", 1)})
	return b.op("Mul", p+"out", []string{b.op("Mul", p+"gated", []string{x, e}), constant("half", .5)})
}

// head adds pooling, dense modules and normalisation.
func (b *builder) head() {
	pooled := OutputName
	if b.c.Normalize || len(b.c.Dense) > 0 {
		pooled = "pooled"
	}
	switch b.c.Pooling {
	case CLS:
		row := b.op("Gather", "first", []string{b.x, b.ints("first.index", 0)}, intAttr("axis", 1))
		b.op("Reshape", pooled, []string{row, b.ints("pooled.shape", -1, int64(b.c.Hidden))})
	case Max:
		b.op("ReduceMax", pooled, []string{b.x}, intsAttr("axes", 1), intAttr("keepdims", 0))
	default:
		b.op("ReduceMean", pooled, []string{b.x}, intsAttr("axes", 1), intAttr("keepdims", 0))
	}
	width := b.c.Hidden
	for i, d := range b.c.Dense {
		in := width
		p, last := DenseName(i), i == len(b.c.Dense)-1 && !b.c.Normalize
		name := func(end bool, part string) string {
			if last && end {
				return OutputName
			}
			return p + part
		}
		w := b.floats(p+".weight", func() ([]float32, error) { return b.matrix(p+".weight", in, d.Out) }, in, d.Out)
		pooled = b.op("MatMul", name(!d.Bias && !d.Tanh, ".product"), []string{pooled, w})
		if d.Bias {
			pooled = b.op("Add", name(!d.Tanh, ".biased"), []string{pooled, b.bias(p+".bias", d.Out)})
		}
		if d.Tanh {
			pooled = b.op("Tanh", name(true, ".out"), []string{pooled})
		}
		width = d.Out
	}
	if b.c.Normalize {
		b.op("LpNormalization", OutputName, []string{pooled}, intAttr("axis", -1), intAttr("p", 2))
	}
}
