package answer

import (
	"math"
	"slices"
)

// Evidence is what speaks for a question being answered: raw likeness and the words that were found, never a rank.
type Evidence struct {
	Vectors  bool    // meanings were compared
	Cosine   float64 // of the chunk nearest in meaning
	Coverage float64 // weight of the question's words in the answer and in the headings above it, of all its words
	Strange  bool    // the question has an identifier that the documents lack
}

// Gather collects the evidence for an answer; its cosine is the caller's to add.
func Gather(q *Question, passages []Passage, picked []Picked) Evidence {
	var e Evidence
	var said []int
	for _, u := range picked {
		if u.Beside {
			continue
		}
		said = append(said, q.Find(u.Passage, passages[u.Passage].Text[u.Start:u.End])...)
		said = append(said, q.Find(u.Passage, passages[u.Passage].Heading)...)
	}
	total := 0.0
	for i, w := range q.Words {
		total += w.Weight
		if slices.Contains(said, i) {
			e.Coverage += w.Weight * w.Known
		}
		e.Strange = e.Strange || w.Name && w.Known == 0
	}
	if total > 0 {
		e.Coverage /= total
	}
	return e
}

// Features are what Weigh makes a probability of, the constant first. Likeness and coverage count by their product, as a
// logarithm: each alone is high for questions that the documents do not answer, about the same topic with other words, or
// with the same words about something else.
func Features(e Evidence) []float64 {
	const least = 0.05 // what keeps the logarithm of nothing finite
	f := []float64{1, math.Log(e.Coverage + least), 0}
	if e.Vectors {
		f[1] += math.Log(max(0, e.Cosine) + least)
	}
	if e.Strange {
		f[2] = 1
	}
	return f
}

// The constants of Weigh, learnt by bench/refusal from the half "tune" of testdata/relevance/ask, with vectors of the distilled
// encoder and without vectors. Below enough lie at most 8 % of the answerable questions of that half.
var (
	withVectors = constants{weights: []float64{3.545, 3.441, -0.836}, enough: 0.5}
	wordsAlone  = constants{weights: []float64{1.768, 3.975, -0.768}, enough: 0.44}
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
