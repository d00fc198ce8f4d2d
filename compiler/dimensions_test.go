package compiler

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/filetest"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// Vectors are the first dimensions of the model's, divided by their length: of chunks, of sentences and of queries, by
// either encoder; the artifact says so, and a build like it gives the same bytes.
func TestDimensions(t *testing.T) {
	words, err := os.ReadFile(filepath.Join("..", "format", "encoder", "testdata", "small-tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := modeltest.New(modeltest.LEAF, words)
	const few = 8
	parent := t.TempDir()
	src, docs := filepath.Join(parent, "leaf"), filepath.Join(parent, "docs")
	if err := m.Write(src); err != nil {
		t.Fatal(err)
	}
	imported, err := model.Import(t.Context(), src, model.ImportOptions{Dir: filepath.Join(parent, "models"), Engine: engine.Options{Kind: engine.Go}})
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, docs, map[string]string{"a.md": "# The harbour\n\nThe lighthouse keeper counts ships in the harbour.\n"})
	vocab, err := imported.Vocab()
	if err != nil {
		t.Fatal(err)
	}
	first := func(ids []int32) []float32 {
		v := make([]float32, few)
		for i, x := range m.Forward(ids)[:few] {
			v[i] = float32(x)
		}
		encoder.Unit(v)
		return v
	}
	for _, kind := range []string{EncoderDistilled, EncoderExact} {
		o := withVectors(docs, imported.Path)
		o.Encoder, o.Output, o.Dimensions, o.Floats = kind, filepath.Join(parent, kind+".kddx"), few, true
		var notices []string
		o.Notice = func(s string) { notices = append(notices, s) }
		_, once := mustBuild(t, o)
		verified(t, o.Output)
		if all := strings.Join(notices, "\n"); !strings.Contains(all, "the first 8 of 24 dimensions: nothing says that the model leaf") {
			t.Errorf("notices = %q, want that nothing is known of such a training", all)
		}
		like := Options{Sources: o.Sources, Output: o.Output, CacheDir: o.CacheDir, Version: o.Version, Fresh: true}
		if err := like.Like(o.Output, func(string) bool { return false }); err != nil {
			t.Fatal(err)
		}
		if like.Model = imported.Path; like.Dimensions != few {
			t.Errorf("Like takes %d dimensions, want %d", like.Dimensions, few)
		}
		like.Engine = o.Engine
		_, again := mustBuild(t, like)
		sameBytes(t, kind, again, once)

		x, err := index.Open(o.Output)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Meta.Model; got.Dim != few || got.Whole != 24 || got.Cut() != few {
			t.Errorf("the artifact says %d of %d dimensions, want %d of 24", got.Dim, got.Whole, few)
		}
		v, err := x.Vectors()
		if err != nil || v.Dim != few {
			t.Fatalf("Vectors = %v, %v, want of %d dimensions", v, err, few)
		}
		near := func(what string, got, want []float32, least float64) {
			t.Helper()
			dot, length := 0.0, 0.0
			for i := range want {
				dot += float64(got[i]) * float64(want[i])
				length += float64(got[i]) * float64(got[i])
			}
			if !(dot >= least) || math.Abs(length-1) > .02 {
				t.Errorf("%s, %s: cosine %.5f with plain loops, want %g; length %g", kind, what, dot, least, length)
			}
		}
		_, _, floats := v.Stored(true)
		text := "The harbour\n\nThe lighthouse keeper counts ships in the harbour."
		near("a chunk", floats[:few], first(vocab.EncodeWithSpecials(nil, text, imported.MaxTokens)), .99999)
		if kind == EncoderExact {
			exact, err := encoder.OpenQuantized(x.File.Block(index.TagExact).All())
			if err != nil {
				t.Fatal(err)
			}
			ids, got := vocab.EncodeWithSpecials(nil, imported.Prefixes.Query+"ships at night", imported.MaxTokens), make([]float32, few)
			if err := exact.Embed(got, ids); err != nil {
				t.Fatal(err)
			}
			near("a query", got, first(ids), .98)
		}
		x.File.Close()
		s := runtime.New(runtime.Config{Index: []string{o.Output}})
		if found, err := s.Search(t.Context(), wire.SearchRequest{Query: "harbour", Mode: "vector"}); err != nil || len(found.Results) == 0 {
			t.Errorf("%s: Search = %v, %v, want results", kind, hits(found), err)
		}
		s.Close()
	}

	// All dimensions are what no option says.
	whole := withVectors(docs, imported.Path)
	whole.Output = filepath.Join(parent, "whole.kddx")
	_, want := mustBuild(t, whole)
	whole.Dimensions = 24
	_, got := mustBuild(t, whole)
	sameBytes(t, "24 dimensions", got, want)

	too := whole
	too.Dimensions = 25
	if _, err := Build(t.Context(), too); err == nil || !strings.Contains(err.Error(), "dimensions 25: want 1 to 24") {
		t.Errorf("Build with 25 dimensions = %v, want an error", err)
	}
}

// Parts of a model here, and of a server's, have the dimensions that the build wants, and the artifact says so.
func TestDimensionsOfParts(t *testing.T) {
	docs := filepath.Join(t.TempDir(), "docs")
	filetest.Write(t, docs, map[string]string{"a.md": "# A\n\nText of a.\n\n## More\n\nMore of a.\n", "b.md": "# B\n\nSee [a](a.md).\n"})
	small := smallModel(t, 1, "")
	server := fromServer(docs, small, served(t, small))
	for name, o := range map[string]Options{"model": withVectors(docs, small), "server": server} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o.Dimensions, o.Output = 8, filepath.Join(dir, "direct.kddx")
			_, want := mustBuild(t, o)
			part := o
			part.Output = filepath.Join(dir, "part.kddv")
			if _, err := Embed(t.Context(), part, Part{Shards: 1}); err != nil {
				t.Fatal(err)
			}
			b := withVectors(docs, small)
			b.Engine, b.Parts, b.PartsOnly, b.Output = "auto", []string{part.Output}, true, filepath.Join(dir, "parts.kddx")
			if _, err := Build(t.Context(), b); err == nil || !strings.Contains(err.Error(), `vectors of dimensions "8", want "all"`) {
				t.Errorf("Build of parts with 8 dimensions = %v, want an error that names both", err)
			}
			b.Dimensions = 8
			_, got := mustBuild(t, b)
			if name == "model" {
				sameBytes(t, "parts", got, want)
			}
			for _, path := range []string{o.Output, b.Output} {
				x, err := index.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if m := x.Meta.Model; m.Dim != 8 || m.Whole != smallHidden {
					t.Errorf("%s: %d of %d dimensions, want 8 of %d", filepath.Base(path), m.Dim, m.Whole, smallHidden)
				}
				x.File.Close()
			}
		})
	}
}
