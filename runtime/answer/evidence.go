package answer

import (
	"math"
	"slices"
)

// Means says what a question and the documents were compared by.
type Means int

// The means. Each has its own weights, because cosines of different encoders cannot be compared.
const (
	Words     Means = iota // words alone
	Distilled              // and the distilled encoder's vectors
	Exact                  // and the transformer's
)

// String is the name that an explanation has.
func (m Means) String() string { return [...]string{"words", "distilled", "exact"}[m] }

// Evidence holds what tells whether an answer is right: what it has of the question, and how well its section was
// found.
type Evidence struct {
	Means     Means
	Coverage  float64 // share of the question's words, by weight, in what the answer begins with and goes on with
	Passage   float64 // 1 divided by the place of the section that it begins in among those that were found
	Score     float64 // of that section, as search gives it: 0 to 1
	Gap       float64 // how far the score of the best section is above that of the next one; 0 if it is alone
	Pairs     float64 // how many of the question's words stand side by side in the best chunk, as search gives it: 0 to 1
	Agreement float64 // cosine of the chunk that is best by its words; 0 by words alone
	Unknown   float64 // share of the question's words, by weight, that no document has
	// mean idf of the question's words, divided by that of a word in one chunk: above 1 where no document has most of
	// them
	Rarity  float64
	Strange bool // the question names something that no document has: it is not answered
}

// mostRarity is the largest rarity that counts.
const mostRarity = 1.2

// Gather returns the evidence that an answer and its question have. The caller adds what the search says. passage is
// the one that the answer begins in, or -1 if nothing was picked.
func Gather(q *Question, picked []Picked) (e Evidence, passage int) {
	if total := q.weight(); total > 0 {
		for _, w := range q.Words {
			if w.Known == 0 {
				e.Unknown += w.Weight / total
			}
		}
	}
	at := slices.IndexFunc(picked, func(u Picked) bool { return u.Reason == IsBest })
	if at < 0 {
		return e, -1
	}
	best := &picked[at]
	e.Coverage, e.Passage = best.features[sentenceCoverage], best.features[sentencePassage]
	return e, best.Passage
}

// The features of evidence, in the order in which they are added up.
const (
	evidenceConstant = iota
	evidenceCoverage
	evidencePassage
	evidenceScore
	evidenceGap
	evidencePairs
	evidenceAgreement
	evidenceUnknown
	evidenceRarity
	evidenceFeatures // their number
)

// features returns the numbers from which Weigh computes a probability, the constant first.
func (e *Evidence) features() [evidenceFeatures]float64 {
	return [...]float64{
		evidenceConstant:  1,
		evidenceCoverage:  e.Coverage,
		evidencePassage:   e.Passage,
		evidenceScore:     e.Score,
		evidenceGap:       e.Gap,
		evidencePairs:     e.Pairs,
		evidenceAgreement: e.Agreement,
		evidenceUnknown:   e.Unknown,
		evidenceRarity:    min(e.Rarity, mostRarity),
	}
}

// Judgement is the result of Weigh.
type Judgement struct {
	Probability float64 // that the answer is right
	Enough      bool    // to answer with sentences of the documents
	Near        bool    // to let a reader look for an answer, a person or a language model; Enough is always Near
}

// Weigh decides from the evidence whether an answer is right.
func Weigh(e Evidence) Judgement {
	z := 0.0
	for _, p := range e.Parts() {
		z += p.Weight * p.Value
	}
	p := 1 / (1 + math.Exp(-z))
	least := evidenceThresholds[e.Means]
	return Judgement{Probability: p, Enough: p >= least.answer && !e.Strange, Near: p >= least.near}
}

// Part is a feature with its weight: a term of a sum.
type Part struct {
	Name          string
	Value, Weight float64
	Gain          float64 // by how much the log loss in a source that was left out is higher without it; 0: not known
}

// Parts returns the terms of the sum z of which Weigh makes the probability 1 / (1 + exp(-z)).
func (e Evidence) Parts() []Part {
	parts := make([]Part, evidenceFeatures)
	for i, x := range e.features() {
		w := &evidenceWeights[i]
		parts[i] = Part{w.name, x, w.by[e.Means].weight, w.by[e.Means].gain}
	}
	return parts
}

// Thresholds returns the probabilities from which evidence is enough to answer, and to let a reader look for an answer.
func (m Means) Thresholds() (answer, near float64) {
	return evidenceThresholds[m].answer, evidenceThresholds[m].near
}
