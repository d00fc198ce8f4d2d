package encoder

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// maxTensorHeader bounds the JSON at the start of a safetensors file. BERT's is 10 KB.
const maxTensorHeader = 64 << 20

// Tensors is a view over a safetensors file: an 8-byte little-endian length, as much JSON that names each tensor's
// type, shape and place, then their bytes.
type Tensors struct {
	data    []byte
	entries map[string]tensorEntry
}

type tensorEntry struct {
	DType   string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`
}

// tensorSizes is the size of an element of each type in bytes. It has types that Float32 refuses, since files may hold
// them.
var tensorSizes = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8,
}

// OpenTensors reads the header of a safetensors file and checks that its tensors cover the rest, without gap or overlap
// and each as long as its shape says. It aliases b.
func OpenTensors(b []byte) (*Tensors, error) {
	const what = "safetensors"
	if len(b) < 8 {
		return nil, corrupt(what, "%d bytes, want a header length of 8", len(b))
	}
	if head := strings.ToLower(string(b[:min(len(b), 64)])); strings.HasPrefix(head, "<!doctype") ||
		strings.HasPrefix(head, "<html") {
		return nil, corrupt(what, "a web page; was the file downloaded behind a login or proxy?")
	}
	if strings.HasPrefix(string(b), "version https://git-lfs") {
		return nil, corrupt(what, "a Git LFS pointer, not the weights; fetch them with git lfs pull")
	}
	size := binary.LittleEndian.Uint64(b)
	if size > maxTensorHeader {
		return nil, corrupt(what, "a header of %d bytes, want at most %d", size, maxTensorHeader)
	}
	if size > uint64(len(b)-8) {
		return nil, corrupt(what, "a header of %d bytes in a file of %d", size, len(b))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+size], &raw); err != nil {
		return nil, corrupt(what, "header: %v", err)
	}
	t := &Tensors{data: b[8+size:], entries: make(map[string]tensorEntry, len(raw))}
	delete(raw, "__metadata__")
	names := make([]string, 0, len(raw))
	for name := range raw {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var e tensorEntry
		if err := json.Unmarshal(raw[name], &e); err != nil {
			return nil, corrupt(what, "tensor %q: %v", name, err)
		}
		if err := e.check(uint64(len(t.data))); err != nil {
			return nil, corrupt(what, "tensor %q: %v", name, err)
		}
		t.entries[name] = e
	}
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := t.entries[a].Offsets, t.entries[b].Offsets
		if x[0] != y[0] {
			return int(min(x[0], math.MaxInt)) - int(min(y[0], math.MaxInt))
		}
		return int(min(x[1], math.MaxInt)) - int(min(y[1], math.MaxInt))
	})
	var end uint64
	for _, name := range names {
		if e := t.entries[name]; e.Offsets[0] != end {
			return nil, corrupt(what, "tensor %q starts at byte %d, the one before it ends at %d",
				name, e.Offsets[0], end)
		}
		end = t.entries[name].Offsets[1]
	}
	if end != uint64(len(t.data)) {
		return nil, corrupt(what, "%d bytes of tensors, the header says %d; was the download cut?", len(t.data), end)
	}
	return t, nil
}

func (e *tensorEntry) check(dataBytes uint64) error {
	if len(e.Offsets) != 2 || e.Offsets[0] > e.Offsets[1] {
		return fmt.Errorf("data_offsets %v, want a start and an end", e.Offsets)
	}
	if e.Offsets[1] > dataBytes {
		return fmt.Errorf("ends at byte %d of %d; was the download cut?", e.Offsets[1], dataBytes)
	}
	n, known := tensorSizes[e.DType]
	if !known {
		return nil // of unknown size; Float32 refuses it
	}
	for _, d := range e.Shape {
		if d != 0 && n > math.MaxInt64/d {
			return fmt.Errorf("shape %v is larger than memory", e.Shape)
		}
		n *= d
	}
	if got := e.Offsets[1] - e.Offsets[0]; got != n {
		return fmt.Errorf("%d bytes, %s%v has %d", got, e.DType, e.Shape, n)
	}
	return nil
}

// Names returns the names of all tensors, sorted.
func (t *Tensors) Names() []string {
	names := make([]string, 0, len(t.entries))
	for name := range t.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Shape returns a tensor's dimensions, and false if there is no such tensor.
func (t *Tensors) Shape(name string) ([]int, bool) {
	e, ok := t.entries[name]
	if !ok {
		return nil, false
	}
	shape := make([]int, len(e.Shape))
	for i, d := range e.Shape {
		shape[i] = int(min(d, math.MaxInt))
	}
	return shape, true
}

// EncoderPrefix returns the prefix of the encoder's tensor names: "", or the encoder's name in the file of a model that
// has a head as well.
func (t *Tensors) EncoderPrefix() string {
	for _, prefix := range []string{"", "bert.", "roberta."} {
		if _, ok := t.entries[prefix+"embeddings.word_embeddings.weight"]; ok {
			return prefix
		}
	}
	return ""
}

// Float32 returns a copy of a tensor of type F32, F16 or BF16 as float32, row-major. A tensor that is missing, or of
// another type or shape, is an [ErrModel] that names it, what it is and what was wanted.
func (t *Tensors) Float32(name string, shape ...int) ([]float32, error) {
	e, ok := t.entries[name]
	if !ok {
		return nil, unsupported("tensor "+name, "missing, want float %v", shape)
	}
	got, _ := t.Shape(name)
	if !slices.Equal(got, shape) {
		return nil, unsupported("tensor "+name, "shape %v, want %v", got, shape)
	}
	b := t.data[e.Offsets[0]:e.Offsets[1]]
	switch e.DType {
	case "F32":
		dst := make([]float32, len(b)/4)
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return dst, nil
	case "BF16":
		dst := make([]float32, len(b)/2)
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		}
		return dst, nil
	case "F16":
		dst := make([]float32, len(b)/2)
		for i := range dst {
			dst[i] = halfToFloat(binary.LittleEndian.Uint16(b[2*i:]))
		}
		return dst, nil
	}
	return nil, unsupported("tensor "+name, "type %s, want F32, F16 or BF16", e.DType)
}

// halfToFloat widens an IEEE 754 binary16.
func halfToFloat(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0:
		v := float32(frac) / (1 << 24) // subnormal: exact in float32
		return math.Float32frombits(sign | math.Float32bits(v))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
