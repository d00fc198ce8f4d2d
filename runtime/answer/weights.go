package answer

// Weight is a named number that decides whether a question is answered, or what the answer quotes. The weights of the
// ranking are in the artifact: index.Weights, as compiler/weights.go sets them.
type Weight struct {
	Name  string
	Value float64
	Use   string // what it is for, or of
}

// learnt is a weight, and its gain: by how much the log loss in a source that was left out is higher without the feature.
type learnt struct{ weight, gain float64 }

// EvidenceRun is the run below bench/runs in which "bench/fit outcome" learned the weights of evidence, and from which
// probability a question is answered.
const EvidenceRun = "2026-11-26-epyc/outcome"

// evidenceWeights are a linear model of whether an answer is right, for each way of comparing a question with the
// documents.
var evidenceWeights = [evidenceFeatures]struct {
	name string
	by   [Exact + 1]learnt
	use  string
}{
	evidenceConstant:  {"constant", [...]learnt{{-6.17, 0}, {-5.17, 0}, {-7.01, 0}}, "1"},
	evidenceCoverage:  {"coverage", [...]learnt{{1.10, 0.0016}, {1.25, 0.006}, {0.86, 0.0025}}, "share of the question's words, by weight, in what the answer begins with and goes on with"},
	evidencePassage:   {"passage", [...]learnt{{1.75, 0.0068}, {0.82, 0.0005}, {1.41, 0.0049}}, "1 divided by the place of its section among those that were found"},
	evidenceScore:     {"score", [...]learnt{{3.47, 0.0209}, {2.09, 0.0026}, {3.42, 0.0103}}, "of its section"},
	evidenceGap:       {"gap", [...]learnt{{4.81, 0.0049}, {7.42, 0.0099}, {10.15, 0.0125}}, "how far the score of the best section is above that of the next one"},
	evidencePairs:     {"pairs", [...]learnt{{1.60, 0.0023}, {1.93, 0.0035}, {1.68, 0.003}}, "words of the question side by side in the best section"},
	evidenceAgreement: {"agreement", [...]learnt{{}, {1.75, 0.002}, {1.81, 0.0057}}, "cosine of the chunk that is best by its words"},
	evidenceUnknown:   {"unknown", [...]learnt{{-1.58, 0.0056}, {-1.61, 0.0073}, {-1.59, 0.0063}}, "share of the question's words that no document has"},
	evidenceRarity:    {"rarity", [...]learnt{{1.49, 0.0054}, {1.46, 0.0054}, {2.07, 0.0106}}, "mean of how rare the question's words are"},
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
	liked, words learnt
	use          string
}{
	sentenceLikeness:       {"likeness", learnt{6.16, 0.1362}, learnt{}, "cosine of the question with it and the two units that follow, below their headings"},
	sentenceCoverage:       {"coverage", learnt{3.04, 0.0763}, learnt{3.41, 0.0827}, "share of the question's words, by weight, in it, its headings, and what an answer would go on with"},
	sentenceOwn:            {"own words", learnt{}, learnt{2.15, 0.0255}, "share of the question's words in itself"},
	sentenceFirst:          {"first", learnt{1.30, 0.0486}, learnt{1.62, 0.0817}, "it is the first of its passage"},
	sentencePassage:        {"passage", learnt{1.92, 0.0675}, learnt{2.33, 0.1505}, "1 divided by the place of its passage among those that were found"},
	sentenceFigure:         {"figure", learnt{2.30, 0.0124}, learnt{1.40, 0.0047}, "a number is asked for, and it has one"},
	sentenceDefinesSubject: {"defines subject", learnt{2.93, 0.0097}, learnt{3.46, 0.0113}, "share of the question's words in what it says the meaning of, which is asked for"},
	sentenceShort:          {"short", learnt{-0.90, 0.0137}, learnt{-0.59, 0.0053}, "it has fewer than shortUnit words"},
	sentencePointsAway:     {"points elsewhere", learnt{-1.92, 0.0064}, learnt{-1.88, 0.0057}, "it only says where to read on"},
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
func (f *sentenceFeatures) parts(q *Question) []Part {
	parts := make([]Part, 0, len(f))
	for i, x := range f {
		if l := q.sentenceWeight(i); x != 0 {
			parts = append(parts, Part{sentenceWeights[i].name, x, l.weight, l.gain})
		}
	}
	return parts
}

// sentenceWeight returns the weight of a feature for what is known of a question.
func (q *Question) sentenceWeight(feature int) learnt {
	if q.Likeness != nil {
		return sentenceWeights[feature].liked
	}
	return sentenceWeights[feature].words
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
