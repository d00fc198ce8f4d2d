package main

import (
	"cmp"
	"context"
	"slices"

	"kdd/format"
	"kdd/runtime/embed"
	"kdd/runtime/eval"
	"kdd/runtime/vector"
)

// vectors ranks by cosine alone.
type vectors struct {
	x      *format.Index
	view   vector.View
	encode func(dst []float32, text string) error
}

// openVectors opens the vectors of x and its query encoder.
func openVectors(x *format.Index) (*vectors, error) {
	v := &vectors{x: x}
	var err error
	if v.view.Vectors, err = x.Vectors(); err != nil {
		return nil, err
	}
	vocab, err := embed.OpenVocab(x.File.Block(format.TagVocab).All())
	if err != nil {
		return nil, err
	}
	if b := x.File.Block(format.TagExact); b != nil {
		t, err := embed.OpenQuantized(b.All())
		v.encode = func(dst []float32, text string) error {
			return t.Embed(dst, vocab.EncodeWithSpecials(nil, x.Meta.Model.Query+text, x.Meta.Model.MaxTokens))
		}
		return v, err
	}
	t, err := embed.OpenTable(x.File.Block(format.TagTable).All())
	v.encode = func(dst []float32, text string) error {
		t.Embed(dst, vocab.Encode(nil, text))
		return nil
	}
	return v, err
}

// ask ranks all sections by their best chunk's cosine.
func (v *vectors) ask(ctx context.Context, text string) ([]eval.Place, error) {
	vec := make([]float32, v.view.Dim)
	if err := v.encode(vec, text); err != nil {
		return nil, err
	}
	cosines := make([]float32, v.x.Chunks())
	everything := vector.Ranges{{0, uint32(v.x.Chunks())}}
	if err := v.view.Cosines(ctx, vector.NewQuery(vec), everything, nil, cosines); err != nil {
		return nil, err
	}
	return eval.Sections(v.x, cosines, -2), nil
}

// documents lists the documents of places in their order, each once.
func documents(places []eval.Place) []eval.Place {
	var docs []eval.Place
	seen := map[string]bool{}
	for _, p := range places {
		if !seen[p.Path] {
			seen[p.Path] = true
			docs = append(docs, eval.Place{Path: p.Path})
		}
	}
	return docs
}

// reciprocal fuses rankings by Σ 1/(60 + rank) (Cormack, Clarke & Büttcher 2009).
func reciprocal(rankings ...[]eval.Place) []eval.Place {
	sums := map[eval.Place]float64{}
	var fused []eval.Place
	for _, places := range rankings {
		for i, p := range places {
			if _, known := sums[p]; !known {
				fused = append(fused, p)
			}
			sums[p] += 1 / float64(60+i+1)
		}
	}
	slices.SortStableFunc(fused, func(a, b eval.Place) int { return cmp.Compare(sums[b], sums[a]) })
	return fused
}
