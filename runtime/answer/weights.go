package answer

// Weight is a named number that decides whether a question is answered, or what the answer quotes. The weights of the
// ranking are in the artifact: index.Weights, as compiler/weights.go sets them.
type Weight struct {
	Name  string
	Value float64
	Use   string // what it is for, or of
}

// EvidenceRun is the run below bench/runs in which "bench/fit evidence" learned the weights of evidence.
const EvidenceRun = "2026-11-22-xeon/refusal-asked"

// evidenceWeights are a linear model of whether the documents answer a question, for each way of comparing a question
// with them. Negative weights speak against an answer.
var evidenceWeights = [...]struct {
	name                    string
	words, distilled, exact float64
	use                     string
}{
	evidenceConstant:         {"constant", 0.77, -0.40, -1.99, "1"},
	evidenceForeign:          {"foreign", 1.12, 0.45, 0.55, "1 if no section found is in the question's language, and it was not translated"},
	evidenceStrange:          {"strange", -1.96, -1.83, -1.75, "1 if the question names something that no document has"},
	evidenceRareUnscored:     {"rarity without a score", -4.64, -1.78, -1.33, "rarity × (1 - score)"},
	evidenceScore:            {"score", 1.76, 0.69, 1.14, "of the best section"},
	evidenceMissing:          {"missing", -1.17, -0.92, -0.22, "share of the heaviest word that the section with most words lacks"},
	evidenceFigure:           {"figure", -1.13, -1.27, -1.21, "1 if a number is asked for, and the sentence with most of the words has none"},
	evidenceUnknownForeign:   {"unknown, foreign", 0.52, 0.77, 0.77, "share of the words that no document has, of a foreign question"},
	evidenceScoreTogether:    {"score together", 0, 1.96, 1.52, "score × share of the words in two sentences side by side"},
	evidencePairs:            {"pairs", 0, 2.92, 3.08, "words side by side in the best section"},
	evidenceLexicalAgreement: {"agreement", 0, 0.60, 0, "cosine of the chunk that is best by its words"},
	evidenceAligned:          {"aligned", 0, 0, 3.26, "how well the words meet those of the best chunk in their sense"},
	evidenceWithout:          {"without", 0, 0, -17.05, "how much nearer the documents are without one of the words"},
}

// OutcomeRun is the run below bench/runs in which "bench/fit outcome" learned from which probability a question is
// answered.
const OutcomeRun = "2026-11-26-epyc/outcome"

// evidenceThresholds are probabilities: from answer on a question is answered, from near on the closest sections are
// named and a language model is asked. They cost least over nine sources that nothing else was tuned on, where a wrong
// answer costs three times as much as a list of passages. Of those that cost the same, as far as such a set can tell,
// they answer most, and refuse most of the rest.
var evidenceThresholds = [...]struct{ answer, near float64 }{
	Words:     {answer: 0.700, near: 0.225},
	Distilled: {answer: 0.670, near: 0.175},
	Exact:     {answer: 0.710, near: 0.180},
}

// sentenceWeights make the score of a unit of text, about 0 to 2: the sum of its features by these weights. They are
// set by hand; what each gains is in bench/runs/2026-11-26-epyc/units.
var sentenceWeights = [...]Weight{
	sentenceCoverage:         {"coverage", 1, "share of the question's words, by weight, that the unit or the headings above it have"},
	sentenceLikeness:         {"likeness", 1, "cosine with the question, by the distilled encoder"},
	sentenceWordless:         {"no word", -0.15, "it has no word of the question, and is no entry of a list that is asked for"},
	sentenceLaterPassage:     {"later passage", -0.07, "passages that were found before its own, maxLater at most"},
	sentenceAnswersNothing:   {"answers nothing", -0.3, "it has fewer than minSentence words, is a question, or a heading of what is explained elsewhere"},
	sentenceCodeUnasked:      {"code unasked", -0.3, "it is code, and no example is asked for"},
	sentencePointsElsewhere:  {"points elsewhere", -0.4, "it only says where to read on"},
	sentenceLeansBack:        {"leans back", -0.06, "it goes on with what was said before it"},
	sentenceLeansOnOther:     {"leans on another paragraph", -0.06, "and begins its own, without giving a reason"},
	sentenceScenarioStep:     {"scenario step", -0.12, "it says what is checked, not how it is"},
	sentenceDefinesSomething: {"defines", 0.12, "it says what something is, which is asked for"},
	sentenceDefinesSubject:   {"defines subject", 0.3, "share of the question's words in what it says the meaning of"},
	sentenceStepAsked:        {"step", 0.08, "it is a step or leads to some, and those are asked for"},
	sentenceLength:           {"length", -0.05, "words beyond longUnit, in longUnits: a long unit has many words by chance"},
	sentenceAnnouncesNothing: {"announces nothing", -0.25, "it leads to something that cannot be quoted with it"},
	sentenceAboutAnother:     {"about another", -0.3, "neither it nor the headings above it have an identifier that the question names"},
}

// sentenceFeature is one of the features of a unit, in the order in which they are added up.
type sentenceFeature int

const (
	sentenceCoverage sentenceFeature = iota
	sentenceLikeness
	sentenceWordless
	sentenceLaterPassage
	sentenceAnswersNothing
	sentenceCodeUnasked
	sentencePointsElsewhere
	sentenceLeansBack
	sentenceLeansOnOther
	sentenceScenarioStep
	sentenceDefinesSomething
	sentenceDefinesSubject
	sentenceStepAsked
	sentenceLength
	sentenceAnnouncesNothing
	sentenceAboutAnother
)

// The bounds of features of sentences.
const (
	maxLater     = 6  // passages
	minSentence  = 4  // words
	longUnit     = 30 // words
	subjectSlack = 2  // words of a subject that are none of the question's
)

// limits are the numbers by which units are picked once they are scored. They are set by hand: no run measured them.
var limits = [...]Weight{
	limitMinScore:          {"least score", 0.05, "units with no more are never picked"},
	limitNearlyBest:        {"nearly best", 0.82, "share of the best unit's score that another one has to have"},
	limitFullEnough:        {"full enough", 0.6, "share of the words of an answer from which nothing is added to the best"},
	limitListBeside:        {"list beside", 0.5, "share of the best sentence's score that a list below a heading with the question's words has to have"},
	limitItemBeside:        {"item beside", 0.85, "share of an item's score that others of its list have to have"},
	limitRowBeside:         {"row beside", 0.9, "share of a row's score that others of its table have to have"},
	limitRepeatedWords:     {"repeated", 0.7, "share of words in common from which two units say the same"},
	limitWordsOfHeading:    {"words of a heading", 0.7, "share of the question's words that a heading has to have to name what is asked for"},
	limitWordsOfTitle:      {"words of a title", 0.5, "share of the question's words that a title or subject has to have to be what is asked for"},
	limitHeadingWord:       {"heading word", 0.6, "what a word counts in coverage that only the headings above a unit have"},
	limitHeadingWordOfList: {"heading word of a list", 0.9, "the same of entries of a list that is asked for, and of what a document begins with: they need not repeat it"},
	limitAboutAnotherMin:   {"about another at least", 0.06, "score that is left to a unit about another thing, so that it may be the best that there is"},
}

// limit is one of limits.
type limit int

const (
	limitMinScore limit = iota
	limitNearlyBest
	limitFullEnough
	limitListBeside
	limitItemBeside
	limitRowBeside
	limitRepeatedWords
	limitWordsOfHeading
	limitWordsOfTitle
	limitHeadingWord
	limitHeadingWordOfList
	limitAboutAnotherMin
)

// of returns the limit as a share of x.
func (l limit) of(x float64) float64 { return limits[l].Value * x }

// value returns the limit itself.
func (l limit) value() float64 { return limits[l].Value }

// Limits returns the numbers by which units are picked once they are scored.
func Limits() []Weight { return limits[:] }
