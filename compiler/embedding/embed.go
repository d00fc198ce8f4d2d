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

// Together is how many wordpieces texts of one length that are evaluated together have at most. Short texts are some
// quarter quicker so, longer batches no more than these (bench/runs/2026-11-26-epyc/embedding).
const Together = 128

// EmbedAll returns the vectors of texts, [len(texts), engine.Dim()] row-major: row i is the vector of texts[i], ids
// with the special tokens. Workers goroutines run (0: GOMAXPROCS), the longest texts first, so that none is left alone
// with a long one at the end. The result does not depend on their number.
//
// Texts of one length are evaluated together if they have no more than together wordpieces (0: each alone) and the
// engine is an engine.Batcher: the last bits of a vector then depend on what else there is.
//
// The first error stops the run and names its text; so does the end of ctx.
func EmbedAll(
	ctx context.Context, e engine.Engine, texts [][]int32, together, workers int, progress Progress,
) ([]float32, error) {
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
	batcher, ok := e.(engine.Batcher)
	if !ok {
		together = 0
	}
	batches := cut(order, texts, together)
	tracker := newTracker(len(texts), total, progress)
	err := parallel.Each(ctx, workers, len(batches), func(k int) (err error) {
		batch := batches[k]
		first := batch[0]
		if n := len(texts[first]); len(batch) == 1 {
			err = e.Embed(out[first*dim:(first+1)*dim:(first+1)*dim], texts[first])
		} else {
			ids, rows := make([]int32, 0, len(batch)*n), make([]float32, len(batch)*dim)
			for _, i := range batch {
				ids = append(ids, texts[i]...)
			}
			err = batcher.EmbedBatch(rows, ids, len(batch))
			for j, i := range batch {
				copy(out[i*dim:(i+1)*dim], rows[j*dim:])
			}
		}
		if err != nil {
			return fmt.Errorf("embedding text %d: %w", first, err)
		}
		for _, i := range batch {
			tracker.done(len(texts[i]))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// cut cuts order, which has texts of one length beside each other, into batches.
func cut(order []int, texts [][]int32, together int) (batches [][]int) {
	for from := 0; from < len(order); {
		n, to := len(texts[order[from]]), from+1
		for to < len(order) && len(texts[order[to]]) == n && n*(to+1-from) <= together {
			to++
		}
		batches = append(batches, order[from:to])
		from = to
	}
	return batches
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
