package answer

import (
	"cmp"
	"slices"
)

// Word is one word of a question.
type Word struct {
	Text   string
	Weight float64 // idf
	Known  float64 // 1: the documents have it; less: they have something like it; 0: they do not
	Name   bool    // it is an identifier
}

// Question is a question with what is known of its words.
type Question struct {
	Text  string
	Last  string // what of Text was asked last, where it goes on with a question before; "" = all of it
	Form  Form
	Words []Word // those with a meaning of their own; none twice

	// WordsIn returns, for a text of a passage, which of Words it has.
	WordsIn func(passage int, text string) []int
	// Likeness is the likeness in meaning of a text and the question, a cosine; nil if it is not known.
	Likeness func(passage int, text string) float64
	// Skip says that a text may not be quoted; nil: any may.
	Skip func(text string) bool
}

// weight returns the weight of all words together.
func (q *Question) weight() (total float64) {
	for _, w := range q.Words {
		total += w.Weight
	}
	return total
}

// asksFigure says that a question asks for a number.
func (q *Question) asksFigure() bool { return lexicon().figures().MatchString(cmp.Or(q.Last, q.Text)) }

// share returns the weight of some words as a share of the weight of all words that the documents know.
func (q *Question) share(has []int) float64 {
	known, own := 0.0, 0.0
	for i, w := range q.Words {
		if slices.Contains(has, i) {
			own += w.Weight
		}
		if w.Known > 0 || slices.Contains(has, i) {
			known += w.Weight
		}
	}
	if own == 0 {
		return 0
	}
	return own / known
}

// Names says that a title names what the question asks for and nothing else. has lists the words of the question that
// the title has.
func (q *Question) Names(has []int, title string) bool {
	return q.share(has) >= limitWordsOfTitle.value() && len(has) >= wordCount(title)
}

// Passage is a run of text that a search found, best passages first, with its units.
type Passage struct {
	Text    string
	Heading string // the title and headings that it stands below
	Doc     uint64 // passages of one document have the same number
	At      int    // where it begins in its document
	Opens   bool   // it is the beginning of the document that is called what the question asks for
	Units   []Unit // of Text, in order
}
