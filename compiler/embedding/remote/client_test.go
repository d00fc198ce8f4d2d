package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/remote/remotetest"
)

// texts are n texts, each another.
func texts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("text number %d about token%d", i, i%7)
	}
	return list
}

// unit is the vector that a model gives, of unit length.
func unit(row []float32) []float32 {
	var square float64
	for _, v := range row {
		square += float64(v) * float64(v)
	}
	for k := range row {
		row[k] = float32(float64(row[k]) / math.Sqrt(square))
	}
	return row
}

// options are those of a test: no waiting.
func options(s *remotetest.Server) Options {
	return Options{URL: s.URL, Model: s.Model, Key: s.Key, FirstWait: time.Microsecond}
}

// TestEmbed checks the vectors of each API against the model's, in the order of the texts.
func TestEmbed(t *testing.T) {
	model := remotetest.Words(24)
	for _, tt := range []struct {
		name string
		edit func(s *remotetest.Server, o *Options)
		api  API
	}{
		{"OpenAI's", func(s *remotetest.Server, o *Options) {}, OpenAI},
		{"OpenAI's, with its path", func(s *remotetest.Server, o *Options) { o.URL += "/v1/" }, OpenAI},
		{"OpenAI's, named", func(s *remotetest.Server, o *Options) { o.API = OpenAI }, OpenAI},
		{"with a key", func(s *remotetest.Server, o *Options) { s.Key, o.Key = "secret", "secret" }, OpenAI},
		{"TEI's", func(s *remotetest.Server, o *Options) { s.TEI, o.Model = true, "" }, TEI},
		{"TEI's, named", func(s *remotetest.Server, o *Options) { s.TEI, o.API = true, TEI }, TEI},
		{"small batches", func(s *remotetest.Server, o *Options) { s.TEI, s.Limit = true, 5 }, TEI},
		{"one request at a time", func(s *remotetest.Server, o *Options) { o.Requests = 1 }, OpenAI},
		{"now and then a failure", func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				if n%3 != 0 {
					return false
				}
				w.Header().Set("Retry-After", "0")
				w.WriteHeader([]int{429, 500, 502, 503, 504}[n/3%5])
				return true
			}
		}, OpenAI},
		{"answers cut short", func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				if n%4 == 2 {
					w.Header().Set("Content-Length", "1000")
					io.WriteString(w, `{"data": [`)
				}
				return n%4 == 2
			}
		}, OpenAI},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := remotetest.New("words-24", model)
			defer s.Close()
			o := options(s)
			tt.edit(s, &o)
			c, err := Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if c.API() != tt.api || c.Model() != "words-24" || c.Dim() != 24 {
				t.Errorf("Open = %s, %s, %d numbers", c.API(), c.Model(), c.Dim())
			}
			list, told := texts(150), 0
			got, err := c.Embed(t.Context(), list, func(n int) { told += n })
			if err != nil {
				t.Fatal(err)
			}
			if told != len(list) {
				t.Errorf("told of %d texts, want %d", told, len(list))
			}
			for i, text := range list {
				for k, want := range unit(model(text)) {
					if math.Abs(float64(got[i*24+k]-want)) > 1e-6 {
						t.Fatalf("number %d of text %d is %g, want %g", k, i, got[i*24+k], want)
					}
				}
			}
		})
	}
}

// TestRefused checks what is said of servers and answers that cannot be used.
func TestRefused(t *testing.T) {
	fault := func(from int, status int, body string) func(*remotetest.Server, *Options) {
		return func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				if n < from {
					return false
				}
				w.WriteHeader(status)
				io.WriteString(w, body)
				return true
			}
		}
	}
	rows := func(from int, edit func(rows [][]float32) [][]float32) func(*remotetest.Server, *Options) {
		return func(s *remotetest.Server, o *Options) {
			s.Edit = func(n int, rows [][]float32) [][]float32 {
				if n < from {
					return rows
				}
				return edit(rows)
			}
		}
	}
	for _, tt := range []struct {
		name string
		edit func(s *remotetest.Server, o *Options)
		want string
	}{
		{"no address", func(s *remotetest.Server, o *Options) { o.URL = "localhost:8080" }, `"localhost:8080": no address of a server; give a URL such as`},
		{"no scheme", func(s *remotetest.Server, o *Options) { o.URL = "ftp://host/" }, `"ftp://host/": no address of a server`},
		{"a key in the address", func(s *remotetest.Server, o *Options) { o.URL = "https://me:secret@host/" }, `https://me:xxxxx@host: more than an address; give scheme, host and path only`},
		{"a query", func(s *remotetest.Server, o *Options) { o.URL += "?a=b" }, "more than an address"},
		{"a key without https", func(s *remotetest.Server, o *Options) { o.URL, o.Key = "http://192.0.2.1/", "secret" }, "http://192.0.2.1: the key would be sent unencrypted; use https, or unset the key"},
		{"nobody there", func(s *remotetest.Server, o *Options) { s.Close() }, "connection refused"},
		{"no model named", func(s *remotetest.Server, o *Options) { o.Model = "" }, "OpenAI's API wants the name of a model; name the model that it serves"},
		{"another model named", func(s *remotetest.Server, o *Options) { o.Model = "other" }, "404 Not Found: The model `other` does not exist.; check the address and the model's name"},
		{"another model of TEI", func(s *remotetest.Server, o *Options) { s.TEI, o.Model = true, "other" }, `serves "words-24", want "other"`},
		{"no TEI", func(s *remotetest.Server, o *Options) { o.API = TEI }, "/info: 404 Not Found"},
		{"no key", func(s *remotetest.Server, o *Options) { s.Key = "secret" }, "401 Unauthorized: no such key; set the key that the server wants in KDD_EMBED_KEY"},
		{"a key that is repeated", func(s *remotetest.Server, o *Options) {
			fault(1, 400, `{"error": {"message": "bad key s\/ecret-1"}}`)(s, o)
			s.Key, o.Key = "s/ecret-1", "s/ecret-1"
		}, "400 Bad Request: bad key ***"},
		{"a key in a redirect", func(s *remotetest.Server, o *Options) {
			s.Key, o.Key = "s/ecret-1", "s/ecret-1"
			s.Fault = func(n int, w http.ResponseWriter) bool {
				w.Header().Set("Location", "https://other.example/s/ecret-1?key=s%2Fecret-1")
				w.WriteHeader(http.StatusTemporaryRedirect)
				return true
			}
		}, "redirected to https://other.example/***?key=***, which is not followed"},
		{"a model that is called as the key", func(s *remotetest.Server, o *Options) {
			s.TEI, s.Model, o.Model = true, "my secret-1", ""
			s.Key, o.Key = "secret-1", "secret-1"
		}, "/info: repeats the key; want the name of a model"},
		{"a bad request", fault(1, 400, `{"error": "input too long"}`), "400 Bad Request: input too long"},
		{"a failure that stays", fault(1, 500, "<h1>oops</h1>\n\x1b[31m"), "500 Internal Server Error: <h1>oops</h1>"},
		{"a failure that stays later", fault(2, 503, ""), "503 Service Unavailable"},
		{"a redirect", func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				w.Header().Set("Location", "https://other.example/")
				w.WriteHeader(http.StatusTemporaryRedirect)
				return true
			}
		}, "redirected to https://other.example/, which is not followed"},
		{"a wait of days", func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				w.Header().Set("Retry-After", "200000")
				w.WriteHeader(http.StatusTooManyRequests)
				return true
			}
		}, "429 Too Many Requests: it asks to wait 55h33m20s"},
		{"no JSON", fault(1, 200, "hello"), "no answer of OpenAI's API: "},
		{"another shape", fault(1, 200, "[[1, 2]]"), "no answer of OpenAI's API: "},
		{"no vectors", fault(1, 200, "{}"), "0 vectors of 8 texts; want one for each text"},
		{"an index twice", fault(1, 200, `{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`), "index 0 among 2 vectors; want each index once"},
		{"an index beyond", fault(1, 200, `{"data": [{"index": 7, "embedding": [1]}]}`), "index 7 among 1 vectors"},
		{"a number that is too large", fault(1, 200, `{"data": [{"index": 0, "embedding": [1e999]}]}`), "no answer of OpenAI's API: "},
		{"no number", fault(1, 200, `{"data": [{"index": 0, "embedding": [NaN]}]}`), "no answer of OpenAI's API: "},
		{"numbers without end", func(s *remotetest.Server, o *Options) {
			s.Fault = func(n int, w http.ResponseWriter) bool {
				zeros := []byte(strings.Repeat("0", 1<<20))
				for range maxAnswerBytes>>20 + 2 {
					if _, err := w.Write(zeros); err != nil {
						break
					}
				}
				return true
			}
		}, "an answer of more than 64 MB"},
		{"too few vectors", rows(1, func(rows [][]float32) [][]float32 { return rows[1:] }), "7 vectors of 8 texts"},
		{"too few vectors later", rows(3, func(rows [][]float32) [][]float32 { return rows[1:] }), "want one for each text"},
		{"empty vectors", rows(1, func(rows [][]float32) [][]float32 { rows[2] = []float32{}; return rows }), "vector 2 has 0 numbers; want 1 to 16384"},
		{"vectors of two lengths", rows(1, func(rows [][]float32) [][]float32 { rows[2] = rows[2][1:]; return rows }), "vector 2 has 23 numbers, the first 24; want one length"},
		{"another length later", rows(2, func(rows [][]float32) [][]float32 {
			for i := range rows {
				rows[i] = rows[i][1:]
			}
			return rows
		}), "a vector of 23 numbers, before they had 24; keep the server at one model while it embeds"},
		{"zeros", rows(1, func(rows [][]float32) [][]float32 { clear(rows[1]); return rows }), "vector 1 has the length 0; want a direction"},
		{"another model later", func(s *remotetest.Server, o *Options) {
			s.Edit = func(n int, rows [][]float32) [][]float32 {
				if n > 3 {
					for i := range rows {
						rows[i][0] += 9
					}
				}
				return rows
			}
		}, "other vectors of the same texts than at the start, cosine "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := remotetest.New("words-24", remotetest.Words(24))
			defer s.Close()
			o := options(s)
			tt.edit(s, &o)
			c, err := Open(t.Context(), o)
			if err == nil {
				_, err = c.Embed(t.Context(), texts(70), nil)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
			if err != nil && (strings.ContainsAny(err.Error(), "\n\x1b") && !strings.Contains(tt.name, "stays") || len(err.Error()) > 500) {
				t.Errorf("error = %q, want a line", err)
			}
		})
	}
}

// TestRetry checks how often a request is sent, and that a wait that the server asks for is kept.
func TestRetry(t *testing.T) {
	s := remotetest.New("words-24", remotetest.Words(24))
	defer s.Close()
	s.Fault = func(n int, w http.ResponseWriter) bool { w.WriteHeader(http.StatusBadGateway); return true }
	if _, err := Open(t.Context(), options(s)); err == nil {
		t.Error("Open = nil, want an error")
	}
	if n, _ := s.Seen(); n != maxTries {
		t.Errorf("%d requests, want %d", n, maxTries)
	}

	waits := remotetest.New("words-24", remotetest.Words(24))
	defer waits.Close()
	waits.Fault = func(n int, w http.ResponseWriter) bool {
		if n == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n == 1
	}
	began := time.Now()
	if _, err := Open(t.Context(), options(waits)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < time.Second {
		t.Errorf("a second try after %s, want a second", took)
	}
}

// TestCancel stops requests that hang.
func TestCancel(t *testing.T) {
	s := remotetest.New("words-24", remotetest.Words(24))
	defer s.Close()
	c, err := Open(t.Context(), options(s))
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan bool)
	var waiting atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	s.Fault = func(n int, w http.ResponseWriter) bool {
		if waiting.Add(1) == 2 {
			cancel()
		}
		<-release
		return true
	}
	defer close(release)
	if _, err := c.Embed(ctx, texts(200), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Embed = %v, want %v", err, context.Canceled)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"", 0, false}, {"3", 3 * time.Second, true}, {"0", 0, true}, {"-1", 0, false}, {"soon", 0, false},
		{strconv.Itoa(math.MaxInt64), 0, false},
		{"Mon, 23 Nov 2026 12:01:00 GMT", time.Minute, true}, {"Mon, 23 Nov 2026 11:00:00 GMT", 0, true},
	} {
		if got, ok := retryAfter(tt.value, now); got != tt.want || ok != tt.ok {
			t.Errorf("retryAfter(%q) = %s, %t, want %s, %t", tt.value, got, ok, tt.want, tt.ok)
		}
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("x", batchBytes)
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{nil, "[]"},
		{texts(1), "[{0 1}]"},
		{texts(batchTexts + 1), fmt.Sprintf("[{0 %d} {%d %d}]", batchTexts, batchTexts, batchTexts+1)},
		{[]string{"a", long, "b", "c"}, "[{0 1} {1 2} {2 4}]"},
	} {
		if got := fmt.Sprint(split(tt.texts)); got != tt.want {
			t.Errorf("split of %d texts = %s, want %s", len(tt.texts), got, tt.want)
		}
	}
}

// FuzzRows reads whatever a server may answer.
func FuzzRows(f *testing.F) {
	f.Add(true, []byte(`[[1, 2], [3, 4]]`))
	f.Add(false, []byte(`{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}`))
	f.Fuzz(func(t *testing.T, tei bool, answer []byte) {
		c := &Client{o: Options{API: OpenAI}}
		if tei {
			c.o.API = TEI
		}
		rows, err := c.rows(answer)
		if err != nil {
			return
		}
		if err := normalise(rows, 2); err == nil {
			p := embedding.NewProbe(append(append(append(append([][]float32{}, rows...), rows...), rows...), rows...))
			if !p.Same(p) || p.Cosine(p) < .999 {
				t.Errorf("the probe of %q is not like itself: %g", answer, p.Cosine(p))
			}
		}
	})
}
