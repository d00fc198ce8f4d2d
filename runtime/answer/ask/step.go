package ask

import (
	"context"

	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// Step is a step on the way to an answer that a language model writes. The first has the best of what the model is
// given, the last is void: the answer itself, which Ask returns, is what was found to be supported, or sentences of the
// documents.
type Step struct {
	Sections   []wire.AnswerSection // of the first step: best first
	Confidence float64              // of the first step
	// further words of the model, without control characters; nothing of them is checked yet
	Words   string
	Void    string // why all words so far are void: one of those below
	Message string // with DraftFailed: what went wrong
}

// Why words of a draft are void.
const (
	DraftAgain   = "again"   // the connection broke, and the model is asked once more
	DraftFailed  = "failed"  // the model did not answer: all is as without one
	DraftChecked = "checked" // it is whole: the answer has what is supported of it, with markers
)

type draftKey struct{}

// WithDrafts returns a context in which Ask passes on what a language model writes while it writes. One goroutine calls
// tell and waits for it. If no model is asked, tell is never called.
func WithDrafts(ctx context.Context, tell func(Step)) context.Context {
	return context.WithValue(ctx, draftKey{}, tell)
}

// drafting returns who is told, and what passes a model's words on to it; both do nothing where nobody asked for it.
func drafting(ctx context.Context) (tell func(Step), draft *generate.Stream) {
	tell, ok := ctx.Value(draftKey{}).(func(Step))
	if !ok {
		return func(Step) {}, nil
	}
	return tell, &generate.Stream{
		Words: func(text string) {
			if text = wire.CleanLines(text); text != "" {
				tell(Step{Words: text})
			}
		},
		Void: func() { tell(Step{Void: DraftAgain}) },
	}
}
