package search

import (
	"kdd/format/encoder"
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
	if err != nil || stored == nil || x.File.Block(index.TagVocab) == nil {
		return nil, err
	}
	rows, scales, _ := stored.Stored(false)
	v := &vectors{x: x, dim: stored.Dim, rows: index.DequantiseRows(rows, scales, stored.Dim)}
	vocab, err := encoder.OpenVocab(x.File.Block(index.TagVocab).All())
	if err != nil {
		return nil, err
	}
	if b := x.File.Block(index.TagExact); b != nil {
		t, err := encoder.OpenQuantized(b.All())
		v.encode = func(dst []float32, text string) error {
			return t.Embed(dst, vocab.EncodeWithSpecials(nil, x.Meta.Model.Query+text, x.Meta.Model.MaxTokens))
		}
		return v, err
	}
	t, err := encoder.OpenTable(x.File.Block(index.TagTable).All())
	v.encode = func(dst []float32, text string) error {
		t.Embed(dst, vocab.Encode(nil, text))
		return nil
	}
	return v, err
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
