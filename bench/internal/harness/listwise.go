package harness

import (
	"math"
	"slices"
)

// List is a list of candidates of which some are right.
type List struct {
	X     [][]float64 // features of each candidate
	Right []bool      // which are right: at least one, and not all of them
}

// FitListwise returns the weights w of the features that make a right candidate of each list the likeliest: the minimum
// over w of
//
//	mean over the lists of -ln Σ of right ones softmax(w·x) + decay · Σ (w[j] · deviation of feature j)²
//
// by gradient descent on features of deviation 1, with steps that grow while they help and shrink where they do not.
// Cost: some hundreds of passes over the lists. Source: ListNet's loss with one relevant group (Cao et al. 2007).
//
// Shapes: each X and the result [features].
func FitListwise(lists []List, features int, decay float64) []float64 {
	deviation := deviations(lists, features)
	scaled := make([]List, len(lists))
	for i, l := range lists {
		scaled[i] = List{X: make([][]float64, len(l.X)), Right: l.Right}
		for k, x := range l.X {
			scaled[i].X[k] = make([]float64, features)
			for j := range x {
				scaled[i].X[k][j] = x[j] / deviation[j]
			}
		}
	}
	w, next := make([]float64, features), make([]float64, features)
	loss, gradient := listLoss(scaled, w, decay)
	for step, pass := 1.0, 0; pass < 1000 && step > 1e-9; pass++ {
		for j := range w {
			next[j] = w[j] - step*gradient[j]
		}
		l, g := listLoss(scaled, next, decay)
		if l >= loss {
			step /= 2
			continue
		}
		done := loss-l < 1e-9
		copy(w, next)
		loss, gradient = l, g
		if step *= 1.3; done {
			break
		}
	}
	for j := range w {
		w[j] /= deviation[j]
	}
	return w
}

// ListLoss returns the mean of -ln of the share that weights give to the right candidates of each list.
func ListLoss(lists []List, w []float64) float64 {
	loss, _ := listLoss(lists, w, 0)
	return loss
}

// BestOf returns the first of the candidates that weights score highest, or -1 if there is none.
func BestOf(l List, w []float64) int {
	best, most := -1, math.Inf(-1)
	for i, x := range l.X {
		z := 0.0
		for j := range w {
			z += w[j] * x[j]
		}
		if z > most {
			best, most = i, z
		}
	}
	return best
}

// listLoss returns the loss of weights and its gradient.
func listLoss(lists []List, w []float64, decay float64) (loss float64, gradient []float64) {
	gradient = make([]float64, len(w))
	for j := range w {
		loss += decay * w[j] * w[j]
		gradient[j] = 2 * decay * w[j]
	}
	n := float64(len(lists))
	var scores []float64
	for _, l := range lists {
		scores = scores[:0]
		for _, x := range l.X {
			z := 0.0
			for j := range w {
				z += w[j] * x[j]
			}
			scores = append(scores, z)
		}
		most, all, right := slices.Max(scores), 0.0, 0.0
		for k, z := range scores {
			scores[k] = math.Exp(z - most)
			if all += scores[k]; l.Right[k] {
				right += scores[k]
			}
		}
		loss += (math.Log(all) - math.Log(right)) / n
		for k, x := range l.X {
			share := scores[k] / all
			if l.Right[k] {
				share -= scores[k] / right
			}
			for j := range w {
				gradient[j] += share * x[j] / n
			}
		}
	}
	return loss, gradient
}

// deviations are the standard deviations of the features, 1 where all candidates have the same.
func deviations(lists []List, features int) []float64 {
	sum, square, n := make([]float64, features), make([]float64, features), 0.0
	for _, l := range lists {
		for _, x := range l.X {
			n++
			for j := range sum {
				sum[j] += x[j]
				square[j] += x[j] * x[j]
			}
		}
	}
	for j := range sum {
		mean := sum[j] / n
		if sum[j] = math.Sqrt(max(0, square[j]/n-mean*mean)); sum[j] < 1e-9 {
			sum[j] = 1
		}
	}
	return sum
}
