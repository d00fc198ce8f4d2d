package distil

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format/encoder"
)

// TestLearnPrior learns rows from the vectors of an encoder that is such a table, and asks texts that were not learned
// from.
func TestLearnPrior(t *testing.T) {
	const pieces, dim = 300, 24
	r := rand.New(rand.NewPCG(3, 4))
	shares := make([]float32, pieces)
	for i := range shares {
		shares[i] = float32(1-math.Pow(1-1/float64(i+2), 3)) * .2
	}
	truth, rows := make([]float32, pieces*dim), make([]float32, pieces*dim)
	for i := range truth {
		truth[i] = float32(r.NormFloat64())
		rows[i] = truth[i]*.3 + float32(r.NormFloat64()) // what the pieces are by themselves says little
	}
	encode := func(table []float32, text []int32) []float32 {
		v := make([]float32, dim)
		for _, id := range text {
			w := float32(math.Log((priorPseudo + 1) / (priorPseudo*float64(shares[id]) + .5)))
			for k := range v {
				v[k] += w * table[int(id)*dim+k]
			}
		}
		encoder.Unit(v)
		return v
	}
	var texts [][]int32
	var vectors []float32
	for _, batch := range RandomTexts(shares, 160, 50) {
		n := len(batch) / 50
		if n < 3 || n > 16 || len(batch)%50 != 0 {
			t.Fatalf("a batch of 50 texts has %d pieces, want 3 to 16 each", len(batch))
		}
		for k := range 50 {
			texts = append(texts, batch[k*n:(k+1)*n])
			vectors = append(vectors, encode(truth, texts[len(texts)-1])...)
		}
	}
	learned := texts[:7600]
	fit := func() (cosine float64) {
		for i, text := range texts[7600:] {
			v := encode(rows, text)
			for k, x := range v {
				cosine += float64(x*vectors[(7600+i)*dim+k]) / 400
			}
		}
		return cosine
	}
	before := fit()
	if err := LearnPrior(t.Context(), rows, dim, shares, learned, vectors[:7600*dim]); err != nil {
		t.Fatal(err)
	}
	if after := fit(); before > .5 || after < .85 {
		t.Errorf("mean cosine of texts not learned from: %.3f before, %.3f after, want above .85", before, after)
	}
}

func TestRandomTexts(t *testing.T) {
	shares := make([]float32, 50)
	if got := RandomTexts(shares, 2, 4); got != nil {
		t.Errorf("RandomTexts of pieces that never occur = %v, want nil", got)
	}
	shares[7], shares[9] = 1, .01
	one, two := RandomTexts(shares, 20, 8), RandomTexts(shares, 20, 8)
	if !slices.EqualFunc(one, two, slices.Equal) {
		t.Error("two calls give other texts")
	}
	count := map[int32]int{}
	for _, batch := range one {
		for _, id := range batch {
			count[id]++
		}
	}
	if len(count) != 2 || count[7] < 2*count[9] || count[9] == 0 {
		t.Errorf("pieces were drawn %v times, want 7 about three times as often as 9, and no others", count)
	}
}

func TestLearnPriorRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name          string
		rows, vectors []float32
	}{
		{"too few rows", make([]float32, 3), make([]float32, 2)},
		{"too few vectors", make([]float32, 4), make([]float32, 1)},
		{"no numbers", make([]float32, 4), []float32{nan, 0}},
	} {
		if err := LearnPrior(t.Context(), tt.rows, 2, []float32{.1, .2}, [][]int32{{0, 1}}, tt.vectors); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
}
