package onnx

import (
	"encoding/binary"
	"math"
)

// quantized adds a [rows, cols] matrix as int8 with a float32 scale per column (byColumn) or per row: names +".int8"
// and +".scale", value = int8 · scale. Symmetric, so there is no zero point.
func (b *builder) quantized(name string, values func() ([]float32, error), rows, cols int, byColumn bool) (q, scale string) {
	lines, step := rows, cols // what shares a scale: lines of length step …
	if byColumn {
		lines = cols
	}
	line := func(i int) int {
		if byColumn {
			return i % cols
		}
		return i / step
	}
	// Scales are needed twice, for both tensors; they are made once, with the first that is written.
	var cached []float32
	scales := func(v []float32) []float32 {
		if cached != nil {
			return cached
		}
		cached = make([]float32, lines)
		for i, f := range v {
			if a := float32(math.Abs(float64(f))); a > cached[line(i)] {
				cached[line(i)] = a
			}
		}
		for i, s := range cached {
			if s == 0 {
				s = 127 // a line of zeros: any scale will do
			}
			cached[i] = s / 127
		}
		return cached
	}
	q, scale = name+".int8", name+".scale"
	b.inits = append(b.inits, initializer{name: q, elem: typeInt8, shape: []int64{int64(rows), int64(cols)}, size: rows * cols,
		data: func(dst []byte) ([]byte, error) {
			v, err := values()
			if err != nil {
				return dst, err
			}
			s := scales(v)
			for i, f := range v {
				dst = append(dst, byte(int8(math.RoundToEven(float64(f/s[line(i)])))))
			}
			return dst, nil
		}})
	shape := []int64{int64(lines)}
	if !byColumn {
		shape = append(shape, 1)
	}
	b.inits = append(b.inits, initializer{name: scale, elem: typeFloat, shape: shape, size: 4 * lines,
		data: func(dst []byte) ([]byte, error) {
			for _, f := range cached {
				dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(f))
			}
			return dst, nil
		}})
	return q, scale
}

// quantizedRows adds the look-up of the ids in a table of int8 rows.
func (b *builder) quantizedRows(name string) string {
	q, scale := b.quantized(name, func() ([]float32, error) {
		return b.weights.Tensor(name, b.c.Vocab, b.c.Hidden)
	}, b.c.Vocab, b.c.Hidden, false)
	rows := b.op("Cast", name+".rows", []string{b.op("Gather", name+".found", []string{q, InputName})}, intAttr("to", typeFloat))
	return b.op("Mul", name+".scaled", []string{rows, b.op("Gather", name+".scales", []string{scale, InputName})})
}

// quantizedMatMul adds x·W with int8 weights [in, out].
func (b *builder) quantizedMatMul(name, x string, values func() ([]float32, error), in, out int) string {
	q, scale := b.quantized(name, values, in, out, true)
	return b.fused("DynamicQuantizeMatMul", name+".product", []string{x, q, scale})
}

// quantizedAttention adds the self-attention of b.x with int8 projections.
func (b *builder) quantizedAttention(p, bias string) string {
	h := b.c.Hidden
	q, scale := b.quantized(p+"qkv.weight", func() ([]float32, error) { return b.qkv(p) }, h, 3*h, true)
	u8, s, zero := p+"input", p+"input.scale", p+"input.zero"
	b.nodes = append(b.nodes, node{op: "DynamicQuantizeLinear", inputs: []string{b.x}, outputs: []string{u8, s, zero}})
	return b.fused("QAttention", p+"context", []string{u8, q, bias, s, scale, "", zero}, intAttr("num_heads", int64(b.c.Heads)))
}
