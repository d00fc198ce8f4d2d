package build

import (
	"math"
	"slices"
	"testing"
)

// TestNoise: a text always has the same vector, which has unit length; a text of other wordpieces has another, and one
// with the same rarest words has one near it.
func TestNoise(t *testing.T) {
	const dim = 32
	e := &noise{dim: dim, rows: make([]float32, dim*dim)}
	for i := range dim {
		e.rows[i*dim+i] = 1
	}
	embed := func(ids ...int32) []float32 {
		v := make([]float32, e.dim)
		if err := e.Embed(v, ids); err != nil {
			t.Fatal(err)
		}
		return v
	}
	dot := func(a, b []float32) (sum float64) {
		for k := range a {
			sum += float64(a[k]) * float64(b[k])
		}
		return sum
	}
	one := embed(101, 5000, 7000, 102)
	if again := embed(101, 5000, 7000, 102); !slices.Equal(one, again) || math.Abs(dot(one, one)-1) > 1e-6 {
		t.Errorf("%v, again %v, of length² %g", one, again, dot(one, one))
	}
	like, far := embed(101, 2001, 5000, 7000, 102), 0
	for id := range int32(20) {
		if dot(one, embed(101, 9000+id, 102)) < dot(one, like) {
			far++
		}
	}
	if slices.Equal(one, like) || far < 10 {
		t.Errorf("%v and %v of texts with the same words; %d of 20 others are further", one, like, far)
	}
}
