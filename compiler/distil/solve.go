package distil

import "context"

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
	prior   func(dst []float32, c, from int) // prior of column c likewise
	workers int
}

// solve writes E to out.
//
// Output columns do not depend on each other: they are solved in slabs, one by each goroutine. The method is conjugate
// gradient (Hestenes & Stiefel 1952) on the normal equations, with a Jacobi preconditioner and step lengths of each output
// column's own.
//
// Shapes: out [columns, dim] row-major. Cost: 4·steps·entries·dim operations; memory (4·columns + rows)·128 bytes for each
// goroutine.
func (p *problem) solve(ctx context.Context, out []float32, done func(slab, slabs int)) error {
	slabs := (p.dim + width - 1) / width
	p.scale = p.jacobi()
	return share(ctx, p.workers, slabs, func(s int) {
		from := s * width
		d := p.slab(ctx, from, min(width, p.dim-from))
		if d == nil {
			return
		}
		for c := range d {
			row := out[c*p.dim+from : min(c*p.dim+from+width, (c+1)*p.dim)]
			p.prior(row, c, from)
			for k := range row {
				row[k] += d[c][k]
			}
		}
		done(s, slabs)
	})
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

// slab returns what is to be added to the prior in n output columns from from on, or nil if ctx ended.
func (p *problem) slab(ctx context.Context, from, n int) []lane {
	columns := p.xt.rows()
	t := make([]lane, p.x.rows())
	r, d, q, aq := make([]lane, columns), make([]lane, columns), make([]lane, columns), make([]lane, columns)
	for c := range q {
		p.prior(q[c][:n], c, from)
	}
	product(t, p.x, q)
	var y lane
	for i := range t {
		p.target(y[:n], i, from)
		for k := range t[i] {
			t[i][k] = y[k] - t[i][k]
		}
	}
	product(r, p.xt, t)
	var rz [width]float64
	for c, s := range p.scale {
		for k, v := range r[c] {
			q[c][k] = s * v
			rz[k] += float64(v) * float64(s*v)
		}
	}
	for range p.steps {
		if ctx.Err() != nil {
			return nil
		}
		product(t, p.x, q)
		product(aq, p.xt, t)
		rz = p.step(r, d, q, aq, &rz)
	}
	return d
}

// step goes along q and makes the next direction of it. It returns the new residual's norms.
func (p *problem) step(r, d, q, aq []lane, rz *[width]float64) (next [width]float64) {
	var curve [width]float64
	for c := range q {
		qc, ac := &q[c], &aq[c]
		for k, v := range qc {
			ac[k] += v
			curve[k] += float64(v) * float64(ac[k])
		}
	}
	var length, turn lane
	for k, v := range curve {
		if v > 0 {
			length[k] = float32(rz[k] / v)
		}
	}
	for c := range q {
		qc, ac, dc, rc, s := &q[c], &aq[c], &d[c], &r[c], p.scale[c]
		for k, l := range length {
			dc[k] += l * qc[k]
			v := rc[k] - l*ac[k]
			rc[k] = v
			next[k] += float64(v) * float64(s*v)
		}
	}
	for k, v := range next {
		if rz[k] > 0 {
			turn[k] = float32(v / rz[k])
		}
	}
	for c := range q {
		qc, rc, s := &q[c], &r[c], p.scale[c]
		for k, b := range turn {
			qc[k] = s*rc[k] + b*qc[k]
		}
	}
	return next
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
		for j := range sum {
			sum[j] += v * row[j]
		}
	}
	*dst = sum
}
