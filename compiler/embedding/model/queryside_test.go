package model

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeltest"
	"kdd/format/encoder"
)

// pairFiles are small models whose queries go another way than their documents.
func pairFiles(t *testing.T) map[string]modeltest.Files {
	words := testTokenizer(t, "small-tokenizer.json")
	small, large := modeltest.New(modeltest.LEAF, words), modeltest.New(modeltest.BGE, words)
	large.Name, large.Seed, large.Prompts = "", 3, map[string]string{"query": "query: ", "document": "text: "}
	small.Prompts = nil
	shared := modeltest.New(modeltest.LEAF, words)
	shared.Prompts, shared.Dense = nil, []modeltest.Dense{{Out: 16, Bias: true}, {Out: 16, Bias: true, Tanh: true}}
	plain := modeltest.New(modeltest.BGE, words)
	plain.Name = ""
	return map[string]modeltest.Files{
		"router": modeltest.Router(small.Files(), large.Files()),
		"static": modeltest.Router(smallStatic(t, false).Files(), plain.Files()),
		"asym":   modeltest.Asym(shared),
	}
}

// smallStatic is a table of 24 dimensions, with the pieces of the other small models.
func smallStatic(t *testing.T, model2vec bool) *modeltest.Static {
	words := testTokenizer(t, "small-tokenizer.json")
	return &modeltest.Static{Rows: modeltest.New(modeltest.LEAF, words).Vocab, Dim: 24, Model2Vec: model2vec, Tokenizer: words, Seed: 5}
}

// Queries and documents of a model with two sides have the vectors of sentence-transformers.
func TestPairs(t *testing.T) {
	all := pairFiles(t)
	if *modelsFlag != "" {
		for name, files := range all {
			if err := modeltest.Write(filepath.Join(*modelsFlag, name), files); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]reference
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for name, files := range all {
		t.Run(name, func(t *testing.T) {
			ref, ok := want[name]
			if !ok {
				t.Fatalf("%s has no %s", referenceFile, name)
			}
			src := filepath.Join(t.TempDir(), name)
			if err := modeltest.Write(src, files); err != nil {
				t.Fatal(err)
			}
			m, err := Import(t.Context(), src, ImportOptions{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			if m, err = Open(m.Path); err != nil {
				t.Fatal(err)
			}
			cut, _, err := m.Cut(8)
			if err != nil {
				t.Fatal(err)
			}
			if s := cut.QuerySide(); s == nil || s.Dim != 8 {
				t.Errorf("the query side of the model of 8 dimensions is %+v", s)
			}
			for _, kind := range []engine.Kind{engine.Go, engine.ONNX} {
				for _, side := range []struct {
					what, prefix string
					m            *Model
					want         [][]float32
				}{
					{"documents", m.Prefixes.Document, m, ref.Documents},
					{"documents in 8 dimensions", m.Prefixes.Document, cut, ref.Cut},
					{"queries", m.Prefixes.Query, m.QuerySide(), ref.Queries},
				} {
					for i, v := range sideVectors(t, side.m, kind, side.prefix, ref.Texts) {
						if c := cosine(v, side.want[i]); !(c >= .9999) {
							t.Errorf("%s: %s: %.30q has cosine %.6f with the vector of sentence-transformers, want .9999", kind, side.what, ref.Texts[i], c)
						}
					}
				}
			}
			if m.QuerySide().Static != nil {
				return
			}
			for i, v := range quantizedVectors(t, m.QuerySide(), m.Prefixes.Query, ref.Texts) {
				if c := cosine(v, ref.Queries[i]); !(c >= .999) {
					t.Errorf("int8: %.30q has cosine %.6f with the vector of sentence-transformers, want .999", ref.Texts[i], c)
				}
			}
		})
	}
}

// quantizedVectors embeds texts by the weights as an artifact with an exact encoder has them, as int8.
func quantizedVectors(t *testing.T, m *Model, prefix string, texts []string) (all [][]float32) {
	t.Helper()
	vocab, err := m.Vocab()
	if err != nil {
		t.Fatal(err)
	}
	weights, err := m.Transformer()
	if err != nil {
		t.Fatal(err)
	}
	exact, err := encoder.OpenQuantized(encoder.AppendQuantized(nil, weights))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		v := make([]float32, m.Dim)
		if err := exact.Embed(v, vocab.EncodeWithSpecials(nil, prefix+text, m.MaxTokens)); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// sideVectors embeds texts by one side of a model; it returns none where the engine is not to be had.
func sideVectors(t *testing.T, m *Model, kind engine.Kind, prefix string, texts []string) (all [][]float32) {
	t.Helper()
	vocab, err := m.Vocab()
	if err != nil {
		t.Fatal(err)
	}
	if m.Static != nil {
		data, err := m.Table()
		if err != nil {
			t.Fatal(err)
		}
		table, err := encoder.OpenTable(encoder.Memory(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			v := make([]float32, m.Dim)
			table.Embed(v, vocab.Encode(nil, prefix+text))
			all = append(all, v)
		}
		return all
	}
	e, _, err := m.Engine(engine.Options{Kind: kind})
	if errors.Is(err, engine.ErrNoLibrary) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, text := range texts {
		v := make([]float32, m.Dim)
		if err := e.Embed(v, vocab.EncodeWithSpecials(nil, prefix+text, m.MaxTokens)); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// Two folders are joined; what does not fit is refused, and nothing is left behind.
func TestQueryModel(t *testing.T) {
	words := testTokenizer(t, "small-tokenizer.json")
	documents := modeltest.New(modeltest.BGE, words) // 24 dimensions
	routed := pairFiles(t)["router"]
	for _, test := range []struct {
		name               string
		documents, queries modeltest.Files
		prefixes           *Prefixes
		want               string // of the error; else the architecture of the query side
	}{
		{"another encoder", documents.Files(), modeltest.New(modeltest.LEAF, words).Files(), nil, "bert"},
		{"a table of a module", documents.Files(), smallStatic(t, false).Files(), nil, "static"},
		{"a table of model2vec", documents.Files(), smallStatic(t, true).Files(), nil, "static"},
		{"the query side of a pair", documents.Files(), routed, nil, "bert"},
		{"other dimensions", documents.Files(), modeltest.New(modeltest.MiniLM, words).Files(), nil,
			"the query side gives 16 dimensions, want 24, those of the documents' side"},
		{"a pair and another model", routed, smallStatic(t, true).Files(), nil, "it has a query route of its own"},
		{"a table for documents", smallStatic(t, true).Files(), nil, nil, "a static table, which embeds queries only"},
		{"a table with a prefix", documents.Files(), smallStatic(t, true).Files(), &Prefixes{Query: "ask: "}, `the prompt "ask: " before queries`},
		{"no route of queries", with(routed, "router_config.json", `{"structure": {"image": ["a"]}}`), nil, nil, `routes ["image"], want one of`},
		{"a route that leads out", with(routed, "router_config.json", `{"structure": {"query": ["../a"], "document": ["../a"]}}`), nil, nil,
			`module "../a", want the name of a folder`},
		{"a router in a route", with(routed, "router_config.json", `{"structure": {"query": ["a"], "document": ["a"]}, "types": {"a": "x.Router"}}`),
			nil, nil, "a Router in a route"},
		{"a table with a mapping", documents.Files(), with(smallStatic(t, true).Files(), "model.safetensors", string(safetensors(
			map[string][]int{"embeddings": {4, 24}, "mapping": {4}}, smallValues))), nil, `tensor "mapping" beside embeddings`},
		{"a table of too few rows", documents.Files(), with(smallStatic(t, true).Files(), "model.safetensors", string(safetensors(
			map[string][]int{"embeddings": {4, 24}}, smallValues))), nil, "4 rows, want "},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := goOptions(t)
			o.Name, o.Prefixes = "joined", test.prefixes
			src := filepath.Join(t.TempDir(), "documents")
			if err := modeltest.Write(src, test.documents); err != nil {
				t.Fatal(err)
			}
			if test.queries != nil {
				o.QueryModel = filepath.Join(t.TempDir(), "queries")
				if err := modeltest.Write(o.QueryModel, test.queries); err != nil {
					t.Fatal(err)
				}
			}
			m, err := Import(t.Context(), src, o)
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Fatalf("Import = %v, want %q", err, test.want)
				}
				if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
					t.Errorf("%s is left behind", left[0].Name())
				}
				return
			}
			if m.QuerySide() == nil || m.QuerySide().Architecture != test.want {
				t.Fatalf("query side %+v, want %q", m.QuerySide(), test.want)
			}
			// Without the query side, or with another, it is broken.
			if err := os.RemoveAll(filepath.Join(m.Path, querySideFolder)); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(m.Path); !errors.Is(err, ErrBroken) {
				t.Errorf("Open without the query side = %v, want ErrBroken", err)
			}
		})
	}
}

// with returns a copy in which a file is another.
func with(files modeltest.Files, name, data string) modeltest.Files {
	c := maps.Clone(files)
	c[name] = []byte(data)
	return c
}
