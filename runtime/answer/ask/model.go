package ask

import (
	"context"
	"fmt"
	"strings"

	"kdd/runtime/answer"
	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// evidenceTokens is how many times longer a model's text may be than the answer in it, in tokens: six tenths of a text
// are evidence on average.
const evidenceTokens = 3

// askModel lets the language model write the answer or a refusal. It returns false if the model could not, with a
// warning that says why.
func (s *Asker) askModel(ctx context.Context, resp *wire.AnswerResponse, f *retrieved, judged answer.Judgement,
	turns []answer.Turn, maxTokens int) bool {
	passages := make([]generate.Source, len(f.passages))
	for i := range f.passages {
		passages[i] = generate.Source{Text: wire.CleanLines(f.passages[i].text), Heading: wire.Clean(f.texts[i].Heading),
			Language: f.passages[i].language, Same: f.passages[i].same}
	}
	given := generate.Fit(passages, s.Model.Room(evidenceTokens*maxTokens))
	for n, i := range given {
		passages[n] = passages[i]
	}
	passages = passages[:len(given)]
	history := make([]generate.Exchange, len(turns))
	for i, t := range turns {
		history[i] = generate.Exchange{Question: t.Question, Answer: t.Answer}
	}
	tell, draft := drafting(ctx)
	tell(Step{Sections: resp.Retrieval.Sections, Confidence: resp.Confidence})
	text, err := s.Model.Complete(ctx, generate.Prompt(resp.Query, passages, history), evidenceTokens*maxTokens, draft)
	resp.Retrieval.Model = s.Model.Name
	if err != nil {
		why := " (" + wire.Clean(err.Error()) + ")"
		if s.Private { // what an endpoint says may name its address, its owner's account or part of a key
			why = ""
		}
		warning := "the language model did not answer" + why + ": this is what comes without it"
		resp.Warn(warning)
		tell(Step{Void: DraftFailed, Message: warning})
		return false
	}
	tell(Step{Void: DraftChecked})
	for n, i := range given {
		passages[n].Text = f.passages[i].text // quotes are of what is written there
	}
	kept := generate.Check(text, resp.Query, passages)
	for _, l := range kept.Lines {
		for n := range l.Quotes {
			l.Quotes[n].Passage = given[l.Quotes[n].Passage]
		}
	}
	resp.Mode = wire.AnswerGenerated
	switch {
	case kept.NoAnswer:
		decline(resp, f, judged, wire.RefusedLowEvidence)
	case len(kept.Lines) == 0:
		decline(resp, f, judged, wire.RefusedUnsupported)
	default:
		f.written(resp, kept, judged, maxTokens)
	}
	return true
}

// written adds the supported lines of a model to an answer, up to the tokens that the answer may have.
func (f *retrieved) written(resp *wire.AnswerResponse, kept generate.Kept, judged answer.Judgement, maxTokens int) {
	var quotes []answer.Quote
	markers := map[generate.Quote]int{}
	var lines []string
	room := wordsPerToken * float64(maxTokens)
	for at, l := range kept.Lines {
		if room -= float64(len(strings.Fields(l.Text))); room < 0 && len(lines) > 0 {
			resp.Warn(fmt.Sprintf("max_tokens is %d: %d of the language model's lines are left out", maxTokens,
				len(kept.Lines)-at))
			break
		}
		text := l.Text
		for _, q := range l.Quotes {
			if unclean(f.passages[q.Passage].text[q.Start:q.End]) {
				continue
			}
			if markers[q] == 0 {
				markers[q] = len(quotes) + 1
				quotes = append(quotes, answer.Quote{Marker: markers[q], Passage: q.Passage, Start: q.Start, End: q.End})
			}
			text += fmt.Sprintf(" [%d]", markers[q])
		}
		if text == l.Text {
			kept.Dropped++
			continue
		}
		lines = append(lines, text)
	}
	if len(lines) == 0 {
		decline(resp, f, judged, wire.RefusedUnsupported)
		return
	}
	if kept.Dropped > 0 {
		resp.Warn(fmt.Sprintf("%d of %d lines that the language model wrote had no support in the documents and are left "+
			"out", kept.Dropped, kept.Dropped+len(lines)))
	}
	resp.Answer, resp.Citations, resp.Outcome = strings.Join(lines, "\n"), f.citations(quotes), wire.OutcomeAnswered
}
