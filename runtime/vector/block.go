package vector

import (
	"encoding/binary"
	"fmt"
	"math"

	"kdd/format"
)

// The blocks of vectors, FORMAT.md §11: a header of 64 bytes, rows in chunk order, and for int8 rows a float32 scale for
// each row after the last one. A row begins on 64 bytes where the dimension is a multiple of 64 (of 16 for float32).
//
//	u32 dim · u32 bytes of a row · u64 rows · 48 zero bytes
const blockHeader = 64

// Quantise returns unit vectors as int8 rows with a scale each: row·scale is within scale/2 of the vector, and scale is
// the row's largest magnitude / 127.
//
// Shapes: vectors [rows, dim] row-major; out [rows, dim] int8 as bytes, scales [rows].
func Quantise(vectors []float32, dim int) (out []byte, scales []float32) {
	rows := len(vectors) / dim
	out, scales = make([]byte, rows*dim), make([]float32, rows)
	for i := range rows {
		v := vectors[i*dim : (i+1)*dim]
		var largest float32
		for _, x := range v {
			largest = max(largest, float32(math.Abs(float64(x))))
		}
		if largest == 0 {
			continue
		}
		scales[i] = largest / 127
		for k, x := range v {
			out[i*dim+k] = byte(int8(math.RoundToEven(float64(x / scales[i]))))
		}
	}
	return out, scales
}

// Dequantise returns what the rows of an artifact stand for: [rows, dim] float32.
func Dequantise(rows []byte, scales []float32, dim int) []float32 {
	out := make([]float32, len(rows))
	for i, s := range scales {
		for k := range dim {
			out[i*dim+k] = float32(int8(rows[i*dim+k])) * s
		}
	}
	return out
}

func appendHeader(dst []byte, dim, rowBytes, rows int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(dim))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(rowBytes))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(rows))
	return append(dst, make([]byte, blockHeader-16)...)
}

// Blocks encodes vectors, [rows, dim] row-major and of unit length, as the blocks of an artifact: int8 rows, their sign
// sketches, and the float32 rows themselves if floats is set.
func Blocks(vectors []float32, dim int, floats bool) []format.RawBlock {
	rows, scales := Quantise(vectors, dim)
	if !floats {
		vectors = nil
	}
	return StoredBlocks(rows, scales, vectors, dim)
}

// StoredBlocks is Blocks of rows that are int8 already; floats may be nil.
func StoredBlocks(rows []byte, scales, floats []float32, dim int) []format.RawBlock {
	n := len(scales)
	data := append(appendHeader(nil, dim, dim, n), rows...)
	for _, s := range scales {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s))
	}
	sketchBytes := (dim + 63) / 64 * 8
	sketches := appendHeader(nil, dim, sketchBytes, n)
	for i := range n {
		sketches = appendSketch(sketches, rows[i*dim:(i+1)*dim], sketchBytes)
	}
	list := []format.RawBlock{
		{Tag: format.TagVectors, Rows: uint64(n), Data: data},
		{Tag: format.TagSketches, Rows: uint64(n), Data: sketches},
	}
	if floats != nil {
		full := appendHeader(nil, dim, 4*dim, n)
		for _, x := range floats {
			full = binary.LittleEndian.AppendUint32(full, math.Float32bits(x))
		}
		list = append(list, format.RawBlock{Tag: format.TagFloats, Rows: uint64(n), Data: full})
	}
	return list
}

// appendSketch adds one bit per dimension: 1 where the value is above zero.
func appendSketch(dst, row []byte, size int) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, size)...)
	for k, b := range row {
		if int8(b) > 0 {
			dst[at+k/8] |= 1 << (k % 8)
		}
	}
	return dst
}

// View reads the vectors of one artifact. It is safe for concurrent use.
type View struct {
	Dim    int
	Rows   int
	rows   *format.Block
	sketch *format.Block
	floats *format.Block
}

// Open returns the vectors of x, or nil if it has none. The error says what does not fit; it runs under format.Guard.
func Open(x *format.Index) (*View, error) {
	b := x.File.Block(format.TagVectors)
	if b == nil {
		return nil, nil
	}
	v := &View{rows: b, sketch: x.File.Block(format.TagSketches), floats: x.File.Block(format.TagFloats)}
	var err error
	if v.Dim, v.Rows, err = shape(b, func(dim int) int { return dim }, 4); err != nil {
		return nil, err
	}
	if v.Rows != x.Chunks() {
		return nil, &format.CorruptError{Block: b.Tag, Offset: -1, Reason: fmt.Sprintf("%d vectors for %d chunks", v.Rows, x.Chunks())}
	}
	for _, other := range []struct {
		block *format.Block
		size  func(dim int) int
	}{{v.sketch, func(dim int) int { return (dim + 63) / 64 * 8 }}, {v.floats, func(dim int) int { return 4 * dim }}} {
		if other.block == nil {
			continue
		}
		dim, rows, err := shape(other.block, other.size, 0)
		if err != nil {
			return nil, err
		}
		if dim != v.Dim || rows != v.Rows {
			return nil, &format.CorruptError{Block: other.block.Tag, Offset: -1, Reason: fmt.Sprintf("%d rows of %d, the vectors are %d rows of %d", rows, dim, v.Rows, v.Dim)}
		}
	}
	return v, nil
}

// maxDim bounds the dimension, so that sums of products of 13-bit and 8-bit values stay below 2^31.
const maxDim = 1024

// shape checks a block's header against its length; tail bytes follow each row at the end.
func shape(b *format.Block, rowBytes func(dim int) int, tail int) (dim, rows int, err error) {
	bad := func(reason string, args ...any) (int, int, error) {
		return 0, 0, &format.CorruptError{Block: b.Tag, Offset: -1, Reason: fmt.Sprintf(reason, args...)}
	}
	if b.Len() < blockHeader {
		return bad("%d bytes, its header has %d", b.Len(), blockHeader)
	}
	h := b.Range(0, blockHeader)
	le := binary.LittleEndian
	d, size, n := le.Uint32(h), le.Uint32(h[4:]), le.Uint64(h[8:])
	if d == 0 || d > maxDim {
		return bad("dimension %d, want 1 to %d", d, maxDim)
	}
	if int(size) != rowBytes(int(d)) {
		return bad("rows of %d bytes for dimension %d, want %d", size, d, rowBytes(int(d)))
	}
	if n > math.MaxUint32 || blockHeader+n*uint64(int(size)+tail) != b.Len() || n != b.Rows {
		return bad("%d rows in %d bytes, the directory says %d", n, b.Len(), b.Rows)
	}
	return int(d), int(n), nil
}

// HasFloats says whether the artifact keeps float32 rows.
func (v *View) HasFloats() bool { return v.floats != nil }

// Stored copies what the artifact holds: int8 rows [Rows, Dim], a scale each, and the float32 rows if they are wanted.
func (v *View) Stored(floats bool) (rows []byte, scales, full []float32) {
	at := blockHeader + uint64(v.Rows)*uint64(v.Dim)
	rows = append([]byte(nil), v.rows.Range(blockHeader, at-blockHeader)...)
	scales = appendFloats(nil, v.rows.Range(at, uint64(v.Rows)*4))
	if floats && v.floats != nil {
		full = appendFloats(nil, v.floats.Range(blockHeader, uint64(v.Rows)*uint64(v.Dim)*4))
	}
	return rows, scales, full
}

func appendFloats(dst []float32, b []byte) []float32 {
	for ; len(b) >= 4; b = b[4:] {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return dst
}
