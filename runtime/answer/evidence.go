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
	Means    Means
	Cosine   float64 // of the chunk nearest in meaning; 0 by words alone
	Coverage float64 // weight of the question's words in the section that has most of them and in the headings above it, of all its words
	Score    float64 // of the best section, as search gives it: 0 to 1
	Rarity   float64 // mean idf of the question's words, of that of a word in one chunk: above 1 where the documents lack most of them
	Strange  bool    // the question names something that the documents lack
	Foreign  bool    // no section that was found is in the question's language
}

// MostRarity is how large a rarity counts at most.
const MostRarity = 1.2

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

// Features are what Weigh makes a probability of, the constant first; they add up, with what Named takes away. The likeness is the
// cosine, by words alone the coverage.
//
// The third is rarity where no section scores: who asks about another topic uses words that the documents have hardly or not at
// all, and nothing they say scores. Who asks in other words than the documents' uses common ones; coverage and score are as low
// there, so that they say nothing by themselves. Between languages words do not meet, so there less is enough.
func Features(e Evidence) []float64 {
	f := []float64{1, e.Cosine, min(e.Rarity, MostRarity) * (1 - e.Score), 0}
	if e.Means == Words {
		f[1] = e.Coverage
	}
	if e.Foreign {
		f[3] = 1
	}
	return f
}

// Named is what a name that the documents lack takes from the logit. It is set, not learnt: in the questions that the rest is
// learnt from next to no answerable one has such a name, and learnt it would decide alone.
func Named(e Evidence) float64 {
	if e.Strange {
		return -2
	}
	return 0
}

// The constants of Weigh by means, learnt by bench/refusal -fit (bench/runs/2026-11-21-xeon/refusal-blind has the questions and the
// commands). Enough is the probability that refuses an eighth of the answerable questions there, each group of them counted as
// it weighs: hardly any but those over a small corpus, most in another language than its.
var learnt = [...]constants{
	Words:     {weights: []float64{-0.79, 2.65, -0.94, 0.83}, enough: 0.46},
	Distilled: {weights: []float64{1.11, 0.98, -3.64, 1.31}, enough: 0.43},
	Exact:     {weights: []float64{0.39, 2.33, -3.46, 1.26}, enough: 0.45},
}

type constants struct {
	weights []float64
	enough  float64
}

// Weigh returns the probability that the documents answer a question, and whether that is enough to answer it. The probability is
// of questions of which every other one has no answer.
func Weigh(e Evidence) (p float64, answered bool) {
	c := learnt[e.Means]
	z := Named(e)
	for i, x := range Features(e) {
		z += c.weights[i] * x
	}
	p = 1 / (1 + math.Exp(-z))
	return p, p >= c.enough
}
