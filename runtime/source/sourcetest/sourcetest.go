// Package sourcetest is a web server for tests and benchmarks of package source: it serves files by range, says which
// ranges were asked for, in how many rounds, and is slow or broken on request.
//
//	s := sourcetest.New(os.DirFS("testdata"), sourcetest.Delay(50*time.Millisecond))
//	defer s.Close()
//	answer(s.URL + "/docs.kddx")
//	fmt.Println(s.Seen())
package sourcetest

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// BenchDelay is what a benchmark waits in each request: a far host, or the time to the first byte of object storage.
const BenchDelay = 50 * time.Millisecond

// Server serves a file system.
type Server struct {
	*httptest.Server
	delay time.Duration
	quiet time.Duration
	fault func(request int, w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	files    fs.FS
	versions int // how often files was set
	requests int // of all times
	seen     []*Request
	last     time.Time // when the last request came
}

// Request is one request that came.
type Request struct {
	Path   string
	Range  string // as the header Range has it, without "bytes="; "" = none
	At, N  int64  // what was sent: a range of the file, or with -1 as At another body; N counts the body's bytes
	Status int
	Begin  time.Time // when the request came
	End    time.Time // when the answer's head was sent: a request that depends on it comes later
}

// Option sets what a server does.
type Option func(*Server)

// Delay has each answer wait.
func Delay(d time.Duration) Option { return func(s *Server) { s.delay = d } }

// Together has answers wait until no request has come for a time: those that are sent together are answered together,
// and count as one round however slow the machine is.
func Together(quiet time.Duration) Option { return func(s *Server) { s.quiet = quiet } }

// Fault has a function answer in the server's place, if it returns true. Requests count from 1. What it sets in the
// header, returning false, is part of the server's answer unless that sets it too.
func Fault(answer func(request int, w http.ResponseWriter, r *http.Request) bool) Option {
	return func(s *Server) { s.fault = answer }
}

// New starts a server on loopback. Each version of a file has a strong ETag.
func New(files fs.FS, options ...Option) *Server {
	s := start(files, options)
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// NewTLS starts a server with a certificate that nobody has signed but itself; its Client trusts it.
func NewTLS(files fs.FS, options ...Option) *Server {
	s := start(files, options)
	s.Server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	return s
}

func start(files fs.FS, options []Option) *Server {
	s := &Server{}
	s.Replace(files)
	for _, set := range options {
		set(s)
	}
	return s
}

// Replace serves other files from now on, of another version each.
func (s *Server) Replace(files fs.FS) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files, s.versions = files, s.versions+1
}

// Seen returns the requests that were answered, in the order in which they came, and forgets them.
func (s *Server) Seen() Requests {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(Requests, len(s.seen))
	for i, r := range s.seen {
		seen[i] = *r
	}
	s.seen = nil
	slices.SortStableFunc(seen, func(a, b Request) int { return a.Begin.Compare(b.Begin) })
	return seen
}

// Requests are those of a measurement.
type Requests []Request

// Bytes counts what the bodies had.
func (list Requests) Bytes() (n int64) {
	for _, r := range list {
		n += r.N
	}
	return n
}

// Rounds is the length of the longest row of requests in which each began after the one before was answered. With a
// delay that is the number of delays that somebody waited at least. Requests that were sent together may count as
// several rounds, but for those of a server that answers them Together.
func (list Requests) Rounds() int {
	byEnd := slices.Clone(list)
	slices.SortFunc(byEnd, func(a, b Request) int { return a.End.Compare(b.End) })
	rounds, last := 0, time.Time{}
	for _, r := range byEnd {
		if !r.Begin.Before(last) {
			rounds, last = rounds+1, r.End
		}
	}
	return rounds
}

// String lists the requests, a line for each, with milliseconds from the first one, and their sum.
func (list Requests) String() string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "%7.1f %7.1f  %d  %-20s %8d bytes  %s\n", ms(r.Begin.Sub(list[0].Begin)), ms(r.End.Sub(list[0].Begin)),
			r.Status, r.Range, r.N, r.Path)
	}
	fmt.Fprintf(&b, "%d requests, %d rounds, %d bytes\n", len(list), list.Rounds(), list.Bytes())
	return b.String()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// serve answers a request and notes it down.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	s.mu.Lock()
	s.last = begin
	s.mu.Unlock()
	for wait := max(s.delay, s.quiet); wait > 0; wait = s.unquiet() {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return
		}
	}
	seen := &Request{Path: r.URL.Path, Range: strings.TrimPrefix(r.Header.Get("Range"), "bytes="), At: -1,
		Begin: begin, End: time.Now()}
	s.mu.Lock()
	s.requests++
	request, files, version := s.requests, s.files, s.versions
	s.seen = append(s.seen, seen)
	s.mu.Unlock()
	noted := &noter{ResponseWriter: w, note: func(status int, n int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		seen.Status = status
		seen.N += n
		fmt.Sscanf(w.Header().Get("Content-Range"), "bytes %d-", &seen.At)
	}}
	if s.fault == nil || !s.fault(request, noted, r) {
		serveFile(noted, r, files, version)
	}
}

// unquiet returns how long no request may come until those that wait are answered.
func (s *Server) unquiet() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quiet == 0 {
		return 0
	}
	return s.quiet - time.Since(s.last)
}

// serveFile sends a file or a range of it.
func serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, version int) {
	f, err := files.Open(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	body, ok := f.(io.ReadSeeker)
	if err != nil || !ok || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if w.Header().Get("ETag") == "" {
		w.Header().Set("ETag", fmt.Sprintf(`"%d-%x-%x"`, version, info.Size(), info.ModTime().UnixNano()))
	}
	http.ServeContent(w, r, "", info.ModTime(), body)
}

// noter tells what was sent.
type noter struct {
	http.ResponseWriter
	note   func(status int, n int64)
	status int
}

// WriteHeader sends the head of the answer.
func (w *noter) WriteHeader(status int) {
	w.status = status
	w.note(status, 0)
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *noter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.note(w.status, int64(len(b)))
	return w.ResponseWriter.Write(b)
}

// Flush sends what was written.
func (w *noter) Flush() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.ResponseWriter.(http.Flusher).Flush() // as all writers of net/http
}

// Unwrap gives http.ResponseController the connection's own writer.
func (w *noter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
