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

// Evidence holds what tells whether the documents answer a question: likeness, the words that were found, and the
// absolute score of the best section. It never holds a rank.
type Evidence struct {
	Means     Means
	Cosine    float64 // of the chunk nearest in meaning; 0 by words alone
	Agreement float64 // cosine of the chunk that is best by its words; 0 by words alone
	// share of the question's words, by weight, in the section with most of them and the headings above it
	Coverage float64
	Missing  float64 // share of the heaviest word that this section lacks
	Score    float64 // of the best section, as search gives it: 0 to 1
	// how many of the question's words stand side by side in the best chunk, as search gives it: 0 to 1
	Pairs float64
	// how well the question's words meet those of the best chunk in their sense, by the transformer; 0 without it
	Aligned float64
	// how much nearer the documents are to the question without one of its words, as a share; 0 without the transformer
	Without  float64
	Together float64 // largest share of the question's words in two units side by side and the headings above them
	Unknown  float64 // share of the question's words that no document has
	Figure   bool    // the question asks for a number, and the unit that has most of its words has none
	// mean idf of the question's words, divided by that of a word in one chunk: above 1 where no document has most of
	// them
	Rarity  float64
	Strange bool // the question names something that no document has
	Foreign bool // no section that was found is in the question's language, and it was not translated
}

// MostRarity is the largest rarity that counts.
const MostRarity = 1.2

// Gather counts how many of a question's words the passages have; the caller adds the rest. It reads each passage
// whole, not only what is quoted: if the question uses other words than the document, the few that match are spread
// over a section.
func Gather(q *Question, passages []Passage) Evidence {
	e := Evidence{Missing: 1}
	total := q.weight()
	if total <= 0 {
		return e
	}
	for n := range passages {
		found := append(q.WordsIn(n, passages[n].Text), q.WordsIn(n, passages[n].Heading)...)
		covered, missing := 0.0, 0.0
		for i, w := range q.Words {
			if slices.Contains(found, i) {
				covered += w.Weight * w.Known
			} else {
				missing = max(missing, w.Weight)
			}
		}
		if covered /= total; n == 0 || covered > e.Coverage {
			e.Coverage, e.Missing = covered, missing/total
		}
	}
	e.compareUnits(q, passages, total)
	return e
}

// The features of evidence, in the order in which they are added up.
const (
	evidenceConstant = iota
	evidenceForeign
	evidenceStrange
	evidenceRareUnscored
	evidenceScore
	evidenceMissing
	evidenceFigure
	evidenceUnknownForeign
	evidenceScoreTogether
	evidencePairs
	evidenceLexicalAgreement
	evidenceAligned
	evidenceWithout
	evidenceFeatures // their number
)

// Features returns the numbers from which Weigh computes a probability, the constant first. FeatureNames has their
// names. Features that e.Means cannot measure are 0.
//
// A question about another topic uses words that the documents hardly have, and no section scores. So rarity counts
// where the score is low. A question that says the same in other words has low coverage and a low score too, but its
// words are common. A score means more if the words behind it stand together. If the question is in another language
// than the documents, words cannot match: less evidence is enough, unknown words mean less, and without vectors the
// score does not count.
func Features(e Evidence) []float64 {
	f := make([]float64, evidenceFeatures)
	f[evidenceConstant] = 1
	f[evidenceRareUnscored] = min(e.Rarity, MostRarity) * (1 - e.Score)
	f[evidenceMissing] = e.Missing
	f[evidenceStrange], f[evidenceFigure] = one(e.Strange), one(e.Figure)
	if f[evidenceForeign] = one(e.Foreign); e.Foreign {
		f[evidenceUnknownForeign] = e.Unknown
	}
	if e.Means != Words || !e.Foreign {
		f[evidenceScore] = e.Score
	}
	if e.Means != Words {
		f[evidenceScoreTogether], f[evidencePairs] = e.Together*e.Score, e.Pairs
	}
	switch e.Means {
	case Distilled:
		f[evidenceLexicalAgreement] = e.Agreement
	case Exact:
		f[evidenceAligned], f[evidenceWithout] = e.Aligned, e.Without
	}
	return f
}

// one returns 1 for true and 0 for false.
func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// FeatureNames are the names of Features.
func FeatureNames() []string {
	names := make([]string, evidenceFeatures)
	for i := range names {
		names[i] = evidenceWeights[i].name
	}
	return names
}

// Judgement is the result of Weigh.
type Judgement struct {
	Probability float64 // that the documents answer it, of questions of which every other one has no answer
	Enough      bool    // to answer it with sentences of the documents
	Near        bool    // to let a reader look for an answer, a person or a language model; Enough is always Near
}

// Weigh decides from the evidence whether the documents answer a question.
func Weigh(e Evidence) Judgement {
	z := 0.0
	for _, p := range e.Parts() {
		z += p.Weight * p.Value
	}
	p := 1 / (1 + math.Exp(-z))
	least := evidenceThresholds[e.Means]
	return Judgement{Probability: p, Enough: p >= least.answer, Near: p >= least.near}
}

// Part is a feature with its weight: a term of a sum.
type Part struct {
	Name          string
	Value, Weight float64
}

// Parts returns the terms of the sum z of which Weigh makes the probability 1 / (1 + exp(-z)).
func (e Evidence) Parts() []Part {
	parts := make([]Part, evidenceFeatures)
	for i, x := range Features(e) {
		w := &evidenceWeights[i]
		parts[i] = Part{w.name, x, [...]float64{w.words, w.distilled, w.exact}[e.Means]}
	}
	return parts
}

// Thresholds returns the probabilities from which evidence is enough to answer, and to let a reader look for an answer.
func (m Means) Thresholds() (answer, near float64) {
	return evidenceThresholds[m].answer, evidenceThresholds[m].near
}
