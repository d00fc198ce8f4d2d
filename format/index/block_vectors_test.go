package index

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kdd/format"
)

// withVectors is a generated content with a unit vector for every chunk.
func withVectors(dim int, floats bool) *Content {
	c := generate(10, 30)
	r := rand.New(rand.NewPCG(1, 1))
	full := make([]float32, len(c.Chunks)*dim)
	for i := range len(c.Chunks) {
		var sum float64
		v := full[i*dim : (i+1)*dim]
		for k := range v {
			v[k] = float32(r.NormFloat64())
			sum += float64(v[k]) * float64(v[k])
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(sum))
		}
	}
	rows, scales := QuantiseRows(full, dim)
	if !floats {
		full = nil
	}
	c.Extra = VectorBlocks(rows, scales, full, dim)
	return c
}

func TestVerifyVectors(t *testing.T) {
	const dim = 48
	data := image(t, withVectors(dim, true))
	if problems, err := verifyBytes(data); err != nil || problems != nil {
		t.Fatalf("Verify = %v, %v, want none", problems, err)
	}
	chunks := open(t, data).Chunks()
	scaleAt := vectorHeader + chunks*dim
	tests := []struct {
		name string
		tag  format.Tag
		edit func(b *format.RawBlock)
		want string
	}{
		{"reserved", TagVectors, func(b *format.RawBlock) { b.Data[20] = 1 }, "reserved"},
		{"dimension", TagVectors, func(b *format.RawBlock) { b.Data[0]++ }, "rows of"},
		{"no dimension", TagVectors, func(b *format.RawBlock) { binary.LittleEndian.PutUint32(b.Data, 0) }, "dimension 0"},
		{"rows", TagVectors, func(b *format.RawBlock) { b.Data[8]++ }, "rows in"},
		{"2^64-1 rows", TagVectors, func(b *format.RawBlock) { binary.LittleEndian.PutUint64(b.Data[8:], 1<<64-1) }, "rows in"},
		{"a scale that is no number", TagVectors, func(b *format.RawBlock) {
			binary.LittleEndian.PutUint32(b.Data[scaleAt:], math.Float32bits(float32(math.NaN())))
		}, "scale NaN"},
		{"an infinite scale", TagVectors, func(b *format.RawBlock) {
			binary.LittleEndian.PutUint32(b.Data[scaleAt:], math.Float32bits(float32(math.Inf(1))))
		}, "scale +Inf"},
		{"a row of small values", TagVectors, func(b *format.RawBlock) { clear(b.Data[vectorHeader : vectorHeader+dim]) }, "want 127"},
		{"-128", TagVectors, func(b *format.RawBlock) { b.Data[vectorHeader+3] = 0x80 }, "up to 128"},
		{"a float of another row", TagFloats, func(b *format.RawBlock) {
			binary.LittleEndian.PutUint32(b.Data[vectorHeader+8:], math.Float32bits(7))
		}, "value 2: 7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verifyTells(t, changed(t, data, tt.tag, tt.edit), tt.tag.String(), tt.want)
		})
	}
}

func TestVerifySketches(t *testing.T) {
	rows, scales := QuantiseRows(make([]float32, 16), 16)
	if len(rows) != 16 || scales[0] != 0 {
		t.Errorf("QuantiseRows of zeros = %d, %v, want zeros", rows, scales)
	}
	data := image(t, withVectors(16, false))
	wrong := changed(t, data, tagSketches, func(b *format.RawBlock) { b.Data[vectorHeader] ^= 1 })
	if problems, err := verifyBytes(wrong); err != nil || len(problems) != 1 || problems[0].Block != "VSKT" || !strings.Contains(problems[0].Text, "signs") {
		t.Errorf("Verify = %v, %v, want a sketch that is wrong", problems, err)
	}
	im, err := format.Lay(slices.DeleteFunc(rawBlocks(t, data), func(b format.RawBlock) bool { return b.Tag == tagSketches }))
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := verifyBytes(written(t, im)); err != nil || len(problems) != 1 || !strings.Contains(problems[0].Text, "missing") {
		t.Errorf("Verify without sketches = %v, %v, want that they are missing", problems, err)
	}
}
