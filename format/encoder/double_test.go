package encoder

import (
	"math"
	"math/rand/v2"
	"testing"
)

// In float64 the kernels and the portable loops agree to what a row of an artifact is rounded to a billion times over.
func TestEmbedFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
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
				naive := naiveEmbed(c, weights, pooling, ids)
				for _, m := range []*Transformer{exact, small} {
					want, got, single := make([]float64, c.Hidden), make([]float64, c.Hidden), make([]float32, c.Hidden)
					withKernels(false, func() { err = m.EmbedFloat64(want, ids) })
					if err == nil {
						withKernels(useAVX2, func() { err = m.EmbedFloat64(got, ids) })
					}
					if err == nil {
						err = m.Embed(single, ids)
					}
					if err != nil {
						t.Fatal(err)
					}
					if m == exact {
						Unit(naive)
					} else {
						naive = single
					}
					for k := range got {
						if !(math.Abs(got[k]-want[k]) < 1e-12) {
							t.Fatalf("hidden %d, pooling %d, %d ids: number %d = %g with kernels, %g without", c.Hidden, pooling, n, k, got[k], want[k])
						}
						if !(math.Abs(got[k]-float64(naive[k])) < 2e-6) {
							t.Fatalf("hidden %d, pooling %d, %d ids: number %d = %g, want %g", c.Hidden, pooling, n, k, got[k], naive[k])
						}
					}
				}
			}
		}
	}
	m := tinyModel(t, tinyConfigs[0], tinyWeights(tinyConfigs[0], 1), PoolMean)
	if err := m.EmbedFloat64(make([]float64, 4), []int32{5}); err == nil {
		t.Error("EmbedFloat64 of an id above the vocabulary = nil, want an error")
	}
	if err := m.EmbedFloat64(make([]float64, 3), []int32{1}); err == nil {
		t.Error("EmbedFloat64 to a short vector = nil, want an error")
	}
}

func TestFunctions64(t *testing.T) {
	for x := -701.0; x <= 0; x += 0.0137 {
		if got, want := exp64(x), math.Exp(x); !(math.Abs(got-want) <= 1e-13*want+1e-300) {
			t.Fatalf("exp64(%g) = %g, want %g", x, got, want)
		}
	}
	if got := exp64(0); got != 1 {
		t.Errorf("exp64(0) = %g, want 1", got)
	}
	if got := exp64(math.NaN()); got == got {
		t.Errorf("exp64(NaN) = %g, want NaN", got)
	}
	for x := -9.0; x <= 9; x += 0.00137 {
		got := []float64{x, x, x}
		GELU.apply64(got[:1])
		GELUTanh.apply64(got[1:2])
		ReLU.apply64(got[2:])
		erf, tanh := x/2*math.Erfc(-x/math.Sqrt2), x/2*(1+math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		if math.Abs(got[0]-erf) > 1e-11 || math.Abs(got[1]-tanh) > 1e-11 || got[2] != max(x, 0) {
			t.Fatalf("of %g: %g, %g and %g, want %g, %g and %g", x, got[0], got[1], got[2], erf, tanh, max(x, 0))
		}
	}
	nan := []float64{math.NaN(), math.NaN()}
	GELU.apply64(nan[:1])
	GELUTanh.apply64(nan[1:])
	if nan[0] == nan[0] || nan[1] == nan[1] {
		t.Errorf("of NaN: %g, want NaN", nan)
	}
}

func BenchmarkEmbedFloat64(b *testing.B) {
	m := miniLM(b)
	ids := make([]int32, 165)
	for i := range ids {
		ids[i] = int32(2000 + i)
	}
	double, single := make([]float64, m.config.Hidden), make([]float32, m.config.Hidden)
	for _, tt := range []struct {
		name  string
		embed func() error
	}{
		{"float64", func() error { return m.EmbedFloat64(double, ids) }},
		{"float32", func() error { return m.Embed(single, ids) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				if err := tt.embed(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
