package encoder

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func randomFloats(rng *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(rng.NormFloat64())
	}
	return s
}

// The kernels agree with plain sums in float64, for every height and for lengths around the blocks of the portable
// path, and write nothing beside their rows.
func TestMatrixApply(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, out := range []int{1, 15, 16, 17, 48} {
		for _, in := range []int{1, 2, 63, 64, 65, 130} {
			for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 25} {
				w, bias, x := randomFloats(rng, out*in), randomFloats(rng, out), randomFloats(rng, n*(in+3))
				exact := newMatrix(w, bias, out, in)
				for _, m := range []*matrix{exact, quantized(exact)} {
					for _, fast := range []bool{true, false} {
						if fast && !useAVX2 {
							continue
						}
						name := fmt.Sprintf("out=%d in=%d n=%d int8=%v fast=%v", out, in, n, m.i8 != nil, fast)
						checkApply(t, name, m, x, n, fast)
					}
				}
			}
		}
	}
}

func checkApply(t *testing.T, name string, m *matrix, x []float32, n int, fast bool) {
	t.Helper()
	const guard = 12345
	ldx, ldy := m.in+3, padded(m.out)+5
	y := make([]float32, n*ldy)
	for i := range y {
		y[i] = guard
	}
	withKernels(fast, func() { m.apply(y, ldy, x, ldx, n) })
	for row := range n {
		for o := range m.out {
			want, size := float64(m.bias[o]), math.Abs(float64(m.bias[o]))
			for k, v := range m.row(o) {
				want += float64(v) * float64(x[row*ldx+k])
				size += math.Abs(float64(v) * float64(x[row*ldx+k]))
			}
			if got := float64(y[row*ldy+o]); !(math.Abs(got-want) <= 1e-5*size) {
				t.Fatalf("%s: y[%d, %d] = %g, want %g", name, row, o, got, want)
			}
		}
		for o := padded(m.out); o < ldy; o++ {
			if y[row*ldy+o] != guard {
				t.Fatalf("%s: y[%d, %d] beside the matrix was written", name, row, o)
			}
		}
	}
}

func TestTiles(t *testing.T) {
	for n := range 100 {
		next := 0
		tiles(n, func(row, height int) {
			if row != next || height < 1 || height > tileRows {
				t.Fatalf("tiles(%d) gives %d rows at %d, want 1 to 6 at %d", n, height, row, next)
			}
			next += height
		})
		if next != n {
			t.Fatalf("tiles(%d) covers %d rows", n, next)
		}
	}
}

// quantized returns m with int8 weights.
func quantized(m *matrix) *matrix {
	q := &matrix{out: m.out, in: m.in, bias: m.bias, i8: make([]byte, padded(m.out)*m.in), scale: make([]float32, padded(m.out))}
	for o := range m.out {
		q.scale[o] = quantizeRow(q.i8[o/panelWidth*m.in*panelWidth+o%panelWidth:], panelWidth, m.row(o))
	}
	return q
}

func BenchmarkMatrixApply(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	exact := newMatrix(randomFloats(rng, 1536*384), nil, 1536, 384)
	for _, m := range []*matrix{exact, quantized(exact)} {
		for _, n := range []int{1, 6, 13, 256} {
			b.Run(fmt.Sprintf("int8=%v/rows=%d", m.i8 != nil, n), func(b *testing.B) {
				x, y := randomFloats(rng, n*384), make([]float32, n*1536)
				for b.Loop() {
					m.apply(y, 1536, x, 384, n)
				}
				b.ReportMetric(float64(n*384*1536)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
			})
		}
	}
}
