package ask

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"kdd/runtime/answer"
	"kdd/runtime/answer/generate"
	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// The bounds of a question.
const (
	AskPassages   = 6    // sections that an answer of sentences is made from, and that evidence is of
	modelPassages = 40   // sections that a language model is given at most, as far as a prompt has room
	DefaultAnswer = 400  // tokens of an answer
	minWords      = 20   // of an answer of sentences, however few tokens it may have
	wordsPerToken = 0.75 // of English
)

// Asker answers questions. It is safe for concurrent use.
type Asker struct {
	Open     artifact.Opener
	Sessions *answer.Sessions // what was asked before in each conversation
	Model    *generate.Model  // writes the answers; nil: they are made of sentences of the documents
	Private  bool             // answers do not say why a model failed

	// Observe is given each question and the texts that are quoted for it, to measure by; nil: nobody looks.
	Observe func(*answer.Question, []answer.Passage)
}

// Ask answers a question with sentences of the documents, or refuses to. Each sentence has a marker and a citation,
// whose quote stands in the lines that the citation names. Whether the documents hold an answer is decided by likeness
// and by the question's words (answer.Weigh), never by a rank. If the evidence is middling, the closest sections are
// named and nothing is claimed; with less, the question is refused. Neither is an error: Outcome tells them apart.
//
// With a language model the model writes the answer from the sections that were found, or says that they hold none. It
// can read, so it is asked even where the evidence is not enough to quote sentences (answer.Judgement). A line of its
// text is kept only if its quotes are in these sections. If the model fails, Ask answers as without one and adds a
// warning.
//
// Errors: invalid_input for an empty question or a malformed filter, and those of opening an index. Cost: that of a
// search, and reading a few sections; no artifact is held while a model writes.
func (s *Asker) Ask(ctx context.Context, q wire.AskRequest) (*wire.AnswerResponse, error) {
	start := time.Now()
	q.MaxTokens = cmp.Or(q.MaxTokens, DefaultAnswer)
	question, _ := query.Clip(strings.TrimSpace(q.Query))
	switch {
	case question == "":
		return nil, wire.Empty("query", "ask a question")
	case q.MaxTokens < 0:
		return nil, wire.Negative("max_tokens", q.MaxTokens)
	case len(q.SessionID) > MaxSessionID:
		return nil, wire.NewError(wire.CodeTooLarge, fmt.Sprintf("session_id: got %d bytes, want at most %d",
			len(q.SessionID), MaxSessionID), "").With("field", "session_id")
	}
	session := sessionOf(ctx, q.SessionID)
	turns := s.Sessions.Turns(session)
	searched, about := answer.Follow(turns, question)
	resp := &wire.AnswerResponse{Query: question, Mode: wire.AnswerExtractive, Citations: []wire.Citation{},
		SessionID: q.SessionID}
	f, err := s.look(ctx, resp, searched, &q)
	if err != nil {
		return nil, err
	}
	resp.Warnings = f.warnings
	resp.Retrieval = f.retrieval()
	if searched != question {
		resp.Retrieval.Query = searched
	}
	s.conclude(ctx, resp, f, turns, &q)
	wire.CleanAnswer(resp)
	if !resp.Answered() && searched != question { // it leads nowhere
		about = turns[len(turns)-1].About
	}
	s.Sessions.Add(session, answer.Turn{Question: question, About: about, Answer: resp.Answer, Answered: resp.Answered()})
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	return resp, nil
}

// look searches for a question and keeps what was found; no artifact is held after it.
func (s *Asker) look(ctx context.Context, resp *wire.AnswerResponse, question string,
	q *wire.AskRequest) (f *retrieved, err error) {
	set, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	resp.Envelope = set.Envelope("answer.v1")
	return s.retrieve(ctx, set, question, q)
}

// conclude writes the answer, or what is said instead.
func (s *Asker) conclude(ctx context.Context, resp *wire.AnswerResponse, f *retrieved, turns []answer.Turn,
	q *wire.AskRequest) {
	judged := answer.Weigh(f.evidence)
	resp.Confidence = wire.Round4(judged.Probability)
	if q.Explain {
		resp.Explain = f.explain(nil)
	}
	switch {
	case len(f.passages) == 0:
		resp.Confidence = 0 // what is weighed is what was found
		decline(resp, f, judged, wire.RefusedNoHits)
	case judged.Near && s.Model != nil && s.askModel(ctx, resp, f, judged, turns, q.MaxTokens):
	case !judged.Enough && !q.Always || len(f.picked) == 0:
		decline(resp, f, judged, wire.RefusedLowEvidence)
	default:
		var quotes []answer.Quote
		resp.Answer, quotes = answer.Write(f.picked, f.best(), f.language)
		resp.Citations = f.citations(quotes)
		resp.Outcome = wire.OutcomeAnswered
		if q.Explain {
			resp.Explain = f.explain(quotes)
		}
	}
}
