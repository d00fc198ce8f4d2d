package runtime

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/browser"
	"kdd/runtime/wire"
)

// What the tests of runtime/browser read: an artifact, and what kdd says of it.
type (
	browserFixture struct {
		File      string            `json:"file"`
		ID        string            `json:"id"`
		Elsewhere bool              `json:"elsewhere,omitempty"` // kdd read it by range
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
)

// TestBrowserReader has the reader in TypeScript answer what kdd answers, from files of all corpora.
func TestBrowserReader(t *testing.T) {
	node := browserNode(t)
	dir := t.TempDir()
	var all []browserFixture
	queries, kinds := 0, map[string]int{}
	for _, corpus := range []string{"handbook", "kdd-specs", "languages", "languages/de", "languages/ja"} {
		name := strings.ReplaceAll(corpus, "/", "-") + ".kddx"
		sources := []string{"../testdata/corpora/" + corpus}
		build(t, compiler.Options{Sources: sources, Output: filepath.Join(dir, name), CacheDir: "-"})
		all = append(all, browserAnswers(t, serve(t, filepath.Join(dir, name)), name))
	}
	vectors := "../testdata/compat/0-distilled.kddx"
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(vectors)), must(os.ReadFile(vectors)), 0o644); err != nil {
		t.Fatal(err)
	}
	all = slices.Insert(all, len(all)-1, browserAnswers(t, serve(t, filepath.Join(dir, filepath.Base(vectors))), filepath.Base(vectors)))
	far := withVectors(t, random(9, 150).compile(t), "distilled")
	if err := os.WriteFile(filepath.Join(dir, "far.kddx"), must(os.ReadFile(far)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, url := host(t, filepath.Join(dir, "far.kddx"))
	all = slices.Insert(all, len(all)-1, browserAnswers(t, served(t, t.TempDir(), url), "far.kddx"))
	listPieces(t, vectors, filepath.Join(dir, "listed.kddx"), nil)
	all = slices.Insert(all, len(all)-1, browserAnswers(t, serve(t, filepath.Join(dir, "listed.kddx")), "listed.kddx"))
	for _, f := range all {
		for _, q := range f.Queries {
			queries++
			q.count(kinds)
		}
	}
	t.Logf("%d queries: %v", queries, kinds)
	if queries < 500 {
		t.Errorf("%d queries, want 500", queries)
	}
	for _, kind := range []string{"accents", "identifiers", "grammar", "corrected", "named", "moved", "filtered", "required", "more", "neighbour", "hybrid", "vector"} {
		if kinds[kind] == 0 {
			t.Errorf("no query with %s among %v", kind, kinds)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "fixtures.json"), must(json.Marshal(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	nodeTest(t, node, "reader", "KDDX_FIXTURES="+dir)
}

// TestBrowserElsewhere has the reader answer from a server, in a program and in a worker: of Node, and of Deno.
func TestBrowserElsewhere(t *testing.T) {
	node := browserNode(t)
	file := "KDDX_FILE=" + must(filepath.Abs("../testdata/compat/0-distilled.kddx"))
	t.Run("Node", func(t *testing.T) { nodeTest(t, node, "elsewhere", file) })
	t.Run("Deno", func(t *testing.T) {
		deno, err := exec.LookPath("deno")
		if err != nil {
			if deno, err = filepath.Abs("browser/node_modules/.bin/deno"); err == nil {
				_, err = os.Stat(deno)
			}
		}
		if err != nil {
			t.Skip("no Deno beside Node, npm install deno in runtime/browser brings it")
		}
		cmd := exec.CommandContext(t.Context(), deno, "test", "--allow-all", "--no-check", "browser/test/elsewhere.test.mjs")
		cmd.Env = append(os.Environ(), file, "DENO_NO_UPDATE_CHECK=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("deno test: %v\n%.8000s", err, out)
		}
	})
}

// nodeTest runs one of the tests in JavaScript.
func nodeTest(t *testing.T, node, name, env string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), node, "--test", "browser/test/"+name+".test.mjs")
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node --test %s: %v\n%.60000s", name, err, out)
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

// browserAnswers asks an artifact for its documents, some of its sections, and searches.
func browserAnswers(t *testing.T, service *Service, name string) browserFixture {
	t.Helper()
	f := browserFixture{File: name}
	err := service.with(t.Context(), func(set *artifact.Set) error {
		a := set.Artifacts[0]
		f.Elsewhere = a.File.Remote()
		f.ID = a.File.ID()
		for d := range index.DocID(a.Docs()) {
			f.Documents = append(f.Documents, browserDocument{a.DocPath(d), a.DocTitle(d), a.DocKind(d), a.DocLanguage(d)})
		}
		f.Queries = browserSearches(t, service, set)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range f.Queries {
		if i%10 > 0 || len(q.Hits) == 0 {
			continue
		}
		s := browserSection{Path: q.Hits[0].Path, Anchor: q.Hits[0].Anchor}
		r := wire.ReadRequest{File: s.Path, Anchor: s.Anchor, MaxBytes: 1 << 20}
		s.Markdown = must(service.Read(t.Context(), r)).Markdown
		f.Sections = append(f.Sections, s)
	}
	return f
}

// TestBrowserSizes keeps what a page loads small.
func TestBrowserSizes(t *testing.T) {
	sizes := map[string]int{"kddx.js": 32 << 10, "question.js": 18 << 10, "characters.js": 2 << 10, "languages.js": 8 << 10,
		"letters.js": 6 << 10, "listing.js": 1 << 10, "misspelling.js": 2 << 10, "naming.js": 4 << 10, "operators.js": 9 << 10, "documents.js": 2 << 10,
		"meaning.js": 11 << 10, "parts.js": 1 << 10, "trust.js": 4 << 10, "zstd.js": 4 << 10, "sha256.js": 3 << 10,
		"kdd-search.js": 11 << 10, "api.js": 1 << 10, "start.js": 1 << 10, "kdd-search.file.js": 128 << 10}
	for _, lang := range stemLanguages[:len(stemLanguages)-1] {
		sizes["stem/"+lang+".js"] = 6 << 10
	}
	first := 0 // of a page's first question by words
	for name, most := range sizes {
		var b bytes.Buffer
		w := must(gzip.NewWriterLevel(&b, gzip.BestCompression))
		must(w.Write(must(os.ReadFile("browser/" + name))))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d bytes by gzip", name, b.Len()); b.Len() > most {
			t.Errorf("%s has %d bytes by gzip, want at most %d", name, b.Len(), most)
		}
		if slices.Contains([]string{"kddx.js", "question.js", "zstd.js", "stem/en.js"}, name) {
			first += b.Len()
		}
	}
	if first > 50<<10 {
		t.Errorf("a first question loads %d bytes by gzip, want at most %d", first, 50<<10)
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

// TestBrowserBundles makes sure that what others wrote is of the versions that package.json names.
func TestBrowserBundles(t *testing.T) {
	var names struct{ Dependencies map[string]string }
	if err := json.Unmarshal(must(os.ReadFile("browser/package.json")), &names); err != nil {
		t.Fatal(err)
	}
	licenses := must(browser.Files.ReadFile("licenses.txt"))
	files := map[string]string{"fzstd": "zstd.js", "@noble/hashes": "sha256.js", "marked": "markdown.js", "dompurify": "markdown.js"}
	if len(names.Dependencies) != len(files) {
		t.Errorf("dependencies %v, want those of %v", names.Dependencies, files)
	}
	for name, file := range files {
		want := []byte("/* " + name + " " + names.Dependencies[name])
		got := must(os.ReadFile("browser/" + file))
		if got = got[:min(len(got), 4096)]; !bytes.Contains(got, want) || !bytes.Contains(got, []byte("icense")) {
			t.Errorf("%s begins with %q, want %q and its licence", file, got, want)
		}
		if bytes.Contains(got, []byte("licenses.txt")) && !bytes.Contains(licenses, []byte(name+"\n")) {
			t.Errorf("licenses.txt has nothing of %s, which %s says", name, file)
		}
	}
}

// TestBrowserFiles makes sure that a page finds beside kddx.js whatever that loads.
func TestBrowserFiles(t *testing.T) {
	named := regexp.MustCompile("[\"`]\\./([a-z0-9]+\\.js)[\"`]")
	found := 0
	for _, file := range []string{"kddx.js", "kdd-search.js", "start.js"} {
		for _, m := range named.FindAllSubmatch(must(browser.Files.ReadFile(file)), -1) {
			found++
			if _, err := browser.Files.ReadFile(string(m[1])); err != nil {
				t.Errorf("%s loads %s: %v", file, m[1], err)
			}
		}
	}
	if found < 14 {
		t.Errorf("%d files are loaded, want 14: is the expression still right?", found)
	}
}
