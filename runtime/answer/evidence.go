package answer

import (
	"math"
	"slices"
)

// Evidence is what speaks for a question being answered: raw likeness, the words that were found, and the absolute score of
// the best section, never a rank.
type Evidence struct {
	Vectors  bool    // meanings were compared
	Cosine   float64 // of the chunk nearest in meaning
	Coverage float64 // weight of the question's words in the section that has most of them and in the headings above it, of all its words
	Score    float64 // of the best section, as search gives it: 0 to 1
	Strange  bool    // the question names something that the documents lack
}

// Gather collects the coverage of a question by the passages that were found for it; the rest is the caller's to add. All of a
// passage counts, not just what is quoted of it: who asks in other words than the document's finds them spread over a section.
func Gather(q *Question, passages []Passage) Evidence {
	var e Evidence
	total := 0.0
	for _, w := range q.Words {
		total += w.Weight
	}
	if total <= 0 {
		return e
	}
	for n := range passages {
		said := append(q.Find(n, passages[n].Text), q.Find(n, passages[n].Heading)...)
		covered := 0.0
		for i, w := range q.Words {
			if slices.Contains(said, i) {
				covered += w.Weight * w.Known
			}
		}
		e.Coverage = max(e.Coverage, covered/total)
	}
	return e
}

// Features are what Weigh makes a probability of, the constant first. They add up: a question in words that the documents do
// not use has little coverage, and one about something near has the likeness, but what is answered rarely lacks all.
func Features(e Evidence) []float64 {
	f := []float64{1, 0, e.Coverage, e.Score, 0}
	if e.Vectors {
		f[1] = e.Cosine
	}
	if e.Strange {
		f[4] = 1
	}
	return f
}

// The constants of Weigh, learnt by bench/refusal from all of testdata/relevance/ask, with vectors of the distilled encoder and
// without vectors. Enough is the least that refuses four of five of the questions there that have no answer.
var (
	withVectors = constants{weights: []float64{-6.44, 1.44, 3.38, 5.44, -1.83}, enough: 0.31}
	wordsAlone  = constants{weights: []float64{-6.42, 0, 4.46, 5.35, -1.88}, enough: 0.34}
)

type constants struct {
	weights []float64
	enough  float64
}

// Weigh returns the probability that the documents answer a question, and whether that is enough to answer it.
func Weigh(e Evidence) (p float64, answered bool) {
	c := wordsAlone
	if e.Vectors {
		c = withVectors
	}
	z := 0.0
	for i, x := range Features(e) {
		z += c.weights[i] * x
	}
	p = 1 / (1 + math.Exp(-z))
	return p, p >= c.enough
}
