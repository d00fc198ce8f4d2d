package index

import (
	"bytes"
	"encoding/binary"
	"math"

	"kdd/format"
)

// The blocks of vectors, FORMAT.md §11: a header of 64 bytes, rows in chunk order, and for int8 rows a float32 scale
// for each row after the last one. A row begins on 64 bytes where the dimension is a multiple of 64 (of 16 for
// float32).
//
//	u32 dim · u32 bytes of a row · u64 rows · 48 zero bytes
const vectorHeader = 64

func appendVectorHeader(dst []byte, dim, rowBytes, rows int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(dim))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(rowBytes))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(rows))
	return append(dst, make([]byte, vectorHeader-16)...)
}

// ExactRows is how many rows of a file on this machine are compared one by one, without a look at their sketches.
const ExactRows = 32_768

// VectorBlocks encodes vectors as the blocks of an artifact: the int8 rows and scales that QuantiseRows made, sketches
// of their signs, and the float32 rows if floats is not nil.
func VectorBlocks(rows []byte, scales, floats []float32, dim int) []format.RawBlock {
	n := len(scales)
	data := append(appendVectorHeader(nil, dim, dim, n), rows...)
	for _, s := range scales {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s))
	}
	size := sketchBytes(dim)
	sketches := appendVectorHeader(nil, dim, size, n)
	for i := range n {
		sketches = appendSketch(sketches, rows[i*dim:(i+1)*dim], size)
	}
	list := []format.RawBlock{{Tag: TagVectors, Rows: uint64(n), Data: data},
		{Tag: tagSketches, Rows: uint64(n), Data: sketches}}
	list = append(list, clusterBlocks(rows, scales, sketches[vectorHeader:], dim)...)
	if floats != nil {
		full := appendVectorHeader(nil, dim, 4*dim, n)
		for _, x := range floats {
			full = binary.LittleEndian.AppendUint32(full, math.Float32bits(x))
		}
		list = append(list, format.RawBlock{Tag: TagFloats, Rows: uint64(n), Data: full})
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

// Vectors is a view of the vectors of one artifact. It is safe for concurrent use; its methods fail (see Guard) where
// the file's bytes are not what its checksums say.
type Vectors struct {
	Dim    int
	Count  int
	rows   *format.Block
	sketch *format.Block
	floats *format.Block

	clusters       int
	centres, lists *format.Block // of the clusters; nil where there are none
}

// Vectors returns the vectors of x, or nil if it has none. The error says what does not fit. Cost: O(1).
func (x *Index) Vectors() (*Vectors, error) {
	b := x.File.Block(TagVectors)
	if b == nil {
		return nil, nil
	}
	v := &Vectors{rows: b, sketch: x.File.Block(tagSketches), floats: x.File.Block(TagFloats)}
	var err error
	if v.Dim, v.Count, err = vectorShape(b, func(dim int) int { return dim }, 4); err != nil {
		return nil, err
	}
	if v.Count != x.Chunks() {
		return nil, format.Corrupt(b.Tag, "%d vectors for %d chunks", v.Count, x.Chunks())
	}
	for _, other := range []struct {
		block *format.Block
		size  func(dim int) int
	}{{v.sketch, sketchBytes}, {v.floats, func(dim int) int { return 4 * dim }}} {
		if other.block == nil {
			continue
		}
		dim, rows, err := vectorShape(other.block, other.size, 0)
		if err != nil {
			return nil, err
		}
		if dim != v.Dim || rows != v.Count {
			return nil, format.Corrupt(other.block.Tag, "%d rows of %d, the vectors are %d rows of %d",
				rows, dim, v.Count, v.Dim)
		}
	}
	return v, v.openClusters(x)
}

// openClusters checks the shapes of the blocks of clusters.
func (v *Vectors) openClusters(x *Index) error {
	centres, lists := x.File.Block(tagCentroids), x.File.Block(tagClusters)
	if centres == nil || lists == nil || v.sketch == nil {
		return nil
	}
	dim, k, err := vectorShape(centres, func(dim int) int { return dim }, 8)
	if err != nil {
		return err
	}
	listed, rows, err := vectorShape(lists, func(dim int) int { return sketchBytes(dim) + 4 }, 0)
	if err != nil {
		return err
	}
	if dim != v.Dim || listed != v.Dim || rows != v.Count || k == 0 {
		return format.Corrupt(tagClusters, "%d rows of %d in %d clusters of %d, the vectors are %d rows of %d",
			rows, listed, k, dim, v.Count, v.Dim)
	}
	v.clusters, v.centres, v.lists = k, centres, lists
	return nil
}

// Rows returns int8 rows [from, from+n), row-major. The slice aliases the mapping: read it only, and not after Close.
func (v *Vectors) Rows(from, n uint32) []byte {
	return v.rows.Range(vectorHeader+uint64(from)*uint64(v.Dim), uint64(n)*uint64(v.Dim))
}

// Scales returns the scales of rows [from, from+n): little-endian float32. The slice aliases the mapping.
func (v *Vectors) Scales(from, n uint32) []byte {
	return v.rows.Range(vectorHeader+uint64(v.Count)*uint64(v.Dim)+uint64(from)*4, uint64(n)*4)
}

// HasSketches says whether the artifact has a sketch of every row.
func (v *Vectors) HasSketches() bool { return v.sketch != nil }

// Sketches returns the sketches of rows [from, from+n): little-endian words, (Dim+63)/64 each. The slice aliases the
// mapping.
func (v *Vectors) Sketches(from, n uint32) []byte {
	size := uint64(sketchBytes(v.Dim))
	return v.sketch.Range(vectorHeader+uint64(from)*size, uint64(n)*size)
}

// sketchBytes is the size of one sketch.
func sketchBytes(dim int) int { return (dim + 63) / 64 * 8 }

// Spans returns where rows and their scales lie, for File.Fetch.
func (v *Vectors) Spans(rows []uint32) []format.Span {
	spans := make([]format.Span, 0, 2*len(rows))
	scales := vectorHeader + uint64(v.Count)*uint64(v.Dim)
	for _, row := range rows {
		spans = append(spans, format.Span{Block: v.rows, At: vectorHeader + uint64(row)*uint64(v.Dim), N: uint64(v.Dim)},
			format.Span{Block: v.rows, At: scales + uint64(row)*4, N: 4})
	}
	return spans
}

// SketchSpan returns where the sketches of rows [from, to) lie, for File.Fetch.
func (v *Vectors) SketchSpan(from, to uint32) format.Span {
	size := uint64(sketchBytes(v.Dim))
	return format.Span{Block: v.sketch, At: vectorHeader + uint64(from)*size, N: uint64(to-from) * size}
}

// MaxDim bounds the dimension, so that sums of products of 13-bit and 8-bit values stay below 2^31.
const MaxDim = 1024

// vectorShape checks a block's header against its length; tail bytes follow each row at the end.
func vectorShape(b *format.Block, rowBytes func(dim int) int, tail int) (dim, rows int, err error) {
	bad := func(reason string, args ...any) (int, int, error) {
		return 0, 0, format.Corrupt(b.Tag, reason, args...)
	}
	if b.Len() < vectorHeader {
		return bad("%d bytes, its header has %d", b.Len(), vectorHeader)
	}
	h := b.Range(0, vectorHeader)
	le := binary.LittleEndian
	d, size, n := le.Uint32(h), le.Uint32(h[4:]), le.Uint64(h[8:])
	if d == 0 || d > MaxDim {
		return bad("dimension %d, want 1 to %d", d, MaxDim)
	}
	if int(size) != rowBytes(int(d)) {
		return bad("rows of %d bytes for dimension %d, want %d", size, d, rowBytes(int(d)))
	}
	if n > math.MaxUint32 || vectorHeader+n*uint64(int(size)+tail) != b.Len() || n != b.Rows {
		return bad("%d rows in %d bytes, the directory says %d", n, b.Len(), b.Rows)
	}
	return int(d), int(n), nil
}

// HasFloats says whether the artifact keeps float32 rows.
func (v *Vectors) HasFloats() bool { return v.floats != nil }

// Stored copies what the artifact holds: int8 rows [Count, Dim], a scale each, and the float32 rows if they are wanted.
func (v *Vectors) Stored(floats bool) (rows []byte, scales, full []float32) {
	at := vectorHeader + uint64(v.Count)*uint64(v.Dim)
	rows = append([]byte(nil), v.rows.Range(vectorHeader, at-vectorHeader)...)
	scales = appendFloats(nil, v.rows.Range(at, uint64(v.Count)*4))
	if floats && v.floats != nil {
		full = appendFloats(nil, v.floats.Range(vectorHeader, uint64(v.Count)*uint64(v.Dim)*4))
	}
	return rows, scales, full
}

// AppendRow adds the vector of a row to dst: as float32 where the artifact keeps it so, else what its int8 row stands
// for. It fails (see Guard) where a value is no number.
func (v *Vectors) AppendRow(dst []float32, row uint32) []float32 {
	at, tag := len(dst), TagVectors
	if v.floats != nil {
		tag = TagFloats
		dst = appendFloats(dst, v.floats.Range(vectorHeader+uint64(row)*uint64(v.Dim)*4, uint64(v.Dim)*4))
	} else {
		scales := vectorHeader + uint64(v.Count)*uint64(v.Dim)
		scale := appendFloats(nil, v.rows.Range(scales+uint64(row)*4, 4))
		dst = append(dst, DequantiseRows(v.Rows(row, 1), scale, v.Dim)...)
	}
	for _, x := range dst[at:] {
		if x-x != 0 {
			format.Fail(tag, "row %d has the value %g, want numbers", row, x)
		}
	}
	return dst
}

func appendFloats(dst []float32, b []byte) []float32 {
	for ; len(b) >= 4; b = b[4:] {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return dst
}

// vectors checks that scales are numbers and as small as they can be, that sketches are the signs of the rows, that
// int8 rows are the rounded float32 rows, and that reserved bytes are zero.
func (v *verifier) vectors() {
	x := v.x
	view, err := x.Vectors()
	if err != nil {
		v.AddError(TagVectors, err)
		return
	}
	for _, tag := range []format.Tag{TagVectors, tagSketches, TagFloats, tagCentroids, tagClusters} {
		if b := v.File.Block(tag); b != nil &&
			!bytes.Equal(b.Range(16, vectorHeader-16), make([]byte, vectorHeader-16)) {
			v.Add(tag, "reserved bytes are not zero")
		}
	}
	if !view.HasSketches() {
		v.Add(tagSketches, "the block is missing beside the vectors")
	}
	v.clusters(view)
	scales := view.Scales(0, uint32(view.Count))
	for i := range uint32(view.Count) {
		row := view.Rows(i, 1)
		scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[4*i:]))
		var largest int
		for _, b := range row {
			largest = max(largest, int(int8(b)), -int(int8(b)))
		}
		if !(scale >= 0 && scale <= math.MaxFloat32) || largest != 127 && (largest != 0 || scale != 0) {
			v.Add(TagVectors, "row %d has scale %g and values up to %d, want 127", i, scale, largest)
		}
		if view.HasSketches() && !bytes.Equal(appendSketch(nil, row, sketchBytes(view.Dim)), view.Sketches(i, 1)) {
			v.Add(tagSketches, "sketch %d is not of its row's signs", i)
		}
		if view.HasFloats() {
			full := appendFloats(nil, view.floats.Range(vectorHeader+uint64(i)*uint64(view.Dim)*4, uint64(view.Dim)*4))
			for k, f := range full {
				if d := f - float32(int8(row[k]))*scale; !(d <= scale && d >= -scale) {
					v.Add(TagFloats, "row %d, value %d: %g, its int8 row says %g", i, k, f, float32(int8(row[k]))*scale)
					break
				}
			}
		}
	}
}
