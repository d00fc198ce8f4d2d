package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/search"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/wire"
)

// served answers from an artifact by URL, with a cache of the test's own.
func served(t testing.TB, cache, url string) *Service {
	t.Helper()
	s := New(Config{Index: []string{url}, Environ: map[string]string{"KDD_CACHE": cache}})
	t.Cleanup(func() { s.Close() })
	return s
}

// host serves the folder of an artifact and returns the artifact's URL.
func host(t testing.TB, path string, options ...sourcetest.Option) (*sourcetest.Server, string) {
	t.Helper()
	h := sourcetest.New(os.DirFS(filepath.Dir(path)), options...)
	t.Cleanup(h.Close)
	return h, h.URL + "/" + filepath.Base(path)
}

// requests are what a Service is asked, by name.
func requests(text string) map[string]func(s *Service, t *testing.T) (any, error) {
	return map[string]func(s *Service, t *testing.T) (any, error){
		"search": func(s *Service, t *testing.T) (any, error) {
			return s.Search(t.Context(), wire.SearchRequest{Query: text, Facets: true, Explain: true, Limit: 10})
		},
		"words": func(s *Service, t *testing.T) (any, error) {
			return s.Search(t.Context(), wire.SearchRequest{Query: text, Mode: "lexical", Detail: "full"})
		},
		"list": func(s *Service, t *testing.T) (any, error) { return s.List(t.Context(), wire.ListRequest{}) },
		"context": func(s *Service, t *testing.T) (any, error) {
			return s.Context(t.Context(), wire.ContextRequest{Hints: []string{text}})
		},
		"ask":   func(s *Service, t *testing.T) (any, error) { return s.Ask(t.Context(), wire.AskRequest{Query: text}) },
		"graph": func(s *Service, t *testing.T) (any, error) { return s.Graph(t.Context(), wire.GraphRequest{}) },
		"lint":  func(s *Service, t *testing.T) (any, error) { return s.Lint(t.Context(), wire.LintRequest{}) },
		"coverage": func(s *Service, t *testing.T) (any, error) {
			return s.Coverage(t.Context(), wire.CoverageRequest{})
		},
	}
}

var changing = regexp.MustCompile(`"(time_ms|session)":("[^"]*"|[0-9.e-]+)|file://[^"]*|kdd://doc[^"]*`)

// said is an answer as JSON, without what differs from call to call and between a file here and one elsewhere.
func said(answer any, err error) string {
	text, bad := json.Marshal(answer)
	return changing.ReplaceAllString(fmt.Sprint(string(text), err, bad), "")
}

// TestElsewhereAnswersAlike compares the answers of operations by URL with those of the file.
func TestElsewhereAnswersAlike(t *testing.T) {
	few := random(4, 12)
	for name, path := range map[string]string{"words": corpus(t, "handbook"), "vectors": withVectors(t, few.compile(t), "distilled"),
		"vectors alone": withVectors(t, few.compile(t), "none")} {
		h, url := host(t, path)
		local := serve(t, path)
		for _, text := range append([]string{"retry policy", "account lockout \"failed attempts\"", "+render -memo"}, asked...) {
			for op, do := range requests(text) {
				remote := served(t, t.TempDir(), url)
				if got, want := said(do(remote, t)), said(do(local, t)); got != want {
					t.Errorf("%s: %s %q\n got %.600s\nwant %.600s", name, op, text, got, want)
				}
				remote.Close()
			}
		}
		if h.Seen().Bytes() == 0 {
			t.Errorf("%s: nothing was asked of the host", name)
		}
	}
}

// TestElsewhereVectors compares hits where only the vectors of some chunks are read.
func TestElsewhereVectors(t *testing.T) {
	path := withVectors(t, random(9, 150).compile(t), "distilled")
	_, url := host(t, path)
	local, remote := serve(t, path), served(t, t.TempDir(), url)
	same, all := 0, 0
	for _, text := range asked {
		want, got := searched(t, local, wire.SearchRequest{Query: text, Limit: 10}), searched(t, remote, wire.SearchRequest{Query: text, Limit: 10})
		here := map[string]float64{}
		for _, hit := range want.Results {
			here[hit.Chunk] = hit.Score
		}
		for _, hit := range got.Results {
			if _, ok := here[hit.Chunk]; ok {
				same++
			}
		}
		all += len(want.Results)
	}
	if same*100 < all*90 {
		t.Errorf("%d of %d hits are those of the file, want nine of ten", same, all)
	}
}

// TestElsewherePlain asks what compares no meanings: nothing of what that needs is read, until a question needs it.
func TestElsewherePlain(t *testing.T) {
	path := withVectors(t, random(9, 400).compile(t), "distilled")
	h, url := host(t, path)
	s := served(t, t.TempDir(), url)
	x := must(index.Open(path))
	defer x.File.Close()
	sketches := x.File.Block(format.Tag{'V', 'S', 'K', 'T'})
	read := func() (n int64) {
		for _, r := range h.Seen() {
			n += max(0, min(r.At+r.N, int64(sketches.Offset+sketches.Length))-max(r.At, int64(sketches.Offset)))
		}
		return n
	}
	searched(t, s, wire.SearchRequest{Query: "memo", Mode: search.ModeLexical})
	must(s.List(t.Context(), wire.ListRequest{}))
	must(s.Related(t.Context(), wire.RelatedRequest{Entity: "a/d0.md"}))
	if n := read(); n > 0 {
		t.Errorf("%d bytes of the sketches were read for words, a list and relations", n)
	}
	searched(t, s, wire.SearchRequest{Query: "memo"})
	if n := read(); n < int64(sketches.Length) {
		t.Errorf("%d bytes of the sketches were read for meaning, of %d", n, sketches.Length)
	}
}

// TestElsewhereRounds counts the dependent rounds of a first question and of the next ones.
func TestElsewhereRounds(t *testing.T) {
	h, url := host(t, corpus(t, "handbook"), sourcetest.Together(50*time.Millisecond))
	cache := t.TempDir()
	for i, test := range []struct {
		text string
		most int
	}{{"how long is an account locked", 4}, {"how long is an account locked", 1}, {"who may lift a lock after a call back", 4}} {
		s := served(t, cache, url)
		searched(t, s, wire.SearchRequest{Query: test.text})
		s.Close()
		if seen := h.Seen(); seen.Rounds() > test.most {
			t.Errorf("question %d took %d rounds, want at most %d:\n%s", i, seen.Rounds(), test.most, seen)
		}
	}
}

// vast is a tree with more terms and names than are read at once.
func vast() tree {
	f := tree{}
	for d := range 900 {
		var b strings.Builder
		fmt.Fprintf(&b, "# The page of keeper number%d\n\nThe keeper of page%d rotates keys.\n", d, d)
		for s := range 14 {
			fmt.Fprintf(&b, "\n## How gate%d of tower%d opens\n\n", s, d)
			for w := range 6 {
				fmt.Fprintf(&b, "The bolt%d-%d%d holds latch%dq%d. ", w, d, s, d*13+s, w)
			}
			b.WriteString("Keepers rotate keys of gates.\n")
		}
		f[fmt.Sprintf("towers/t%03d.md", d)] = b.String()
	}
	return f
}

// TestElsewhereVast asks questions of an artifact of which most is read by page: they are answered as by the local file,
// and in few rounds.
func TestElsewhereVast(t *testing.T) {
	path := vast().compile(t)
	x := must(index.Open(path))
	if x.File.Block(format.Tag{'T', 'R', 'M', 'T'}) == nil || x.File.Block(format.Tag{'N', 'A', 'M', 'T'}) == nil {
		t.Fatalf("the artifact has no upper levels: %d bytes of terms, %d of names",
			x.File.Block(format.Tag([]byte("TERM"))).Len(), x.File.Block(format.Tag([]byte("NAME"))).Len())
	}
	x.File.Close()
	h, url := host(t, path, sourcetest.Together(50*time.Millisecond))
	local := serve(t, path)
	for _, test := range []struct {
		text string
		most int
	}{
		{"which keeper rotates the keys of gate7 in tower311", 8},
		{"latch3001q4 bolt5", 8},
		{"towers/t077.md", 12},
		{"the page of keeper number42", 12},
		{"latch30x1q4 of the keepre", 12}, // misspelt: other words are looked for
	} {
		remote := served(t, t.TempDir(), url)
		h.Seen()
		ask := func(s *Service) string {
			return said(s.Search(t.Context(), wire.SearchRequest{Query: test.text, Limit: 10, Mode: search.ModeLexical,
				Page: wire.Page{MaxBytes: -1}}))
		}
		got, seen := ask(remote), h.Seen()
		if want := ask(local); got != want {
			t.Errorf("%q\n got %.800s\nwant %.800s", test.text, got, want)
		}
		if seen.Rounds() > test.most {
			t.Errorf("%q took %d rounds, want at most %d:\n%s", test.text, seen.Rounds(), test.most, seen)
		}
	}
}

// TestElsewhereVastOperations is TestElsewhereVast for the other operations.
func TestElsewhereVastOperations(t *testing.T) {
	path := vast().compile(t)
	h, url := host(t, path, sourcetest.Together(50*time.Millisecond))
	local := serve(t, path)
	const page = "towers/t077.md"
	for name, test := range map[string]struct {
		most int
		do   func(s *Service) (any, error)
	}{
		"read": {12, func(s *Service) (any, error) { return s.Read(t.Context(), wire.ReadRequest{File: page}) }},
		"list": {8, func(s *Service) (any, error) { return s.List(t.Context(), wire.ListRequest{Limit: 3}) }},
		"related": {24, func(s *Service) (any, error) {
			return s.Related(t.Context(), wire.RelatedRequest{Entity: page, Page: wire.Page{MaxBytes: -1}})
		}},
		"similar": {16, func(s *Service) (any, error) {
			return s.Similar(t.Context(), wire.SimilarRequest{File: page, Limit: 3})
		}},
		"ask": {10, func(s *Service) (any, error) {
			return s.Ask(t.Context(), wire.AskRequest{Query: "which keeper rotates the keys of gate7 in tower311"})
		}},
		"context": {24, func(s *Service) (any, error) {
			return s.Context(t.Context(), wire.ContextRequest{Hints: []string{"the keeper of tower311"}, MaxTokens: 300})
		}},
	} {
		remote := served(t, t.TempDir(), url)
		h.Seen()
		got := said(test.do(remote))
		seen := h.Seen()
		if want := said(test.do(local)); got != want {
			t.Errorf("%s\n got %.800s\nwant %.800s", name, got, want)
		}
		if seen.Rounds() > test.most {
			t.Errorf("%s took %d rounds, want at most %d:\n%s", name, seen.Rounds(), test.most, seen)
		}
	}
}

// TestElsewhereOffline asks without a host what was asked before, and something else.
func TestElsewhereOffline(t *testing.T) {
	h, url := host(t, corpus(t, "handbook"))
	cache := t.TempDir()
	first := searched(t, served(t, cache, url), wire.SearchRequest{Query: "account lockout", Limit: 2})
	h.Close()
	offline := served(t, cache, url)
	again := searched(t, offline, wire.SearchRequest{Query: "account lockout", Limit: 2})
	if said(again.Results, nil) != said(first.Results, nil) || again.IndexID != first.IndexID {
		t.Errorf("offline: %s, want %s", said(again, nil), said(first, nil))
	}
	var err error
	list, _ := offline.List(t.Context(), wire.ListRequest{})
	for i := 0; i < len(list.Documents) && err == nil; i++ {
		_, err = offline.Read(t.Context(), wire.ReadRequest{File: list.Documents[i].Path})
	}
	if e := want(t, err, wire.CodeIO); !strings.Contains(e.Message, "never read") || e.Hint == "" {
		t.Errorf("what was never read: %v", e)
	}
	if _, err := served(t, t.TempDir(), url).Search(t.Context(), wire.SearchRequest{Query: "x"}); err == nil {
		t.Error("without a host and a cache there is an answer")
	}
}

// TestElsewhereReplaced replaces the artifact under a reader: stale_index once, then the new one.
func TestElsewhereReplaced(t *testing.T) {
	h, url := host(t, random(9, 150).compile(t))
	s := served(t, "off", url)
	searched(t, s, wire.SearchRequest{Query: "memo"})
	fresh := tree{"a.md": "# New\n\nThe new text about keys.\n"}.compile(t)
	h.Replace(os.DirFS(filepath.Dir(fresh)))
	_, err := s.Search(t.Context(), wire.SearchRequest{Query: "schema query parser build graph node"})
	if e := want(t, err, wire.CodeStaleIndex); e.Hint == "" {
		t.Errorf("no hint in %v", e)
	}
	if got := searched(t, s, wire.SearchRequest{Query: "keys"}); len(got.Results) == 0 {
		t.Error("the new artifact does not answer")
	}
}

// TestElsewhereEdited asks a new version what the one before was asked: what both have is not read again.
func TestElsewhereEdited(t *testing.T) {
	docs := random(9, 400)
	before := docs.compile(t)
	for path, text := range docs {
		docs[path] = text + "\nmemo state of the hook.\n"
		break
	}
	after := docs.compile(t)
	h, url := host(t, before)
	cache := t.TempDir()
	ask := func(cache string) (string, int64) {
		s := served(t, cache, url)
		h.Seen()
		answer := said(searched(t, s, wire.SearchRequest{Query: "memo of the render state"}), nil)
		return answer, h.Seen().Bytes()
	}
	ask(cache)
	h.Replace(os.DirFS(filepath.Dir(after)))
	got, asked := ask(cache)
	want, fresh := ask(t.TempDir())
	if got != want {
		t.Errorf("with the version before in the cache\n got %.600s\nwant %.600s", got, want)
	}
	if asked > fresh*6/10 {
		t.Errorf("%d bytes were read, %d with an empty cache", asked, fresh)
	}
	old, err := filepath.Glob(filepath.Join(cache, "pages", "*.pages"))
	if err != nil || len(old) != 2 {
		t.Fatalf("the cache has %v, %v", old, err)
	}
	for _, path := range old { // damage
		data := must(os.ReadFile(path))
		for i := 1 << 14; i < len(data); i += 97 {
			data[i] ^= 1
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := ask(cache); got != want {
		t.Errorf("with a damaged cache\n got %.600s\nwant %.600s", got, want)
	}
}

// TestElsewhereForged has a host that changes a byte of every answer behind the first one.
func TestElsewhereForged(t *testing.T) {
	path := corpus(t, "handbook")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, url := host(t, path, sourcetest.Fault(func(request int, w http.ResponseWriter, r *http.Request) bool {
		var from, to int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil || from == 0 {
			return false
		}
		to = min(to, len(data)-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(data)))
		w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
		w.WriteHeader(http.StatusPartialContent)
		body := append([]byte{}, data[from:to+1]...)
		body[len(body)/2] ^= 1
		w.Write(body)
		return true
	}))
	_, err = served(t, t.TempDir(), url).Search(t.Context(), wire.SearchRequest{Query: "account"})
	if e, ok := err.(*wire.Error); !ok || e.Code != wire.CodeIndexCorrupt && e.Code != wire.CodeStaleIndex {
		t.Errorf("a host that changes bytes: %v, want index_corrupt", err)
	}
}

// TestElsewhereErrors names what is wrong with a URL or a host.
func TestElsewhereErrors(t *testing.T) {
	h, url := host(t, corpus(t, "handbook"))
	other := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(other, []byte("<!doctype html><title>not it</title>"+strings.Repeat(" ", 200)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, page := host(t, other)
	tests := []struct {
		url  string
		env  map[string]string
		code string
		text string
	}{
		{h.URL + "/gone.kddx", nil, wire.CodeIndexNotFound, "gone.kddx"},
		{page, nil, wire.CodeIndexCorrupt, "not a .kddx"},
		{strings.Replace(url, "http://", "http://user:secret@", 1), nil, wire.CodeIO, "KDD_HTTP"},
		{url, map[string]string{"KDD_CACHE_LIMIT": "many"}, wire.CodeInvalidInput, "megabytes"},
	}
	for _, tt := range tests {
		s := New(Config{Index: []string{tt.url}, Environ: tt.env})
		_, err := s.Search(t.Context(), wire.SearchRequest{Query: "account"})
		if e := want(t, err, tt.code); !strings.Contains(e.Error(), tt.text) || strings.Contains(e.Error(), "secret") {
			t.Errorf("%s: %v, want %q", tt.url, e, tt.text)
		}
		s.Close()
	}
}
