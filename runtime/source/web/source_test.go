package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"kdd/runtime/source"
	"kdd/runtime/source/sourcetest"
)

// random are n bytes.
func random(n int, seed uint64) []byte {
	rng := rand.NewChaCha8([32]byte{byte(seed)})
	b := make([]byte, n)
	rng.Read(b)
	return b
}

const fileBytes = 300_000

// served is a folder with a file.
func served(data []byte) fstest.MapFS {
	return fstest.MapFS{"docs.kddx": {Data: data, ModTime: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
}

// quick are options of a test: no long waits.
func quick() Options { return Options{FirstWait: time.Millisecond, Stall: 2 * time.Second} }

// readings are the ranges that a test reads.
var readings = []struct{ at, n int64 }{
	{0, 10}, {0, HeadBytes}, {HeadBytes - 10, 20}, {100_000, 150_000}, {fileBytes - 1, 1}, {fileBytes, 0}, {70_000, 0},
}

// readAll reads what readings says and compares it.
func readAll(ctx context.Context, s *Source, want []byte) error {
	if s.Size() != int64(len(want)) {
		return fmt.Errorf("Size = %d, want %d", s.Size(), len(want))
	}
	for _, r := range readings {
		got, err := s.ReadRange(ctx, r.at, r.n)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want[r.at:r.at+r.n]) {
			return fmt.Errorf("ReadRange(%d, %d) gives other bytes", r.at, r.n)
		}
	}
	return nil
}

// answers has a function answer the n-th request and those behind it.
func answers(from int, write func(w http.ResponseWriter, r *http.Request)) sourcetest.Option {
	return sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n < from {
			return false
		}
		write(w, r)
		return true
	})
}

// says has the server answer each request from the n-th on with these headers beside its own.
func says(from int, header ...string) sourcetest.Option {
	return sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n >= from {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
		}
		return false
	})
}

// status answers with a status from the n-th request until before the m-th.
func status(code, from, to int, header ...string) sourcetest.Option {
	return sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n < from || n >= to {
			return false
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		return true
	})
}

// ever is behind all requests of a test.
const ever = 1 << 30

// partial sends a range whose header says something.
func partial(from int, contentRange string, body int) sourcetest.Option {
	return answers(from, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Range", contentRange)
		w.Header().Set("Content-Length", fmt.Sprint(body))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(make([]byte, body))
	})
}

// cutting sends each answer only to a part: the number of bytes that are left of it.
func cutting(from int, left func(n int) int) sourcetest.Option {
	return sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n < from {
			return false
		}
		whole := &recorded{header: w.Header()}
		serve(whole, r)
		w.WriteHeader(whole.status)
		w.Write(whole.body.Bytes()[:min(left(n), whole.body.Len())])
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
}

// recorded is an answer that was not sent yet.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(status int)      { r.status = status }
func (r *recorded) Write(b []byte) (int, error) { return r.body.Write(b) }

// serve answers with a range of the file of the tests.
func serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", `"one"`)
	http.ServeContent(w, r, "docs.kddx", time.Time{}, bytes.NewReader(random(fileBytes, 1)))
}

// without answers as a host that has no ranges.
func without(header ...string) sourcetest.Option {
	return sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		r.Header.Del("Range")
		return false
	})
}

// TestHosts reads from hosts that do what hosts do, and wants the right bytes or a clear error.
func TestHosts(t *testing.T) {
	data := random(fileBytes, 1)
	for _, tt := range []struct {
		name   string
		server []sourcetest.Option
		edit   func(o *Options)
		kind   error
		want   string // in the error; "" = none, the bytes are right
		most   int    // requests; 0 = any number
	}{
		{name: "a good one", most: 4},
		{name: "a weak ETag", server: []sourcetest.Option{says(1, "ETag", `W/"one"`)}, most: 4},
		{name: "an ETag that a gateway makes weak", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if w.Header().Set("ETag", `"one"`); n > 1 {
				r.Header.Del("If-Range")
				w.Header().Set("ETag", `W/"one"`)
			}
			return false
		})}},
		{name: "an ETag in no quotes", server: []sourcetest.Option{says(1, "ETag", `one`)}},
		{name: "no condition is understood", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("If-Range") != "" {
				r.Header.Del("Range")
			}
			return false
		})}},
		{name: "now and then a failure", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 != 0 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader([]int{429, 500, 502, 503, 504, 408, 425}[n%7])
			}
			return n%3 != 0
		})}},
		{name: "connections that break", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 != 0 {
				panic(http.ErrAbortHandler)
			}
			return false
		})}},
		{name: "answers cut short", server: []sourcetest.Option{cutting(1, func(n int) int { return 70_000 })}},
		{name: "the first answer cut short", server: []sourcetest.Option{cutting(1, func(n int) int { return 20_000 })}},
		{name: "short answers that go on", server: []sourcetest.Option{cutting(1, func(n int) int { return n * 17_000 })}},
		{name: "a range that is shorter than asked", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			var from, to int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, min(to, from+99_999)))
			return false
		})}},
		{name: "chunked bodies", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Transfer-Encoding", "chunked")
			w.Header().Set("Content-Length", "0")
			whole := &recorded{header: http.Header{}}
			serve(whole, r)
			w.Header().Del("Content-Length")
			w.Header().Set("Content-Range", whole.header.Get("Content-Range"))
			w.WriteHeader(whole.status)
			w.Write(whole.body.Bytes())
			return true
		})}},

		{name: "another file in the middle", server: []sourcetest.Option{says(3, "ETag", `"two"`)}, kind: source.ErrChanged,
			want: "docs.kddx: the artifact was replaced at its source, "},
		{name: "another date in the middle", server: []sourcetest.Option{
			sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
				whole := &recorded{header: w.Header()}
				serve(whole, r)
				w.Header().Del("ETag")
				w.Header().Set("Last-Modified", time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC).Format(http.TimeFormat))
				w.WriteHeader(whole.status)
				w.Write(whole.body.Bytes())
				return true
			})}, kind: source.ErrChanged, want: "whose Last-Modified is Thu, 01 Jan 2026 02:00:00 GMT now and was Thu, 01 Jan 2026 01:00:00 GMT"},
		{name: "another length", server: []sourcetest.Option{partial(2, "bytes 65536-65545/300001", 10)}, kind: source.ErrChanged,
			want: "which has 300001 bytes now and had 300000; ask again"},
		{name: "a file that shrank", server: []sourcetest.Option{status(416, 2, ever, "Content-Range", "bytes */10")}, kind: source.ErrChanged,
			want: "which has 10 bytes now and had 300000"},
		{name: "no ranges any more", server: []sourcetest.Option{answers(2, func(w http.ResponseWriter, r *http.Request) { w.Write(data) })},
			kind: source.ErrChanged, want: "200 with a whole file came, want 206 with a range"},
		{name: "ranges at times", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 1 {
				r.Header.Del("Range")
			}
			return false
		})}, kind: source.ErrChanged, want: "200 with a whole file came"},
		{name: "416 to what it has", server: []sourcetest.Option{status(416, 2, ever, "Content-Range", "bytes */300000")}, want: "416 to a range that the file has; check the host"},

		{name: "another range", server: []sourcetest.Option{partial(2, "bytes 0-9/300000", 10)}, want: "sends bytes 0-9, want 65536-65545"},
		{name: "more than asked", server: []sourcetest.Option{partial(2, "bytes 65536-65546/300000", 11)}, want: "sends bytes 65536-65546, want 65536-65545"},
		{name: "another range at first", server: []sourcetest.Option{partial(1, "bytes 1-9/300000", 9)}, want: "sends bytes 1-9, want 0-65535"},
		{name: "a range beyond the end", server: []sourcetest.Option{partial(1, "bytes 0-65535/65535", 65536)}, want: `206 with Content-Range "bytes 0-65535/65535", want one range`},
		{name: "no length", server: []sourcetest.Option{partial(1, "bytes 0-65535/*", 65536)}, want: `Content-Range "bytes 0-65535/*" has no length of the file; have the host say the length`},
		{name: "no Content-Range", server: []sourcetest.Option{partial(1, "", 65536)}, want: `206 with Content-Range "", want one range`},
		{name: "several ranges", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Range", "bytes=0-9,20-29")
			serve(w, r)
		})}, want: `206 with Content-Range "", want one range`},
		{name: "another unit", server: []sourcetest.Option{partial(1, "pages 0-65535/300000", 65536)}, want: `206 with Content-Range "pages 0-65535/300000"`},
		{name: "Content-Length of another range", server: []sourcetest.Option{partial(2, "bytes 65536-65545/300000", 9)}, want: `Content-Length 9 beside Content-Range "bytes 65536-65545/300000"`},
		{name: "compressed", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(data)
			z.Close()
		})}, want: `the file comes with Content-Encoding "gzip"; switch compression off for this file, or publish it with "kdd site --parts"`},
		{name: "compressed ranges", server: []sourcetest.Option{says(1, "Content-Encoding", "br")}, want: `Content-Encoding "br"`},
		{name: "compressed later", server: []sourcetest.Option{says(2, "Content-Encoding", "gzip")}, want: `Content-Encoding "gzip"`},
		{name: "an upload's encoding is no compression", server: []sourcetest.Option{says(1, "Content-Encoding", "aws-chunked")}},
		{name: "identity is no compression", server: []sourcetest.Option{says(1, "Content-Encoding", "identity")}},

		{name: "no ranges, below the limit", server: []sourcetest.Option{without()}, most: 1},
		{name: "no ranges, at the limit", server: []sourcetest.Option{without()}, edit: func(o *Options) { o.WholeLimit = fileBytes }, most: 1},
		{name: "no ranges, above the limit", server: []sourcetest.Option{without()}, edit: func(o *Options) { o.WholeLimit = fileBytes - 1 },
			kind: source.ErrTooLarge, want: "the file has 300000 bytes, the limit for reading it whole is 299999; raise the limit, choose a host with ranges, or publish with", most: 1},
		{name: "no ranges, no limit", server: []sourcetest.Option{without()}, edit: func(o *Options) { o.WholeLimit = -1 }, kind: source.ErrTooLarge, want: "the limit for reading it whole is 0"},
		{name: "no ranges, no length", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			w.Write(data[:100_000])
			http.NewResponseController(w).Flush()
			w.Write(data[100_000:])
		})}, most: 1},
		{name: "no ranges, no length, above the limit", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).Flush()
			w.Write(data)
		})}, edit: func(o *Options) { o.WholeLimit = 299_999 }, kind: source.ErrTooLarge, want: "the file has more than 299999 bytes"},
		{name: "no ranges, cut short at first", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Del("Range"); n == 1 {
				w.Header().Set("Content-Length", "300000")
				w.Write(data[:1000])
			}
			return n == 1
		})}},
		{name: "no ranges, cut short", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "300000")
			w.Write(data[:1000])
		})}, kind: source.ErrUnreachable, want: "the answer ends after 1000 of 300000 bytes", most: maxTries},
		{name: "no ranges, without end", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		})}, edit: func(o *Options) { o.WholeLimit = 1 << 20 }, kind: source.ErrTooLarge, want: "more than 1048576 bytes"},
		{name: "an empty file", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) {})}, want: "the file is empty; check what was published"},
		{name: "an empty file of a host with ranges", server: []sourcetest.Option{status(416, 1, ever, "Content-Range", "bytes */0")}, want: "the file is empty (416 for its first bytes)"},

		{name: "a range without end", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			whole := &recorded{header: http.Header{}}
			serve(whole, r)
			w.Header().Set("Content-Range", whole.header.Get("Content-Range"))
			w.WriteHeader(206)
			w.Write(whole.body.Bytes())
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return true
				}
			}
		})}},
		{name: "answers that stop", server: []sourcetest.Option{sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if w.Header().Set("ETag", `"one"`); n == 3 {
				serve(&stopping{w, 30_000, r.Context()}, r)
			}
			return n == 3
		})}},
		{name: "no answer", server: []sourcetest.Option{answers(1, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
			edit: func(o *Options) { o.Stall = 300 * time.Millisecond }, kind: source.ErrUnreachable, want: "docs.kddx: nothing, or nearly nothing, came for 300ms; check the network, or ask again later", most: 1},
		{name: "no answer later", server: []sourcetest.Option{answers(2, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
			edit: func(o *Options) { o.Stall = 50 * time.Millisecond }, kind: source.ErrUnreachable, want: "nothing, or nearly nothing, came for 50ms", most: 1 + maxTries},
		{name: "a byte at a time", server: []sourcetest.Option{answers(3, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", strings.Replace(r.Header.Get("Range"), "=", " ", 1)+"/300000")
			w.WriteHeader(206)
			for r.Context().Err() == nil {
				w.Write([]byte{1})
				http.NewResponseController(w).Flush()
				time.Sleep(40 * time.Millisecond)
			}
		})}, edit: func(o *Options) { o.Stall = 100 * time.Millisecond }, kind: source.ErrUnreachable, want: "nothing, or nearly nothing, came for 100ms"},

		{name: "401", server: []sourcetest.Option{status(401, 1, ever)}, kind: source.ErrUnauthorized, want: "401 Unauthorized; set KDD_HTTP_TOKEN, or KDD_HTTP_USER and KDD_HTTP_PASSWORD", most: 1},
		{name: "403", server: []sourcetest.Option{status(403, 2, ever)}, kind: source.ErrUnauthorized, want: "403 Forbidden: no such file, or no right to read it; set KDD_HTTP_TOKEN", most: 2},
		{name: "404", server: []sourcetest.Option{status(404, 1, ever)}, kind: source.ErrNotFound, want: "docs.kddx: 404 Not Found; check the address", most: 1},
		{name: "407", server: []sourcetest.Option{status(407, 1, ever)}, kind: source.ErrUnauthorized, want: "407 Proxy Authentication Required; give the proxy's user", most: 1},
		{name: "400", server: []sourcetest.Option{status(400, 1, ever)}, want: "400 Bad Request; want 206 Partial Content or 200 OK", most: 1},
		{name: "304", server: []sourcetest.Option{status(304, 1, ever)}, want: "304 Not Modified; want 206", most: 1},
		{name: "204", server: []sourcetest.Option{status(204, 1, ever)}, want: "204 No Content; want 206", most: 1},
		{name: "429 that stays", server: []sourcetest.Option{status(429, 1, ever)}, kind: source.ErrRateLimited, want: "429 Too Many Requests; ask again later", most: maxTries},
		{name: "429 for a day", server: []sourcetest.Option{status(429, 1, ever, "Retry-After", "86400")}, kind: source.ErrRateLimited, want: "it asks to wait 24h0m0s", most: 1},
		{name: "503 that stays", server: []sourcetest.Option{status(503, 2, ever, "Retry-After", "soon")}, kind: source.ErrUnreachable, want: "503 Service Unavailable; ask again later", most: 1 + maxTries},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := sourcetest.New(served(data), tt.server...)
			defer server.Close()
			o := quick()
			if tt.edit != nil {
				tt.edit(&o)
			}
			s, err := Open(t.Context(), server.URL+"/docs.kddx?key=secret", o)
			if err == nil {
				defer s.Close()
				err = readAll(t.Context(), s, data)
			}
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q", err, tt.want)
			case tt.kind != nil && !errors.Is(err, tt.kind):
				t.Errorf("error %v, want one of the kind %q", err, tt.kind)
			case err != nil && strings.Contains(err.Error(), "secret"):
				t.Errorf("error %v tells the query", err)
			}
			if seen := server.Seen(); tt.most > 0 && len(seen) > tt.most {
				t.Errorf("want at most %d requests:\n%s", tt.most, seen)
			}
		})
	}
}

// stopping sends so many bytes of a body and then nothing.
type stopping struct {
	http.ResponseWriter
	left int
	gone context.Context
}

// Write sends what may be sent.
func (s *stopping) Write(b []byte) (int, error) {
	n, err := s.ResponseWriter.Write(b[:min(len(b), s.left)])
	if s.left -= n; s.left == 0 {
		http.NewResponseController(s.ResponseWriter).Flush()
		<-s.gone.Done()
		return n, io.ErrShortWrite
	}
	return n, err
}

// TestConditions checks what If-Range has for the validators of a host.
func TestConditions(t *testing.T) {
	now := time.Now().UTC()
	old, new := now.Add(-time.Hour).Format(http.TimeFormat), now.Add(-5*time.Second).Format(http.TimeFormat)
	for _, tt := range []struct{ name, etag, modified, date, want string }{
		{"a strong ETag", `"one"`, old, now.Format(http.TimeFormat), `"one"`},
		{"a weak ETag and an old date", `W/"one"`, old, now.Format(http.TimeFormat), ""},
		{"an old date", "", old, now.Format(http.TimeFormat), old},
		{"a new date", "", new, now.Format(http.TimeFormat), ""},
		{"a date without a clock", "", old, "", ""},
		{"a date that is none", "", "yesterday", now.Format(http.TimeFormat), ""},
		{"nothing", "", "", now.Format(http.TimeFormat), ""},
		{"an ETag that begins only", `"`, "", "", ""},
	} {
		header := http.Header{}
		for name, value := range map[string]string{"ETag": tt.etag, "Last-Modified": tt.modified, "Date": tt.date} {
			if value != "" {
				header.Set(name, value)
			}
		}
		if got := versionOf(header).strong; got != tt.want {
			t.Errorf("%s: If-Range %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRequests checks the headers of requests, and that only what is not there yet costs one.
func TestRequests(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	server := sourcetest.New(served(random(fileBytes, 1)), sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprintf("%s %s %s %t %s", r.Header.Get("Range"), cmp.Or(r.Header.Get("If-Range"), "-"),
			r.Header.Get("Accept-Encoding"), r.Header.Get("Authorization") != "", r.Header.Get("User-Agent")))
		w.Header().Set("ETag", `"one"`)
		return false
	}))
	defer server.Close()
	s, err := Open(t.Context(), server.URL+"/docs.kddx", quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := readAll(t.Context(), s, random(fileBytes, 1)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`bytes=0-65535 - identity false kdd`,
		`bytes=65536-65545 "one" identity false kdd`,
		`bytes=100000-249999 "one" identity false kdd`,
		`bytes=299999-299999 "one" identity false kdd`,
	}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("requests\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
	if got := s.Stats(); got != (Stats{Requests: 4, Bytes: HeadBytes + 10 + 150_000 + 1, Rounds: 4}) {
		t.Errorf("Stats = %+v", got)
	}
	for _, r := range []struct{ at, n int64 }{{-1, 1}, {0, -1}, {0, fileBytes + 1}, {fileBytes + 1, 0}, {1, 1<<63 - 1}} {
		if _, err := s.ReadRange(t.Context(), r.at, r.n); err == nil || !strings.Contains(err.Error(), "of a file of 300000 bytes") {
			t.Errorf("ReadRange(%d, %d) = %v", r.at, r.n, err)
		}
	}
}

// TestParallel reads ranges at once: they are one round.
func TestParallel(t *testing.T) {
	data := random(fileBytes, 1)
	server := sourcetest.New(served(data), sourcetest.Together(50*time.Millisecond))
	defer server.Close()
	s, err := Open(t.Context(), server.URL+"/docs.kddx", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var group sync.WaitGroup
	for i := range int64(8) {
		group.Go(func() {
			at := 100_000 + 20_000*i
			if got, err := s.ReadRange(t.Context(), at, 1000); err != nil || !bytes.Equal(got, data[at:at+1000]) {
				t.Errorf("ReadRange(%d) = %d bytes, %v", at, len(got), err)
			}
		})
	}
	group.Wait()
	want := Stats{Requests: 9, Bytes: HeadBytes + 8000, Rounds: 2}
	if got, seen := s.Stats(), server.Seen(); got != want || seen.Rounds() != 2 {
		t.Errorf("Stats = %+v, want %+v:\n%s", got, want, seen)
	}
}

// TestEnded checks that a context ends a request, and its waits.
func TestEnded(t *testing.T) {
	reason := errors.New("the user went home")
	for _, tt := range []struct {
		name   string
		server sourcetest.Option
	}{
		{"no answer", answers(1, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
		{"a wait", status(503, 1, ever, "Retry-After", "20")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := sourcetest.New(served(nil), tt.server)
			defer server.Close()
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(50*time.Millisecond, func() { cancel(reason) })
			if _, err := Open(ctx, server.URL+"/docs.kddx", Options{}); !errors.Is(err, reason) {
				t.Errorf("Open = %v, want %v", err, reason)
			}
		})
	}
}

// FuzzContentRange checks that what is accepted lies inside of the file that is named, and reads back the same.
func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-65535/300000", "bytes */10", "bytes 1-1/*", "bytes 9-1/10", "bytes 0-10/10", "bytes +1-2/3",
		"Bytes 0-0/1", "bytes 0-0/1, bytes 1-1/2", "bytes 0-9223372036854775808/*", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		s, ok := parseSpan(header)
		switch {
		case !ok:
			return
		case s.first < 0 && (s.first != -1 || s.last != -1 || s.total < 0),
			s.first >= 0 && (s.last < s.first || s.total >= 0 && s.last >= s.total):
			t.Fatalf("parseSpan(%q) = %+v", header, s)
		}
		again := fmt.Sprintf("bytes %d-%d/%d", s.first, s.last, s.total)
		again = strings.Replace(strings.Replace(again, "-1--1/", "*/", 1), "/-1", "/*", 1)
		if t2, ok := parseSpan(again); !ok || t2 != s {
			t.Errorf("parseSpan(%q) = %+v, and of %q %+v", header, s, again, t2)
		}
	})
}
