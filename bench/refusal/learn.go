package main

import (
	"math"
	"slices"

	"kdd/runtime/answer"
)

// folds is how many parts the questions are cut into to predict each from the others.
const folds = 10

// logistic is the probability of an answer.
func logistic(w, x []float64) float64 {
	z := 0.0
	for i := range w {
		z += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// learn fits a logistic regression by Newton's method, with a little weight decay on all but the constant.
func learn(list []question) []float64 {
	const decay = 0.5
	var xs [][]float64
	var ys []float64
	for i := range list {
		y := 0.0
		if list[i].kind == "answerable" {
			y = 1
		}
		xs, ys = append(xs, answer.Features(list[i].evidence)), append(ys, y)
	}
	n := len(xs[0])
	w := make([]float64, n)
	for range 50 {
		grad, hess := make([]float64, n), make([][]float64, n)
		for j := range hess {
			hess[j] = make([]float64, n)
			if j > 0 {
				grad[j], hess[j][j] = decay*w[j], decay
			}
		}
		for i, x := range xs {
			p := logistic(w, x)
			for j := range x {
				grad[j] += (p - ys[i]) * x[j]
				for k := range x {
					hess[j][k] += p * (1 - p) * x[j] * x[k]
				}
			}
		}
		for j, d := range solve(hess, grad) {
			w[j] -= d
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

// across returns the probability of each question by what is learnt from the other folds. A question's fold is its place
// among those of its corpus and kind.
func across(list []question) []float64 {
	place := map[string]int{}
	fold := make([]int, len(list))
	for i := range list {
		group := list[i].corpus + " " + list[i].kind
		fold[i] = place[group] % folds
		place[group]++
	}
	ps := make([]float64, len(list))
	for f := range folds {
		var others []question
		for i := range list {
			if fold[i] != f {
				others = append(others, list[i])
			}
		}
		w := learn(others)
		for i := range list {
			if fold[i] == f {
				ps[i] = logistic(w, answer.Features(list[i].evidence))
			}
		}
	}
	return ps
}

// threshold is the lowest probability below which at least a share of the questions without an answer lie.
func threshold(list []question, ps []float64, least float64) float64 {
	var none []float64
	for i := range list {
		if list[i].kind != "answerable" {
			none = append(none, ps[i])
		}
	}
	slices.Sort(none)
	return math.Nextafter(none[min(len(none)-1, max(0, int(math.Ceil(least*float64(len(none))))-1))], 1)
}
