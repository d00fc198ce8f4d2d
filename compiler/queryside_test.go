package compiler

import (
	"bytes"
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

// A model whose queries are embedded otherwise has the artifact embed them so: by the transformer, by a table that is
// learned from it, or by the table that the model is. Vectors of documents are those of the documents' side, and are
// taken from the artifact that is replaced.
func TestQuerySide(t *testing.T) {
	words, err := os.ReadFile(filepath.Join("..", "format", "encoder", "testdata", "small-tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	documents, queries := modeltest.New(modeltest.BGE, words), modeltest.New(modeltest.LEAF, words)
	documents.Name = ""
	static := &modeltest.Static{Rows: queries.Vocab, Dim: 24, Tokenizer: words, Seed: 5}
	for _, test := range []struct {
		name, encoder string
		queries       modeltest.Files
	}{
		{"exact", EncoderExact, queries.Files()},
		{"distilled", "", queries.Files()},
		{"static", "", static.Files()},
	} {
		t.Run(test.name, func(t *testing.T) {
			parent := t.TempDir()
			src, docs := filepath.Join(parent, "pair"), filepath.Join(parent, "docs")
			if err := modeltest.Write(src, modeltest.Router(test.queries, documents.Files())); err != nil {
				t.Fatal(err)
			}
			m, err := model.Import(t.Context(), src, model.ImportOptions{Dir: filepath.Join(parent, "models"), Engine: engine.Options{Kind: engine.Go}})
			if err != nil {
				t.Fatal(err)
			}
			filetest.Write(t, docs, map[string]string{"a.md": "# The harbour\n\nThe lighthouse keeper counts ships in the harbour.\n",
				"b.md": "# The tower\n\nThe light is cleaned every evening.\n"})
			o := withVectors(docs, m.Path)
			o.Output, o.Encoder = filepath.Join(parent, "a.kddx"), test.encoder
			_, once := mustBuild(t, o)
			verified(t, o.Output)
			o.CacheDir = "-"
			r, again := mustBuild(t, o)
			sameBytes(t, test.name, again, once)
			if r.Reused != 2 {
				t.Errorf("%d vectors are taken from the artifact of before, want 2", r.Reused)
			}
			x, err := index.Open(o.Output)
			if err != nil {
				t.Fatal(err)
			}
			defer x.File.Close()
			q := x.Meta.Model.QueryModel
			if q == nil || q.SHA256 != m.QuerySide().SHA256 || q.Architecture != m.QuerySide().Architecture {
				t.Fatalf("the artifact's query model is %+v", q)
			}
			s := runtime.New(runtime.Config{Index: []string{o.Output}})
			defer s.Close()
			if found, err := s.Search(t.Context(), wire.SearchRequest{Query: "harbour", Mode: "vector"}); err != nil || len(found.Results) == 0 {
				t.Errorf("Search = %v, %v, want results", hits(found), err)
			}
			if test.name == "static" {
				want, err := m.QuerySide().Table()
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(x.File.Block(index.TagTable).All(), want) {
					t.Error("the artifact's table is not that of the query side")
				}
				o.Encoder = EncoderExact
				if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), "embedded by a static table") {
					t.Errorf("Build with an exact encoder = %v, want an error", err)
				}
			}
			if test.encoder == EncoderExact {
				exact, err := encoder.OpenQuantized(x.File.Block(index.TagExact).All())
				if err != nil {
					t.Fatal(err)
				}
				if exact.Config().Layers != queries.Layers {
					t.Errorf("the artifact's transformer has %d layers, want %d, those of the query side", exact.Config().Layers, queries.Layers)
				}
			}
		})
	}
}
