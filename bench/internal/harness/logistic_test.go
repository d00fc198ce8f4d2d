package harness

import (
	"math"
	"testing"
)

// Two values of one feature, so the fit must meet the share of yes at both: 1/4 at 0, 3/4 at 2.
func TestFitLogistic(t *testing.T) {
	var cases []Case
	for i := range 4 {
		cases = append(cases, Case{X: []float64{0, 1}, Yes: i == 0, Weight: 1}, Case{X: []float64{2, 1}, Yes: i > 0, Weight: 1})
	}
	want := []float64{math.Log(9) / 2, -math.Log(3)}
	for j, w := range FitLogistic(cases, []float64{1e-9, 1e-9}) {
		if math.Abs(w-want[j]) > 1e-6 {
			t.Errorf("weight %d is %g, want %g", j, w, want[j])
		}
	}
	for i := range cases { // the constant as an offset
		cases[i].X, cases[i].Offset = cases[i].X[:1], want[1]
	}
	if w := FitLogistic(cases, []float64{1e-9}); math.Abs(w[0]-want[0]) > 1e-6 {
		t.Errorf("beside an offset the weight is %g, want %g", w[0], want[0])
	}
	separated := []Case{{X: []float64{-1}, Weight: 1}, {X: []float64{1}, Yes: true, Weight: 1}}
	if w := FitLogistic(separated, []float64{1e-6})[0]; math.IsInf(w, 0) || math.IsNaN(w) || Logistic(w) < .99 {
		t.Errorf("weight of a feature that separates the labels is %g, want large and finite", w)
	}
}
