package distil

import (
	"context"
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
	steps   int
	dim     int
	target  func(dst []float32, i, from int) // target of text i, from output column from on, as many as dst has
	workers int
	spaces  sync.Pool // of *space
}

// space is the memory of a slab.
type space struct {
	t           []lane // [texts]
	r, d, q, aq []lane // [columns]: residual, what is added to the prior, direction, normal equations × direction
}

// newProblem returns the problem of a matrix.
func newProblem(x *sparse, columns int) *problem {
	p := &problem{x: x, xt: x.transpose(columns)}
	p.scale = p.jacobi()
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
			sum += float64(v) * float64(v)
		}
		scale[c] = float32(1 / sum)
	}
	return scale
}

// solve makes the solution of the prior that rows holds.
//
// Output columns do not depend on each other: they are solved in slabs, each by one goroutine. The method is conjugate
// gradient (Hestenes & Stiefel 1952) on the normal equations, with a Jacobi preconditioner and step lengths of each
// output column's own.
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
	var rz [width]float64
	for c, scale := range p.scale {
		q := &s.q[c]
		for k, v := range &s.r[c] {
			q[k] = scale * v
			rz[k] += float64(v) * float64(q[k])
		}
	}
	for range p.steps {
		if ctx.Err() != nil {
			return false
		}
		product(s.t, p.x, s.q)
		product(s.aq, p.xt, s.t)
		p.step(s, &rz)
	}
	for c := range s.d {
		row := rows[c*p.dim+from:][:n]
		for k := range row {
			row[k] += s.d[c][k]
		}
	}
	return true
}

// step goes along the direction and makes the next one. rz is the residual's norm before and after.
func (p *problem) step(s *space, rz *[width]float64) {
	var curve, next [width]float64
	for c := range s.q {
		q, aq := &s.q[c], &s.aq[c]
		for k, v := range q {
			aq[k] += v
			curve[k] += float64(v) * float64(aq[k])
		}
	}
	var length, turn lane
	for k, v := range &curve {
		if v > 0 {
			length[k] = float32(rz[k] / v)
		}
	}
	for c, scale := range p.scale {
		q, aq, d, r := &s.q[c], &s.aq[c], &s.d[c], &s.r[c]
		for k, l := range &length {
			d[k] += l * q[k]
			v := r[k] - l*aq[k]
			r[k] = v
			next[k] += float64(v) * float64(scale*v)
		}
	}
	for k, v := range &next {
		if rz[k] > 0 {
			turn[k] = float32(v / rz[k])
		}
	}
	for c, scale := range p.scale {
		q, r := &s.q[c], &s.r[c]
		for k, b := range &turn {
			q[k] = scale*r[k] + b*q[k]
		}
	}
	*rz = next
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

// gatherGo writes Σ values[k]·x[index[k]] to dst: the reference of gather, and what machines without a faster way use.
func gatherGo(dst *lane, x []lane, index []int32, values []float32) {
	var sum lane
	for k, c := range index {
		row, v := &x[c], values[k]
		for j := range row {
			sum[j] += v * row[j]
		}
	}
	*dst = sum
}
