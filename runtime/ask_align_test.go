package runtime

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/filetest"
	"kdd/runtime/answer"
	"kdd/runtime/answer/ask"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// exactly compiles documents with a small transformer that wants a prefix before queries and goes into the artifact.
func exactly(t *testing.T, f tree) string {
	t.Helper()
	dir := t.TempDir()
	tokenizer := must(os.ReadFile(filepath.Join("..", "format", "encoder", "testdata", "small-tokenizer.json")))
	if err := modeltest.New(modeltest.E5, tokenizer).Write(filepath.Join(dir, "e5")); err != nil {
		t.Fatal(err)
	}
	goEngine := engine.Options{Kind: engine.Go}
	m := must(model.Import(t.Context(), filepath.Join(dir, "e5"), model.ImportOptions{Dir: filepath.Join(dir, "models"), Engine: goEngine}))
	filetest.Write(t, filepath.Join(dir, "docs"), f)
	o := compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: filepath.Join(dir, "docs.kddx"), Model: m.Path, Engine: string(engine.Go), CacheDir: "-", Encoder: compiler.EncoderExact}
	must(compiler.Build(t.Context(), o))
	return o.Output
}

// TestQuestionIsReadOnce checks that the pass of the transformer that embeds a question keeps what align compares, with
// the same bits as passes of their own have, and that align reads no other; a question that align cuts is not kept.
func TestQuestionIsReadOnce(t *testing.T) {
	path := exactly(t, tree{"a.md": "# The harbour\n\nThe lighthouse keeper counts ships in the harbour.\n", "b.md": "# Night\n\nAt night the river is dark.\n"})
	short := "which ships does the lighthouse keeper count"
	for _, test := range []struct {
		name, question string
		ask, kept      bool
	}{
		{"a question", short, true, true},
		{"a search", short, false, false},
		{"a long question", short + strings.Repeat(" of the harbour", 30), true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := serve(t, path).with(t.Context(), func(set *artifact.Set) error {
				r, _, err := search.Retrieve(t.Context(), set, &wire.SearchRequest{Query: test.question, Mode: search.ModeHybrid}, ask.AskPassages, test.ask)
				if err != nil {
					return err
				}
				a, own := set.Artifacts[0], r.Scored[0]
				sem := must(a.Encoder())
				if test.kept != (own.Pieces.Vectors != nil) {
					t.Fatalf("%d floats are kept, want some: %v", len(own.Pieces.Vectors), test.kept)
				}
				ids := sem.IDs(test.question, artifact.MaxQueryPieces)
				if test.kept {
					vec := make([]float32, sem.View.Dim)
					must(sem.Encode(vec, test.question))
					if !slices.Equal(own.Vector, vec) || !slices.Equal(own.Pieces.IDs, ids) || !slices.Equal(own.Pieces.Vectors, must(sem.Exact.Tokens(nil, ids))) {
						t.Error("what the pass has made is not what two passes make")
					}
				}
				aligned := func(own *search.Scores) (e answer.Evidence) {
					if err := ask.Align(t.Context(), a, &query.Query{Text: test.question}, ask.ReadQuestion(set, r, test.question), &r.Hits[0], own, &e); err != nil {
						t.Fatal(err)
					}
					return e
				}
				alone := *own
				alone.Pieces = artifact.Pieces{}
				e, without := aligned(own), aligned(&alone)
				if e.Aligned == 0 || e.Aligned != without.Aligned || e.Without != without.Without {
					t.Errorf("aligned %g and nearer by %g, by a pass of its own %g and %g", e.Aligned, e.Without, without.Aligned, without.Without)
				}
				if test.kept {
					clear(own.Pieces.Vectors)
					if e := aligned(own); e.Aligned != 0 {
						t.Errorf("aligned %g with vectors that are zero: the question was read again", e.Aligned)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
