package sets

import (
	"kdd/format/encoder"
	"kdd/format/index"
)

// QueryEncoder opens the query encoder of x, and returns what writes the vector of a text to dst; nil if there is none.
// The blocks are read as they are, by no code of the search.
func QueryEncoder(x *index.Index) (func(dst []float32, text string) error, error) {
	block := x.File.Block(index.TagVocab)
	if block == nil {
		return nil, nil
	}
	vocab, err := encoder.OpenVocab(block.All())
	if err != nil {
		return nil, err
	}
	if b := x.File.Block(index.TagExact); b != nil {
		t, err := encoder.OpenQuantized(b.All())
		return func(dst []float32, text string) error {
			return t.Embed(dst, vocab.EncodeWithSpecials(nil, x.Meta.Model.Query+text, x.Meta.Model.QueryTokens()))
		}, err
	}
	t, err := encoder.OpenTable(x.File.Block(index.TagTable))
	return func(dst []float32, text string) error {
		t.Embed(dst, vocab.Encode(nil, text))
		return nil
	}, err
}
