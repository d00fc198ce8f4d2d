package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// tree is documents by path.
type tree map[string]string

// compile writes the documents to a folder "docs" and returns the artifact beside it.
func (f tree) compile(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "docs"), f)
	path := filepath.Join(dir, "docs.kddx")
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path})
	return path
}

func build(t testing.TB, o compiler.Options) {
	t.Helper()
	o.NoVectors = true
	if _, err := compiler.Build(context.Background(), o); err != nil {
		t.Fatal(err)
	}
}

// serve answers from artifacts until the test ends.
func serve(t testing.TB, index ...string) *Service {
	t.Helper()
	s := New(Config{Index: index})
	t.Cleanup(func() { s.Close() })
	return s
}

// want fails unless err is a *wire.Error of the code, and returns it.
func want(t *testing.T, err error, code string) *wire.Error {
	t.Helper()
	e, ok := err.(*wire.Error)
	if !ok || e.Code != code {
		t.Fatalf("got error %v, want code %s", err, code)
	}
	return e
}

var words = strings.Fields("render component state effect memo props hook cache reset child tree update token session login retry queue event command policy " +
	"index search vector schema query parser build graph node edge the of a to is and in for with on")

// random returns documents of random words with front matter, headings and links among them.
func random(seed uint64, docs int) tree {
	r := rand.New(rand.NewPCG(seed, 5))
	say := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = words[min(r.IntN(len(words)), r.IntN(len(words)))]
		}
		return strings.Join(list, " ")
	}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	f := tree{}
	for d := range docs {
		var b strings.Builder
		fmt.Fprintf(&b, "---\nkind: %s\ndomain: %s\nstatus: %s\ntags: [%s, %s]\ndate: 2024-%02d-%02d\nowner: %s\n---\n", pick("guide", "adr", "process"),
			pick("security", "billing"), pick("draft-x", "accepted"), pick("x", "y"), pick("z", "w"), 1+r.IntN(12), 1+r.IntN(28), pick("ana", "José"))
		fmt.Fprintf(&b, "# %s %d\n\n%s.\n", say(2), d, say(r.IntN(40)))
		for i := range r.IntN(5) {
			fmt.Fprintf(&b, "\n## %s %d\n\n%s.\n\nSee [%s](d%d.md).\n", say(2), i, say(1+r.IntN(200)), say(2), r.IntN(docs))
		}
		f[fmt.Sprintf("%s/d%d.md", pick("a", "b"), d)] = b.String()
	}
	return f
}

// withVectors adds vectors to an artifact: a chunk's is the sum of random vectors of its words. The encoder of queries
// is "distilled", a table of the same random vectors, or "none". It knows the words of random documents, and others if
// it is told.
func withVectors(t testing.TB, path, enc string, others ...string) string {
	t.Helper()
	const dim = 32
	x := must(index.Open(path))
	defer x.File.Close()
	words := slices.Concat(words, others)
	pieces := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, words...)
	table := encoder.TableSpec{Dim: dim, Pieces: len(pieces), Rows: []encoder.TableRows{{Form: encoder.FormInt8}}}
	r := rand.New(rand.NewPCG(3, 3))
	of := map[string][]float32{}
	for i, w := range words {
		v := make([]float32, dim)
		for k := range v {
			v[k] = float32(r.NormFloat64())
		}
		of[w] = v
		table.Rows[0].Pieces = append(table.Rows[0].Pieces, int32(5+i))
		table.Rows[0].Values = append(table.Rows[0].Values, v...)
	}
	vectors := make([]float32, x.Chunks()*dim)
	reader := x.Text.Reader()
	for d := range index.DocID(x.Docs()) {
		from, to := x.DocChunks(d)
		for c := from; c < to; c++ {
			v := vectors[int(c)*dim : int(c+1)*dim]
			chunk := x.Chunk(c)
			v[0] = 1e-3
			for _, w := range strings.Fields(string(x.AppendText(nil, reader, d, chunk.Start, chunk.End))) {
				for k, f := range of[strings.ToLower(strings.Trim(w, ".,;:()*`"))] {
					v[k] += f
				}
			}
			var sum float64
			for _, f := range v {
				sum += float64(f) * float64(f)
			}
			for k := range v {
				v[k] /= float32(math.Sqrt(sum))
			}
		}
	}
	blocks := x.File.Raw()
	meta := &blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag == format.Tag{'M', 'E', 'T', 'A'} })]
	var m map[string]any
	if err := json.Unmarshal(meta.Data, &m); err != nil {
		t.Fatal(err)
	}
	m["encoder"] = enc
	m["model"] = index.Model{Name: "random", Dim: dim, MaxTokens: 256, Languages: []string{"en"}}
	meta.Data = must(json.Marshal(m))
	rows, scales := index.QuantiseRows(vectors, dim)
	blocks = append(blocks, index.VectorBlocks(rows, scales, nil, dim)...)
	if enc == "distilled" {
		vocab := must(must(encoder.NewVocab(pieces, false)).AppendBinary(nil))
		data := must(encoder.AppendTable(nil, &table))
		blocks = append(blocks, format.RawBlock{Tag: index.TagVocab, Rows: uint64(len(pieces)), Data: vocab}, format.RawBlock{Tag: index.TagTable, Rows: uint64(len(pieces)), Data: data})
	}
	out := filepath.Join(t.TempDir(), filepath.Base(path))
	lay(t, out, blocks)
	return out
}

// must returns v where there can be no error but the test's own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func lay(t testing.TB, path string, blocks []format.RawBlock) {
	t.Helper()
	image, err := format.Lay(blocks)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := image.WriteTo(f); err != nil {
		t.Fatal(err)
	}
}

// remade copies an artifact with its meta block changed.
func remade(t testing.TB, path string, change func(meta map[string]any)) string {
	t.Helper()
	f := must(format.Open(path))
	defer f.Close()
	blocks := f.Raw()
	meta := &blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag == format.Tag{'M', 'E', 'T', 'A'} })]
	var m map[string]any
	if err := json.Unmarshal(meta.Data, &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	meta.Data = must(json.Marshal(m))
	out := filepath.Join(t.TempDir(), filepath.Base(path))
	lay(t, out, blocks)
	return out
}

// halves splits documents into two trees.
func (f tree) halves() (tree, tree) {
	a, b := tree{}, tree{}
	for i, path := range slices.Sorted(maps.Keys(f)) {
		if i%2 == 0 {
			a[path] = f[path]
		} else {
			b[path] = f[path]
		}
	}
	return a, b
}
