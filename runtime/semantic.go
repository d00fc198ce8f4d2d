package runtime

import (
	"context"
	"fmt"
	"slices"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/text"
	"kdd/runtime/query"
	"kdd/runtime/vector"
)

// semantic is the half of an artifact that compares meanings: its vectors, and the encoder of queries.
type semantic struct {
	view  *vector.View
	vocab *encoder.Vocab
	// encode writes the unit vector of a text and returns how many of its pieces the encoder knows.
	encode func(dst []float32, text string) (known int, err error)
	test   *encoder.SelfTest
	tag    format.Tag           // of the encoder's block
	exact  *encoder.Transformer // the encoder, where it is the transformer
	prefix string               // that the model wants before a query
	most   int                  // wordpieces that it reads
	verify func() error         // walks that block
}

// openSemantic opens vectors and query encoder; nil if the artifact has no vectors or no encoder. Cost: O(1), the exact
// encoder excepted (about 5 ms).
func openSemantic(x *format.Index) (*semantic, error) {
	vectors, err := x.Vectors()
	if err != nil || vectors == nil {
		return nil, err
	}
	view := &vector.View{Vectors: vectors}
	vocabBlock := x.File.Block(format.TagVocab)
	if vocabBlock == nil || x.Meta.Model == nil {
		return nil, nil
	}
	s := &semantic{view: view, prefix: x.Meta.Model.Query, most: x.Meta.Model.MaxTokens}
	if s.vocab, err = encoder.OpenVocab(vocabBlock.All()); err != nil {
		return nil, encoderError(format.TagVocab, err)
	}
	switch table, exact := x.File.Block(format.TagTable), x.File.Block(format.TagExact); {
	case exact != nil:
		t, err := encoder.OpenQuantized(exact.All())
		if err != nil {
			return nil, encoderError(format.TagExact, err)
		}
		if dim := t.Config().Hidden; dim != view.Dim {
			return nil, encoderError(format.TagExact, fmt.Errorf("vectors of %d, the artifact's have %d", dim, view.Dim))
		}
		s.tag, s.exact, s.verify = format.TagExact, t, t.Verify
		s.encode = func(dst []float32, text string) (int, error) { return s.read(dst, text, nil) }
	case table != nil:
		t, err := encoder.OpenTable(table.All())
		if err != nil {
			return nil, encoderError(format.TagTable, err)
		}
		if t.Dim() != view.Dim {
			return nil, encoderError(format.TagTable, fmt.Errorf("vectors of %d, the artifact's have %d", t.Dim(), view.Dim))
		}
		s.tag, s.verify = format.TagTable, t.Verify
		s.encode = func(dst []float32, text string) (int, error) {
			return t.Embed(dst, s.vocab.Encode(nil, text)), nil
		}
	default:
		return nil, nil
	}
	if b := x.File.Block(format.TagSelfTest); b != nil {
		if s.test, err = encoder.ParseSelfTest(b.All()); err != nil {
			return nil, encoderError(format.TagSelfTest, err)
		}
		if n := len(s.test.Vector); n != view.Dim {
			return nil, encoderError(format.TagSelfTest, fmt.Errorf("self-test: a vector of %d, the artifact's have %d", n, view.Dim))
		}
	}
	return s, nil
}

// unknownWords is why a query has no vector where only its words are the matter.
const unknownWords = "the query encoder knows no word of the query"

// pieces are the wordpieces of a query and the unit vector of each, as the transformer reads them together.
type pieces struct {
	ids     []int32
	vectors []float32 // [ids, dimensions]
}

// ids returns the wordpieces of a query with what the transformer wants around it, most at most.
func (s *semantic) ids(text string, most int) []int32 {
	return s.vocab.EncodeWithSpecials(nil, s.prefix+text, min(most, s.most))
}

// read is encode with the transformer. The same pass fills keep, if it is not nil and the query has no more pieces than align
// compares.
func (s *semantic) read(dst []float32, text string, keep *pieces) (known int, err error) {
	ids := s.ids(text, s.most)
	if keep != nil && len(ids) <= mostAsked {
		keep.ids = ids
		keep.vectors, err = s.exact.EmbedTokens(dst, nil, ids)
	} else {
		err = s.exact.Embed(dst, ids)
	}
	if err != nil {
		return 0, encoderError(format.TagExact, err)
	}
	return len(ids) - 2, nil
}

// embed fills in the vector of a query, and its pieces where they are wanted and the encoder is the transformer. It returns the
// reason if there is no vector.
func (a *artifact) embed(own *scored, text string, wanted bool) (why string, err error) {
	s, err := a.sem()
	if err != nil {
		return "", err
	}
	if s == nil {
		if a.File.Block(format.TagVectors) != nil {
			return "no query encoder in this index", nil
		}
		return "no vectors in this index", nil
	}
	vec, known := make([]float32, s.view.Dim), 0
	if wanted && s.exact != nil {
		known, err = s.read(vec, text, &own.pieces)
	} else {
		known, err = s.encode(vec, text)
	}
	switch {
	case err != nil:
		return "", err
	case known <= 0:
		return unknownWords, nil
	}
	own.vector = vec
	return "", nil
}

// isWord says whether a query encoder has a piece of its own for a word, which is then no misspelling.
func (set *set) isWord(word string) bool {
	return slices.ContainsFunc(set.artifacts, func(a *artifact) bool {
		s, err := a.sem()
		if err != nil || s == nil {
			return false
		}
		_, ok := s.vocab.Find(word)
		return ok
	})
}

// leansLexical says whether the words of a query in a language are to count for more than its vector: where the encoder does not
// know the language, or the query is one or two words with an identifier.
func (a *artifact) leansLexical(q *query.Query, language text.Lang) bool {
	return !a.Meta.Model.Knows(string(language)) || q.Short()
}

// foreign returns which documents are in the language that a query is translated into, where others are in its own; else nil.
func (a *artifact) foreign(q *query.Query) func(format.DocID) bool {
	if q.Into == "" || !slices.ContainsFunc(a.Meta.Languages, func(l format.LanguageDocs) bool { return l.Language == string(q.Own) }) {
		return nil
	}
	return func(d format.DocID) bool { return a.DocLanguage(d) == string(q.Into) }
}

// reading is the text of a query that its vector is made of: the query as it is, or where the encoder does not know its language and
// it is translated, as far as it is. Where the encoder knows the query's language and not that of the documents, a table has
// learned the documents' words, so that it reads both; the transformer loses by that.
func (a *artifact) reading(q *query.Query) string {
	switch model := a.Meta.Model; {
	case q.Into == "":
		return q.Text
	case !model.Knows(string(q.Own)):
		return q.Translated
	case a.Meta.Encoder == format.EncoderDistilled && !model.Knows(string(q.Into)):
		return q.Text + " " + q.Translated
	default:
		return q.Text
	}
}

// cosines fills the cosine signal for the chunks of the allowed documents, if the query has a vector.
func (a *artifact) cosines(ctx context.Context, s *scored) error {
	if s.vector == nil {
		return nil
	}
	sem, err := a.sem()
	if err != nil {
		return err
	}
	s.signals.Cosine = make([]float32, a.Chunks())
	var must []uint32
	for c, score := range s.signals.BM25 {
		if score > 0 {
			must = append(must, uint32(c))
		}
	}
	return sem.view.Cosines(ctx, vector.NewQuery(s.vector), a.candidates(s), must, s.signals.Cosine)
}

// candidates returns the rows of the chunks of the allowed documents.
func (a *artifact) candidates(s *scored) vector.Ranges {
	var candidates vector.Ranges
	for d := range format.DocID(a.Docs()) {
		if !s.scorer.Allowed(d) {
			continue
		}
		from, to := a.DocChunks(d)
		if n := len(candidates); n > 0 && candidates[n-1][1] == uint32(from) {
			candidates[n-1][1] = uint32(to)
		} else if from < to {
			candidates = append(candidates, [2]uint32{uint32(from), uint32(to)})
		}
	}
	return candidates
}
