package lazyregexp_test

import (
	"path/filepath"
	"testing"

	"kdd/compiler"
	"kdd/runtime"
	"kdd/runtime/lazyregexp"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// TestWhatASearchCompiles: a program that searches once compiles no expression; those of answers, which take 2 ms, are left alone.
// Nothing else in this package's tests uses the runtime, so that all is as in a new process.
func TestWhatASearchCompiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{"../../testdata/corpora/handbook"}, Output: path, NoVectors: true, Version: "1.0.0"}); err != nil {
		t.Fatal(err)
	}
	var compiled []string
	lazyregexp.Compiled = func(text string) { compiled = append(compiled, text) }
	defer func() { lazyregexp.Compiled = nil }()
	s := runtime.New(runtime.Config{Index: []string{path}})
	defer s.Close()
	for _, query := range []string{"how long is an access token valid?", "REQ-001", "wie lange gilt ein Token", "security/auth.md", `"access token" OR tag:security`} {
		resp, err := s.Search(t.Context(), wire.SearchRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		render.Text(resp, render.Style{})
		if len(compiled) > 0 {
			t.Fatalf("a search for %q compiles %q", query, compiled)
		}
	}
	if _, err := s.Ask(t.Context(), wire.AskRequest{Query: "how long is an access token valid?"}); err != nil {
		t.Fatal(err)
	}
	if len(compiled) == 0 {
		t.Error("ask compiles nothing, so this test sees nothing")
	}
}
