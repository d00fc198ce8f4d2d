package main

import (
	"math"
	"slices"

	"kdd/runtime/answer"
)

// logistic is the probability of an answer.
func logistic(w, x []float64) float64 {
	z := 0.0
	for i := range w {
		z += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// learn fits a logistic regression to the half tune, by gradient descent with a little weight decay.
func learn(list []question) []float64 {
	var xs [][]float64
	var ys []float64
	for i := range list {
		if q := &list[i]; q.half == "tune" {
			y := 0.0
			if q.kind == "answerable" {
				y = 1
			}
			xs, ys = append(xs, answer.Features(q.evidence)), append(ys, y)
		}
	}
	w := make([]float64, len(xs[0]))
	for range 40000 {
		grad := make([]float64, len(w))
		for i, x := range xs {
			d := logistic(w, x) - ys[i]
			for j := range w {
				grad[j] += d * x[j]
			}
		}
		for j := range w {
			decay := 0.5 * w[j]
			if j == 0 {
				decay = 0 // the constant
			}
			w[j] -= 0.5 * (grad[j] + decay) / float64(len(xs))
		}
	}
	return w
}

// threshold is the highest probability below which at most a share of the answerable questions of the half tune lie.
func threshold(list []question, w []float64, most float64) float64 {
	var ps []float64
	for i := range list {
		if q := &list[i]; q.half == "tune" && q.kind == "answerable" {
			ps = append(ps, logistic(w, answer.Features(q.evidence)))
		}
	}
	slices.Sort(ps)
	return ps[int(most*float64(len(ps)))]
}
