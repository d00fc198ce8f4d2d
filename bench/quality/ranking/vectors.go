package ranking

import (
	"context"

	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/search/vector"
)

// Vectors compares by cosine alone. It is for one goroutine.
type Vectors struct {
	view   vector.View
	chunks uint32
	encode func(dst []float32, text string) (known float64, err error)
}

// OpenVectors opens the vectors of x and its query encoder; nil if it has none.
func OpenVectors(x *index.Index) (*Vectors, error) {
	vectors, err := x.Vectors()
	if err != nil || vectors == nil || x.File.Block(index.TagVocab) == nil {
		return nil, err
	}
	v := &Vectors{view: vector.View{Vectors: vectors}, chunks: uint32(x.Chunks())}
	vocab, err := encoder.OpenVocab(x.File.Block(index.TagVocab).All())
	if err != nil {
		return nil, err
	}
	if b := x.File.Block(index.TagExact); b != nil {
		t, err := encoder.OpenQuantized(b.All())
		v.encode = func(dst []float32, text string) (float64, error) {
			return 1, t.Embed(dst, vocab.EncodeWithSpecials(nil, x.Meta.Model.Query+text, x.Meta.Model.MaxTokens))
		}
		return v, err
	}
	t, err := encoder.OpenTable(x.File.Block(index.TagTable).All())
	v.encode = func(dst []float32, text string) (float64, error) {
		ids := vocab.Encode(nil, text)
		return float64(t.Embed(dst, ids)) / float64(max(1, len(ids))), nil
	}
	return v, err
}

// Cosines returns the cosine of a text with every chunk, and which share of the text's wordpieces the encoder knows.
func (v *Vectors) Cosines(ctx context.Context, text string) (cosines []float32, known float64, err error) {
	vec := make([]float32, v.view.Dim)
	if known, err = v.encode(vec, text); err != nil {
		return nil, 0, err
	}
	cosines = make([]float32, v.chunks)
	return cosines, known, v.view.Cosines(ctx, vector.NewQuery(vec), vector.Ranges{{0, v.chunks}}, nil, cosines)
}
