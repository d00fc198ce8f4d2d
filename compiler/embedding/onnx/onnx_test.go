package onnx

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// randomWeights are seeded values of any shape that is asked for.
type randomWeights struct{ missing string }

func (w randomWeights) Tensor(name string, shape ...int) ([]float32, error) {
	if name == w.missing {
		return nil, errors.New(name + ": no such tensor")
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	rng := rand.New(rand.NewPCG(uint64(len(name)), uint64(name[len(name)-1])))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v, nil
}

var small = Config{Vocab: 10, Positions: 8, Types: 2, Hidden: 8, Layers: 1, Heads: 2, Inner: 16, Epsilon: 1e-12, Normalize: true}

func TestWriteIsReadBack(t *testing.T) {
	for _, form := range []Form{Fused, Plain} {
		t.Run(form.String(), func(t *testing.T) {
			var a, b bytes.Buffer
			n, err := Write(&a, small, randomWeights{}, form, [2]string{"name", "small"})
			if err != nil {
				t.Fatal(err)
			}
			if n != int64(a.Len()) {
				t.Errorf("Write = %d, want %d, the bytes written", n, a.Len())
			}
			if _, err := Write(&b, small, randomWeights{}, form, [2]string{"name", "small"}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Error("two writes differ")
			}
			got, err := Inspect(bytes.NewReader(a.Bytes()), n)
			if err != nil {
				t.Fatal(err)
			}
			want := Signature{
				Inputs:  []Port{{InputName, typeInt32, []string{"texts", "n"}}},
				Outputs: []Port{{OutputName, typeFloat, []string{"texts", "8"}}},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Inspect differs (-want +got):\n%s", diff)
			}
		})
	}
}

// The operators of each form, in order: what ONNX Runtime will run.
func TestWriteOperators(t *testing.T) {
	for _, tt := range []struct {
		form Form
		want string
	}{
		{Fused, "EmbedLayerNormalization Attention MatMul Add Add LayerNormalization MatMul BiasGelu MatMul Add Add LayerNormalization ReduceMean LpNormalization"},
		{Plain, "Shape Slice Gather Add LayerNormalization MatMul Add Split Reshape Transpose Reshape Transpose MatMul Mul Softmax" +
			" Reshape Transpose MatMul Transpose Reshape MatMul Add Add LayerNormalization MatMul Add Div Erf Add Mul Mul MatMul Add Add LayerNormalization ReduceMean LpNormalization"},
	} {
		t.Run(tt.form.String(), func(t *testing.T) {
			var buf bytes.Buffer
			if _, err := Write(&buf, small, randomWeights{}, tt.form); err != nil {
				t.Fatal(err)
			}
			r := bytes.NewReader(buf.Bytes())
			var ops []string
			err := fields(r, 0, r.Size(), func(f field) error {
				if f.number != 7 {
					return nil
				}
				return fields(r, f.start, f.end, func(f field) error {
					if f.number != 1 {
						return nil
					}
					return fields(r, f.start, f.end, func(f field) error {
						if f.number != 4 {
							return nil
						}
						op, err := f.text(r)
						ops = append(ops, op)
						return err
					})
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ops, " "); got != tt.want {
				t.Errorf("operators of %v\n got %s\nwant %s", tt.form, got, tt.want)
			}
		})
	}
}

func TestWriteErrors(t *testing.T) {
	with := func(edit func(*Config)) Config {
		c := small
		edit(&c)
		return c
	}
	for _, tt := range []struct {
		name    string
		config  Config
		missing string
		want    string
	}{
		{"no layers", with(func(c *Config) { c.Layers = 0 }), "", "layers 0, want 1 to"},
		{"heads do not divide", with(func(c *Config) { c.Heads = 3 }), "", "hidden size 8 is not a multiple of 3 heads"},
		{"epsilon not a number", with(func(c *Config) { c.Epsilon = float32(math.NaN()) }), "", "layer norm epsilon NaN, want 0 to 1"},
		{"huge vocabulary", with(func(c *Config) { c.Vocab = 1 << 40 }), "", "vocabulary size 1099511627776, want 1 to"},
		{"missing tensor", small, "encoder.layer.0.attention.self.key.bias", "encoder.layer.0.attention.self.key.bias: no such tensor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Write(&bytes.Buffer{}, tt.config, randomWeights{tt.missing}, Fused)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Write = %v, want %s…", err, tt.want)
			}
		})
	}
}

// full is a disk that takes a number of bytes.
type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriteToFullDisk(t *testing.T) {
	for _, left := range []int{0, 10, 2000} {
		if _, err := Write(&full{left}, small, randomWeights{}, Fused); !errors.Is(err, errFull) {
			t.Errorf("Write after %d bytes = %v, want %v", left, err, errFull)
		}
	}
}

func TestInspectErrors(t *testing.T) {
	var buf bytes.Buffer
	if _, err := Write(&buf, small, randomWeights{}, Fused); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "0 graphs"},
		{"a web page", []byte("<!DOCTYPE html><html></html>"), "wire type 4"},
		{"cut", whole[:len(whole)-1], "ends after its message"},
		{"two graphs", append(bytes.Clone(whole), whole...), "2 graphs"},
		{"endless number", bytes.Repeat([]byte{0xff}, 40), "not a field"},
		{"too many fields", bytes.Repeat([]byte{8, 1}, maxReads+1), "more than 1048576 fields"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Inspect(bytes.NewReader(tt.data), int64(len(tt.data)))
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Inspect = %v, want %v with %q", err, ErrCorrupt, tt.want)
			}
		})
	}
}

func FuzzInspect(f *testing.F) {
	for _, form := range []Form{Fused, Plain} {
		var buf bytes.Buffer
		if _, err := Write(&buf, small, randomWeights{}, form); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Add([]byte("<!DOCTYPE html>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Inspect(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("Inspect = %v, want %v", err, ErrCorrupt)
			}
			return
		}
		if len(s.Inputs) == 0 || len(s.Outputs) == 0 {
			t.Errorf("Inspect = %+v, want inputs and outputs", s)
		}
	})
}
