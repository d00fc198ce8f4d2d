//go:build cgo

package engine

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/onnx"
)

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
	words, positions := w("embeddings.word_embeddings.weight", c.Vocab, h), w("embeddings.position_embeddings.weight", c.Offset+c.Positions, h)
	types := w("embeddings.token_type_embeddings.weight", c.Types, h)
	x := make([]float64, n*h)
	for r, id := range ids {
		for i := range h {
			x[r*h+i] = float64(words[int(id)*h+i]) + float64(positions[(c.Offset+r)*h+i]) + float64(types[i])
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
			switch c.Activation {
			case onnx.GELU:
				mid[i] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			case onnx.GELUTanh:
				mid[i] = v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
			case onnx.ReLU:
				mid[i] = math.Max(v, 0)
			}
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
		switch c.Pooling {
		case onnx.CLS:
			out[i] = x[i]
		case onnx.Max:
			out[i] = x[i]
			for r := range n {
				out[i] = math.Max(out[i], x[r*h+i])
			}
		default:
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
