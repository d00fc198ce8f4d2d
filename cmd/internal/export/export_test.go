package export

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/index"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hard are documents with what each format has to escape.
var hard = map[string]string{
	"docs/a.md": "---\ntitle: 'Tea \"hot\"'\ntags: [a\\b, 'c,d', '{e}']\ndate: 2026-03-01\nowner: \"O'Neil\"\nnote: \"x\\ty\"\n---\n" +
		"Before any heading, see [b](b c%23d.md#two).\n\n# Tea \"hot\"\n\nTab\there, back\\slash, a 'quote', \"two\", $$ and \\.\n\\.\n\nCR below\r\nend.\n\n" +
		"## Sub <b> & more\n\n" + strings.Repeat("Many words about tea and its leaves. ", 80) + "\n\n## Größe 日本 🍵\n\nLittle \ufdd0 bell \x07 and \x0b.\n",
	"docs/b c#d.md":  "# Two\n\n## Two\n\nFirst. REQ-001 is [here](a.md).\n\n## Two\n\nSecond.\n",
	"docs/empty.md":  "",
	"docs/z/last.md": "# Last\n\nThe end.\n",
}

// compile builds documents below dir/docs and returns the path of the artifact.
func compile(t testing.TB, files map[string]string, golden *compiler.Golden) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	path := filepath.Join(t.TempDir(), "docs.kddx")
	_, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path,
		NoVectors: true, Golden: golden, BaseURL: "https://docs.example.com", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// edit copies an artifact with other blocks.
func edit(t testing.TB, path string, change func(blocks []format.RawBlock, chunks int) []format.RawBlock) string {
	t.Helper()
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	image, err := format.Lay(change(x.File.Raw(), x.Chunks()))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "docs.kddx")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := image.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	return out
}

// random returns vectors of length 1, the first of them zero.
func random(rows, dim int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	v := make([]float32, rows*dim)
	for i := dim; i < len(v); i++ {
		v[i] = float32(r.NormFloat64()) / 4
	}
	return v
}

const testDim = 4

// withVectors adds random vectors to an artifact, as float32 too if they are wanted.
func withVectors(t testing.TB, path string, floats bool) string {
	return edit(t, path, func(blocks []format.RawBlock, chunks int) []format.RawBlock {
		meta := &blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag.String() == "META" })]
		var m map[string]any
		if err := json.Unmarshal(meta.Data, &m); err != nil {
			t.Fatal(err)
		}
		m["model"] = index.Model{Name: "random", SHA256: strings.Repeat("ab", 32), Dim: testDim, MaxTokens: 256, Pooling: "mean",
			Normalize: true, Query: "query: ", Precision: "float32", Engine: "test"}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		meta.Data = data
		full := random(chunks, testDim)
		rows, scales := index.QuantiseRows(full, testDim)
		if !floats {
			full = nil
		}
		return append(blocks, index.VectorBlocks(rows, scales, full, testDim)...)
	})
}

// rowsOf returns all rows of an artifact.
func rowsOf(t testing.TB, path string, vectors bool) []Row {
	t.Helper()
	s, err := openSource(path, "", vectors, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var rows []Row
	err = s.Rows(t.Context(), func(row *Row) error {
		kept := *row
		kept.Vector = slices.Clone(row.Vector)
		rows = append(rows, kept)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// run exports to a file or folder in a folder of its own and returns its path.
func run(t testing.TB, o Options) string {
	t.Helper()
	o.Output = filepath.Join(t.TempDir(), "out."+o.To)
	if _, err := Run(t.Context(), o, io.Discard); err != nil {
		t.Fatalf("Run(%+v): %v", o, err)
	}
	return o.Output
}

// files returns what is below a path, by name; a file's own name is ".".
func files(t testing.TB, path string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		var data []byte
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			found[name] = target
			return err
		}
		data, err = os.ReadFile(name)
		below, _ := filepath.Rel(path, name)
		found[filepath.ToSlash(below)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRows compares the rows with a walk over the artifact of their own: each chunk once, ids that differ, each edge of
// a document with text once.
func TestRows(t *testing.T) {
	handbook := filepath.Join(t.TempDir(), "handbook.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{"../../../testdata/corpora/handbook"},
		Output: handbook, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{compile(t, hard, nil), handbook} {
		rows := rowsOf(t, path, true)
		x, err := index.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer x.File.Close()
		if len(rows) != x.Chunks() {
			t.Fatalf("%d rows, want %d", len(rows), x.Chunks())
		}
		ids, links := map[string]bool{}, 0
		for i := range rows {
			row, c := &rows[i], index.ChunkID(i)
			if ids[row.ID] {
				t.Errorf("id %q is there twice", row.ID)
			}
			ids[row.ID] = true
			d, chunk := x.DocOfChunk(c), x.Chunk(c)
			text := string(x.AppendText(nil, x.Text.Reader(), d, chunk.Start, chunk.End))
			section := x.Section(x.SectionOfChunk(c))
			if row.Path != x.DocPath(d) || row.Anchor != section.Anchor || row.Text != clean(text) ||
				row.FirstLine != int32(chunk.LineStart) || row.LastLine != int32(chunk.LineEnd) {
				t.Errorf("row %d = %+v, want %s#%s, lines %d to %d, %q", i, row, x.DocPath(d), section.Anchor, chunk.LineStart,
					chunk.LineEnd, text)
			}
			if n := len(row.HeadingPath); section.Level > 0 && (n == 0 || row.HeadingPath[n-1] != section.Heading) {
				t.Errorf("row %d has the headings %q, want %q last", i, row.HeadingPath, section.Heading)
			}
			links += len(row.Links)
		}
		if path == handbook {
			checkFacets(t, rows)
		}
		edges := 0
		for e := range uint32(x.Edges()) {
			kind, _ := x.EdgeType(e)
			_, d, _ := x.EdgeSource(e)
			if from, to := x.DocChunks(d); kind.Name != index.ContainsEdge && from < to {
				edges++
			}
		}
		if links != edges || edges == 0 {
			t.Errorf("%d links, want %d", links, edges)
		}
	}
}

// checkFacets compares what the rows of a decision that is no longer in force say with its source.
func checkFacets(t *testing.T, rows []Row) {
	t.Helper()
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Path == "decisions/ADR-0001.md" })
	if i < 0 {
		t.Fatal("no rows of decisions/ADR-0001.md")
	}
	row := &rows[i]
	if row.Kind != "adr" || row.Status != "superseded" || !row.Stale || row.Language != "en" || row.Date == "" ||
		!slices.Contains(row.FrontMatter, Field{"status", "superseded"}) {
		t.Errorf("row %+v, want an ADR that is superseded", row)
	}
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Path == "decisions/ADR-0004.md" && r.Stale }) {
		t.Error("decisions/ADR-0004.md is in force, its rows say it is not")
	}
}

// TestVectors checks which vectors a row has.
func TestVectors(t *testing.T) {
	plain := compile(t, hard, nil)
	none := rowsOf(t, plain, true)
	full := random(len(none), testDim)
	rows, scales := index.QuantiseRows(full, testDim)
	int8s := index.DequantiseRows(rows, scales, testDim)
	tests := []struct {
		name, path string
		wanted     bool
		vectors    string
		want       []float32
	}{
		{"none there", plain, true, VectorsNone, nil},
		{"int8", withVectors(t, plain, false), true, VectorsInt8, int8s},
		{"float32", withVectors(t, plain, true), true, VectorsFloat32, full},
		{"not wanted", withVectors(t, plain, true), false, VectorsNone, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := openSource(tt.path, "", tt.wanted, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if s.About.Vectors != tt.vectors || (s.About.Model == nil) != (tt.want == nil) {
				t.Errorf("About = %+v, want vectors %q", s.About, tt.vectors)
			}
			var got []float32
			for _, row := range rowsOf(t, tt.path, tt.wanted) {
				got = append(got, row.Vector...)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("vectors %v, want %v", got, tt.want)
			}
		})
	}
}

// TestSameBytes exports twice, the second time from a copy in another folder and on one processor.
func TestSameBytes(t *testing.T) {
	path := withVectors(t, compile(t, hard, questions), true)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.kddx")
	if err := os.WriteFile(other, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, to := range Targets() {
		first := files(t, run(t, Options{Path: path, To: to}))
		before := goruntime.GOMAXPROCS(1)
		second := files(t, run(t, Options{Path: other, To: to}))
		goruntime.GOMAXPROCS(before)
		if len(first) == 0 || fmt.Sprint(first) != fmt.Sprint(second) {
			t.Errorf("%s: two exports of one artifact differ", to)
		}
		if findTarget(to).stream == nil {
			continue
		}
		var out bytes.Buffer
		if _, err := Run(t.Context(), Options{Path: path, To: to, Output: "-"}, &out); err != nil || out.String() != first["."] {
			t.Errorf("%s to standard output: %v, want the bytes of the file", to, err)
		}
	}
}

// TestBroken exports artifacts that were damaged behind their checksums' back: an error, and no output.
func TestBroken(t *testing.T) {
	path := withVectors(t, compile(t, hard, nil), false)
	tests := []struct {
		name, tag string
		change    func(b *format.RawBlock)
		want      string
	}{
		{"a scale that is no number", "VECS", func(b *format.RawBlock) { copy(b.Data[len(b.Data)-4:], "\x00\x00\xc0\x7f") },
			`row \d+ has the value NaN`},
		{"an edge to nowhere", "GEDG", func(b *format.RawBlock) {
			b.Data[16+8+3] = 0x40 // the least target
		}, `GEDG: edge \d+ leads to node`},
		{"text that is cut", "TEXT", func(b *format.RawBlock) { b.Data = b.Data[:len(b.Data)-3] }, "TEXT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			broken := edit(t, path, func(blocks []format.RawBlock, _ int) []format.RawBlock {
				tt.change(&blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag.String() == tt.tag })])
				return blocks
			})
			for _, to := range Targets() {
				if to == "beir" && tt.tag == "VECS" {
					continue // it has no vectors
				}
				dir := t.TempDir()
				_, err := Run(t.Context(), Options{Path: broken, To: to, Output: filepath.Join(dir, "out")}, io.Discard)
				if err == nil || !strings.HasPrefix(err.Error(), broken+": corrupt index") || !matches(tt.want, err.Error()) {
					t.Errorf("%s: %v, want a corrupt index with %s", to, err, tt.want)
				}
				if left := files(t, dir); len(left) > 0 {
					t.Errorf("%s left %d files", to, len(left))
				}
			}
		})
	}
}

// TestCancelled checks that an export ends with its context and leaves nothing.
func TestCancelled(t *testing.T) {
	path := compile(t, hard, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := fmt.Errorf("enough")
	cancel(cause)
	for _, to := range Targets() {
		dir := t.TempDir()
		if _, err := Run(ctx, Options{Path: path, To: to, Output: filepath.Join(dir, "out")}, io.Discard); err != cause {
			t.Errorf("%s: %v, want %v", to, err, cause)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%s left %d files", to, len(left))
		}
	}
}
