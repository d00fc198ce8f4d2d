package runtime

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// What the tests of runtime/browser read: an artifact, and what kdd says of it.
type (
	browserFixture struct {
		File      string            `json:"file"`
		ID        string            `json:"id"`
		Documents []browserDocument `json:"documents"`
		Sections  []browserSection  `json:"sections"`
		Queries   []browserQuery    `json:"queries"`
	}
	browserDocument struct {
		Path     string `json:"path"`
		Title    string `json:"title"`
		Kind     string `json:"kind"`
		Language string `json:"language"`
	}
	browserSection struct {
		Path     string `json:"path"`
		Anchor   string `json:"anchor"`
		Markdown string `json:"markdown,omitempty"`
	}
	browserQuery struct {
		Text   string         `json:"text"`
		Words  []browserWord  `json:"words"`
		Scores []browserScore `json:"scores"`
	}
	browserWord struct {
		Folded  string            `json:"folded"`
		Stems   map[string]string `json:"stems,omitempty"`
		Written string            `json:"written,omitempty"`
		Whole   bool              `json:"whole,omitempty"`
		Grammar bool              `json:"grammar,omitempty"`
	}
	browserScore struct {
		Chunk int            `json:"chunk"`
		Score float64        `json:"score"`
		Place browserSection `json:"place"`
	}
)

// TestBrowserReader has the reader in TypeScript answer what kdd answers, from files of all corpora.
func TestBrowserReader(t *testing.T) {
	node := browserNode(t)
	dir := t.TempDir()
	var all []browserFixture
	queries, accents, wholes, grammar := 0, 0, 0, 0
	for _, corpus := range []string{"handbook", "kdd-specs", "languages", "languages/de", "languages/ja"} {
		name := strings.ReplaceAll(corpus, "/", "-") + ".kddx"
		sources := []string{"../testdata/corpora/" + corpus}
		build(t, compiler.Options{Sources: sources, Output: filepath.Join(dir, name), CacheDir: "-"})
		f := browserAnswers(t, filepath.Join(dir, name))
		for _, q := range f.Queries {
			queries++
			for _, w := range q.Words {
				accents, wholes, grammar = accents+btoi(w.Written != ""), wholes+btoi(w.Whole), grammar+btoi(w.Grammar)
			}
		}
		all = append(all, f)
	}
	t.Logf("%d queries; words with accents %d, identifiers %d, grammar %d", queries, accents, wholes, grammar)
	if queries < 300 || accents == 0 || wholes == 0 || grammar == 0 {
		t.Errorf("%d queries, want 300, and with words of each kind: %d %d %d", queries, accents, wholes, grammar)
	}
	if err := os.WriteFile(filepath.Join(dir, "fixtures.json"), must(json.Marshal(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	nodeTest(t, node, "reader", "KDDX_FIXTURES="+dir)
}

// nodeTest runs one of the tests in JavaScript.
func nodeTest(t *testing.T, node, name, env string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), node, "--test", "browser/test/"+name+".test.mjs")
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node --test %s: %v\n%.4000s", name, err, out)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// browserNode skips the test where there is no Node that knows what the reader needs.
func browserNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node")
	}
	if exec.CommandContext(t.Context(), node, "-e", "process.exit(+(parseInt(process.versions.node) < 20))").Run() != nil {
		t.Skip("Node is older than 20")
	}
	return node
}

// browserAnswers asks an artifact all its titles and headings, and how a reader without an analyzer would ask them.
func browserAnswers(t *testing.T, path string) browserFixture {
	t.Helper()
	service := serve(t, path)
	f := browserFixture{File: filepath.Base(path)}
	err := service.with(t.Context(), func(set *artifact.Set) error {
		a := set.Artifacts[0]
		f.ID = a.File.ID()
		for d := range index.DocID(a.Docs()) {
			f.Documents = append(f.Documents, browserDocument{a.DocPath(d), a.DocTitle(d), a.DocKind(d), a.DocLanguage(d)})
		}
		for s := range index.SectionID(a.Sections()) {
			asked := a.SectionHeading(s)
			if q, ok := browserAsk(t, set, asked); ok && len(f.Queries) < 120 {
				f.Queries = append(f.Queries, q)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range f.Queries {
		s := q.Scores[0].Place
		if i%5 > 0 {
			continue
		}
		r := wire.ReadRequest{File: s.Path, Anchor: s.Anchor, MaxBytes: 1 << 20}
		s.Markdown = must(service.Read(t.Context(), r)).Markdown
		f.Sections = append(f.Sections, s)
	}
	return f
}

// browserAsk scores a query. It is false for one of which kdd makes other words than were typed: corrected, translated,
// taken apart.
func browserAsk(t *testing.T, set *artifact.Set, asked string) (browserQuery, bool) {
	t.Helper()
	r := &search.Request{Text: asked, Mode: search.ModeLexical, Filter: &wire.Filter{}, Want: 10}
	ranked := must(search.Rank(t.Context(), set, r))
	defer ranked.Release()
	a, q := set.Artifacts[0], browserQuery{Text: asked}
	analyzer := text.Borrow()
	defer analyzer.Return()
	tokens := map[string]text.Token{}
	for _, token := range analyzer.Tokens(nil, asked) {
		tokens[token.Fold] = token
	}
	for i := range ranked.Queries[0].Words {
		w := &ranked.Queries[0].Words[i]
		token, typed := tokens[w.Text]
		word, ok := browserWordOf(a, w)
		if !ok || !typed || len(w.Near) > 0 || w.Means != "" {
			return q, false
		}
		_, word.Written, _ = strings.Cut(strings.TrimPrefix(token.ExactTerm(), "\x02"), "\x02")
		q.Words = append(q.Words, word)
	}
	for c, score := range ranked.Scored[0].Signals.BM25 {
		if score > 0 {
			s := a.SectionOfChunk(index.ChunkID(c))
			place := browserSection{Path: a.DocPath(a.DocOfSection(s)), Anchor: a.SectionAnchor(s)}
			q.Scores = append(q.Scores, browserScore{c, float64(score), place})
		}
	}
	slices.SortStableFunc(q.Scores, func(a, b browserScore) int { return cmp.Compare(b.Score, a.Score) })
	return q, len(q.Scores) > 0
}

// browserWordOf is false for a lone character, which stands for all pairs that begin with it.
func browserWordOf(a *artifact.Artifact, w *query.Word) (browserWord, bool) {
	out := browserWord{Folded: w.Text, Stems: map[string]string{}, Whole: w.Whole}
	for id, key := range a.TermDict().Prefix("") {
		if !slices.Contains(w.Terms, index.TermID(id)) {
			continue
		}
		if language, stem, ok := strings.Cut(strings.TrimPrefix(string(key), "\x01"), "\x01"); ok {
			out.Stems[language] = stem
		} else if string(key) != w.Text {
			return out, false
		}
	}
	n, df := float64(a.Chunks()), float64(w.DF)
	idf := math.Log(1 + (n-df+.5)/(df+.5))
	out.Grammar = !w.Whole && math.Abs(idf*a.Meta.Weights.Grammar-w.IDF) < 1e-9
	return out, true
}

// TestBrowserSizes keeps what a page loads small.
func TestBrowserSizes(t *testing.T) {
	for name, most := range map[string]int{"kddx.js": 32 << 10, "zstd.js": 6 << 10} {
		var b bytes.Buffer
		w := must(gzip.NewWriterLevel(&b, gzip.BestCompression))
		must(w.Write(must(os.ReadFile("browser/" + name))))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d bytes by gzip", name, b.Len()); b.Len() > most {
			t.Errorf("%s has %d bytes by gzip, want at most %d", name, b.Len(), most)
		}
	}
}

// TestBrowserTypes checks the types of the reader, where "npm ci" brought the compiler.
func TestBrowserTypes(t *testing.T) {
	node := browserNode(t)
	tsc := "browser/node_modules/typescript/bin/tsc"
	if _, err := os.Stat(tsc); err != nil {
		t.Skip("Node has no TypeScript here, npm ci in runtime/browser brings it")
	}
	cmd := exec.CommandContext(t.Context(), node, tsc, "--noEmit", "--project", "browser")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

// TestBrowserBundles makes sure that zstd.js is of the version of fzstd that package.json names.
func TestBrowserBundles(t *testing.T) {
	var names struct{ Dependencies map[string]string }
	if err := json.Unmarshal(must(os.ReadFile("browser/package.json")), &names); err != nil {
		t.Fatal(err)
	}
	want := []byte("/* fzstd " + names.Dependencies["fzstd"] + " MIT License\n")
	if got := must(os.ReadFile("browser/zstd.js")); !bytes.HasPrefix(got, want) || len(names.Dependencies) != 1 {
		t.Errorf("zstd.js begins with %.60q, want %q and no other dependency: %v", got, want, names.Dependencies)
	}
}
