package search

import (
	"context"
	"slices"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
	"kdd/runtime/search/vector"
)

// unknownWords is why a query has no vector where only its words are the matter.
const unknownWords = "the query encoder knows no word of the query"

// embedQuery fills in the vector of a query, and its pieces where they are wanted and the encoder is the transformer.
// It returns the reason if there is no vector.
func embedQuery(a *artifact.Artifact, own *Scores, text string, wanted bool) (why string, err error) {
	s, err := a.Encoder()
	if err != nil {
		return "", err
	}
	if s == nil {
		if a.File.Block(index.TagVectors) != nil {
			return "no query encoder in this index", nil
		}
		return "no vectors in this index", nil
	}
	vec, known := make([]float32, s.View.Dim), 0
	if wanted && s.Exact != nil {
		known, err = s.Read(vec, text, &own.Pieces)
	} else {
		known, err = s.Encode(vec, text)
	}
	switch {
	case err != nil:
		return "", err
	case known <= 0:
		return unknownWords, nil
	}
	own.Vector = vec
	return "", nil
}

// isWord says whether a query encoder has a piece of its own for a word, which is then no misspelling.
func isWord(set *artifact.Set, word string) bool {
	return slices.ContainsFunc(set.Artifacts, func(a *artifact.Artifact) bool {
		s, err := a.Encoder()
		if err != nil || s == nil {
			return false
		}
		_, ok := s.Vocab.Find(word)
		return ok
	})
}

// leansLexical says whether the words of a query in a language are to count for more than its vector: where the encoder
// does not know the language, or the query is one or two words with an identifier.
func leansLexical(a *artifact.Artifact, q *query.Query, language text.Lang) bool {
	return !a.Meta.Model.Knows(string(language)) || q.Short()
}

// foreignTo returns which documents are in the language that a query is translated into, where others are in its own;
// else nil.
func foreignTo(a *artifact.Artifact, q *query.Query) func(index.DocID) bool {
	if q.Into == "" || !slices.ContainsFunc(a.Meta.Languages, func(l index.LanguageDocs) bool { return l.Language == string(q.Own) }) {
		return nil
	}
	return func(d index.DocID) bool { return a.DocLanguage(d) == string(q.Into) }
}

// EmbeddedText is the text of a query that its vector is made of: the query as it is, or where the encoder does not
// know its language and it is translated, as far as it is. Where the encoder knows the query's language and not that of
// the documents, a table has learned the documents' words, so that it reads both; the transformer loses by that.
func EmbeddedText(a *artifact.Artifact, q *query.Query) string {
	switch model := a.Meta.Model; {
	case q.Into == "":
		return q.Text
	case !model.Knows(string(q.Own)):
		return q.Translated
	case a.Meta.Encoder == index.EncoderDistilled && !model.Knows(string(q.Into)):
		return q.Text + " " + q.Translated
	default:
		return q.Text
	}
}

// scoreMeaning fills the cosine signal for the chunks of the allowed documents, where the query has a vector.
func scoreMeaning(ctx context.Context, set *artifact.Set, r *Ranking) error {
	for i, a := range set.Artifacts {
		s := r.Scored[i]
		if s.Vector == nil {
			continue
		}
		sem, err := a.Encoder()
		if err != nil {
			return err
		}
		s.Signals.Cosine = make([]float32, a.Chunks())
		var must []uint32
		for c, score := range s.Signals.BM25 {
			if score > 0 {
				must = append(must, uint32(c))
			}
		}
		if err := sem.View.Cosines(ctx, vector.NewQuery(s.Vector), AdmittedRows(a, s), must, s.Signals.Cosine); err != nil {
			return err
		}
	}
	return nil
}

// AdmittedRows returns the rows of the chunks of the allowed documents.
func AdmittedRows(a *artifact.Artifact, s *Scores) vector.Ranges {
	var candidates vector.Ranges
	for d := range index.DocID(a.Docs()) {
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
