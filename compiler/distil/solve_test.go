package distil

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dense returns prior + (XᵀX + I)⁻¹ Xᵀ(y - X·prior) in one output column, by elimination in float64.
func dense(x *sparse, columns int, y, prior []float64) []float64 {
	a := make([][]float64, columns) // rows of the normal equations, the right side last
	for c := range a {
		a[c] = make([]float64, columns+1)
		a[c][c] = 1
	}
	for i := range x.rows() {
		index, values := x.index[x.starts[i]:x.starts[i+1]], x.values[x.starts[i]:x.starts[i+1]]
		rest := y[i]
		for k, c := range index {
			rest -= float64(values[k]) * prior[c]
		}
		for k, c := range index {
			for l, e := range index {
				a[c][e] += float64(values[k]) * float64(values[l])
			}
			a[c][columns] += float64(values[k]) * rest
		}
	}
	for c := range a { // the matrix is positive definite: no pivots
		for r := range a {
			if f := a[r][c] / a[c][c]; r != c && f != 0 {
				for k := c; k <= columns; k++ {
					a[r][k] -= f * a[c][k]
				}
			}
		}
	}
	out := slices.Clone(prior)
	for c := range out {
		out[c] += a[c][columns] / a[c][c]
	}
	return out
}

func TestSolveAgainstElimination(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, dim := range []int{1, 31, 32, 33, 64} {
		s := newSample(uint64(dim), 80, dim, 50)
		o := Defaults()
		c := newColumns(&s.input, &o, s.input.Chunks)
		x, err := newMatrix(t.Context(), c, s.input.Chunks, 1)
		if err != nil {
			t.Fatal(err)
		}
		prior := make([]float32, c.count()*dim)
		for i := range prior {
			prior[i] = float32(r.NormFloat64())
		}
		p := newProblem(x, c.count())
		p.steps, p.dim = 100, dim
		p.target = func(dst []float32, i, from int) { copy(dst, s.input.Vectors[i*dim+from:]) }
		out := slices.Clone(prior)
		if err := p.solve(t.Context(), out, func(int) {}); err != nil {
			t.Fatal(err)
		}
		for j := range dim {
			column := func(m []float32) (v []float64) {
				for i := j; i < len(m); i += dim {
					v = append(v, float64(m[i]))
				}
				return v
			}
			want := dense(x, c.count(), column(s.input.Vectors), column(prior))
			for k, got := range column(out) {
				if math.Abs(got-want[k]) > 2e-5 {
					t.Fatalf("dim %d: row %d, column %d = %g, want %g", dim, k, j, got, want[k])
				}
			}
		}
	}
}

// The bound is a power of two, at or above the largest eigenvalue and not far above.
func TestBound(t *testing.T) {
	for seed := range uint64(20) {
		s := newSample(seed, 80, 3, 10+int(seed)*10)
		o := Defaults()
		c := newColumns(&s.input, &o, s.input.Chunks)
		x, err := newMatrix(t.Context(), c, s.input.Chunks, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := newProblem(x, c.count())
		largest := largestEigenvalue(p)
		if p.most < largest || p.most > 4*largest || p.most != math.Exp2(math.Round(math.Log2(p.most))) {
			t.Errorf("seed %d: bound %g of a largest eigenvalue of %g", seed, p.most, largest)
		}
	}
	if got := newProblem(&sparse{starts: []int{0}}, 0).most; got != 1 {
		t.Errorf("the bound of nothing is %g, want 1", got)
	}
}

// largestEigenvalue is that of the scaled normal equations, by many multiplications.
func largestEigenvalue(p *problem) float64 {
	n := p.xt.rows()
	v, t := make([]float64, n), make([]float64, p.x.rows())
	for c := range v {
		v[c] = 1
	}
	largest := 0.0
	for range 2000 {
		w := make([]float64, n)
		p.x.times(t, v)
		p.xt.times(w, t)
		norm := 0.0
		for c := range w {
			w[c] = (w[c] + v[c]) * float64(p.scale[c])
			norm += w[c] * w[c]
		}
		largest = math.Sqrt(norm)
		for c := range w {
			w[c] /= largest
		}
		v = w
	}
	return largest
}

func TestGather(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	x := make([]lane, 50)
	for i := range x {
		for k := range x[i] {
			x[i][k] = float32(r.NormFloat64())
		}
	}
	for n := 1; n < 20; n++ {
		index, values := make([]int32, n), make([]float32, n)
		for k := range index {
			index[k], values[k] = int32(r.IntN(len(x))), float32(r.NormFloat64())
		}
		var got, want lane
		gather(&got, x, index, values)
		gatherGo(&want, x, index, values)
		for k := range want {
			if math.Float32bits(got[k]) != math.Float32bits(want[k]) {
				t.Errorf("gather of %d rows: place %d = %g, want %g", n, k, got[k], want[k])
			}
		}
	}
}
