package search

import (
	"kdd/bench/internal/sets"
	"kdd/format/index"
	"kdd/runtime/eval"
)

// vectors ranks sections by cosine alone: a plain loop over every row, and no code of the search that it is compared
// with.
type vectors struct {
	x      *index.Index
	dim    int
	rows   []float32
	encode func(dst []float32, text string) error
}

// openVectors reads the vectors of x and opens its query encoder; nil if it has none.
func openVectors(x *index.Index) (*vectors, error) {
	stored, err := x.Vectors()
	if err != nil || stored == nil {
		return nil, err
	}
	encode, err := sets.QueryEncoder(x)
	if err != nil || encode == nil {
		return nil, err
	}
	rows, scales, _ := stored.Stored(false)
	return &vectors{x: x, dim: stored.Dim, rows: index.DequantiseRows(rows, scales, stored.Dim), encode: encode}, nil
}

// rank lists all sections by their best chunk's cosine.
func (v *vectors) rank(text string) ([]eval.Place, error) {
	query := make([]float32, v.dim)
	if err := v.encode(query, text); err != nil {
		return nil, err
	}
	cosines := make([]float32, len(v.rows)/v.dim)
	for i := range cosines {
		var sum float32
		for k, x := range v.rows[i*v.dim : (i+1)*v.dim] {
			sum += x * query[k]
		}
		cosines[i] = sum
	}
	return eval.RankSections(v.x, cosines, -2), nil
}
