package answer

// Weight is a named number that decides whether a question is answered, or what the answer quotes. The weights of the
// ranking are in the artifact: index.Weights, as compiler/weights.go sets them.
type Weight struct {
	Name  string
	Value float64
	Use   string // what it is for, or of
}

// EvidenceRun is the run below bench/runs in which "bench/fit outcome" learned the weights of evidence, and from which
// probability a question is answered.
const EvidenceRun = "2026-11-26-epyc/outcome"

// evidenceWeights are a linear model of whether an answer is right, for each way of comparing a question with the
// documents.
var evidenceWeights = [evidenceFeatures]struct {
	name                    string
	words, distilled, exact float64
	use                     string
}{
	evidenceConstant:  {"constant", -6.17, -5.17, -7.01, "1"},
	evidenceCoverage:  {"coverage", 1.10, 1.25, 0.86, "share of the question's words, by weight, in what the answer begins with and goes on with"},
	evidencePassage:   {"passage", 1.75, 0.82, 1.41, "1 divided by the place of its section among those that were found"},
	evidenceScore:     {"score", 3.47, 2.09, 3.42, "of its section"},
	evidenceGap:       {"gap", 4.81, 7.42, 10.15, "how far the score of the best section is above that of the next one"},
	evidencePairs:     {"pairs", 1.60, 1.93, 1.68, "words of the question side by side in the best section"},
	evidenceAgreement: {"agreement", 0, 1.75, 1.81, "cosine of the chunk that is best by its words"},
	evidenceUnknown:   {"unknown", -1.58, -1.61, -1.59, "share of the question's words that no document has"},
	evidenceRarity:    {"rarity", 1.49, 1.46, 2.07, "mean of how rare the question's words are"},
}

// evidenceThresholds are probabilities: from answer on a question is answered, from near on the closest sections are
// named and a language model is asked. They cost least over the sources that the weights are learnt from, where a wrong
// answer costs three times as much as a list of passages. Of those that cost the same, as far as such a set can tell,
// they answer most, and refuse most of the rest.
var evidenceThresholds = [...]struct{ answer, near float64 }{
	Words:     {answer: 0.505, near: 0.07},
	Distilled: {answer: 0.54, near: 0.09},
	Exact:     {answer: 0.515, near: 0.08},
}

// SentenceRun is the run below bench/runs in which "bench/fit sentences" learned the weights of units.
const SentenceRun = "2026-11-26-epyc/sentences"

// sentenceFeature is one of the features of a unit.
type sentenceFeature int

const (
	sentenceLikeness sentenceFeature = iota
	sentenceCoverage
	sentenceOwn
	sentenceFirst
	sentencePassage
	sentenceFigure
	sentenceDefinesSubject
	sentenceShort
	sentencePointsAway
	sentences // their number
)

// sentenceWeights are a linear model of which unit of the passages an answer begins with, in log-odds against the
// others: where the likeness of texts with a question is known, and by words alone.
var sentenceWeights = [sentences]struct {
	name         string
	liked, words float64
	use          string
}{
	sentenceLikeness:       {"likeness", 6.16, 0, "cosine of the question with it and the two units that follow, below their headings"},
	sentenceCoverage:       {"coverage", 3.04, 3.41, "share of the question's words, by weight, in it, its headings, and what an answer would go on with"},
	sentenceOwn:            {"own words", 0, 2.15, "share of the question's words in itself"},
	sentenceFirst:          {"first", 1.30, 1.62, "it is the first of its passage"},
	sentencePassage:        {"passage", 1.92, 2.33, "1 divided by the place of its passage among those that were found"},
	sentenceFigure:         {"figure", 2.30, 1.40, "a number is asked for, and it has one"},
	sentenceDefinesSubject: {"defines subject", 2.93, 3.46, "share of the question's words in what it says the meaning of, which is asked for"},
	sentenceShort:          {"short", -0.90, -0.59, "it has fewer than shortUnit words"},
	sentencePointsAway:     {"points elsewhere", -1.92, -1.88, "it only says where to read on"},
}

// SentenceNames are the names of the features of units.
func SentenceNames() []string {
	names := make([]string, sentences)
	for i := range names {
		names[i] = sentenceWeights[i].name
	}
	return names
}

// sentenceFeatures are the features of one unit.
type sentenceFeatures [sentences]float64

// parts returns the terms of a score.
func (f *sentenceFeatures) parts(weights *sentenceFeatures) []Part {
	parts := make([]Part, 0, len(f))
	for i, x := range f {
		if x != 0 {
			parts = append(parts, Part{sentenceWeights[i].name, x, weights[i]})
		}
	}
	return parts
}

// sentenceWeights returns the weights for what is known of a question.
func (q *Question) sentenceWeights() (w sentenceFeatures) {
	for i := range w {
		if w[i] = sentenceWeights[i].words; q.Likeness != nil {
			w[i] = sentenceWeights[i].liked
		}
	}
	return w
}

// The bounds of features of units.
const (
	shortUnit     = 8    // words
	likeNext      = 2    // units that follow
	leastLikeness = 0.05 // of a unit with none of the question's words, to be picked
	subjectSlack  = 2    // words of a subject that are none of the question's
)

// limits are the numbers by which units are picked once they are scored. They are set by hand; what some of them give is
// in SentenceRun.
var limits = [...]Weight{
	limitNearlyBest:     {"nearly best", 0.8, "how far below the best unit's score that of another one may be"},
	limitFullEnough:     {"full enough", 0.6, "share of the words of an answer from which nothing is added to the best"},
	limitListBeside:     {"list beside", 4, "how far below the best sentence's score that of a list below a heading with the question's words may be"},
	limitItemBeside:     {"item beside", 1, "how far below an item's score those of others of its list may be"},
	limitRowBeside:      {"row beside", 1, "how far below a row's score those of others of its table may be"},
	limitRepeatedWords:  {"repeated", 0.7, "share of words in common from which two units say the same"},
	limitWordsOfHeading: {"words of a heading", 0.7, "share of the question's words that a heading has to have to name what is asked for"},
	limitWordsOfTitle:   {"words of a title", 0.5, "share of the question's words that a title or subject has to have to be what is asked for"},
}

// limit is one of limits.
type limit int

const (
	limitNearlyBest limit = iota
	limitFullEnough
	limitListBeside
	limitItemBeside
	limitRowBeside
	limitRepeatedWords
	limitWordsOfHeading
	limitWordsOfTitle
)

// of returns the limit as a share of x.
func (l limit) of(x float64) float64 { return limits[l].Value * x }

// value returns the limit itself.
func (l limit) value() float64 { return limits[l].Value }

// Limits returns the numbers by which units are picked once they are scored.
func Limits() []Weight { return limits[:] }
