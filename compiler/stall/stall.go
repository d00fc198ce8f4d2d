// Package stall ends downloads in which nothing comes any more.
package stall

import (
	"context"
	"io"
	"time"
)

// Limit is how long a download may bring nothing.
const Limit = time.Minute

// Watch ends a context when nothing has come for a while.
type Watch struct {
	timer *time.Timer
	limit time.Duration
	end   context.CancelCauseFunc
}

// Start returns a context that ends with the error of cause once limit has passed without a call of Seen. Stop frees
// it.
func Start(ctx context.Context, limit time.Duration, cause func() error) (context.Context, *Watch) {
	ctx, end := context.WithCancelCause(ctx)
	return ctx, &Watch{time.AfterFunc(limit, func() { end(cause()) }), limit, end}
}

// Seen says that something has come.
func (w *Watch) Seen() { w.timer.Reset(w.limit) }

// Stop ends the watch and its context.
func (w *Watch) Stop() {
	w.timer.Stop()
	w.end(nil)
}

// Reader returns r, of which all that is read is seen. total, unless it is nil, is told how many bytes that were so far.
func (w *Watch) Reader(r io.Reader, total func(int64)) io.Reader {
	return &reader{r: r, watch: w, total: total}
}

type reader struct {
	r     io.Reader
	watch *Watch
	total func(int64)
	n     int64
}

// Read reads from r; the error is r's.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.watch.Seen()
	}
	if r.n += int64(n); r.total != nil {
		r.total(r.n)
	}
	return n, err
}
