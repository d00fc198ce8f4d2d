package encoder

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is read back is written again as the same bytes, after other bytes too.
func TestQuantizedRoundTrip(t *testing.T) {
	for i, c := range tinyConfigs {
		m := tinyModel(t, c, tinyWeights(c, uint64(i)), PoolCLS)
		b := AppendQuantized(nil, m)
		q, err := OpenQuantized(b)
		if err != nil {
			t.Fatal(err)
		}
		if again := AppendQuantized([]byte("before"), q); !bytes.Equal(again[6:], b) {
			t.Errorf("hidden %d: %d bytes, %d and others after a round trip", c.Hidden, len(b), len(again)-6)
		}
		c.Types, c.Offset = 1, 0
		if q.Config() != c || q.Pooling() != PoolCLS {
			t.Errorf("Config = %+v, pooling %d, want %+v, %d", q.Config(), q.Pooling(), c, PoolCLS)
		}
	}
}

func TestQuantizeRow(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    []float32
		want  []int8
		scale float32
	}{
		{"zeros", []float32{0, 0}, []int8{0, 0}, 0},
		{"one", []float32{-2}, []int8{-127}, 2.0 / 127},
		{"ties to even", []float32{127, 0.5, 1.5, -2.5}, []int8{127, 0, 2, -2}, 1},
		{"tiny", []float32{1e-45, 0}, []int8{0, 0}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := make([]byte, len(tt.in))
			scale := quantizeRow(got, 1, tt.in)
			for i, q := range got {
				if int8(q) != tt.want[i] || scale != tt.scale {
					t.Errorf("quantizeRow(%v) = %v, scale %g, want %v, %g", tt.in, got, scale, tt.want, tt.scale)
				}
			}
		})
	}
}

func TestOpenQuantizedErrors(t *testing.T) {
	valid := AppendQuantized(nil, tinyModel(t, tinyConfigs[1], tinyWeights(tinyConfigs[1], 1), PoolMean))
	put := patch(valid)
	checkCorrupt(t, func(b []byte) error { _, err := OpenQuantized(b); return err }, []flaw{
		{"empty", nil, "0 bytes, want a header of 64"},
		{"header only", valid[:64], "64 bytes, its header says"},
		{"cut", valid[:len(valid)-1], "its header says"},
		{"longer", append(slices.Clone(valid), 0), "its header says"},
		{"kind", put(0, 1), "kind 1, want 2"},
		{"hidden", put(4, 0), "hidden_size: 0"},
		{"huge hidden", put(4, 1<<32-1), "hidden_size: 2147483647"},
		{"heads", put(12, 3), "num_attention_heads: 3, want a divisor"},
		{"huge vocabulary", put(20, 1<<24), "its header says"},
		{"pooling", put(28, 3), "pooling 3, want 0 to 2"},
		{"activation", put(36, 3), "activation: 3, want 0 to 2"},
		{"epsilon", put(32, math.Float32bits(float32(math.NaN()))), "layer_norm_eps: NaN"},
		{"dense modules", put(44, 5), "5 dense modules"},
		{"tanh of no module", put(44, 1<<8), "0 dense modules, bits 00000001"},
		{"reserved", put(44, 1<<16), "then 1 and 0"},
		{"a width of no module", put(60, 1), "a width of 1 for dense module 4 of 0"},
		{"a module of no width", put(44, 1), "dense module 1: a width of 0"},
		{"dimensions", put(40, 8193), "8193, want 1 to"},
	})
}

// Flipped bytes give other vectors or errors, in the portable path as in the fast one.
func TestQuantizedFlips(t *testing.T) {
	c := tinyConfigs[0]
	valid := AppendQuantized(nil, tinyModel(t, c, tinyWeights(c, 1), PoolMean))
	rng := rand.New(rand.NewPCG(4, 4))
	dst := make([]float32, 64)
	for range 3000 {
		b := slices.Clone(valid)
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] = byte(rng.Uint32())
		}
		m, err := OpenQuantized(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("OpenQuantized = %v, want ErrCorrupt", err)
			}
			continue
		}
		if h := m.Dim(); h <= len(dst) {
			withKernels(rng.IntN(2) == 0, func() { err = m.Embed(dst[:h], []int32{0, 3, 2}) })
			if err != nil && !errors.Is(err, ErrCorrupt) && !strings.HasPrefix(err.Error(), "embed: ") {
				t.Fatalf("Embed = %v, want ErrCorrupt or a range", err)
			}
			for _, v := range dst[:h] {
				if v != v {
					t.Fatalf("Embed = %v with error %v, want numbers", dst[:h], err)
				}
			}
		}
	}
}

func FuzzOpenQuantized(f *testing.F) {
	c := tinyConfigs[0]
	m := tinyModel(f, c, tinyWeights(c, 1), PoolMean)
	f.Add(AppendQuantized(nil, m))
	d, _, _ := denseOf(f, rand.New(rand.NewPCG(1, 1)), c.Hidden, 6, true, true)
	if err := m.SetHead([]Dense{d}, 3); err != nil {
		f.Fatal(err)
	}
	f.Add(AppendQuantized(nil, m))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := OpenQuantized(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("OpenQuantized = %v, want ErrCorrupt", err)
			}
			return
		}
		if err := m.Embed(make([]float32, m.Dim()), []int32{0}); err == nil && len(data) < quantHeader {
			t.Fatalf("a vector from %d bytes", len(data))
		}
		if again := AppendQuantized(nil, m); len(again) != len(data) {
			t.Fatalf("%d bytes written from %d", len(again), len(data))
		}
	})
}
