package runtime

import (
	"errors"
	"math"
	"strings"
	"testing"

	"kdd/format"
	"kdd/runtime/shape"
)

// TestConfigWeights checks that a Service ranks by the weights that it is given, and refuses those that no file may have.
func TestConfigWeights(t *testing.T) {
	path := tree{"a.md": "# Apples\n\nCider.\n", "b.md": "# Drinks\n\nApples make juice. Apples make pie. Apples are red.\n"}.compile(t)
	first := func(change func(*format.Weights)) (string, float64, error) {
		s := New(Config{Index: []string{path}, Weights: change})
		defer s.Close()
		resp, err := s.Search(t.Context(), shape.SearchRequest{Query: "apples red", Mode: "lexical", Explain: true})
		if err != nil {
			return "", 0, err
		}
		return resp.Results[0].Path, resp.Results[0].Explain.Raw, nil
	}
	_, asCompiled, err := first(nil)
	if err != nil {
		t.Fatal(err)
	}
	name, raw, err := first(func(w *format.Weights) { w.Lexical *= 2 })
	if err != nil || name != "b.md" || raw <= asCompiled {
		t.Errorf("with twice the weight of BM25 the first hit is %s, raw %g, %v; want b.md above %g", name, raw, err, asCompiled)
	}
	if name, _, err = first(func(w *format.Weights) { w.Lexical, w.Pairs = 0, 0 }); err != nil || name != "a.md" {
		t.Errorf("by headings and titles alone the first hit is %s, %v; want a.md", name, err)
	}
	if _, _, err = first(func(w *format.Weights) { w.Lexical = -1 }); !errors.As(err, new(*shape.Error)) {
		t.Errorf("Search with a weight below zero = %v, want an error of the wire", err)
	}
}

// TestWeightsOfAnotherBuild checks that an artifact whose table of weights lacks one is refused, and what to do about it.
func TestWeightsOfAnotherBuild(t *testing.T) {
	path := tree{"a.md": "# Apples\n\nCider.\n"}.compile(t)
	s := New(Config{Index: []string{path}, Weights: func(w *format.Weights) { w.Grammar = math.NaN() }})
	defer s.Close()
	_, err := s.Search(t.Context(), shape.SearchRequest{Query: "apples"})
	var wire *shape.Error
	if !errors.As(err, &wire) || wire.Code != shape.CodeIndexVersion || !strings.Contains(wire.Error(), "no weight grammar") {
		t.Errorf("Search = %v, want index_version that names the weight", err)
	}
}
