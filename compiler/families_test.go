package compiler

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/filetest"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// Models of each family go all the way: imported, built with either encoder, opened from the artifact alone, queried.
func TestFamilies(t *testing.T) {
	tokenizer := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "format", "encoder", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	words, unigram := tokenizer("small-tokenizer.json"), tokenizer("unigram.json")
	for name, m := range map[string]*modeltest.Model{
		"minilm": modeltest.New(modeltest.MiniLM, words), "bge": modeltest.New(modeltest.BGE, words), "e5": modeltest.New(modeltest.E5, words),
		"gte": modeltest.New(modeltest.GTE, words), "xlmr": modeltest.New(modeltest.XLMR, unigram),
		"arctic": modeltest.New(modeltest.Arctic, words), "leaf": modeltest.New(modeltest.LEAF, words),
		"labse": modeltest.New(modeltest.LaBSE, words), "distiluse": modeltest.New(modeltest.DistilUSE, words),
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			src, docs := filepath.Join(parent, name), filepath.Join(parent, "docs")
			if err := m.Write(src); err != nil {
				t.Fatal(err)
			}
			imported, err := model.Import(t.Context(), src, model.ImportOptions{Dir: filepath.Join(parent, "models"), Engine: engine.Options{Kind: engine.Go}})
			if err != nil {
				t.Fatal(err)
			}
			filetest.Write(t, docs, map[string]string{
				"a.md": "# The harbour\n\nThe lighthouse keeper counts ships in the harbour.\n\n## Night\n\nAt night the river is dark.\n",
				"b.md": "# Zürich\n\nDer Hafen ist groß. 東京タワーへ行きました。 Привет, мир!\n",
			})
			for _, encoder := range []string{EncoderDistilled, EncoderExact} {
				o := withVectors(docs, imported.Path)
				o.Encoder, o.Output = encoder, filepath.Join(parent, encoder+".kddx")
				_, once := mustBuild(t, o)
				_, again := mustBuild(t, o)
				sameBytes(t, encoder, again, once)
				verified(t, o.Output)
				x, err := index.Open(o.Output)
				if err != nil {
					t.Fatal(err)
				}
				meta := x.Meta.Model
				if meta.Pooling != m.Pooling || meta.Query != imported.Prefixes.Query || meta.Prefix != imported.Prefixes.Document || !slices.Equal(meta.Languages, imported.Languages) {
					t.Errorf("model of the artifact = %+v, want that of %+v", meta, imported.Info)
				}
				if encoder == EncoderExact {
					sameVectors(t, x, m, meta.Query)
				}
				x.File.Close()
				s := runtime.New(runtime.Config{Index: []string{o.Output}})
				for _, query := range []string{"harbour", "der große Hafen", "東京", "🦊 \x00 <mask>"} {
					if found, err := s.Search(t.Context(), wire.SearchRequest{Query: query, Mode: "vector"}); err != nil || query == "harbour" && len(found.Results) == 0 {
						t.Errorf("%s: Search(%q) = %v, %v, want results", encoder, query, hits(found), err)
					}
				}
				for _, question := range []string{"which ships does the lighthouse keeper count", "der große Hafen", "東京", "the", "🦊 \x00 <mask>"} {
					a, err := s.Ask(t.Context(), wire.AskRequest{Query: question})
					if err != nil {
						t.Errorf("%s: Ask(%q) = %v", encoder, question, err)
						continue
					}
					if e := a.Retrieval.Evidence; math.IsNaN(a.Confidence) || math.Abs(e.Agreement) > 1 || question[0] == 'w' && e.Agreement == 0 {
						t.Errorf("%s: the evidence for %q is %+v", encoder, question, e)
					}
				}
				if problems, err := artifact.Verify(t.Context(), o.Output); err != nil || len(problems) > 0 {
					t.Errorf("%s: Verify = %v, %v, want none", encoder, problems, err)
				}
				s.Close()
			}
		})
	}
}

// sameVectors compares the artifact's exact encoder with plain loops over the model's weights.
func sameVectors(t *testing.T, x *index.Index, m *modeltest.Model, prefix string) {
	t.Helper()
	vocab, err := encoder.OpenVocab(x.File.Block(index.TagVocab).All())
	if err != nil {
		t.Fatal(err)
	}
	exact, err := encoder.OpenQuantized(x.File.Block(index.TagExact).All())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"the harbour at night", "Zürich 東京", ""} {
		ids := vocab.EncodeWithSpecials(nil, prefix+text, x.Meta.Model.MaxTokens)
		got, want := make([]float32, m.Dim()), m.Forward(ids)
		if err := exact.Embed(got, ids); err != nil {
			t.Fatal(err)
		}
		var dot, length float64
		for i, v := range got {
			dot += float64(v) * want[i]
			length += float64(v) * float64(v)
		}
		if cosine := dot / math.Sqrt(length); !(cosine >= .99) {
			t.Errorf("the exact encoder's vector of %q has cosine %.5f with plain loops, want .99 in int8", text, cosine)
		}
	}
}
