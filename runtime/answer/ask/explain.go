package ask

import (
	"slices"

	"kdd/runtime/answer"
	"kdd/runtime/wire"
)

// explain returns what decided an answer. An answer of sentences has its units with their quotes.
func (f *retrieved) explain(quotes []answer.Quote) *wire.AnswerExplain {
	e := f.evidence
	enough, near := e.Means.Thresholds()
	x := &wire.AnswerExplain{
		Compared: e.Means.String(), Evidence: explainParts(e.Parts()),
		Enough: enough, Near: near, Run: answer.EvidenceRun, SentenceRun: answer.SentenceRun,
		Sentences: []wire.ExplainSentence{}, Limits: []wire.ExplainLimit{},
	}
	for _, p := range e.Parts() {
		x.Sum += p.Value * p.Weight
	}
	x.Sum = wire.Round4(x.Sum)
	for i := range f.picked {
		u := &f.picked[i]
		at := slices.IndexFunc(quotes, func(q answer.Quote) bool {
			return q.Passage == u.Passage && q.Start <= u.Start && u.End <= q.End
		})
		if at < 0 {
			continue
		}
		x.Sentences = append(x.Sentences, wire.ExplainSentence{
			Marker: quotes[at].Marker, Text: u.Text, Reason: string(u.Reason), Score: wire.Round4(u.Score),
			Parts: explainParts(u.Parts),
		})
	}
	for _, l := range answer.Limits() {
		x.Limits = append(x.Limits, wire.ExplainLimit{Name: l.Name, Value: l.Value, Use: l.Use})
	}
	return x
}

// explainParts writes the terms of a sum.
func explainParts(parts []answer.Part) []wire.ExplainPart {
	list := make([]wire.ExplainPart, len(parts))
	for i, p := range parts {
		list[i] = wire.ExplainPart{Name: p.Name, Value: wire.Round4(p.Value), Weight: p.Weight, Gain: p.Gain}
	}
	return list
}
