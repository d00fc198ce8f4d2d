package main

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"kdd/runtime/answer"
)

// probability is that of an answer, by weights.
func probability(w []float64, e answer.Evidence) float64 {
	z := answer.Named(e)
	for i, x := range answer.Features(e) {
		z += w[i] * x
	}
	return 1 / (1 + math.Exp(-z))
}

// Constants of the fit.
const (
	decay = 0.03 // of squared weights, the constant's aside, against sides of weight side
	side  = 10   // what all that is answerable weighs, and all that is not
)

// parts is the end of the name of a corpus that lacks some documents, see bench/refusal/pairs.
var parts = regexp.MustCompile(`-[0-9]+(-without)?$`)

// topic is the corpus that a question is asked of, whatever documents that lacks.
func (q *question) topic() string { return parts.ReplaceAllString(q.corpus, "") }

// group is what a question's weight is shared with.
func (q *question) group() string {
	half := q.half
	if half == "tune" || half == "test" {
		half = "ask"
	}
	return half + " " + q.topic() + " " + q.kind
}

// importance is what a group weighs among those of its side: questions in users' words much, those in the words of headings
// little; another topic much, and least what only lacks a document, since another may answer it.
func importance(group string) float64 {
	half, rest, _ := strings.Cut(group, " ")
	_, kind, _ := strings.Cut(rest, " ")
	switch {
	case kind == "answerable":
		return map[string]float64{"words": 2, "pairs": 1, "ask": 0.3}[half]
	case kind == "other-topic" && half == "ask":
		return 1.5
	case kind == "other-topic":
		return 1
	case half == "pairs":
		return 0.15
	}
	return 0.5
}

// shares returns the weight of each question: that of its group by its questions, both sides being equal.
func shares(list []question) []float64 {
	count, sides := map[string]int{}, map[bool]float64{}
	for i := range list {
		count[list[i].group()]++
	}
	ws := make([]float64, len(list))
	for i := range list {
		q := &list[i]
		ws[i] = importance(q.group()) / float64(count[q.group()])
		sides[q.kind == "answerable"] += ws[i]
	}
	for i := range list {
		ws[i] *= side / sides[list[i].kind == "answerable"]
	}
	return ws
}

// learn fits a logistic regression by Newton's method, with a little weight decay on all but the constant.
func learn(list []question) []float64 {
	share := shares(list)
	n := len(answer.Features(answer.Evidence{}))
	w := make([]float64, n)
	for range 50 {
		grad, hess := make([]float64, n), make([][]float64, n)
		for j := range hess {
			hess[j] = make([]float64, n)
			if grad[j], hess[j][j] = decay*w[j], decay; j == 0 {
				grad[j], hess[j][j] = 0, 1e-9
			}
		}
		for i := range list {
			x, y := answer.Features(list[i].evidence), 0.0
			if list[i].kind == "answerable" {
				y = 1
			}
			p := probability(w, list[i].evidence)
			for j := range x {
				grad[j] += share[i] * (p - y) * x[j]
				for k := range x {
					hess[j][k] += share[i] * p * (1 - p) * x[j] * x[k]
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

// across returns the probability of each question by what is learnt from the questions of the other corpora.
func across(list []question) []float64 {
	ps := make([]float64, len(list))
	for _, topic := range values(list, (*question).topic) {
		var others []question
		for i := range list {
			if list[i].topic() != topic {
				others = append(others, list[i])
			}
		}
		w := learn(others)
		for i := range list {
			if list[i].topic() == topic {
				ps[i] = probability(w, list[i].evidence)
			}
		}
	}
	return ps
}

// threshold is the highest probability below which at most a share of the answerable questions lie, by their weights.
func threshold(list []question, ps []float64, most float64) float64 {
	share := shares(list)
	var order []int
	total := 0.0
	for i := range list {
		if list[i].kind == "answerable" {
			order = append(order, i)
			total += share[i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	below := 0.0
	for _, i := range order {
		if below += share[i]; below > most*total {
			return ps[i]
		}
	}
	return 1
}
