package encoder

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
)

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func miniLM(tb testing.TB) *Transformer {
	tb.Helper()
	tensors, err := OpenTensors(modelFile(tb, "model.safetensors"))
	if err != nil {
		tb.Fatal(err)
	}
	config, err := ParseConfig(modelFile(tb, "config.json"))
	if err != nil {
		tb.Fatal(err)
	}
	t, err := LoadTransformer(tensors, config, PoolMean)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// The vectors in testdata/minilm.jsonl are those of a forward pass in float64 (bench/interop/tokens/vectors.py).
func TestMiniLMReference(t *testing.T) {
	vocab, exact := bertVocab(t), miniLM(t)
	small, err := OpenQuantized(AppendQuantized(nil, exact))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/minilm.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); count++ {
		var row struct {
			Text   string
			IDs    int
			Vector []float32
		}
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		ids := vocab.EncodeWithSpecials(nil, row.Text, 256)
		if len(ids) != row.IDs {
			t.Fatalf("EncodeWithSpecials(%q) has %d ids, want %d", row.Text, len(ids), row.IDs)
		}
		for _, tt := range []struct {
			name string
			t    *Transformer
			fast bool
			want float64
		}{{"float32", exact, true, 0.9999999}, {"float32, portable", exact, false, 0.9999999}, {"int8", small, true, 0.996}} {
			if !tt.fast && row.IDs > 9 {
				continue // a second each
			}
			got := make([]float32, 384)
			withKernels(tt.fast, func() { err = tt.t.Embed(got, ids) })
			if err != nil {
				t.Fatal(err)
			}
			if c := cosine(got, row.Vector); !(c >= tt.want) {
				t.Errorf("%s: Embed(%.30q) has cosine %.8f with the reference, want %g", tt.name, row.Text, c, tt.want)
			}
			if l := cosine(got, got); math.Abs(l-1) > 1e-6 {
				t.Errorf("%s: Embed(%.30q) has length² %g, want 1", tt.name, row.Text, l)
			}
		}
	}
	if count < 20 {
		t.Errorf("%d vectors in testdata, want 20", count)
	}
}

// tinyConfigs are models whose dimensions are and are not multiples of what the kernels work in.
var tinyConfigs = []Config{
	{Hidden: 4, Layers: 1, Heads: 1, Intermediate: 3, Vocab: 5, Positions: 40, Types: 1, Epsilon: 1e-12},
	{Hidden: 20, Layers: 2, Heads: 5, Intermediate: 37, Vocab: 30, Positions: 40, Types: 2, Epsilon: 1e-5},
	{Hidden: 48, Layers: 3, Heads: 2, Intermediate: 64, Vocab: 50, Positions: 33, Types: 2, Epsilon: 1e-12},
	{Hidden: 64, Layers: 2, Heads: 4, Intermediate: 16, Vocab: 7, Positions: 64, Types: 2, Epsilon: 1e-12},
	{Hidden: 24, Layers: 2, Heads: 3, Intermediate: 40, Vocab: 20, Positions: 30, Offset: 2, Types: 1, Epsilon: 1e-5, Activation: GELUTanh},
	{Hidden: 16, Layers: 1, Heads: 2, Intermediate: 33, Vocab: 20, Positions: 20, Offset: 1, Types: 1, Epsilon: 1e-5, Activation: ReLU},
}

// tinyWeights makes the tensors of a model with random weights.
func tinyWeights(c Config, seed uint64) map[string]tensor {
	rng := rand.New(rand.NewPCG(seed, 9))
	m := map[string]tensor{}
	put := func(name string, scale float32, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := randomFloats(rng, n)
		for i := range v {
			v[i] *= scale
		}
		m[name] = tensor{shape, v}
	}
	linear := func(name string, out, in int) {
		put(name+".weight", 0.3, out, in)
		put(name+".bias", 0.1, out)
	}
	norm := func(name string) {
		put(name+".weight", 1, c.Hidden)
		put(name+".bias", 0.2, c.Hidden)
	}
	put("embeddings.word_embeddings.weight", 1, c.Vocab, c.Hidden)
	put("embeddings.position_embeddings.weight", 0.5, c.Offset+c.Positions, c.Hidden)
	put("embeddings.token_type_embeddings.weight", 0.5, c.Types, c.Hidden)
	norm("embeddings.LayerNorm")
	for i := range c.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		linear(p+"attention.self.query", c.Hidden, c.Hidden)
		linear(p+"attention.self.key", c.Hidden, c.Hidden)
		linear(p+"attention.self.value", c.Hidden, c.Hidden)
		linear(p+"attention.output.dense", c.Hidden, c.Hidden)
		norm(p + "attention.output.LayerNorm")
		linear(p+"intermediate.dense", c.Intermediate, c.Hidden)
		linear(p+"output.dense", c.Hidden, c.Intermediate)
		norm(p + "output.LayerNorm")
	}
	return m
}

func tinyModel(tb testing.TB, c Config, weights map[string]tensor, pooling Pooling) *Transformer {
	tb.Helper()
	tensors, err := OpenTensors(safetensors(weights, "F32"))
	if err != nil {
		tb.Fatal(err)
	}
	t, err := LoadTransformer(tensors, c, pooling)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// naiveEmbed is BERT in plain loops over float64.
func naiveEmbed(c Config, w map[string]tensor, pooling Pooling, ids []int32) []float32 {
	at := func(name string, i int) float64 { return float64(w[name].values[i]) }
	norm := func(x []float64, name string) {
		var mean, variance float64
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		for i, v := range x {
			x[i] = (v-mean)/math.Sqrt(variance+float64(c.Epsilon))*at(name+".weight", i) + at(name+".bias", i)
		}
	}
	linear := func(x []float64, name string) []float64 {
		y := make([]float64, w[name+".bias"].shape[0])
		for o := range y {
			y[o] = at(name+".bias", o)
			for k, v := range x {
				y[o] += v * at(name+".weight", o*len(x)+k)
			}
		}
		return y
	}
	h, head := c.Hidden, c.Hidden/c.Heads
	var x [][]float64
	for t, id := range ids {
		row := make([]float64, h)
		for i := range row {
			row[i] = at("embeddings.word_embeddings.weight", int(id)*h+i) + at("embeddings.position_embeddings.weight", (c.Offset+t)*h+i) +
				at("embeddings.token_type_embeddings.weight", i)
		}
		norm(row, "embeddings.LayerNorm")
		x = append(x, row)
	}
	for l := range c.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		var q, k, v [][]float64
		for _, row := range x {
			q = append(q, linear(row, p+"attention.self.query"))
			k = append(k, linear(row, p+"attention.self.key"))
			v = append(v, linear(row, p+"attention.self.value"))
		}
		for t, row := range x {
			mixed := make([]float64, h)
			for a := range c.Heads {
				var sum float64
				for u := range x {
					var dot float64
					for i := a * head; i < (a+1)*head; i++ {
						dot += q[t][i] * k[u][i]
					}
					e := math.Exp(dot / math.Sqrt(float64(head)))
					sum += e
					for i := a * head; i < (a+1)*head; i++ {
						mixed[i] += e * v[u][i]
					}
				}
				for i := a * head; i < (a+1)*head; i++ {
					mixed[i] /= sum
				}
			}
			for i, o := range linear(mixed, p+"attention.output.dense") {
				mixed[i] = row[i] + o
			}
			norm(mixed, p+"attention.output.LayerNorm")
			up := linear(mixed, p+"intermediate.dense")
			for i, u := range up {
				switch c.Activation {
				case GELU:
					up[i] = u / 2 * math.Erfc(-u/math.Sqrt2)
				case GELUTanh:
					up[i] = u / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(u+0.044715*u*u*u)))
				case ReLU:
					up[i] = math.Max(u, 0)
				}
			}
			for i, o := range linear(up, p+"output.dense") {
				mixed[i] += o
			}
			norm(mixed, p+"output.LayerNorm")
			x[t] = mixed
		}
	}
	dst := make([]float32, h)
	for i := range dst {
		sum := x[0][i]
		for t := 1; t < len(x) && pooling != PoolCLS; t++ {
			if pooling == PoolMax {
				sum = math.Max(sum, x[t][i])
			} else {
				sum += x[t][i]
			}
		}
		dst[i] = float32(sum)
	}
	return dst
}

func TestTransformerNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i, c := range tinyConfigs {
		for _, pooling := range []Pooling{PoolMean, PoolCLS, PoolMax} {
			weights := tinyWeights(c, uint64(i))
			exact := tinyModel(t, c, weights, pooling)
			small, err := OpenQuantized(AppendQuantized(nil, exact))
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 2, 6, 7, 13, 16, 17, c.Positions} {
				ids := make([]int32, n)
				for k := range ids {
					ids[k] = int32(rng.IntN(c.Vocab))
				}
				want := naiveEmbed(c, weights, pooling, ids)
				for _, fast := range []bool{true, false} {
					for _, tt := range []struct {
						name string
						t    *Transformer
						want float64
					}{{"float32", exact, 0.999999}, {"int8", small, 0.99}} {
						got := make([]float32, c.Hidden)
						withKernels(fast, func() { err = tt.t.Embed(got, ids) })
						if err != nil {
							t.Fatal(err)
						}
						if cos := cosine(got, want); !(cos >= tt.want) {
							t.Errorf("%s, hidden %d, pooling %d, fast %v: Embed of %d ids has cosine %.8f with plain loops, want %g",
								tt.name, c.Hidden, pooling, fast, n, cos, tt.want)
						}
					}
				}
			}
		}
	}
}

// Texts of different lengths share scratch; what one leaves behind must not show in the next, nor in another
// goroutine's.
func TestTransformerConcurrent(t *testing.T) {
	c := tinyConfigs[2]
	m := tinyModel(t, c, tinyWeights(c, 5), PoolMean)
	texts := make([][]int32, 20)
	want := make([][]float32, len(texts))
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range texts {
		for range 1 + rng.IntN(c.Positions) {
			texts[i] = append(texts[i], int32(rng.IntN(c.Vocab)))
		}
		want[i] = make([]float32, c.Hidden)
		if err := tinyModel(t, c, tinyWeights(c, 5), PoolMean).Embed(want[i], texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			got := make([]float32, c.Hidden)
			for i := range 100 {
				k := (i*7 + g) % len(texts)
				if err := m.Embed(got, texts[k]); err != nil {
					t.Error(err)
				}
				for d := range got {
					if got[d] != want[k][d] {
						t.Errorf("Embed of text %d = %v, want %v", k, got, want[k])
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestTransformerEmbedErrors(t *testing.T) {
	c := tinyConfigs[0]
	m := tinyModel(t, c, tinyWeights(c, 1), PoolMean)
	for _, tt := range []struct {
		name string
		dim  int
		ids  []int32
		want string
	}{
		{"dimension", 3, []int32{1}, "a vector of 3 floats for a model of 4"},
		{"no ids", 4, nil, "0 ids, want 1 to 40"},
		{"too many", 4, make([]int32, 41), "41 ids, want 1 to 40"},
		{"id too large", 4, []int32{1, 5}, "id 5 at place 1, want 0 to 4"},
		{"negative id", 4, []int32{-1}, "id -1 at place 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := m.Embed(make([]float32, tt.dim), tt.ids)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Embed = %v, want %q", err, tt.want)
			}
		})
	}
	weights := tinyWeights(c, 1)
	weights["encoder.layer.0.output.LayerNorm.weight"].values[2] = float32(math.NaN())
	if err := tinyModel(t, c, weights, PoolMean).Embed(make([]float32, 4), []int32{1}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Embed with a weight that is no number = %v, want ErrCorrupt", err)
	}
}

func TestLoadTransformerErrors(t *testing.T) {
	c := tinyConfigs[1]
	for _, tt := range []struct {
		name string
		edit func(m map[string]tensor, c *Config)
		want string
	}{
		{"missing", func(m map[string]tensor, _ *Config) { delete(m, "encoder.layer.1.attention.self.key.weight") },
			"tensor encoder.layer.1.attention.self.key.weight: missing, want float [20 20]"},
		{"shape", func(m map[string]tensor, _ *Config) {
			m["encoder.layer.0.output.dense.bias"] = tensor{[]int{4, 5}, make([]float32, 20)}
		},
			"tensor encoder.layer.0.output.dense.bias: shape [4 5], want [20]"},
		{"other vocabulary", func(_ map[string]tensor, c *Config) { c.Vocab = 31 },
			"tensor embeddings.word_embeddings.weight: shape [30 20], want [31 20]"},
		{"more layers", func(_ map[string]tensor, c *Config) { c.Layers = 3 }, "tensor encoder.layer.2.attention.self.query.weight: missing"},
		{"heads", func(_ map[string]tensor, c *Config) { c.Heads = 3 }, "num_attention_heads: 3, want a divisor of hidden_size 20"},
		{"empty", func(m map[string]tensor, _ *Config) { clear(m) }, "embeddings.word_embeddings.weight: missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			weights, c := tinyWeights(c, 1), c
			tt.edit(weights, &c)
			tensors, err := OpenTensors(safetensors(weights, "F32"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = LoadTransformer(tensors, c, PoolMean)
			if err == nil || !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("LoadTransformer = %v, want ErrModel with %q", err, tt.want)
			}
		})
	}
}

// Names with a prefix and layer norms in TensorFlow's words are the same model; half precision is nearly.
func TestLoadTransformerVariants(t *testing.T) {
	c := tinyConfigs[1]
	weights := tinyWeights(c, 1)
	ids := []int32{3, 1, 4, 1, 5, 9, 2, 6}
	want := naiveEmbed(c, weights, PoolMean, ids)
	renamed := map[string]tensor{}
	for name, v := range weights {
		name = strings.ReplaceAll(name, "LayerNorm.weight", "LayerNorm.gamma")
		renamed["bert."+strings.ReplaceAll(name, "LayerNorm.bias", "LayerNorm.beta")] = v
	}
	renamed["cls.predictions.bias"] = tensor{[]int{3}, make([]float32, 3)}
	for _, tt := range []struct {
		name, dtype string
		weights     map[string]tensor
		want        float64
	}{
		{"renamed", "F32", renamed, 0.999999}, {"half", "F16", weights, 0.9999}, {"brain float", "BF16", weights, 0.99},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tensors, err := OpenTensors(safetensors(tt.weights, tt.dtype))
			if err != nil {
				t.Fatal(err)
			}
			m, err := LoadTransformer(tensors, c, PoolMean)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, c.Hidden)
			if err := m.Embed(got, ids); err != nil {
				t.Fatal(err)
			}
			if cos := cosine(got, want); !(cos >= tt.want) {
				t.Errorf("Embed has cosine %.7f with plain loops, want %g", cos, tt.want)
			}
		})
	}
}

func TestSoftmax(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 31, 32, 33, 64, 65, 100, 256} {
		for _, reach := range []float64{0, 1, 20, 89, 95, 104, 1e6, 1e30} {
			x, want, sum := make([]float32, n), make([]float64, n), 0.0
			for i := range x {
				x[i] = -float32(reach * float64(i*7%n) / float64(n))
			}
			for i, v := range x {
				want[i] = math.Exp(float64(v))
				sum += want[i]
				x[i] += 50 // a softmax does not mind
			}
			softmax(x)
			for i := range x {
				if w := want[i] / sum; !(math.Abs(float64(x[i])-w) <= 1e-5*w+1e-30) && reach < 1e6 {
					t.Fatalf("softmax of %d from 0 to -%g: x[%d] = %g, want %g", n, reach, i, x[i], w)
				} else if !(x[i] >= 0 && x[i] <= 1) {
					t.Fatalf("softmax of %d from 0 to -%g: x[%d] = %g, want 0 to 1", n, reach, i, x[i])
				}
			}
		}
	}
}

func TestActivations(t *testing.T) {
	for _, x := range []float64{-1e30, -7, -5.9, -1, -0.001, 0, 0.001, 1, 3, 5.999, 6.001, 1e30} {
		got := []float32{float32(x), float32(x)}
		GELUTanh.apply(got[:1])
		ReLU.apply(got[1:])
		want := x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		if math.Abs(float64(got[0])-want) > 2e-7*math.Max(1, math.Abs(x)) || got[1] != float32(math.Max(x, 0)) {
			t.Errorf("of %g: %g and %g, want %g and %g", x, got[0], got[1], want, math.Max(x, 0))
		}
	}
}

func TestGELU(t *testing.T) {
	for _, x := range []float64{-1e30, -7, -6.0001, -6, -5.9, -3, -1, -0.001, 0, 0.001, 0.5, 1, 3, 5.999, 6, 6.001, 20, 1e30} {
		got := []float32{float32(x)}
		GELU.apply(got)
		want := x / 2 * math.Erfc(-x/math.Sqrt2)
		if math.Abs(float64(got[0])-want) > 2e-7*math.Max(1, math.Abs(x)) {
			t.Errorf("gelu(%g) = %g, want %g", x, got[0], want)
		}
	}
	got := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	GELU.apply(got)
	if got[0] == got[0] || !math.IsInf(float64(got[1]), 1) || got[2] != 0 {
		t.Errorf("gelu(NaN, Inf, -Inf) = %v, want NaN, Inf, 0", got)
	}
}
