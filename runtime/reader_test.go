package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// reader is testdata/reader/reader.py, which was written from FORMAT.md and shares nothing with kdd.
type reader struct{ python, file string }

// newReader skips the test where Python or what the reader needs is absent.
func newReader(t *testing.T, file string) *reader {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	r := &reader{python, file}
	if out, err := r.command(t, "-c", "import zstandard").CombinedOutput(); err != nil {
		t.Skipf("python3 has no zstandard, make setup brings it: %s", out)
	}
	return r
}

func (r *reader) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), r.python, args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+must(filepath.Abs("../.cache/python")), "PYTHONIOENCODING=utf-8",
		"PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

// text returns what a command of the reader prints.
func (r *reader) text(t *testing.T, args ...string) string {
	t.Helper()
	cmd := r.command(t, append([]string{"../testdata/reader/reader.py", r.file}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("reader.py %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// json reads what a command of the reader prints into v.
func (r *reader) json(t *testing.T, v any, args ...string) {
	t.Helper()
	if out := r.text(t, args...); json.Unmarshal([]byte(out), v) != nil {
		t.Fatalf("reader.py %q prints %.200s", args, out)
	}
}

// readerCorpus is the handbook, with words that differ in accents alone, words that many chunks have, and a document of
// so many random words, in parts of 200.
func readerCorpus(t *testing.T, dir string, words uint64) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../testdata/corpora/handbook")); err != nil {
		t.Fatal(err)
	}
	long := "# Numbers\n"
	for i := range words {
		if i%200 == 0 {
			long += fmt.Sprintf("\n## Part %d\n\nThe parcels of part %d are counted.\n", i/200, i/200)
		}
		long += " " + strconv.FormatUint((i+1)*0x9e3779b97f4a7c15, 36) + " " + strconv.FormatUint((i+1)*0xbf58476d1ce4e5b9, 36)
	}
	filetest.Write(t, dir, map[string]string{
		"accents.md": "# Cafe\n\nThe café by the river has a cafe car.\n\n## Résumé\n\nA cafe. Naïve, naive. A café, café.\n",
		"numbers.md": long,
	})
}

// readerArtifact compiles that corpus with a small model and the distilled encoder. The format's version is 0 and may
// change with every commit, so no file is kept: what is read is what the code of today writes.
func readerArtifact(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	tokenizer := must(os.ReadFile("../format/encoder/testdata/small-tokenizer.json"))
	if err := modeltest.New(modeltest.MiniLM, tokenizer).Write(filepath.Join(dir, "small")); err != nil {
		t.Fatal(err)
	}
	goEngine := engine.Options{Kind: engine.Go}
	m := must(model.Import(t.Context(), filepath.Join(dir, "small"), model.ImportOptions{Dir: filepath.Join(dir, "models"), Engine: goEngine}))
	readerCorpus(t, filepath.Join(dir, "docs"), 6_000)
	o := compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: filepath.Join(dir, "docs.kddx"), Model: m.Path,
		Engine: string(engine.Go), CacheDir: "-"}
	must(compiler.Build(t.Context(), o))
	return o.Output
}

// TestReader compares what the reader makes of an artifact with what kdd makes of it.
func TestReader(t *testing.T) {
	newReader(t, "") // before minutes of work
	path := readerArtifact(t)
	r, service := newReader(t, path), serve(t, path)
	err := service.with(t.Context(), func(set *artifact.Set) error {
		a := set.Artifacts[0]
		t.Run("verify", func(t *testing.T) { readerVerifies(t, r, a.Index) })
		t.Run("documents", func(t *testing.T) { readerListsDocuments(t, r, a) })
		t.Run("postings", func(t *testing.T) { readerFindsPostings(t, r, a.Index) })
		for _, q := range []string{"account lockout", "rotating signing keys of carriers", "cafe naive river",
			"parcels counted parcels", "tracking events delayed webhook retries"} {
			t.Run("words "+q, func(t *testing.T) { readerScoresWords(t, r, set, q) })
		}
		for _, q := range []string{"account lockout after failed attempts", "The Café, naïve: 42 parcels!", "qqq zürich-東京 delayed"} {
			t.Run("vectors "+q, func(t *testing.T) { readerScoresVectors(t, r, set, q) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range [][]string{{"security/auth.md", "account-lockout"}, {"accents.md"}, {"numbers.md", "part-17"}} {
		t.Run("section "+strings.Join(of, "#"), func(t *testing.T) {
			q := wire.ReadRequest{File: strings.Join(of, "#"), MaxBytes: 1 << 20}
			want := must(service.Read(t.Context(), q)).Markdown
			if got := r.text(t, append([]string{"section"}, of...)...); got != want || got == "" {
				t.Errorf("section %q is\n%.300s\nwant\n%.300s", of, got, want)
			}
		})
	}
}

func readerVerifies(t *testing.T, r *reader, x *index.Index) {
	var got struct {
		ID    string `json:"index_id"`
		Bytes uint64
	}
	r.json(t, &got, "verify")
	var bytes uint64
	for _, e := range x.File.Entries() {
		bytes += e.Length
	}
	if got.ID != x.File.ID() || got.Bytes != bytes {
		t.Errorf("verify = %+v, want %s with %d bytes", got, x.File.ID(), bytes)
	}
}

func readerListsDocuments(t *testing.T, r *reader, a *artifact.Artifact) {
	var got [][]string
	r.json(t, &got, "documents")
	var want [][]string
	for d := range index.DocID(a.Docs()) {
		want = append(want, []string{a.DocPath(d), a.DocTitle(d), a.DocKind(d)})
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) || len(got) < 50 {
		t.Errorf("documents = %q, want %q", got, want)
	}
}

func readerFindsPostings(t *testing.T, r *reader, x *index.Index) {
	terms := []string{"nosuchterm"}
	for id, key := range x.TermDict().Prefix("") {
		// All of few chunks would be too many arguments; those with several blocks of postings are all here.
		if x.Postings(index.TermID(id)).Chunks > 20 || id%97 == 0 {
			terms = append(terms, string(key))
		}
	}
	var got [][2]json.RawMessage
	r.json(t, &got, append([]string{"postings"}, terms...)...)
	long, placed := false, 0
	for i, term := range terms {
		want := "[0,{}]"
		if id, ok := x.Term(term); ok {
			rec := x.Postings(id)
			fields := map[string][]any{}
			for f := range rec.Fields {
				p := &rec.Fields[f]
				var rows, freqs [128]uint32
				for b := range p.Blocks() {
					n := p.Decode(b, rows[:], freqs[:])
					var places []uint32
					if p.Placed() {
						places = p.Positions(nil, b, freqs[:n])
					}
					for k := range n {
						var own []uint32
						if p.Placed() {
							own, places = places[:freqs[k]], places[freqs[k]:]
							placed++
						}
						fields[strconv.Itoa(f)] = append(fields[strconv.Itoa(f)], []any{rows[k], freqs[k], own})
					}
				}
				long = long || p.N > 128
			}
			want = string(must(json.Marshal([]any{rec.Chunks, fields})))
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, must(json.Marshal(got[i]))); err != nil || compact.String() != want {
			t.Fatalf("postings %q = %.300s, want %.300s", term, compact.String(), want)
		}
	}
	if len(terms) < 300 || !long || placed < 1000 {
		t.Errorf("%d terms, lists of several blocks %t, %d postings with positions: want more", len(terms), long, placed)
	}
}

// agree compares scores by chunk to six digits.
func agree(t *testing.T, got func(chunk int) float64, want []float32, close float64) {
	t.Helper()
	largest := 0.0
	for c, w := range want {
		if d := math.Abs(got(c) - float64(w)); !(d <= close) {
			t.Fatalf("chunk %d: %.8f, kdd has %.8f", c, got(c), w)
		} else {
			largest = max(largest, d)
		}
	}
	t.Logf("%d chunks, largest difference %.1e", len(want), largest)
}

func readerScoresWords(t *testing.T, r *reader, set *artifact.Set, asked string) {
	ranked := must(search.Rank(t.Context(), set, &search.Request{Text: asked, Mode: search.ModeLexical, Filter: &wire.Filter{}, Want: 10}))
	defer ranked.Release()
	a := text.Borrow()
	defer a.Return()
	args := []string{"words"}
	for _, w := range ranked.Queries[0].Words {
		var stems []string
		for _, l := range set.Artifacts[0].Meta.Languages {
			if l.Language != "" {
				stems = append(stems, l.Language+":"+a.Stem(text.Lang(l.Language), w.Text))
			}
		}
		args = append(args, w.Text+"/"+strings.Join(stems, ","))
	}
	if n := len(query.Parse(set.Indexes(), asked)[0].Words); len(args) != n+1 || n < 2 {
		t.Fatalf("the words are %q", args)
	}
	got := map[string]float64{}
	r.json(t, &got, args...)
	scores := ranked.Scored[0].Signals.BM25
	found := 0
	for _, s := range scores {
		if s > 0 {
			found++
		}
	}
	if len(got) != found || found < 2 {
		t.Errorf("%d chunks have a word, kdd has %d", len(got), found)
	}
	agree(t, func(c int) float64 { return got[strconv.Itoa(c)] }, scores, 1e-6)
}

func readerScoresVectors(t *testing.T, r *reader, set *artifact.Set, asked string) {
	ranked := must(search.Rank(t.Context(), set, &search.Request{Text: asked, Mode: search.ModeVector, Filter: &wire.Filter{}, Want: 10}))
	defer ranked.Release()
	var got []float64
	r.json(t, &got, "vectors", asked)
	scores := ranked.Scored[0].Signals.Cosine
	if len(got) != len(scores) || slices.Max(scores)-slices.Min(scores) < .01 {
		t.Fatalf("%d cosines, kdd has %d from %g to %g", len(got), len(scores), slices.Min(scores), slices.Max(scores))
	}
	agree(t, func(c int) float64 { return got[c] }, scores, 1e-6)
}

// TestReaderRefuses checks that the reader compares what it reads with the hashes above it.
func TestReaderRefuses(t *testing.T) {
	newReader(t, "")
	dir := t.TempDir()
	readerCorpus(t, filepath.Join(dir, "docs"), 30_000)
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: filepath.Join(dir, "docs.kddx")})
	data := must(os.ReadFile(filepath.Join(dir, "docs.kddx")))
	f := must(format.OpenBytes(data))
	block := func(tag string) *format.Block { return f.Block(format.Tag([]byte(tag))) }
	if pages := block("TEXT").Length >> 12; pages <= 128 {
		t.Errorf("TEXT has %d pages, want so many that its tree of hashes has two levels", pages)
	}
	tests := []struct {
		name string
		at   uint64
		says string
	}{
		{"the header", 70, "the root hash is another"},
		{"the directory", 128 + 40, "the root hash is another"},
		{"the first page of texts", block("TEXT").Offset + 100, "TEXT: a page or node is not what the hash above it says"},
		{"the last page of texts", block("TEXT").Offset + block("TEXT").Length - 1, "TEXT: a page or node is not what the hash above it says"},
		{"a block of one page", block("META").Offset + 7, "META: a page or node is not what the hash above it says"},
		{"hashes", block("TREE").Offset + block("TREE").Length/2, "a page or node is not what the hash above it says"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := bytes.Clone(data)
			bad[tt.at] ^= 1
			r := newReader(t, filepath.Join(t.TempDir(), "bad.kddx"))
			if err := os.WriteFile(r.file, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := r.command(t, "../testdata/reader/reader.py", r.file, "verify").CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.says) {
				t.Errorf("reader.py verify: %v\n%s\nwant that it says: %s", err, out, tt.says)
			}
		})
	}
}

// TestReaderIsShort keeps the reader to what a page of a few hundred lines needs.
func TestReaderIsShort(t *testing.T) {
	source := must(os.ReadFile("../testdata/reader/reader.py"))
	if n := bytes.Count(source, []byte("\n")); n > 250 {
		t.Errorf("reader.py has %d lines, want at most 250", n)
	}
}
