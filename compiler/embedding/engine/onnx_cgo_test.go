//go:build cgo

package engine

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"kdd/compiler/embedding/onnx"
)

// needLibrary returns the options that find ONNX Runtime, or skips the test where it is absent.
func needLibrary(tb testing.TB) Options {
	tb.Helper()
	o := Options{Kind: ONNX}
	if _, err := FindLibrary("", ""); err != nil {
		tb.Skipf("ONNX Runtime is absent: %v", err)
	}
	return o
}

// oldLibrary builds a shared library that says it is ONNX Runtime 1.17.0 and has no API as new as is asked for.
func oldLibrary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "old.c")
	code := `
static const void *api(unsigned v) { return 0; }
static const char *version(void) { return "1.17.0"; }
static struct { const void *(*api)(unsigned); const char *(*version)(void); } base = { api, version };
const void *OrtGetApiBase(void) { return &base; }
`
	if err := os.WriteFile(source, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	name, _ := fakeLibrary("1")
	library := filepath.Join(dir, strings.TrimSuffix(name, ".1"))
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, out)
	}
	return library
}

func TestOpenOldLibrary(t *testing.T) {
	_, _, err := Open(Source{ONNX: "none.onnx", Dim: 1, Vocab: 1, MaxIDs: 1}, Options{Library: oldLibrary(t)})
	if !errors.Is(err, ErrLibrary) || !strings.Contains(err.Error(), "this ONNX Runtime is too old") {
		t.Errorf("Open = %v, want %v about its age", err, ErrLibrary)
	}
}

func TestOpenOtherLibrary(t *testing.T) {
	dir := t.TempDir()
	name, data := fakeLibrary("1.31.1")
	if data == nil || goruntime.GOOS != "linux" {
		return // the loader's text is known here only
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := Open(Source{ONNX: "none.onnx", Dim: 1, Vocab: 1, MaxIDs: 1}, Options{Library: path})
	if !errors.Is(err, ErrLibrary) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("Open = %v, want %v that names the file", err, ErrLibrary)
	}
}

// randomWeights are seeded values of any shape that is asked for.
type randomWeights struct{}

func (randomWeights) Tensor(name string, shape ...int) ([]float32, error) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	var seed uint64
	for _, c := range name {
		seed = seed*31 + uint64(c)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64()) / 4
		if strings.HasSuffix(name, "LayerNorm.weight") {
			v[i]++
		}
	}
	return v, nil
}

var small = onnx.Config{Vocab: 40, Positions: 20, Types: 2, Hidden: 32, Layers: 2, Heads: 4, Inner: 64, Epsilon: 1e-12, Normalize: true}

// writeGraph writes a small random model and returns its source.
func writeGraph(tb testing.TB, c onnx.Config, form onnx.Form) Source {
	tb.Helper()
	var buf bytes.Buffer
	if _, err := onnx.Write(&buf, c, randomWeights{}, form); err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "model.onnx")
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
	return Source{ONNX: path, Dim: c.Hidden, Vocab: c.Vocab, MaxIDs: c.Positions}
}

// forward is a plain evaluation of the encoder in float64: what all graphs must agree with.
func forward(c onnx.Config, ids []int32) []float64 {
	w := func(name string, shape ...int) []float32 {
		v, _ := randomWeights{}.Tensor(name, shape...)
		return v
	}
	h, n := c.Hidden, len(ids)
	norm := func(x []float64, name string) {
		g, b := w(name+".weight", h), w(name+".bias", h)
		for r := range n {
			row := x[r*h : (r+1)*h]
			var mean, variance float64
			for _, v := range row {
				mean += v / float64(h)
			}
			for _, v := range row {
				variance += (v - mean) * (v - mean) / float64(h)
			}
			for i, v := range row {
				row[i] = (v-mean)/math.Sqrt(variance+float64(c.Epsilon))*float64(g[i]) + float64(b[i])
			}
		}
	}
	dense := func(x []float64, name string, in, out int) []float64 {
		m, b := w(name+".weight", out, in), w(name+".bias", out)
		y := make([]float64, n*out)
		for r := range n {
			for o := range out {
				s := float64(b[o])
				for i := range in {
					s += x[r*in+i] * float64(m[o*in+i])
				}
				y[r*out+o] = s
			}
		}
		return y
	}
	words, positions := w("embeddings.word_embeddings.weight", c.Vocab, h), w("embeddings.position_embeddings.weight", c.Positions, h)
	types := w("embeddings.token_type_embeddings.weight", c.Types, h)
	x := make([]float64, n*h)
	for r, id := range ids {
		for i := range h {
			x[r*h+i] = float64(words[int(id)*h+i]) + float64(positions[r*h+i]) + float64(types[i])
		}
	}
	norm(x, "embeddings.LayerNorm")
	size := h / c.Heads
	for l := range c.Layers {
		p := "encoder.layer." + string(rune('0'+l)) + "."
		q, k, v := dense(x, p+"attention.self.query", h, h), dense(x, p+"attention.self.key", h, h), dense(x, p+"attention.self.value", h, h)
		ctx := make([]float64, n*h)
		for head := range c.Heads {
			at := head * size
			for r := range n {
				weights, sum := make([]float64, n), 0.
				for s := range n {
					for i := range size {
						weights[s] += q[r*h+at+i] * k[s*h+at+i]
					}
					weights[s] = math.Exp(weights[s] / math.Sqrt(float64(size)))
					sum += weights[s]
				}
				for s := range n {
					for i := range size {
						ctx[r*h+at+i] += weights[s] / sum * v[s*h+at+i]
					}
				}
			}
		}
		y := dense(ctx, p+"attention.output.dense", h, h)
		for i := range y {
			y[i] += x[i]
		}
		norm(y, p+"attention.output.LayerNorm")
		mid := dense(y, p+"intermediate.dense", h, c.Inner)
		for i, v := range mid {
			mid[i] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
		}
		x = dense(mid, p+"output.dense", c.Inner, h)
		for i := range x {
			x[i] += y[i]
		}
		norm(x, p+"output.LayerNorm")
	}
	out := make([]float64, h)
	var sum float64
	for i := range out {
		if c.Pooling == onnx.CLS {
			out[i] = x[i]
		} else {
			for r := range n {
				out[i] += x[r*h+i] / float64(n)
			}
		}
		sum += out[i] * out[i]
	}
	for i := range out {
		out[i] /= math.Sqrt(sum)
	}
	return out
}

// TestGraphsAgreeWithArithmetic runs each form of the graph in ONNX Runtime and compares it with plain loops.
func TestGraphsAgreeWithArithmetic(t *testing.T) {
	o := needLibrary(t)
	cls := small
	cls.Pooling = onnx.CLS
	for _, tt := range []struct {
		name   string
		config onnx.Config
		form   onnx.Form
		want   float64 // smallest cosine
	}{
		{"fused", small, onnx.Fused, .999999},
		{"fused cls", cls, onnx.Fused, .999999},
		{"plain", small, onnx.Plain, .999999},
		{"plain cls", cls, onnx.Plain, .999999},
		{"int8", small, onnx.Int8, .995},
		{"int8 cls", cls, onnx.Int8, .995},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, notice, err := Open(writeGraph(t, tt.config, tt.form), o)
			if err != nil || notice != "" {
				t.Fatalf("Open = %q, %v, want an engine", notice, err)
			}
			defer e.Close()
			rng := rand.New(rand.NewPCG(1, 2))
			for n := 1; n <= tt.config.Positions; n++ {
				ids := make([]int32, n)
				for i := range ids {
					ids[i] = int32(rng.IntN(tt.config.Vocab))
				}
				got, want := make([]float32, e.Dim()), forward(tt.config, ids)
				if err := e.Embed(got, ids); err != nil {
					t.Fatal(err)
				}
				var dot, length float64
				for i, v := range got {
					dot += float64(v) * want[i]
					length += float64(v) * float64(v)
				}
				if dot < tt.want || math.Abs(length-1) > 1e-5 {
					t.Errorf("vector of %d ids: cosine %.7f, length² %.6f, want %g or more and 1", n, dot, length, tt.want)
				}
			}
		})
	}
}

func TestEmbedErrors(t *testing.T) {
	e, _, err := Open(writeGraph(t, small, onnx.Fused), needLibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, tt := range []struct {
		name string
		dst  int
		ids  []int32
		want string
	}{
		{"empty", small.Hidden, nil, "text of 0 wordpieces, want 1 to 20"},
		{"too long", small.Hidden, make([]int32, small.Positions+1), "text of 21 wordpieces, want 1 to 20"},
		{"negative", small.Hidden, []int32{1, -1}, "wordpiece 1 is -1, want 0 to 39"},
		{"above the vocabulary", small.Hidden, []int32{40}, "wordpiece 0 is 40, want 0 to 39"},
		{"short vector", small.Hidden - 1, []int32{1}, "vector of 31 numbers, want 32"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := e.Embed(make([]float32, tt.dst), tt.ids); err == nil || err.Error() != tt.want {
				t.Errorf("Embed = %v, want %s", err, tt.want)
			}
		})
	}
}

// Many goroutines share a session; each vector must be the one that its text has alone.
func TestEmbedConcurrently(t *testing.T) {
	e, _, err := Open(writeGraph(t, small, onnx.Fused), needLibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text := func(i int) []int32 {
		ids := make([]int32, 1+i%small.Positions)
		for k := range ids {
			ids[k] = int32((i + k) % small.Vocab)
		}
		return ids
	}
	const texts = 200
	want := make([][]float32, texts)
	for i := range want {
		want[i] = make([]float32, e.Dim())
		if err := e.Embed(want[i], text(i)); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			got := make([]float32, e.Dim())
			for i := range texts {
				i = (i*7 + g*50) % texts
				if err := e.Embed(got, text(i)); err != nil {
					t.Error(err)
					return
				}
				for k := range got {
					if math.Float32bits(got[k]) != math.Float32bits(want[i][k]) {
						t.Errorf("vector of text %d differs at %d: %g, alone %g", i, k, got[k], want[i][k])
						return
					}
				}
			}
		})
	}
	group.Wait()
}

func TestOpenBadGraph(t *testing.T) {
	o := needLibrary(t)
	good := writeGraph(t, small, onnx.Fused)
	page := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(page, []byte("<!DOCTYPE html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		edit func(*Source)
	}{
		{"a web page", func(s *Source) { s.ONNX = page }},
		{"missing", func(s *Source) { s.ONNX = filepath.Join(filepath.Dir(page), "none.onnx") }},
		{"another width", func(s *Source) { s.Dim = 16 }},
		{"other inputs", func(s *Source) { s.Inputs, s.Output = []string{"input_ids"}, "last_hidden_state" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := good
			tt.edit(&src)
			if _, _, err := Open(src, o); !errors.Is(err, ErrModel) || !strings.HasPrefix(err.Error(), ErrModel.Error()+": "+src.ONNX) {
				t.Errorf("Open = %v, want %v that names %s", err, ErrModel, src.ONNX)
			}
		})
	}
}
