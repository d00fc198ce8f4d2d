package distil

import (
	"context"
	"math"
	"sync"
)

// width is the number of output columns that are solved together: a row of them is two cache lines, and the wordpieces
// of a corpus of 5,000 chunks fit into a core's cache.
const width = 32

// lane is a row of values, one for each output column of a slab.
type lane = [width]float32

// problem is argmin over E of Σ |x_i·E - y_i|² + |E - prior|², for all output columns.
type problem struct {
	x, xt   *sparse // texts, by row and by column
	scale   []float32
	most    float64 // bounds the eigenvalues of the normal equations times scale
	steps   int
	dim     int
	target  func(dst []float32, i, from int) // target of text i, from output column from on, as many as dst has
	workers int
	spaces  sync.Pool // of *space
}

// space is the memory of a slab.
type space struct {
	t           []lane // [texts]
	r, d, q, aq []lane // [columns]: residual, what is added to the prior, step, normal equations × step
}

// newProblem returns the problem of a matrix.
func newProblem(x *sparse, columns int) *problem {
	p := &problem{x: x, xt: x.transpose(columns)}
	p.scale = p.jacobi()
	p.most = p.bound()
	p.spaces.New = func() any {
		c := func() []lane { return make([]lane, columns) }
		return &space{make([]lane, x.rows()), c(), c(), c(), c()}
	}
	return p
}

// jacobi returns the reciprocals of the normal equations' diagonal.
func (p *problem) jacobi() []float32 {
	scale := make([]float32, p.xt.rows())
	for c := range scale {
		sum := 1.0
		for _, v := range p.xt.values[p.xt.starts[c]:p.xt.starts[c+1]] {
			sum += float64(v) * float64(v) // exact
		}
		scale[c] = float32(1 / sum)
	}
	return scale
}

// boundRounds is how often bound multiplies.
const boundRounds = 20

// bound returns a bound of the eigenvalues of the scaled normal equations: the power of two at or above one that Collatz
// and Wielandt give, so that an edit hardly ever changes it. For a matrix A without negative numbers and a positive
// vector v it is the largest (A·v)_i / v_i, and near the largest eigenvalue after some rounds v = A·v.
func (p *problem) bound() float64 {
	v, w, t := make([]float64, p.xt.rows()), make([]float64, p.xt.rows()), make([]float64, p.x.rows())
	for c := range v {
		v[c] = 1
	}
	most := math.Inf(1)
	for range boundRounds {
		p.x.times(t, v)
		p.xt.times(w, t)
		high, sum := 0.0, 0.0
		for c := range w {
			w[c] = (w[c] + v[c]) * float64(p.scale[c])
			high = max(high, w[c]/v[c])
			sum += w[c]
		}
		most = min(most, high)
		for c := range v {
			v[c] = max(w[c]/sum, math.SmallestNonzeroFloat32) // it stays positive: a number that were 0 would bound nothing
		}
	}
	const margin = 1 + 1e-5 // scale is in float32
	return math.Exp2(math.Ceil(math.Log2(max(1, most*margin))))
}

// times writes m·v to dst.
func (m *sparse) times(dst, v []float64) {
	for i := range dst {
		sum := 0.0
		for k := m.starts[i]; k < m.starts[i+1]; k++ {
			sum += float64(float64(m.values[k]) * v[m.index[k]])
		}
		dst[i] = sum
	}
}

// spread is how many times smaller the eigenvalues are, at least, of what the steps are made for; what is of smaller ones
// comes nearer to the solution with each step, but slowly.
const spread = 128

// solve makes the solution of the prior that rows holds.
//
// Output columns do not depend on each other: they are solved in slabs, each by one goroutine. The method is Chebyshev's
// iteration (Golub & Varga 1961) on the normal equations, with a Jacobi preconditioner. Its steps are a polynomial that
// does not depend on the texts. Those of conjugate gradient do: after as many steps an edit of one text then moves all
// rows ten times as far, and most of the file's rows with them.
//
// Shapes: rows [columns, dim] row-major. Cost: 4·steps·entries·dim operations; memory (4·columns + texts)·128 bytes for
// each goroutine.
func (p *problem) solve(ctx context.Context, rows []float32, done func(slabs int)) error {
	slabs := (p.dim + width - 1) / width
	return share(ctx, p.workers, slabs, func(s int) {
		if p.slab(ctx, rows, s*width, min(width, p.dim-s*width)) {
			done(slabs)
		}
	})
}

// slab solves n output columns from from on, and reports whether it came to the end before ctx did.
func (p *problem) slab(ctx context.Context, rows []float32, from, n int) bool {
	s := p.spaces.Get().(*space)
	defer p.spaces.Put(s)
	clear(s.d)
	clear(s.q)
	for c := range s.q {
		copy(s.q[c][:n], rows[c*p.dim+from:])
	}
	product(s.t, p.x, s.q)
	var y lane
	for i := range s.t {
		p.target(y[:n], i, from)
		t := &s.t[i]
		for k, v := range &y {
			t[k] = v - t[k]
		}
	}
	product(s.r, p.xt, s.t)
	middle, half := p.most*(1+1./spread)/2, p.most*(1-1./spread)/2 // of the eigenvalues
	turn := half / middle
	for c, scale := range p.scale {
		for k, v := range &s.r[c] {
			s.q[c][k] = scale / float32(middle) * v
		}
	}
	for range p.steps {
		if ctx.Err() != nil {
			return false
		}
		product(s.t, p.x, s.q)
		product(s.aq, p.xt, s.t)
		next := 1 / (2*middle/half - turn)
		p.step(s, float32(next*turn), float32(2*next/half))
		turn = next
	}
	for c := range s.d {
		row := rows[c*p.dim+from:][:n]
		for k := range row {
			row[k] += s.d[c][k]
		}
	}
	return true
}

// step takes the step, and makes the next one: keep of this one, and fresh of what the residual says.
func (p *problem) step(s *space, keep, fresh float32) {
	for c, scale := range p.scale {
		q, aq, d, r := &s.q[c], &s.aq[c], &s.d[c], &s.r[c]
		fresh := fresh * scale
		for k, v := range q {
			d[k] += v
			r[k] -= aq[k] + v
			q[k] = float32(keep*v) + float32(fresh*r[k])
		}
	}
}

// product writes m·x to dst.
//
// Shapes: dst [m.rows]; x has a lane for each column of m.
func product(dst []lane, m *sparse, x []lane) {
	for i := range dst {
		from, to := m.starts[i], m.starts[i+1]
		if from == to {
			dst[i] = lane{}
			continue
		}
		gather(&dst[i], x, m.index[from:to], m.values[from:to])
	}
}

// gatherGo writes Σ values[k]·x[index[k]] to dst: those of even k, plus those of odd k. Products are rounded to float32
// before they are added, as the conversions say: else some processors would not, and the file would have other bits.
func gatherGo(dst *lane, x []lane, index []int32, values []float32) {
	var sums [2]lane
	for k, c := range index {
		row, v, sum := &x[c], values[k], &sums[k%2]
		for j := range row {
			sum[j] += float32(v * row[j])
		}
	}
	for j := range dst {
		dst[j] = sums[0][j] + sums[1][j]
	}
}
