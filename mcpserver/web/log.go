package web

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"kdd/runtime/wire"
)

// What the access log holds.
const (
	LogOff      = "off"
	LogRequests = "requests" // without what was asked
	LogQueries  = "queries"  // with it
)

// logBuffer is how many lines wait for a slow reader of standard error before lines are dropped: no request waits for it.
const logBuffer = 1024

// accessLog writes a line of JSON per request.
type accessLog struct {
	lines   chan []byte
	dropped atomic.Uint64
}

func newAccessLog() *accessLog { return &accessLog{lines: make(chan []byte, logBuffer)} }

// write begins to write the lines of the log to w. The function that it returns ends that, after the lines that were added before.
func (l *accessLog) write(w io.Writer) (stop func()) {
	ended := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case line := <-l.lines:
				w.Write(line)
				continue
			default:
			}
			select {
			case line := <-l.lines:
				w.Write(line)
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		writer.Wait()
	}
}

// add queues a line, or drops and counts it where too many wait; it never blocks.
func (l *accessLog) add(line []byte) {
	select {
	case l.lines <- line:
	default:
		l.dropped.Add(1)
	}
}

// logLine is one request in the log.
type logLine struct {
	Time   string  `json:"time"` // RFC 3339, UTC
	Client string  `json:"client"`
	Method string  `json:"method"`
	Route  string  `json:"route"` // that was found, not the path that was asked for: a path may hold a query
	Tool   string  `json:"tool,omitempty"`
	Status int     `json:"status"`
	Bytes  int64   `json:"bytes"`
	MS     float64 `json:"ms"`
	Cache  string  `json:"cache,omitempty"`
	Query  string  `json:"query,omitempty"` // only where it was asked for
}

// record is what the steps of a request learn about it, for log and metrics.
type record struct {
	http.ResponseWriter
	route, tool, query string
	status             int
	bytes              int64
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (w *record) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader notes the first final status: 1xx are only announcements.
func (w *record) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes of the body; without a status before it is 200, as net/http has it.
func (w *record) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

type recordKey struct{}

// recordOf returns the record of a request. One that came another way has one of its own, which nobody reads.
func recordOf(r *http.Request) *record {
	if rec, ok := r.Context().Value(recordKey{}).(*record); ok {
		return rec
	}
	return &record{}
}

// counted puts every request into metrics and log, once it is answered.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &record{ResponseWriter: w, route: "refused"}
		s.metrics.begin()
		defer func() {
			took := time.Since(start)
			if rec.status == 0 {
				rec.status = http.StatusOK
			}
			s.metrics.end(rec.route, rec.status, took)
			if s.options.AccessLog == LogOff {
				return
			}
			line := logLine{
				Time: start.UTC().Format(time.RFC3339Nano), Client: s.client(r), Method: wire.Clean(wire.Shorten(r.Method, 20)), Route: rec.route, Tool: rec.tool,
				Status: rec.status, Bytes: rec.bytes, MS: wire.Milliseconds(took), Cache: rec.Header().Get("X-Cache"),
			}
			if s.options.AccessLog == LogQueries {
				line.Query = wire.Clean(wire.Shorten(rec.query, 1000))
			}
			s.log.add(append(wire.Encode(line), '\n'))
		}()
		next.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), recordKey{}, rec)))
	})
}
