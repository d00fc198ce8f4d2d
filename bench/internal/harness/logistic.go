package harness

import (
	"math"
	"slices"
)

// Case is one case of a logistic regression.
type Case struct {
	X      []float64 // features
	Offset float64   // of the logit, which is not fitted
	Yes    bool      // the label
	Weight float64
}

// Logistic returns 1/(1 + e⁻ˣ).
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// FitLogistic returns the weights w of the features that make the labels likeliest: the minimum over w of
//
//	Σ weight · -ln P(label | Logistic(offset + w·x)) + ½ Σ decay[j] · w[j]²
//
// by Newton's method, with steps that are halved until they help. A decay above 0 keeps weights finite where a feature
// separates the labels without an error.
//
// Shapes: decay, each X and the result [features]. Cost: some ten passes over the cases.
func FitLogistic(cases []Case, decay []float64) []float64 {
	w := make([]float64, len(decay))
	logit := func(w []float64, c *Case) float64 {
		z := c.Offset
		for j, x := range c.X {
			z += w[j] * x
		}
		return z
	}
	loss := func(w []float64) (sum float64) {
		for j, d := range decay {
			sum += d / 2 * w[j] * w[j]
		}
		for i := range cases {
			c := &cases[i]
			z := logit(w, c)
			sum += c.Weight * (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))) // ln(1 + eᶻ) without an overflow
			if c.Yes {
				sum -= c.Weight * z
			}
		}
		return sum
	}
	for range 100 {
		gradient, hessian := make([]float64, len(w)), make([][]float64, len(w))
		for j, d := range decay {
			hessian[j] = make([]float64, len(w))
			gradient[j], hessian[j][j] = d*w[j], d
		}
		for i := range cases {
			c := &cases[i]
			p := Logistic(logit(w, c))
			off := p
			if c.Yes {
				off--
			}
			for j, x := range c.X {
				gradient[j] += c.Weight * off * x
				for k, y := range c.X {
					hessian[j][k] += c.Weight * p * (1 - p) * x * y
				}
			}
		}
		direction, before := solve(hessian, gradient), loss(w)
		next, moved := make([]float64, len(w)), 0.0
		for step := 1.0; step > 1e-9; step /= 2 {
			moved = 0
			for j, d := range direction {
				next[j], moved = w[j]-step*d, moved+math.Abs(step*d)
			}
			if loss(next) <= before {
				break
			}
		}
		if w = next; moved < 1e-9 {
			break
		}
	}
	return w
}

// solve returns x of a·x = b for a positive definite a, which it overwrites, by elimination.
func solve(a [][]float64, b []float64) []float64 {
	x := slices.Clone(b)
	for i := range a {
		for r := i + 1; r < len(a); r++ {
			f := a[r][i] / a[i][i]
			for c := i; c < len(a); c++ {
				a[r][c] -= f * a[i][c]
			}
			x[r] -= f * x[i]
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		for c := i + 1; c < len(a); c++ {
			x[i] -= a[i][c] * x[c]
		}
		x[i] /= a[i][i]
	}
	return x
}
