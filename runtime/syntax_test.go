package runtime

import (
	"slices"
	"strings"
	"testing"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestOperatorsOnlyTakeOut compares rankings of queries with operators with that of their words: the same hits in the
// same order with the same scores, but for those that the query rules out.
func TestOperatorsOnlyTakeOut(t *testing.T) {
	tests := []struct {
		query, words  string
		must, mustNot string // in the text of each hit, and in none
	}{
		{"+retry render", "retry render", "retry", ""},
		{"retry AND render", "retry render", "retry render", ""},
		{"render -memo", "render", "", "memo"},
		{"render NOT memo", "render", "", "memo"},
		{`"component retry"`, "component retry", "component retry", ""},
		{"render -kind:guide", "render", "", ""},
		{"+title:render retry", "render retry", "", ""},
	}
	each(t, 60, func(t *testing.T, s *Service, mode string) {
		ask := func(text string) []wire.Hit {
			return searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000, Diversity: search.DiversityOff}).Results
		}
		for _, tt := range tests {
			whole, got := ask(tt.words), ask(tt.query)
			if len(got) == 0 || len(got) >= len(whole) {
				t.Errorf("%s: %d hits of %d", tt.query, len(got), len(whole))
			}
			left := got
			for _, h := range whole {
				text := readOf(t, s, h)
				if len(left) > 0 && left[0].Chunk == h.Chunk {
					if left[0].Score != h.Score || left[0].Snippet != h.Snippet {
						t.Fatalf("%s: %s has %g, want %g", tt.query, h.Chunk, left[0].Score, h.Score)
					}
					if tt.mustNot != "" && strings.Contains(text, " "+tt.mustNot+" ") {
						t.Errorf("%s: %s has %s", tt.query, h.Chunk, tt.mustNot)
					}
					left = left[1:]
					continue
				}
				if tt.must != "" && strings.Contains(text, " "+tt.must+" ") {
					t.Errorf("%s: %s is left out", tt.query, h.Chunk)
				}
			}
			if len(left) > 0 {
				t.Errorf("%s: %s is out of order", tt.query, left[0].Chunk)
			}
		}
	})
}

// readOf returns a hit's section without those below it, on one line, small.
func readOf(t *testing.T, s *Service, h wire.Hit) string {
	resp, err := s.Read(t.Context(), wire.ReadRequest{File: h.Path, Anchor: h.Anchor})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(resp.Markdown, "\n")
	for i, line := range lines {
		if i > 0 && strings.HasPrefix(line, "#") {
			lines = lines[:i]
			break
		}
	}
	return " " + strings.ToLower(strings.Join(strings.Fields(strings.Join(lines, " ")), " ")) + " "
}

// TestEmbeddedText checks that what is embedded is the text without operators and words that must not be there.
func TestEmbeddedText(t *testing.T) {
	s := serve(t, withVectors(t, random(1, 30).compile(t), "distilled"))
	ask := func(text string) []float64 {
		var scores []float64
		for _, h := range searched(t, s, wire.SearchRequest{Query: text, Mode: search.ModeVector, Limit: 20, Diversity: search.DiversityOff}).Results {
			scores = append(scores, h.Score)
		}
		return scores
	}
	want := ask("render retry")
	for _, text := range []string{"+render +retry", `"render" retry -zzzz`, "render AND retry", "(render OR retry) -kind:zzzz"} {
		got := ask(text)
		for _, score := range got {
			if !slices.Contains(want, score) {
				if len(got) > 0 && score < want[len(want)-1] {
					break // of a hit that the words alone rank lower
				}
				t.Errorf("%s: a score of %g, want one of %v", text, score, want)
			}
		}
		if len(got) == 0 {
			t.Errorf("%s: no hits", text)
		}
	}
}
