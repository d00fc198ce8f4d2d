package model

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"kdd/compiler/embedding/engine"
)

// The vectors in testdata/sentence-transformers.json are those that sentence-transformers gives the models of
// familyModels. They are made anew by
//
//	go test ./compiler/embedding/model -run TestSentenceTransformers -models DIR
//	python3 bench/interop/tokens/sentence_transformers_vectors.py DIR
var modelsFlag = flag.String("models", "", "write the small models to this folder, for sentence-transformers to read")

// referenceFile has the vectors of other programs.
const referenceFile = "testdata/sentence-transformers.json"

// reference is what sentence-transformers makes of one model.
type reference struct {
	Texts     []string    `json:"texts"`
	Documents [][]float32 `json:"documents"` // encode_document of the texts
	Queries   [][]float32 `json:"queries"`   // encode_query
	Cut       [][]float32 `json:"cut"`       // encode_document with truncate_dim 8 and normalize_embeddings
}

// norm returns the length of a vector.
func norm(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// Models with every pooling, with and without dense modules, give the vectors of sentence-transformers.
func TestSentenceTransformers(t *testing.T) {
	models := familyModels(t)
	if *modelsFlag != "" {
		for name, m := range models {
			if err := m.Write(filepath.Join(*modelsFlag, name)); err != nil {
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
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			ref, ok := want[name]
			if !ok {
				t.Fatalf("%s has no %s", referenceFile, name)
			}
			src := filepath.Join(t.TempDir(), name)
			if err := m.Write(src); err != nil {
				t.Fatal(err)
			}
			got, err := Import(t.Context(), src, ImportOptions{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			vocab, err := got.Vocab()
			if err != nil {
				t.Fatal(err)
			}
			const few = 8
			cut, _, err := got.Cut(few)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []engine.Kind{engine.Go, engine.ONNX} {
				e, _, err := got.Engine(engine.Options{Kind: kind})
				if errors.Is(err, engine.ErrNoLibrary) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				short, _, err := cut.Engine(engine.Options{Kind: kind})
				if err != nil {
					t.Fatal(err)
				}
				defer short.Close()
				for i, text := range ref.Texts {
					v := make([]float32, few)
					ids := vocab.EncodeWithSpecials(nil, got.Prefixes.Document+text, got.MaxTokens)
					if err := short.Embed(v, ids); err != nil {
						t.Fatal(err)
					}
					if c := cosine(v, ref.Cut[i]); !(c >= .99999) || math.Abs(norm(v)-1) > 1e-5 {
						t.Errorf("%s: %d dimensions of %.30q have cosine %.6f with those of sentence-transformers, length %g", engine.ID(e), few, text, c, norm(v))
					}
					for _, side := range []struct {
						prefix string
						want   []float32
					}{{got.Prefixes.Document, ref.Documents[i]}, {got.Prefixes.Query, ref.Queries[i]}} {
						v := make([]float32, got.Dim)
						if err := e.Embed(v, vocab.EncodeWithSpecials(nil, side.prefix+text, got.MaxTokens)); err != nil {
							t.Fatal(err)
						}
						if c := cosine(v, side.want); !(c >= .99999) {
							t.Errorf("%s: %q%.30q has cosine %.6f with the vector of sentence-transformers, want .99999", engine.ID(e), side.prefix, text, c)
						}
					}
				}
			}
		})
	}
}
