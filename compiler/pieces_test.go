package compiler

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime/artifact"
)

// TestPieceBlocks has a build write wordpieces by text beside a large vocabulary, the same bytes each time, and none
// beside a small one.
func TestPieceBlocks(t *testing.T) {
	words, err := os.ReadFile(filepath.Join("..", "format", "encoder", "testdata", "small-tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	documents := modeltest.New(modeltest.BGE, words)
	documents.Name = ""
	for _, more := range []int{0, 14_000} {
		var tokenizer map[string]any
		if err := json.Unmarshal(words, &tokenizer); err != nil {
			t.Fatal(err)
		}
		vocab := tokenizer["model"].(map[string]any)["vocab"].(map[string]any)
		for i := range more {
			vocab[fmt.Sprintf("##x%d", i*7)] = len(vocab)
		}
		file, err := json.Marshal(tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		parent := t.TempDir()
		src, docs := filepath.Join(parent, "pair"), filepath.Join(parent, "docs")
		static := &modeltest.Static{Rows: len(vocab), Dim: 24, Tokenizer: file, Seed: 5}
		if err := modeltest.Write(src, modeltest.Router(static.Files(), documents.Files())); err != nil {
			t.Fatal(err)
		}
		m, err := model.Import(t.Context(), src, model.ImportOptions{Dir: filepath.Join(parent, "models"), Engine: engine.Options{Kind: engine.Go}})
		if err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, docs, map[string]string{"a.md": "# The harbour\n\nThe lighthouse keeper counts ships in the harbour.\n"})
		o := withVectors(docs, m.Path)
		o.Output = filepath.Join(parent, "a.kddx")
		_, once := mustBuild(t, o)
		o.Output = filepath.Join(parent, "b.kddx")
		_, again := mustBuild(t, o)
		sameBytes(t, fmt.Sprintf("%d pieces", len(vocab)), again, once)
		if problems, err := artifact.Verify(t.Context(), o.Output); err != nil || len(problems) > 0 {
			t.Errorf("%d pieces: Verify = %v, %v", len(vocab), problems, err)
		}
		x, err := index.Open(o.Output)
		if err != nil {
			t.Fatal(err)
		}
		size := x.File.Block(index.TagVocab).Len()
		if got := x.HasPieces(); got != (more > 0) || got != (size > 1<<17) {
			t.Errorf("%d pieces in %d bytes: HasPieces = %t", len(vocab), size, got)
		}
		x.File.Close()
	}
}
