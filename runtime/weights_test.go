package runtime

import (
	"cmp"
	"errors"
	"math"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// TestConfigWeights checks that a Service ranks by the weights that it is given, and refuses those that no file may
// have.
func TestConfigWeights(t *testing.T) {
	path := tree{"a.md": "# Apples\n\nCider.\n", "b.md": "# Drinks\n\nApples make juice. Apples make pie. Apples are red.\n"}.compile(t)
	first := func(change func(*index.Weights)) (string, float64, error) {
		s := New(Config{Index: []string{path}, Weights: change})
		defer s.Close()
		resp, err := s.Search(t.Context(), wire.SearchRequest{Query: "apples red", Mode: "lexical", Explain: true})
		if err != nil {
			return "", 0, err
		}
		return resp.Results[0].Path, resp.Results[0].Explain.Raw, nil
	}
	_, asCompiled, err := first(nil)
	if err != nil {
		t.Fatal(err)
	}
	name, raw, err := first(func(w *index.Weights) { w.Lexical *= 2 })
	if err != nil || name != "b.md" || raw <= asCompiled {
		t.Errorf("with twice the weight of BM25 the first hit is %s, raw %g, %v; want b.md above %g", name, raw, err, asCompiled)
	}
	if name, _, err = first(func(w *index.Weights) { w.Lexical, w.Pairs = 0, 0 }); err != nil || name != "a.md" {
		t.Errorf("by headings and titles alone the first hit is %s, %v; want a.md", name, err)
	}
	for _, tt := range []struct {
		change func(*index.Weights)
		want   string // "" for a weight at its limit
	}{
		{func(w *index.Weights) { w.Lexical = -1 }, "lexical is -1, want 0 to 1000"},
		{func(w *index.Weights) { w.Lexical = 1000 }, ""},
		{func(w *index.Weights) { w.Lexical = 1001 }, "lexical is 1001, want 0 to 1000"},
		{func(w *index.Weights) { w.B = 1 }, ""},
		{func(w *index.Weights) { w.B = 1.5 }, "b is 1.5, want 0 to 1"},
	} {
		_, _, err := first(tt.change)
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, new(*wire.Error)) || !strings.Contains(err.Error(), "the weight "+tt.want)) {
			t.Errorf("Search = %v, want %s", err, cmp.Or(tt.want, "no error"))
		}
	}
}

// TestWeightsOfAnotherBuild checks that an artifact whose table of weights lacks one is refused, and what to do about
// it.
func TestWeightsOfAnotherBuild(t *testing.T) {
	path := tree{"a.md": "# Apples\n\nCider.\n"}.compile(t)
	s := New(Config{Index: []string{path}, Weights: func(w *index.Weights) { w.Grammar = math.NaN() }})
	defer s.Close()
	_, err := s.Search(t.Context(), wire.SearchRequest{Query: "apples"})
	var known *wire.Error
	if !errors.As(err, &known) || known.Code != wire.CodeIndexVersion || !strings.Contains(known.Error(), "no weight grammar") {
		t.Errorf("Search = %v, want index_version that names the weight", err)
	}
}
