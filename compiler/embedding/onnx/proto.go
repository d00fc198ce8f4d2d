package onnx

import (
	"encoding/binary"
	"io"
	"math"
)

// Element types, TensorProto.DataType in onnx.proto.
const (
	typeFloat = 1
	typeInt32 = 6
	typeInt64 = 7
)

// Wire types of the protobuf encoding.
const (
	wireVarint = 0
	wireBytes  = 2
	wireFixed4 = 5
)

// appendTag appends the key of a field.
func appendTag(dst []byte, field, wire int) []byte {
	return binary.AppendUvarint(dst, uint64(field)<<3|uint64(wire))
}

// appendInt appends an integer field. Negative numbers take ten bytes, as int64 fields do.
func appendInt(dst []byte, field int, v int64) []byte {
	return binary.AppendUvarint(appendTag(dst, field, wireVarint), uint64(v))
}

// appendFloat appends a float field.
func appendFloat(dst []byte, field int, v float32) []byte {
	return binary.LittleEndian.AppendUint32(appendTag(dst, field, wireFixed4), math.Float32bits(v))
}

// appendBytes appends a string, bytes or message field.
func appendBytes[T string | []byte](dst []byte, field int, v T) []byte {
	dst = binary.AppendUvarint(appendTag(dst, field, wireBytes), uint64(len(v)))
	return append(dst, v...)
}

// attribute is one AttributeProto. Exactly one of ints, float and integer is meant, by kind.
type attribute struct {
	name  string
	kind  int // AttributeProto.AttributeType
	float float32
	int   int64
	ints  []int64
}

const (
	attributeFloat = 1
	attributeInt   = 2
	attributeInts  = 7
)

func floatAttr(name string, v float32) attribute {
	return attribute{name: name, kind: attributeFloat, float: v}
}

func intAttr(name string, v int64) attribute {
	return attribute{name: name, kind: attributeInt, int: v}
}

func intsAttr(name string, v ...int64) attribute {
	return attribute{name: name, kind: attributeInts, ints: v}
}

// encode returns the bytes of the AttributeProto.
func (a attribute) encode() []byte {
	b := appendBytes(nil, 1, a.name)
	switch a.kind {
	case attributeFloat:
		b = appendFloat(b, 2, a.float)
	case attributeInt:
		b = appendInt(b, 3, a.int)
	case attributeInts:
		for _, v := range a.ints {
			b = appendInt(b, 8, v)
		}
	}
	return appendInt(b, 20, int64(a.kind))
}

// node is one NodeProto.
type node struct {
	op      string
	domain  string // "" is ai.onnx
	inputs  []string
	outputs []string
	attrs   []attribute
}

// encode returns the bytes of the NodeProto. The node is named after its first output.
func (n node) encode() []byte {
	var b []byte
	for _, s := range n.inputs {
		b = appendBytes(b, 1, s)
	}
	for _, s := range n.outputs {
		b = appendBytes(b, 2, s)
	}
	b = appendBytes(b, 3, n.outputs[0])
	b = appendBytes(b, 4, n.op)
	for _, a := range n.attrs {
		b = appendBytes(b, 5, a.encode())
	}
	if n.domain != "" {
		b = appendBytes(b, 7, n.domain)
	}
	return b
}

// dim is one dimension of a declared shape: a size, or a name where it varies.
type dim struct {
	size int64
	name string
}

// valueInfo returns the bytes of the ValueInfoProto of a graph's input or output.
func valueInfo(name string, elem int64, shape ...dim) []byte {
	var dims []byte
	for _, d := range shape {
		var b []byte
		if d.name != "" {
			b = appendBytes(b, 2, d.name)
		} else {
			b = appendInt(b, 1, d.size)
		}
		dims = appendBytes(dims, 1, b)
	}
	tensor := appendBytes(appendInt(nil, 1, elem), 2, dims)
	return appendBytes(appendBytes(nil, 1, name), 2, appendBytes(nil, 1, tensor))
}

// initializer is one TensorProto of the graph. Its data is made when it is written, so that a graph with all its
// weights never lies in memory at once.
type initializer struct {
	name  string
	elem  int64
	shape []int64
	size  int // bytes of data
	// data appends the little-endian bytes of the tensor to dst.
	data func(dst []byte) ([]byte, error)
}

// head returns what comes before the raw data of the TensorProto, that data's key and length included.
func (t initializer) head() []byte {
	var b []byte
	for _, d := range t.shape {
		b = appendInt(b, 1, d)
	}
	b = appendInt(b, 2, t.elem)
	b = appendBytes(b, 8, t.name)
	return binary.AppendUvarint(appendTag(b, 9, wireBytes), uint64(t.size))
}

// graph is one GraphProto.
type graph struct {
	name    string
	nodes   []node
	inits   []initializer
	inputs  [][]byte
	outputs [][]byte
}

// opset is one OperatorSetIdProto.
type opset struct {
	domain  string
	version int64
}

// model is one ModelProto.
type model struct {
	opsets   []opset
	metadata [][2]string
	graph    graph
}

// irVersion goes with the operator sets that the graphs use (ONNX 1.13).
const irVersion = 8

// writeTo writes the model and returns the number of bytes written.
func (m *model) writeTo(w io.Writer) (int64, error) {
	g := &m.graph
	var before []byte
	for _, n := range g.nodes {
		before = appendBytes(before, 1, n.encode())
	}
	before = appendBytes(before, 2, g.name)
	var after []byte
	for _, v := range g.inputs {
		after = appendBytes(after, 11, v)
	}
	for _, v := range g.outputs {
		after = appendBytes(after, 12, v)
	}
	graphSize := uint64(len(before) + len(after))
	keys := make([][]byte, len(g.inits)) // all of each initializer but its data
	for i, t := range g.inits {
		head := t.head()
		key := binary.AppendUvarint(appendTag(nil, 5, wireBytes), uint64(len(head)+t.size))
		keys[i] = append(key, head...)
		graphSize += uint64(len(keys[i]) + t.size)
	}

	top := appendInt(nil, 1, irVersion)
	top = appendBytes(top, 2, "kdd")
	for _, o := range m.opsets {
		b := appendBytes(nil, 1, o.domain)
		top = appendBytes(top, 8, appendInt(b, 2, o.version))
	}
	for _, kv := range m.metadata {
		b := appendBytes(nil, 1, kv[0])
		top = appendBytes(top, 14, appendBytes(b, 2, kv[1]))
	}
	top = binary.AppendUvarint(appendTag(top, 7, wireBytes), graphSize)

	c := &counter{w: w}
	c.Write(top)
	c.Write(before)
	var buf []byte
	for i, t := range g.inits {
		c.Write(keys[i])
		var err error
		if buf, err = t.data(buf[:0]); err != nil {
			return c.n, err
		}
		if len(buf) != t.size {
			panic("onnx: tensor " + t.name + " has another size than it declared")
		}
		c.Write(buf)
		if c.err != nil {
			return c.n, c.err
		}
	}
	c.Write(after)
	return c.n, c.err
}

// counter counts what passes and remembers the first error.
type counter struct {
	w   io.Writer
	n   int64
	err error
}

// Write passes b on unless an earlier write went wrong.
func (c *counter) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.err = err
	return n, err
}
