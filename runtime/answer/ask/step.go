package ask

import (
	"context"

	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// Step reports progress while a language model writes. The first step has the best sections that the model gets. The
// last step is void: the answer that Ask returns replaces the draft, with the supported lines or with sentences of the
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

// WithDrafts returns a context in which Ask passes on the words of a language model as they come. Ask waits for each
// call of tell, and makes all calls from one goroutine. If no model is asked, it never calls tell.
func WithDrafts(ctx context.Context, tell func(Step)) context.Context {
	return context.WithValue(ctx, draftKey{}, tell)
}

// drafting returns the function that takes steps, and the stream that passes a model's words to it. Both do nothing if
// nobody asked for drafts.
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
