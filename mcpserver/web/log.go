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

// Values of Options.AccessLog.
const (
	LogOff      = "off"
	LogRequests = "requests" // without the queries
	LogQueries  = "queries"  // with the queries
)

// logBuffer is how many lines may wait for a slow reader of standard error. More are dropped: no request waits.
const logBuffer = 1024

// accessLog writes a line of JSON per request.
type accessLog struct {
	lines   chan []byte
	dropped atomic.Uint64
}

func newAccessLog() *accessLog { return &accessLog{lines: make(chan []byte, logBuffer)} }

// write starts to write the lines of the log to w. The returned function stops that after the lines added before.
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

// add queues a line, or drops and counts it if too many wait. It never blocks.
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
	Route  string  `json:"route"` // the route, not the path of the request, which may hold a query
	Tool   string  `json:"tool,omitempty"`
	Status int     `json:"status"`
	Bytes  int64   `json:"bytes"`
	MS     float64 `json:"ms"`
	Cache  string  `json:"cache,omitempty"`
	Query  string  `json:"query,omitempty"` // with LogQueries only
}

// record is what log and metrics need to know about a request.
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

// Write counts the bytes of the body. Without a status before, the status is 200, as in net/http.
func (w *record) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

type recordKey struct{}

// recordOf returns the record of a request, or a new one, which nobody reads, for a request that did not pass counted.
func recordOf(r *http.Request) *record {
	if rec, ok := r.Context().Value(recordKey{}).(*record); ok {
		return rec
	}
	return &record{}
}

// counted is middleware that adds each request to metrics and log once it is answered.
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
