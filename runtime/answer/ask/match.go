package ask

import (
	"slices"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
)

// matcher compares texts of one document with the question.
type matcher struct {
	find     func(text string) []int   // which of the question's words a text has
	likeness func(text string) float64 // in meaning; nil where it is not known

	found map[string][]int // by text: what is picked and what is weighed ask for the same ones
}

// newMatcher returns a matcher for the texts of one document. q and vector are what the search compared the document
// with.
func newMatcher(a *artifact.Artifact, d index.DocID, q *query.Query, words []answer.Word,
	vector []float32) (*matcher, error) {
	likeness, err := likenessOf(a, vector)
	return &matcher{find: wordFinder(a, d, q, words), likeness: likeness, found: map[string][]int{}}, err
}

// wordsIn returns the words of the question that a text has.
func (m *matcher) wordsIn(text string) []int {
	has, ok := m.found[text]
	if !ok {
		has = m.find(text)
		m.found[text] = has
	}
	return has
}

// wordFinder returns a function that finds the words of a question in texts of a document, by the terms that the search
// scored.
func wordFinder(a *artifact.Artifact, d index.DocID, q *query.Query, words []answer.Word) func(string) []int {
	analyzer := text.New()
	lang := text.Lang(a.StemLanguage(d))
	place := map[string]int{}
	for i, w := range words {
		place[w.Text] = i
	}
	terms, known := map[string]int{}, map[index.TermID]int{}
	for _, w := range q.Words {
		i, ok := place[w.Text]
		if !ok {
			continue
		}
		terms[w.Text] = i
		for _, t := range slices.Concat(w.Terms, w.Near) {
			if at, ok := known[t]; !ok || at != i { // a word may come many times
				known[t], terms[a.TermDict().At(uint32(t))] = i, i
			}
		}
	}
	return func(raw string) []int {
		var has []int
		for _, t := range analyzer.Tokens(nil, raw) {
			i, ok := terms[t.Fold]
			if !ok && lang != "" && !t.Whole && !t.CJK {
				i, ok = terms[text.StemTerm(lang, analyzer.Stem(lang, t.Lower))]
			}
			if ok && !slices.Contains(has, i) {
				has = append(has, i)
			}
		}
		return has
	}
}

// likenessOf returns a function that computes the cosine of a text and a question. It is nil without a vector, and with
// a transformer, which is too slow to run on every sentence.
func likenessOf(a *artifact.Artifact, question []float32) (func(string) float64, error) {
	sem, err := a.Encoder()
	if err != nil || sem == nil || question == nil || sem.Tag != index.TagTable {
		return nil, err
	}
	vec := make([]float32, len(question))
	return func(text string) float64 {
		if known, err := sem.Encode(vec, text); err != nil || known <= 0 {
			return 0
		}
		return dot(vec, question)
	}, nil
}

// dot is the scalar product of two vectors of one length.
func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
