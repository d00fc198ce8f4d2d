package model

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/viterin/vek/vek32"

	"kdd/compiler/parallel"
	"kdd/format/encoder"
)

// priorWork bounds what the evaluation of word vectors costs, in multiplications: 20 s on two cores with ONNX Runtime.
// All 30,522 pieces of a model with 12 layers of 384 dimensions are within it, and 31,000 of one with 250,002 pieces.
// priorLeast are evaluated in any case, also of larger models: fewer teach the map of the others little.
const (
	priorWork  = 2e12
	priorLeast = 8192
)

// priorCount returns how many of n pieces are evaluated.
func priorCount(c *encoder.Config, n int) int {
	return min(n, max(priorLeast, int(priorWork/(3*perToken(c))))) // a text is [CLS], the piece and [SEP]
}

// perToken is what a token costs, in multiplications, where the text is short.
func perToken(c *encoder.Config) float64 {
	h := float64(c.Hidden)
	return float64(c.Layers) * (4*h*h + 2*h*float64(c.Intermediate))
}

// Texts that rows learn from: at most randomTexts of random pieces, two for three pieces of the vocabulary, and a line
// of prose for three; fewer of both where the model is large, and none where textWork, 60 s on two cores, does not
// suffice for half of them.
const (
	randomTexts  = 20_000
	randomLength = 12 // of a text on average, special tokens too
	proseLength  = 25 // of a line on average, special tokens too
	textWork     = 6e12
)

// textCounts is how many texts of each kind rows learn from, and how many pieces a text may have.
type textCounts struct{ random, prose, longest int }

// countTexts returns how many texts the rows of n pieces learn from.
func countTexts(c *encoder.Config, n int) textCounts {
	want := textCounts{random: min(randomTexts, 2*n/3), prose: min(strings.Count(prose, "\n"), n/3), longest: c.Positions - 2}
	work := perToken(c) * float64(want.random*randomLength+want.prose*proseLength)
	if work <= textWork {
		return want
	}
	if work > 2*textWork {
		return textCounts{}
	}
	want.random, want.prose = int(float64(want.random)*textWork/work), int(float64(want.prose)*textWork/work)
	return want
}

// commonPieces returns the n most common pieces, ascending: those of the highest scores, or the first ones where there
// are no scores, since vocabularies list frequent pieces first.
func commonPieces(vocab *encoder.Vocab, n int) []int32 {
	ids := make([]int32, vocab.Size())
	for i := range ids {
		ids[i] = int32(i)
	}
	if _, scored := vocab.Score(0); scored {
		slices.SortStableFunc(ids, func(a, b int32) int {
			x, _ := vocab.Score(a)
			y, _ := vocab.Score(b)
			return cmp.Compare(y, x)
		})
	}
	ids = ids[:n]
	slices.Sort(ids)
	return ids
}

// priorRidge is the ridge of the map, in mean squares of a feature. A tenth and a thousandth are within .02 of the
// cosine.
const priorRidge = .1

// extend makes the rows of pieces that were not evaluated: a linear map of their word embeddings (each brought to mean
// 0 and variance 1), learned by ridge regression from those that were. With all-MiniLM-L6-v2, rows that the map never
// saw have a mean cosine with the real ones of .72 if it learned from 8,000 pieces, and of .75 if from 16,000. Storing
// them in an artifact with one bit a value loses about as much again.
//
// Shapes: words [n, dim], which become the rows; known [len(ids), dim], of the pieces ids.
// Cost: n·dim² multiplications; 8 s for 250,002 pieces of 384 dimensions on two cores.
func extend(ctx context.Context, words, known []float32, ids []int32, dim int) error {
	n, k := len(words)/dim, len(ids)
	for i := range n {
		standardise(words[i*dim : (i+1)*dim])
	}
	// Columns side by side, so that sums over pieces are dot products.
	x, y := make([]float32, dim*k), make([]float32, dim*k)
	for r, id := range ids {
		for d := range dim {
			x[d*k+r], y[d*k+r] = words[int(id)*dim+d], known[r*dim+d]
		}
	}
	meanX, meanY := make([]float32, dim), make([]float32, dim)
	for d := range dim {
		meanX[d], meanY[d] = centre(x[d*k:(d+1)*k]), centre(y[d*k:(d+1)*k])
	}
	gram, cross := make([]float64, dim*dim), make([]float64, dim*dim) // [feature, feature], [feature, target]
	err := each(ctx, dim, func(i int) {
		for j := range dim {
			if j <= i {
				gram[i*dim+j] = float64(vek32.Dot(x[i*k:(i+1)*k], x[j*k:(j+1)*k]))
			}
			cross[i*dim+j] = float64(vek32.Dot(x[i*k:(i+1)*k], y[j*k:(j+1)*k]))
		}
	})
	if err != nil {
		return err
	}
	trace := 0.0
	for i := range dim {
		trace += gram[i*dim+i]
	}
	for i := range dim {
		gram[i*dim+i] += priorRidge*trace/float64(dim) + 1e-9
	}
	factor(gram, dim)
	weights := make([]float32, dim*dim) // [target, feature]
	if err := each(ctx, dim, func(t int) {
		solution := make([]float64, dim)
		for i := range dim {
			solution[i] = cross[i*dim+t]
		}
		substitute(gram, solution)
		for i, v := range solution {
			weights[t*dim+i] = float32(v)
		}
	}); err != nil {
		return err
	}
	if err := each(ctx, n, func(i int) {
		row := words[i*dim : (i+1)*dim]
		feature := make([]float32, dim)
		vek32.Sub_Into(feature, row, meanX)
		for t := range row {
			row[t] = meanY[t] + vek32.Dot(weights[t*dim:(t+1)*dim], feature)
		}
	}); err != nil {
		return err
	}
	for r, id := range ids {
		copy(words[int(id)*dim:(int(id)+1)*dim], known[r*dim:(r+1)*dim])
	}
	return nil
}

// standardise brings a row to mean 0 and variance 1; a constant one becomes zero.
func standardise(row []float32) {
	centre(row)
	sum := float64(vek32.Dot(row, row)) / float64(len(row))
	if sum > 0 {
		vek32.MulNumber_Inplace(row, float32(1/math.Sqrt(sum)))
	}
}

// centre takes the mean away from values and returns it.
func centre(values []float32) float32 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	mean := float32(sum / float64(len(values)))
	vek32.SubNumber_Inplace(values, mean)
	return mean
}

// factor replaces the lower triangle of a positive definite matrix by its Cholesky factor.
func factor(m []float64, n int) {
	for i := range n {
		for j := 0; j <= i; j++ {
			sum := m[i*n+j]
			for k := range j {
				sum -= m[i*n+k] * m[j*n+k]
			}
			if i == j {
				m[i*n+i] = math.Sqrt(math.Max(sum, 1e-12))
			} else {
				m[i*n+j] = sum / m[j*n+j]
			}
		}
	}
}

// substitute solves L·Lᵀ·x = b in the place of b.
func substitute(l, b []float64) {
	n := len(b)
	for i := range n {
		for k := range i {
			b[i] -= l[i*n+k] * b[k]
		}
		b[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= l[k*n+i] * b[k]
		}
		b[i] /= l[i*n+i]
	}
}

// each calls do with 0 to n-1 from all cores, until ctx ends.
func each(ctx context.Context, n int, do func(i int)) error {
	return parallel.Each(ctx, 0, n, func(i int) error { do(i); return nil })
}
