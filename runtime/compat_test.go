package runtime

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// compatFolder has an artifact of each version of the format and of each set of blocks, with what is frozen of it.
const compatFolder = "../testdata/compat"

// TestCompat opens every artifact that was kept, and compares its documents, sections, postings and scores by words with
// what they were when it was kept. From version 1 on no file is ever written again; those of version 0 are with -update.
func TestCompat(t *testing.T) {
	if *updateAnswers && format.Version == 0 {
		writeCompat(t)
	}
	paths := must(filepath.Glob(filepath.Join(compatFolder, "*.kddx")))
	current := func(path string) bool {
		return strings.HasPrefix(filepath.Base(path), fmt.Sprintf("%d-", format.Version))
	}
	if !slices.ContainsFunc(paths, current) {
		t.Fatalf("%s has no artifact of version %d", compatFolder, format.Version)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if problems, err := artifact.Verify(t.Context(), path); err != nil || len(problems) > 0 {
				t.Fatalf("Verify = %v, %v", problems, err)
			}
			kept := strings.TrimSuffix(path, ".kddx") + ".txt"
			got := frozen(t, path)
			if strings.HasPrefix(filepath.Base(path), "0-") && *updateAnswers {
				if err := os.WriteFile(kept, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(kept)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("what the artifact says now differs from %s:\n%s", kept, firstDifference(got, want))
			}
		})
	}
}

// TestLaterBlocks adds a block of a kdd to come: an optional one changes nothing, a critical one is refused with what it
// needs.
func TestLaterBlocks(t *testing.T) {
	path := filepath.Join(compatFolder, fmt.Sprintf("%d-words.kddx", format.Version))
	list := must(format.OpenBytes(must(os.ReadFile(path)))).Raw()
	with := func(critical bool) string {
		block := format.RawBlock{Tag: format.Tag([]byte("ZZZZ")), Critical: critical, Rows: 1, Data: []byte("of a kdd to come")}
		var b bytes.Buffer
		if _, err := must(format.Lay(append(list[:len(list):len(list)], block))).WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		later := filepath.Join(t.TempDir(), "later.kddx")
		if err := os.WriteFile(later, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return later
	}
	ask := func(path string) string {
		found := must(serve(t, path).Search(t.Context(), wire.SearchRequest{Query: "account lockout"}))
		if len(found.Results) == 0 {
			t.Fatal("nothing is found")
		}
		for i := range found.Results {
			found.Results[i].URL = "" // names a file below the artifact's folder
		}
		return string(wire.Encode(found.Results))
	}
	optional := with(false)
	if got, want := frozen(t, optional), frozen(t, path); !bytes.Equal(got, want) {
		t.Errorf("with an optional block: %s", firstDifference(got, want))
	}
	if got, want := ask(optional), ask(path); got != want {
		t.Errorf("with an optional block the answer is %s, want %s", got, want)
	}
	_, err := serve(t, with(true)).Search(t.Context(), wire.SearchRequest{Query: "account lockout"})
	needs := want(t, err, wire.CodeIndexVersion)
	if text := fmt.Sprintf("it needs block ZZZZ (format %d)", format.Version); !strings.Contains(needs.Message, text) {
		t.Errorf("with a critical block: %q, want %q in it", needs.Message, text)
	}
}

// firstDifference shows the first line that differs.
func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, want %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// writeCompat compiles the artifacts of this version anew.
func writeCompat(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	tokenizer := must(os.ReadFile("../format/encoder/testdata/small-tokenizer.json"))
	if err := modeltest.New(modeltest.MiniLM, tokenizer).Write(filepath.Join(dir, "small")); err != nil {
		t.Fatal(err)
	}
	goEngine := engine.Options{Kind: engine.Go}
	m := must(model.Import(t.Context(), filepath.Join(dir, "small"), model.ImportOptions{Dir: filepath.Join(dir, "models"), Engine: goEngine}))
	for name, set := range map[string]func(*compiler.Options){
		"words":     func(o *compiler.Options) { o.NoVectors = true },
		"distilled": func(o *compiler.Options) { o.Encoder = index.EncoderDistilled },
		"exact":     func(o *compiler.Options) { o.Encoder, o.Floats = index.EncoderExact, true },
	} {
		o := compiler.Options{Sources: []string{"../testdata/corpora/handbook/security"}, Version: "test", Model: m.Path, CacheDir: "-",
			Engine: string(engine.Go), Output: filepath.Join(compatFolder, fmt.Sprintf("%d-%s.kddx", format.Version, name))}
		set(&o)
		must(compiler.Build(t.Context(), o))
	}
}

// frozen returns what no later version of kdd may change of an artifact.
func frozen(t *testing.T, path string) []byte {
	t.Helper()
	var out bytes.Buffer
	err := serve(t, path).with(t.Context(), func(set *artifact.Set) error {
		x := set.Artifacts[0].Index
		for d := range index.DocID(x.Docs()) {
			fmt.Fprintf(&out, "document %s %q %s %s, %d bytes\n", x.DocPath(d), x.DocTitle(d), x.DocKind(d), x.DocLanguage(d), x.DocSize(d))
			from, to := x.DocSections(d)
			for s := from; s < to; s++ {
				fmt.Fprintf(&out, "section #%s %d %q, %d chunks\n", x.SectionAnchor(s), x.SectionLevel(s), x.SectionHeading(s), chunksOf(x, s))
			}
		}
		for id, key := range x.TermDict().Prefix("") {
			rec := x.Postings(index.TermID(id))
			fmt.Fprintf(&out, "term %s %d %x\n", key, rec.Chunks, postingsHash(&rec))
		}
		for _, q := range []string{"account lockout", "rotate the signing key", "how long are invoices kept", "nosuchword"} {
			ranked, err := search.Rank(t.Context(), set, &search.Request{Text: q, Mode: search.ModeLexical, Filter: &wire.Filter{}, Want: 10})
			if err != nil {
				return err
			}
			for c, s := range ranked.Scored[0].Signals.BM25 {
				if s > 0 {
					fmt.Fprintf(&out, "score %q %d %.5g\n", q, c, s)
				}
			}
			ranked.Release()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func chunksOf(x *index.Index, s index.SectionID) int {
	from, to := x.SectionChunks(s)
	return int(to - from)
}

// postingsHash is the beginning of a hash over all rows, frequencies and positions of a term.
func postingsHash(rec *index.Record) []byte {
	h := sha256.New()
	for f := range rec.Fields {
		p := &rec.Fields[f]
		var rows, freqs [128]uint32
		for b := range p.Blocks() {
			n := p.Decode(b, rows[:], freqs[:])
			fmt.Fprintln(h, f, rows[:n], freqs[:n])
			if p.Placed() {
				fmt.Fprintln(h, p.Positions(nil, b, freqs[:n]))
			}
		}
	}
	return h.Sum(nil)[:6]
}
