package encoder

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// denseOf returns a dense module with seeded weights, and those.
func denseOf(tb testing.TB, rng *rand.Rand, in, out int, bias, tanh bool) (Dense, []float32, []float32) {
	tb.Helper()
	w, b := randomFloats(rng, in*out), make([]float32, out)
	tensors := map[string]tensor{"linear.weight": {[]int{out, in}, w}}
	if bias {
		b = randomFloats(rng, out)
		tensors["linear.bias"] = tensor{[]int{out}, b}
	}
	t, err := OpenTensors(safetensors(tensors, "F32"))
	if err != nil {
		tb.Fatal(err)
	}
	d, err := LoadDense(t, in, out, bias, tanh)
	if err != nil {
		tb.Fatal(err)
	}
	return d, w, b
}

// What follows the pooling is that of plain loops, in float32, in float64 and in int8.
func TestTransformerHead(t *testing.T) {
	for i, c := range tinyConfigs {
		for _, tt := range []struct {
			name   string
			widths []int
			cut    int
		}{{"one", []int{c.Hidden * 2}, 0}, {"two", []int{19, 12}, 0}, {"two, cut", []int{19, 12}, 5}, {"cut", nil, c.Hidden / 2}, {"all", nil, c.Hidden}} {
			for _, pooling := range []Pooling{PoolMean, PoolCLS, PoolMax} {
				rng := rand.New(rand.NewPCG(5, uint64(i)))
				m := tinyModel(t, c, tinyWeights(c, uint64(i)), pooling)
				ids := []int32{1, 2, 0, 3, 1}
				bare := make([]float64, c.Hidden)
				// The pooled vector as it is before it is divided by its length.
				err := m.run(ids, func(x []float32, n, width int) error {
					for k := range bare {
						bare[k] = float64(x[k])
						for r := 1; r < n && pooling != PoolCLS; r++ {
							if v := float64(x[r*width+k]); pooling == PoolMax {
								bare[k] = max(bare[k], v)
							} else {
								bare[k] += v
							}
						}
						if pooling == PoolMean {
							bare[k] /= float64(n)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				var modules []Dense
				in, want := c.Hidden, bare
				for k, out := range tt.widths {
					d, w, b := denseOf(t, rng, in, out, k == 0, k == 0)
					y := make([]float64, out)
					for o := range y {
						y[o] = float64(b[o])
						for j, v := range want {
							y[o] += v * float64(w[o*in+j])
						}
						if k == 0 {
							y[o] = math.Tanh(y[o])
						}
					}
					modules, in, want = append(modules, d), out, y
				}
				if err := m.SetHead(modules, tt.cut); err != nil {
					t.Fatal(err)
				}
				if tt.cut > 0 {
					want = want[:tt.cut]
				}
				if m.Dim() != len(want) {
					t.Fatalf("%s: Dim = %d, want %d", tt.name, m.Dim(), len(want))
				}
				if err := unit64(want); err != nil {
					t.Fatal(err)
				}
				bytes8 := AppendQuantized(nil, m)
				small, err := OpenQuantized(bytes8)
				if err != nil {
					t.Fatal(err)
				}
				if again := AppendQuantized(nil, small); !bytes.Equal(again, bytes8) {
					t.Errorf("%s: other bytes after a round trip", tt.name)
				}
				if err := small.Verify(); err != nil {
					t.Error(err)
				}
				single, double := make([]float32, len(want)), make([]float64, len(want))
				for _, fast := range []bool{true, false} {
					withKernels(fast, func() { err = errors.Join(m.Embed(single, ids), m.EmbedFloat64(double, ids)) })
					if err != nil {
						t.Fatal(err)
					}
					for k := range want {
						if math.Abs(float64(single[k])-want[k]) > 1e-4 || math.Abs(double[k]-want[k]) > 1e-4 {
							t.Fatalf("%s, pooling %d, number %d: %g and %g, want %g", tt.name, pooling, k, single[k], double[k], want[k])
						}
					}
				}
				if err := small.Embed(single, ids); err != nil {
					t.Fatal(err)
				}
				wide := make([]float32, len(want))
				for k, v := range want {
					wide[k] = float32(v)
				}
				if cos := cosine(single, wide); !(cos >= .88) { // widths are as small as four numbers
					t.Errorf("%s, pooling %d: cosine %.4f of int8 with plain loops, want .88", tt.name, pooling, cos)
				}
			}
		}
	}
}

func TestSetHeadErrors(t *testing.T) {
	c := tinyConfigs[0]
	m := tinyModel(t, c, tinyWeights(c, 1), PoolMean)
	d, _, _ := denseOf(t, rand.New(rand.NewPCG(1, 1)), c.Hidden, c.Hidden, true, false)
	narrow, _, _ := denseOf(t, rand.New(rand.NewPCG(1, 1)), c.Hidden+1, 3, true, false)
	for name, err := range map[string]error{
		"too many": m.SetHead([]Dense{d, d, d, d, d}, 0), "another width": m.SetHead([]Dense{d, narrow}, 0),
		"more than there are": m.SetHead(nil, c.Hidden+1), "negative": m.SetHead(nil, -1),
	} {
		if !errors.Is(err, ErrModel) {
			t.Errorf("%s: SetHead = %v, want %v", name, err, ErrModel)
		}
	}
}

// tanh64 is that of package math.
func TestTanh64(t *testing.T) {
	for x := -30.0; x < 30; x += .01 {
		if got := tanh64(x); math.Abs(got-math.Tanh(x)) > 1e-11 {
			t.Fatalf("tanh64(%g) = %g, want %g", x, got, math.Tanh(x))
		}
	}
}
