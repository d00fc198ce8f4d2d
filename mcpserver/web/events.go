package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"kdd/runtime/shape"
)

// stream answers a call as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): sources,
// delta for each part of the text, final with the whole reply, or error. A comment in between says that the work goes on. A
// client that goes ends the work.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, c *toolCall, err error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := &eventWriter{w: w, flusher: http.NewResponseController(w), cancel: cancel}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // a proxy in front must not wait for the end
	w.WriteHeader(http.StatusOK)
	events.comment("kdd")
	stop := events.beat(s.limits.heartbeat)
	defer stop()
	var reply *shape.CallReply
	if err == nil {
		reply, _, err = s.reply(ctx, c)
	}
	if err != nil {
		events.send("error", failed(c, s.said(err)))
		return
	}
	mine := s.addressed(r, c, reply)
	events.send("sources", struct {
		Sources    []shape.CallSource `json:"sources"`
		Confidence float64            `json:"confidence"`
		Grounded   bool               `json:"grounded"`
	}{mine.Sources, mine.Confidence, mine.Grounded})
	for _, part := range strings.SplitAfter(mine.Result, "\n\n") {
		events.send("delta", delta{part})
	}
	events.send("final", mine)
}

// delta is one part of the text.
type delta struct {
	Text string `json:"text"`
}

// eventWriter writes events; what cannot be written ends the work. It is safe for concurrent use.
type eventWriter struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	flusher *http.ResponseController
	cancel  context.CancelFunc
}

// send writes an event whose data is JSON, on one line.
func (e *eventWriter) send(name string, v any) {
	e.write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, shape.Encode(v)))
}

func (e *eventWriter) comment(text string) { e.write([]byte(": " + text + "\n\n")) }

func (e *eventWriter) write(data []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.w.Write(data); err != nil {
		e.cancel()
		return
	}
	if e.flusher.Flush() != nil {
		e.cancel()
	}
}

// beat writes a comment now and then until the function that it returns is called.
func (e *eventWriter) beat(every time.Duration) (stop func()) {
	ended := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				e.comment("still here")
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		beats.Wait()
	}
}
