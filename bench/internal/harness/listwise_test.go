package harness

import (
	"math"
	"testing"
)

// TestFitListwise checks that weights are found with which each list was drawn: the right one of two candidates by the
// odds of their difference.
func TestFitListwise(t *testing.T) {
	want := []float64{2, -1, 0}
	var lists []List
	for i := range 400 {
		a, b := float64(i%20)/20, float64(i/20)/20
		x := [][]float64{{a, b, 7}, {b, a, 7}}
		p := Logistic(want[0]*(a-b) + want[1]*(b-a))
		for k := range 20 { // as many as their share says
			right := float64(k) < math.Round(20*p)
			lists = append(lists, List{X: x, Right: []bool{right, !right}})
		}
	}
	got := FitListwise(lists, 3, 0)
	// only the difference of the first two is told, and a feature that is the same of all has no weight
	if d := got[0] - got[1]; math.Abs(d-3) > 0.1 || math.Abs(got[2]) > 1e-6 {
		t.Errorf("got %.3f, want weights that differ by 3, and 0", got)
	}
	if with, without := ListLoss(lists, got), ListLoss(lists, make([]float64, 3)); with >= without {
		t.Errorf("loss %.4f, without weights %.4f", with, without)
	}
	if small := FitListwise(lists, 3, 1); math.Abs(small[0]-small[1]) >= 2 {
		t.Errorf("with decay %.3f", small)
	}
}
