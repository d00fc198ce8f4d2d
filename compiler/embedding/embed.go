package embedding

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/parallel"
)

// Progress is told how many texts and wordpieces are done, and of how many. Calls come from several goroutines, one at
// a time, at most about a hundred in a run and one at its end.
type Progress func(doneTexts, totalTexts int, doneTokens, totalTokens int64)

// EmbedAll returns the vectors of texts, [len(texts), engine.Dim()] row-major: row i is the vector of texts[i], ids
// with the special tokens. Workers goroutines run (0: GOMAXPROCS), the longest texts first, so that none is left alone
// with a long one at the end. The result does not depend on their number.
//
// The first error stops the run and names its text; so does the end of ctx.
func EmbedAll(ctx context.Context, e engine.Engine, texts [][]int32, workers int, progress Progress) ([]float32, error) {
	dim := e.Dim()
	out := make([]float32, len(texts)*dim)
	if len(texts) == 0 {
		return out, ctx.Err()
	}
	order := make([]int, len(texts))
	total := int64(0)
	for i := range order {
		order[i] = i
		total += int64(len(texts[i]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[b]), len(texts[a])) })
	tracker := newTracker(len(texts), total, progress)
	err := parallel.Each(ctx, workers, len(order), func(k int) error {
		i := order[k]
		if err := e.Embed(out[i*dim:(i+1)*dim:(i+1)*dim], texts[i]); err != nil {
			return fmt.Errorf("embedding text %d: %w", i, err)
		}
		tracker.done(len(texts[i]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// tracker adds up what is done and passes it on now and then.
type tracker struct {
	mu          sync.Mutex
	report      Progress
	texts, want int
	tokens, all int64
	due         int64 // tokens at which the next report is made
}

func newTracker(texts int, tokens int64, report Progress) *tracker {
	return &tracker{report: report, want: texts, all: tokens, due: tokens / 100}
}

// done counts one text.
func (t *tracker) done(tokens int) {
	if t.report == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.texts++
	t.tokens += int64(tokens)
	if t.tokens >= t.due || t.texts == t.want {
		t.due = t.tokens + t.all/100
		t.report(t.texts, t.want, t.tokens, t.all)
	}
}
