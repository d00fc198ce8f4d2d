package artifact

import (
	"fmt"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/search/vector"
)

// Encoder is the part of an artifact that compares meanings: its vectors, and the encoder of queries.
type Encoder struct {
	View  *vector.View
	Vocab *encoder.Vocab
	// Encode writes the unit vector of a text and returns how many wordpieces of the text the encoder knows.
	Encode func(dst []float32, text string) (known int, err error)
	// Fetch reads what Encode needs, of an artifact that lies elsewhere; nil if that is all of the encoder.
	Fetch func(text string) error
	Tag   format.Tag // of the encoder's block

	// Key is the same for encoders that make the same vector of a text: the hashes of their blocks, and the prefix.
	Key string

	prefix string         // text that the model wants before a query
	table  *encoder.Table // nil for the transformer
	test   *encoder.SelfTest
	verify func() error // checks the encoder's block
}

// openEncoder opens vectors and query encoder. It returns nil if the artifact lacks one of them. Cost: O(1), about 5 ms
// for the transformer.
func openEncoder(x *index.Index) (*Encoder, error) {
	vectors, err := x.Vectors()
	if err != nil || vectors == nil {
		return nil, err
	}
	vocabBlock := x.File.Block(index.TagVocab)
	if vocabBlock == nil || x.Meta.Model == nil {
		return nil, nil
	}
	s := &Encoder{View: &vector.View{Vectors: vectors}, prefix: x.Meta.Model.Query}
	if s.Vocab, err = encoder.OpenVocab(vocabBlock.All()); err != nil {
		return nil, EncoderError(index.TagVocab, err)
	}
	most := x.Meta.Model.QueryTokens() // wordpieces that it reads
	checkDim := func(tag format.Tag, what string, dim int) error {
		if dim != vectors.Dim {
			return EncoderError(tag, fmt.Errorf("%s of %d, the artifact's have %d", what, dim, vectors.Dim))
		}
		return nil
	}
	switch table, exact := x.File.Block(index.TagTable), x.File.Block(index.TagExact); {
	case exact != nil:
		t, err := encoder.OpenQuantized(exact.All())
		if err != nil {
			return nil, EncoderError(index.TagExact, err)
		}
		if err := checkDim(index.TagExact, "vectors", t.Dim()); err != nil {
			return nil, err
		}
		s.Tag, s.verify = index.TagExact, t.Verify
		s.Encode = func(dst []float32, text string) (int, error) {
			ids := s.Vocab.EncodeWithSpecials(nil, s.prefix+text, most)
			if err := t.Embed(dst, ids); err != nil {
				return 0, EncoderError(index.TagExact, err)
			}
			return len(ids) - 2, nil
		}
	case table != nil:
		t, err := encoder.OpenTable(table)
		if err != nil {
			return nil, EncoderError(index.TagTable, err)
		}
		if err := checkDim(index.TagTable, "vectors", t.Dim()); err != nil {
			return nil, err
		}
		s.Tag, s.table, s.verify = index.TagTable, t, t.Verify
		s.Encode = func(dst []float32, text string) (int, error) {
			ids := s.Vocab.Encode(nil, text)
			if err := fetchTable(x.File, t, ids); err != nil {
				return 0, err
			}
			return t.Embed(dst, ids), nil
		}
		s.Fetch = func(text string) error { return fetchTable(x.File, t, s.Vocab.Encode(nil, text)) }
	default:
		return nil, nil
	}
	for _, e := range x.File.Entries() {
		if e.Tag == s.Tag || e.Tag == index.TagVocab {
			s.Key += string(e.Root[:])
		}
	}
	s.Key += s.prefix
	if b := x.File.Block(index.TagSelfTest); b != nil {
		if s.test, err = encoder.ParseSelfTest(b.All()); err != nil {
			return nil, EncoderError(index.TagSelfTest, err)
		}
		return s, checkDim(index.TagSelfTest, "self-test: a vector", len(s.test.Vector))
	}
	return s, nil
}

// fetchTable reads what the table has of a text, in one round if it lies elsewhere.
func fetchTable(f *format.File, t *encoder.Table, ids []int32) error {
	if !f.Remote() {
		return nil
	}
	var spans []format.Span
	for _, p := range t.Parts(ids) {
		spans = append(spans, format.Span{Block: f.Block(index.TagTable), At: p[0], N: p[1] - p[0]})
	}
	return f.Fetch(spans...)
}
