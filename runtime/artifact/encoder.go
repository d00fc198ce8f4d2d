package artifact

import (
	"fmt"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/search/vector"
)

// Encoder is the half of an artifact that compares meanings: its vectors, and the encoder of queries.
type Encoder struct {
	View  *vector.View
	Vocab *encoder.Vocab
	// encode writes the unit vector of a text and returns how many of its pieces the encoder knows.
	Encode func(dst []float32, text string) (known int, err error)
	test   *encoder.SelfTest
	Tag    format.Tag           // of the encoder's block
	Exact  *encoder.Transformer // the encoder, where it is the transformer
	prefix string               // that the model wants before a query
	Most   int                  // wordpieces that it reads
	verify func() error         // walks that block
}

// OpenEncoder opens vectors and query encoder; nil if the artifact has no vectors or no encoder. Cost: O(1), the exact
// encoder excepted (about 5 ms).
func OpenEncoder(x *index.Index) (*Encoder, error) {
	vectors, err := x.Vectors()
	if err != nil || vectors == nil {
		return nil, err
	}
	view := &vector.View{Vectors: vectors}
	vocabBlock := x.File.Block(index.TagVocab)
	if vocabBlock == nil || x.Meta.Model == nil {
		return nil, nil
	}
	s := &Encoder{View: view, prefix: x.Meta.Model.Query, Most: x.Meta.Model.MaxTokens}
	if s.Vocab, err = encoder.OpenVocab(vocabBlock.All()); err != nil {
		return nil, EncoderError(index.TagVocab, err)
	}
	switch table, exact := x.File.Block(index.TagTable), x.File.Block(index.TagExact); {
	case exact != nil:
		t, err := encoder.OpenQuantized(exact.All())
		if err != nil {
			return nil, EncoderError(index.TagExact, err)
		}
		if dim := t.Config().Hidden; dim != view.Dim {
			return nil, EncoderError(index.TagExact, fmt.Errorf("vectors of %d, the artifact's have %d", dim, view.Dim))
		}
		s.Tag, s.Exact, s.verify = index.TagExact, t, t.Verify
		s.Encode = func(dst []float32, text string) (int, error) { return s.Read(dst, text, nil) }
	case table != nil:
		t, err := encoder.OpenTable(table.All())
		if err != nil {
			return nil, EncoderError(index.TagTable, err)
		}
		if t.Dim() != view.Dim {
			return nil, EncoderError(index.TagTable, fmt.Errorf("vectors of %d, the artifact's have %d", t.Dim(), view.Dim))
		}
		s.Tag, s.verify = index.TagTable, t.Verify
		s.Encode = func(dst []float32, text string) (int, error) {
			return t.Embed(dst, s.Vocab.Encode(nil, text)), nil
		}
	default:
		return nil, nil
	}
	if b := x.File.Block(index.TagSelfTest); b != nil {
		if s.test, err = encoder.ParseSelfTest(b.All()); err != nil {
			return nil, EncoderError(index.TagSelfTest, err)
		}
		if n := len(s.test.Vector); n != view.Dim {
			return nil, EncoderError(index.TagSelfTest, fmt.Errorf("self-test: a vector of %d, the artifact's have %d", n, view.Dim))
		}
	}
	return s, nil
}

// Pieces are the wordpieces of a query and the unit vector of each, as the transformer reads them together.
type Pieces struct {
	IDs     []int32
	Vectors []float32 // [ids, dimensions]
}

// Ids returns the wordpieces of a query with what the transformer wants around it, most at most.
func (s *Encoder) IDs(text string, most int) []int32 {
	return s.Vocab.EncodeWithSpecials(nil, s.prefix+text, min(most, s.Most))
}

// Read is encode with the transformer. The same pass fills keep, if it is not nil and the query has no more pieces than
// align compares.
func (s *Encoder) Read(dst []float32, text string, keep *Pieces) (known int, err error) {
	ids := s.IDs(text, s.Most)
	if keep != nil && len(ids) <= MostAsked {
		keep.IDs = ids
		keep.Vectors, err = s.Exact.EmbedTokens(dst, nil, ids)
	} else {
		err = s.Exact.Embed(dst, ids)
	}
	if err != nil {
		return 0, EncoderError(index.TagExact, err)
	}
	return len(ids) - 2, nil
}

// The bounds of a comparison with the transformer, in wordpieces.
const (
	MostAsked    = 64  // of a question
	MostCompared = 200 // of a chunk and the headings above it
)
