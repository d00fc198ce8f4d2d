package search

import (
	"context"
	"math"
	"slices"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
	"kdd/runtime/search/vector"
)

// noVectors is the reason if a query has no vector because the artifact has none.
const noVectors = "no vectors in this index"

// unknownWords is the reason if a query has no vector because of its words.
const unknownWords = "the query encoder knows no word of the query"

// embedded are the vectors of a query by the encoder and the text that were taken: of artifacts with one encoder, the
// first embeds for all.
type embedded map[embeddedBy]*Scores

type embeddedBy struct {
	encoder, text string
}

// query computes the vector of a query. If there is no vector, it returns the reason.
func (m embedded) query(a *artifact.Artifact, own *Scores, text string) (why string, err error) {
	s, err := a.Encoder()
	if err != nil {
		return "", err
	}
	if s == nil {
		if a.File.Block(index.TagVectors) != nil {
			return "no query encoder in this index", nil
		}
		return noVectors, nil
	}
	by := embeddedBy{s.Key, text}
	if of := m[by]; of != nil && len(of.Vector) == s.View.Dim {
		own.Vector = of.Vector
		return "", nil
	}
	vec := make([]float32, s.View.Dim)
	known, err := s.Encode(vec, text)
	switch {
	case err != nil:
		return "", err
	case known <= 0:
		return unknownWords, nil
	}
	own.Vector = vec
	m[by] = own
	return "", nil
}

// joinVectors gives artifacts of one model, each with a table of its own, one vector of the query: the mean of what their
// tables say, by their number of chunks. Each table is an estimate of what the model says, learned from the artifact's
// own text.
func joinVectors(set *artifact.Set, r *Ranking) {
	if !set.Several() {
		return
	}
	type model struct {
		name, weights, probe string
		dim                  int
	}
	sums := map[model][]float32{}
	of := func(i int) (m model, ok bool) {
		s, a := r.Scored[i], set.Artifacts[i]
		if s.Vector == nil || a.Meta.Encoder != index.EncoderDistilled {
			return m, false
		}
		about := a.Meta.Model
		return model{about.Name, about.SHA256, about.Probe, len(s.Vector)}, true
	}
	for i, a := range set.Artifacts {
		if m, ok := of(i); ok {
			if sums[m] == nil {
				sums[m] = make([]float32, m.dim)
			}
			for k, v := range r.Scored[i].Vector {
				sums[m][k] += v * float32(a.Chunks())
			}
		}
	}
	for _, sum := range sums {
		var square float64
		for _, v := range sum {
			square += float64(v) * float64(v)
		}
		if square == 0 {
			clear(sum)
			continue
		}
		scale := float32(1 / math.Sqrt(square))
		for k := range sum {
			sum[k] *= scale
		}
	}
	for i := range set.Artifacts {
		if m, ok := of(i); ok {
			r.Scored[i].Vector = sums[m]
		}
	}
}

// isWord says whether a query encoder has one piece for a whole word, which is then no misspelling.
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

// leansLexical says whether words count for more than meaning: if the encoder does not know the language of the query,
// or if the query is one or two words with an identifier.
func leansLexical(a *artifact.Artifact, q *query.Query, language text.Lang) bool {
	return !a.Meta.Model.Knows(string(language)) || q.Short()
}

// foreignTo returns a function that says whether a document is in the language that the query is translated into. It
// returns nil if the query is not translated, or if no document is in its own language.
func foreignTo(a *artifact.Artifact, q *query.Query) func(index.DocID) bool {
	if q.Into == "" || !slices.ContainsFunc(a.Meta.Languages, func(l index.LanguageDocs) bool { return l.Language == string(q.Own) }) {
		return nil
	}
	return func(d index.DocID) bool { return a.DocLanguage(d) == string(q.Into) }
}

// EmbeddedText returns the text that a query's vector is made of: the query, or its translation if the encoder does not
// know its language. If the encoder is a table that knows the query's language but not that of the documents, the text
// is both: the table has learned the documents' words. The transformer loses by that.
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

// scoreMeaning computes the cosine of each chunk of the admitted documents, if the query has a vector.
func scoreMeaning(ctx context.Context, set *artifact.Set, r *Ranking) error {
	for i, a := range set.Artifacts {
		s := r.Scored[i]
		if s.Vector == nil || elsewhere(a) {
			continue
		}
		sem, err := a.Encoder()
		if err != nil {
			return err
		}
		rest, err := sem.View.Cosines(ctx, vector.NewQuery(s.Vector), AdmittedRows(a, s), s.Signals.Cosine)
		if err != nil {
			return err
		}
		if rest != nil {
			s.Signals.Rest = rest
		}
	}
	return nil
}

// AdmittedRows returns the rows of the chunks of the admitted documents. Cost: a look at each document, if not all are
// admitted.
func AdmittedRows(a *artifact.Artifact, s *Scores) vector.Ranges {
	if s.scorer.AllowsAll() {
		return vector.Ranges{{0, uint32(a.Chunks())}}
	}
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
