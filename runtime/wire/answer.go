package wire

// AskRequest asks a question.
type AskRequest struct {
	Query     string `json:"query"`
	SessionID string `json:"session_id,omitempty"` // of a conversation; "web" and none have no history
	MaxTokens int    `json:"max_tokens,omitempty"` // of the answer
	Explain   bool   `json:"explain,omitempty"`    // with what decided about the answer
	Always    bool   `json:"-"`                    // whatever the evidence, to measure what would be quoted
	Filter
}

// The outcomes of a question.
const (
	OutcomeAnswered = "answered" // what is said is from the documents, each sentence with its place
	OutcomeClosest  = "closest"  // nothing is claimed: sections are named that may answer it
	OutcomeRefused  = "refused"  // nothing is claimed: the documents do not answer it
)

// The reasons why nothing is claimed.
const (
	RefusedNoHits      = "no_hits"      // nothing in the documents has to do with the question
	RefusedLowEvidence = "low_evidence" // what was found is too little to answer from
	RefusedUnsupported = "unsupported"  // what a model wrote is not in the documents
)

// How an answer was made.
const (
	AnswerExtractive = "extractive" // of sentences of the documents
	AnswerGenerated  = "generated"  // by a language model, from sections of the documents
)

// AnswerResponse is answer.v1.
type AnswerResponse struct {
	Envelope
	Query string `json:"query"` // as asked
	// answered: from the documents; closest: sections are named that may answer it; refused: the documents do not
	Outcome string `json:"outcome"`
	// markdown with markers [1], [2] ...; what is said instead if it is not answered
	Answer string `json:"answer"`
	// if it is not answered: no_hits, low_evidence, unsupported
	RefusalReason string          `json:"refusal_reason,omitempty"`
	Citations     []Citation      `json:"citations"`            // one for each marker
	Confidence    float64         `json:"confidence"`           // 0-1, that the documents answer the question
	Mode          string          `json:"mode"`                 // extractive, generated
	Retrieval     AnswerRetrieval `json:"retrieval"`            // what the answer was made from
	Explain       *AnswerExplain  `json:"explain,omitempty"`    // what decided about the answer, if asked for
	SessionID     string          `json:"session_id,omitempty"` // as given
	TimeMS        float64         `json:"time_ms"`              // milliseconds that the answer took
}

// Answered says that the documents answer the question.
func (r *AnswerResponse) Answered() bool { return r.Outcome == OutcomeAnswered }

// Fallback says that a language model was asked and failed, so that the answer was made without it. If the question is
// asked again, the answer may be better.
func (r *AnswerResponse) Fallback() bool {
	return r.Mode == AnswerExtractive && r.Retrieval.Model != ""
}

// Citation is what one marker of an answer stands for.
type Citation struct {
	Marker int    `json:"marker"`           // 1 is [1] in the answer
	Path   string `json:"path"`             // of the document
	Anchor string `json:"anchor,omitempty"` // of the section
	Lines  [2]int `json:"lines"`            // of the quote: first and last, inclusive
	// lines of another file, which the document includes, that the quote comes from
	Included []IncludedLines `json:"included,omitempty"`
	URL      string          `json:"url"`             // where it can be opened
	Quote    string          `json:"quote"`           // verbatim text of these lines
	Title    string          `json:"title"`           // of the document
	Index    string          `json:"index,omitempty"` // name of the artifact, where several answer
}

// AnswerRetrieval says what was searched and found, and how good the evidence is. None of it is a rank.
type AnswerRetrieval struct {
	Mode string `json:"mode"` // hybrid, lexical
	// as searched, where a question before it was taken into account
	Query    string          `json:"query,omitempty"`
	Sections []AnswerSection `json:"sections"`          // that were looked at, best first
	Unknown  []string        `json:"unknown,omitempty"` // names in the question that no document has
	Evidence AnswerEvidence  `json:"evidence"`
	Model    string          `json:"model,omitempty"` // language model that was asked
}

// AnswerSection is one section that an answer was looked for in.
type AnswerSection struct {
	Path    string  `json:"path"`
	Anchor  string  `json:"anchor,omitempty"`
	Title   string  `json:"title"`             // of the document
	Section string  `json:"section,omitempty"` // heading
	Lines   [2]int  `json:"lines"`
	URL     string  `json:"url"`
	Score   float64 `json:"score"` // as search gives it
	Index   string  `json:"index,omitempty"`
}

// AnswerEvidence is what tells whether an answer is right.
type AnswerEvidence struct {
	// share of the question's words, by their rarity, in what the answer begins with and goes on with, and the headings
	// above it
	Coverage float64 `json:"coverage"`
	// 1 divided by the place of the section that the answer begins in among those that were found
	Passage float64 `json:"passage"`
	Score   float64 `json:"score"` // of that section, as search gives it
	Gap     float64 `json:"gap"`   // how far the score of the best section is above that of the next one; 0 if it is alone
	// how many of the question's words stand side by side in the best section: 0 to 1
	Pairs float64 `json:"pairs,omitempty"`
	// cosine of the chunk that is best by its words; absent without vectors
	Agreement float64 `json:"agreement,omitempty"`
	// share of the question's words, by their rarity, that no document has
	Unknown float64 `json:"unknown,omitempty"`
	// mean of how rare the question's words are: 1 = in one chunk, above that in none
	Rarity  float64 `json:"rarity"`
	Strange bool    `json:"strange,omitempty"` // the question names something that no document has: it is not answered
}

// AnswerExplain shows what decided whether the question was answered, and with which sentences.
type AnswerExplain struct {
	// by what the question was compared with the documents: words, distilled, exact
	Compared string `json:"compared"`
	// features; the confidence is 1 / (1 + exp(-sum)) of their weighted sum
	Evidence []ExplainPart `json:"evidence"`
	Sum      float64       `json:"sum"`    // of values by weights
	Enough   float64       `json:"enough"` // confidence from which the question is answered
	// confidence from which the closest sections are named, and a language model is asked, if there is one
	Near        float64 `json:"near"`
	Run         string  `json:"run"`          // below bench/runs, that earned the weights of the evidence, enough and near
	SentenceRun string  `json:"sentence_run"` // and that earned the weights of the sentences
	// that are quoted, in the order of the answer; none of a language model's
	Sentences []ExplainSentence `json:"sentences"`
	Limits    []ExplainLimit    `json:"limits"` // by which sentences were picked
}

// ExplainSentence shows how the score of a sentence, item, row or block of code came about.
type ExplainSentence struct {
	Marker int           `json:"marker"`
	Text   string        `json:"text"`   // as it stands in the answer
	Reason string        `json:"reason"` // best, with the best, list, nearly best, with that, goes on
	Score  float64       `json:"score"`  // the sum of values by weights
	Parts  []ExplainPart `json:"parts"`
}

// ExplainLimit is a number by which sentences are picked, set by hand.
type ExplainLimit struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Use   string  `json:"use"`
}

// CleanAnswer makes the text of an answer harmless. Quotes stay verbatim: only text that was clean is quoted.
func CleanAnswer(r *AnswerResponse) {
	r.Query, r.Answer, r.SessionID = Clean(r.Query), CleanLines(r.Answer), Clean(r.SessionID)
	r.Warnings = mapStrings(r.Warnings, Clean)
	r.Retrieval.Query = Clean(r.Retrieval.Query)
	r.Retrieval.Unknown = mapStrings(r.Retrieval.Unknown, Clean)
	for i := range r.Citations {
		r.Citations[i].Title = Clean(r.Citations[i].Title)
	}
	if r.Explain != nil {
		for i := range r.Explain.Sentences {
			r.Explain.Sentences[i].Text = CleanLines(r.Explain.Sentences[i].Text)
		}
	}
	for i := range r.Retrieval.Sections {
		s := &r.Retrieval.Sections[i]
		s.Title, s.Section = Clean(s.Title), Clean(s.Section)
	}
}
