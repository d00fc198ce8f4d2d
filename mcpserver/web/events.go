package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"kdd/runtime/answer/ask"
	"kdd/runtime/wire"
)

// stream answers a call as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html):
// sources, a delta for each part of the text, and final with the whole reply; or error. Comments in between show that
// the work goes on. If the client disconnects, the work ends.
//
// With a language model, sources has the sections that the model writes from. Its words follow as they come, unchecked,
// as delta with draft true. The event reset makes all deltas before it void and says why: again, failed (with a
// message) or checked. The events of the answer itself follow the last reset, so the deltas after it make up the result
// of final.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, c *toolCall, err error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := &eventWriter{w: w, flusher: http.NewResponseController(w), cancel: cancel}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // a proxy in front must not buffer the events
	w.WriteHeader(http.StatusOK)
	events.comment("kdd")
	stop := events.beat(s.limits.heartbeat)
	defer stop()
	var reply *wire.CallReply
	if err == nil {
		writer := &draftWriter{events: events, sources: c.sources}
		reply, _, err = s.reply(ask.WithDrafts(ctx, writer.draft), c)
		writer.end() // work that took too long may still be drafting
	}
	var last []byte
	if err != nil {
		last = appendEvent(last, "error", s.failed(c, s.said(err)))
	} else {
		mine := s.addressed(r, c, reply)
		last = appendEvent(last, "sources", sourcesEvent{mine.Sources, mine.Confidence, mine.Grounded, mine.Outcome})
		for _, part := range strings.SplitAfter(mine.Result, "\n\n") {
			last = appendEvent(last, "delta", delta{Text: part})
		}
		last = appendEvent(last, "final", mine)
	}
	sending(w, r, len(last))
	events.write(last)
}

// sourcesEvent has the sections that an answer is made of, or that a draft will be made of.
type sourcesEvent struct {
	Sources    []wire.CallSource `json:"sources"`
	Confidence float64           `json:"confidence"`
	Grounded   bool              `json:"grounded"`
	Outcome    string            `json:"outcome,omitempty"` // of an answer, once it is known
}

// delta is one part of the text.
type delta struct {
	Text  string `json:"text"`
	Draft bool   `json:"draft,omitempty"` // unchecked words of a model
}

// resetEvent says that all deltas so far are void.
type resetEvent struct {
	Reason  string `json:"reason"` // again, failed, checked
	Message string `json:"message,omitempty"`
}

// draftWriter sends what a model writes as events. It is safe for concurrent use.
type draftWriter struct {
	events  *eventWriter
	sources bool // the client wants them

	mu    sync.Mutex
	ended bool
	last  byte // byte of the text so far
}

// draft sends one step, unless the writer has ended.
func (d *draftWriter) draft(step ask.Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.ended:
	case step.Void != "":
		d.events.send("reset", resetEvent{step.Void, step.Message})
		d.last = 0
	case step.Words != "":
		d.events.send("delta", delta{Text: d.inert(step.Words), Draft: true})
	default:
		sources := []wire.CallSource{}
		if d.sources {
			sources = drafted(step.Sections)
		}
		d.events.send("sources", sourcesEvent{sources, step.Confidence, true, ""})
	}
}

// inert returns words that no reader of markdown takes for a tag or a link, wherever the text was cut. A sanitizer,
// which leaves code and safe links alone, needs the whole text.
func (d *draftWriter) inert(words string) string {
	if d.last == ']' && (words[0] == '(' || words[0] == ':') {
		words = " " + words
	}
	d.last = words[len(words)-1]
	return draftMarks.Replace(words)
}

var draftMarks = strings.NewReplacer("<", "&lt;", "](", "] (", "]:", "] :")

// end stops all later steps. It waits for one that is being sent.
func (d *draftWriter) end() {
	d.mu.Lock()
	d.ended = true
	d.mu.Unlock()
}

// eventWriter writes events. A failed write ends the work. It is safe for concurrent use.
type eventWriter struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	flusher *http.ResponseController
	cancel  context.CancelFunc
}

// send writes an event.
func (e *eventWriter) send(name string, v any) { e.write(appendEvent(nil, name, v)) }

// appendEvent adds an event whose data is JSON, on one line.
func appendEvent(dst []byte, name string, v any) []byte {
	return fmt.Appendf(dst, "event: %s\ndata: %s\n\n", name, wire.Encode(v))
}

// comment writes a comment, which clients skip.
func (e *eventWriter) comment(text string) { e.write([]byte(": " + text + "\n\n")) }

// write sends data at once.
func (e *eventWriter) write(data []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	takeIn(e.w, len(data))
	if _, err := e.w.Write(data); err != nil {
		e.cancel()
		return
	}
	if e.flusher.Flush() != nil {
		e.cancel()
	}
}

// beat writes a comment at intervals until the returned function is called.
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
