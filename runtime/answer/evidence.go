package answer

import (
	"math"
	"slices"
)

// Means is by what a question was compared with the documents.
type Means int

// The means, each with constants of its own: cosines of one encoder are not those of another.
const (
	Words     Means = iota // words alone
	Distilled              // and the distilled encoder's vectors
	Exact                  // and the transformer's
)

// Evidence is what speaks for a question being answered: raw likeness, the words that were found, and the absolute score of
// the best section, never a rank.
type Evidence struct {
	Means     Means
	Cosine    float64 // of the chunk nearest in meaning; 0 by words alone
	Agreement float64 // cosine of the chunk that is best by its words; 0 by words alone
	Coverage  float64 // weight of the question's words in the section that has most of them and in the headings above it, of all its words
	Missing   float64 // weight of the heaviest word that this section lacks, of all words
	Score     float64 // of the best section, as search gives it: 0 to 1
	Pairs     float64 // how many of the question's words stand side by side in the best chunk, as search gives it: 0 to 1
	Aligned   float64 // how well the question's words meet those of the best chunk in their sense, by the transformer; 0 without it
	Without   float64 // how much nearer the documents are to the question without one of its words, of what is lacking; 0 without the transformer
	Together  float64 // weight of the question's words in two units that stand side by side and the headings above them, where it is largest, of all words
	Unknown   float64 // weight of the question's words that the documents lack, of all words
	Figure    bool    // the question asks for a number, and the unit that has most of its words has none
	Rarity    float64 // mean idf of the question's words, of that of a word in one chunk: above 1 where the documents lack most of them
	Strange   bool    // the question names something that the documents lack
	Foreign   bool    // no section that was found is in the question's language, and it was not translated
}

// MostRarity is how large a rarity counts at most.
const MostRarity = 1.2

// Gather collects how far a question's words are in the passages that were found for it; the rest is the caller's to add. All of a
// passage counts, not just what is quoted of it: who asks in other words than the document's finds them spread over a section.
func Gather(q *Question, passages []Passage) Evidence {
	e := Evidence{Missing: 1}
	total := q.weight()
	if total <= 0 {
		return e
	}
	for n := range passages {
		said := append(q.Find(n, passages[n].Text), q.Find(n, passages[n].Heading)...)
		covered, missing := 0.0, 0.0
		for i, w := range q.Words {
			if slices.Contains(said, i) {
				covered += w.Weight * w.Known
			} else {
				missing = max(missing, w.Weight)
			}
		}
		if covered /= total; n == 0 || covered > e.Coverage {
			e.Coverage, e.Missing = covered, missing/total
		}
	}
	e.meet(q, passages, total)
	return e
}

// Features are the numbers that Weigh makes a probability of: their weighted sum, the constant first. Those that e.Means cannot
// tell are 0.
//
// The fourth is rarity where no section scores. A question about another topic uses words that the documents hardly have, and no
// section scores. A question in other words than the documents' has low coverage and a low score as well, so neither says much by
// itself; but its words are common ones. A score says more if the words that it is made of stand together. If the question is in
// another language than the documents (Foreign), words cannot match: less evidence is enough, words that the documents lack say
// less, and by words alone a score does not count.
func Features(e Evidence) []float64 {
	f := []float64{1, 0, 0, min(e.Rarity, MostRarity) * (1 - e.Score), e.Score, e.Missing, 0, 0, 0, 0, 0, 0}
	if e.Foreign {
		f[1], f[7] = 1, e.Unknown
	}
	if e.Strange {
		f[2] = 1
	}
	if e.Figure {
		f[6] = 1
	}
	switch e.Means {
	case Words:
		if e.Foreign {
			f[4] = 0
		}
		return f
	case Distilled:
		f[10] = e.Agreement
	case Exact:
		f[10], f[11] = e.Aligned, e.Without
	}
	f[8], f[9] = e.Together*e.Score, e.Pairs
	return f
}

// The constants of Weigh by means, learnt by bench/refusal -fit (bench/runs/2026-11-22-xeon/refusal-asked has the questions and the
// commands). Enough is the probability that refuses about 9 of 100 answerable questions of fifteen authors over eight corpora: with
// less, questions about another topic in another language are answered. Readable refuses 1 of 100 of nine authors over two of
// these corpora, and half of the questions about another topic.
var learnt = [...]constants{
	Words:     {weights: []float64{0.77, 1.12, -1.96, -4.64, 1.76, -1.17, -1.13, 0.52, 0, 0, 0, 0}, enough: 0.415, readable: 0.14},
	Distilled: {weights: []float64{-0.40, 0.45, -1.83, -1.78, 0.69, -0.92, -1.27, 0.77, 1.96, 2.92, 0.60, 0}, enough: 0.370, readable: 0.12},
	Exact:     {weights: []float64{-1.99, 0.55, -1.75, -1.33, 1.14, -0.22, -1.21, 0.77, 1.52, 3.08, 3.26, -17.05}, enough: 0.345, readable: 0.12},
}

type constants struct {
	weights          []float64
	enough, readable float64
}

// Judgement is what evidence says of a question.
type Judgement struct {
	Probability float64 // that the documents answer it, of questions of which every other one has no answer
	Enough      bool    // to answer it with sentences of the documents
	Readable    bool    // to let a reader, such as a language model, look for an answer; Enough is always Readable
}

// Weigh judges by evidence whether the documents answer a question.
func Weigh(e Evidence) Judgement {
	c := learnt[e.Means]
	z := 0.0
	for i, x := range Features(e) {
		z += c.weights[i] * x
	}
	p := 1 / (1 + math.Exp(-z))
	return Judgement{Probability: p, Enough: p >= c.enough, Readable: p >= c.readable}
}
