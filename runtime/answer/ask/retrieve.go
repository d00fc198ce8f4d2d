package ask

import (
	"context"
	"slices"
	"strings"

	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// retrieved is what the search for a question found, and what was picked from it. It holds no part of an artifact's
// mapping.
type retrieved struct {
	language string // of the question
	mode     string
	passages []passage        // best first
	texts    []answer.Passage // of the same passages
	quotable int              // how many of them sentences are taken from; the others are for a language model
	picked   []answer.Picked
	evidence answer.Evidence
	unknown  []string // names in the question that no document has
	warnings []string
}

// best returns the texts from which sentences are taken.
func (f *retrieved) best() []answer.Passage { return f.texts[:f.quotable] }

// retrieve searches, reads the sections that were found, picks the sentences that answer, and collects the evidence.
// question is the text to search for; q is what was asked last.
func (s *Asker) retrieve(ctx context.Context, set *artifact.Set, question string,
	q *wire.AskRequest) (*retrieved, error) {
	limit := AskPassages
	if s.Model != nil {
		limit = modelPassages
	}
	request := &wire.SearchRequest{Query: question, Mode: search.ModeHybrid, Limit: limit, Filter: q.Filter}
	r, _, err := search.Retrieve(ctx, set, request, limit)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	f := &retrieved{mode: r.Mode, warnings: r.Warnings, language: string(r.Queries[0].Language)}
	asked := ReadQuestion(set, r, question)
	asked.Last, _ = query.Clip(strings.TrimSpace(q.Query))
	if asked.Form = answer.FormOf(asked.Last); asked.Form == answer.Plain {
		// "what about X" asks what was asked of something else
		asked.Form = answer.FormOf(strings.TrimPrefix(question, asked.Last))
	}
	f.unknown = unknownNames(asked)
	if err := f.readPassages(set, r, asked, limit); err != nil {
		return nil, err
	}
	if s.Observe != nil {
		s.Observe(asked, f.best())
	}
	f.picked = answer.Pick(asked, f.best(), min(answer.MaxWords, max(minWords, int(float64(q.MaxTokens)*wordsPerToken))),
		q.Explain)
	f.evidence, err = gatherEvidence(set, r, asked, f)
	return f, err
}

// readPassages reads the sections of the best hits, and the beginning of the document whose name the question asks for.
// It also sets how the words of the question are found in them. Further sections, up to limit, are for a language
// model.
func (f *retrieved) readPassages(set *artifact.Set, r *search.Ranking, asked *answer.Question, limit int) error {
	hits := r.Hits[:min(len(r.Hits), AskPassages)]
	if err := fetchUnits(set, hits); err != nil {
		return err
	}
	matchers := make([]*matcher, 0, len(hits)+1) // of the passages
	for i := range hits {
		h := &hits[i]
		a := set.Artifacts[h.Index]
		m, err := newMatcher(a, h.Doc, r.Queries[h.Index], asked.Words, r.Scored[h.Index].Vector)
		if err != nil {
			return err
		}
		f.read(set, a, h)
		matchers = append(matchers, m)
	}
	opening, of := openingOf(set, asked, hits, matchers)
	if of >= 0 {
		at := slices.IndexFunc(hits, func(h search.Result) bool { return sameSection(opening, h) })
		if at < 0 {
			at = len(hits)
			f.read(set, set.Artifacts[opening.Index], &opening)
			matchers = append(matchers, matchers[of])
		}
		f.texts[at].Opens = true
	}
	f.quotable = len(f.texts)
	for i := len(hits); i < min(len(r.Hits), limit); i++ {
		if h := &r.Hits[i]; of < 0 || !sameSection(opening, *h) {
			f.read(set, set.Artifacts[h.Index], h)
		}
	}
	asked.WordsIn = func(passage int, text string) []int { return slices.Clip(matchers[passage].wordsIn(text)) }
	if len(matchers) > 0 && !slices.ContainsFunc(matchers, func(m *matcher) bool { return m.likeness == nil }) {
		asked.Likeness = func(passage int, text string) float64 { return matchers[passage].likeness(text) }
	}
	return nil
}

// ReadQuestion returns a question with its words but without its form.
func ReadQuestion(set *artifact.Set, r *search.Ranking, raw string) *answer.Question {
	q := &answer.Question{Text: raw, Skip: unclean}
	for _, w := range search.QuestionWords(set, r, raw) {
		q.Words = append(q.Words, answer.Word(w))
	}
	return q
}

// unclean says that a text cannot be quoted unchanged.
func unclean(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return wire.CleanLines(text) != text
}
