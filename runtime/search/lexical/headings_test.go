package lexical_test

import (
	"math"
	"slices"
	"testing"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
)

// TestHeadings compares what headings and titles say of a query with the same computed over their texts.
func TestHeadings(t *testing.T) {
	for seed := range uint64(3) {
		x := corpus(t, seed, 24)
		n := read(t, x)
		rows := lexical.NewRows(x)
		some := 0
		for _, text := range queries {
			q := query.Parse([]*index.Index{x}, text)[0]
			headings, titles := make([]float32, x.Sections()), make([]float32, x.Docs())
			s := lexical.NewScorer(x, rows, lexical.AverageLength([]*index.Index{x}), nil)
			best := make([]float32, x.Docs())
			s.Headings(q, headings, best)
			s.Titles(q, titles)
			for i, got := range headings {
				recall, shared := n.says(q, n.path[i])
				want := recall * min(1, float64(shared)/float64(max(1, x.SectionPathTokens(index.SectionID(i)))))
				if math.Abs(float64(got)-want) > 1e-5 {
					t.Errorf("seed %d, %q: headings of section %d say %g, want %g", seed, text, i, got, want)
				}
				if d := x.DocOfSection(index.SectionID(i)); got > best[d] {
					t.Errorf("seed %d, %q: headings of section %d say %g, the most of its document is %g", seed, text, i, got, best[d])
				}
				if got > 0.9 {
					some++
				}
			}
			for d, got := range titles {
				if want, _ := n.says(q, n.title[d]); math.Abs(float64(got)-want) > 1e-5 {
					t.Errorf("seed %d, %q: title of document %d says %g, want %g", seed, text, d, got, want)
				}
			}
		}
		if some == 0 {
			t.Errorf("seed %d: no heading is a query", seed)
		}
	}
}

// says returns the share of the query's idf that a text holds, and how many of its words.
func (n *naive) says(q *query.Query, raw []spot) (recall float64, shared int) {
	lower := map[string]string{}
	for _, t := range text.New().Tokens(nil, q.Text) {
		lower[t.Fold] = t.Lower
	}
	var total float64
	for i := range q.Words {
		w := &q.Words[i]
		total += w.IDF
		if slices.ContainsFunc(n.forms(w, lower), func(form string) bool { return count(raw, form) > 0 }) {
			recall += w.IDF
			if !w.Whole {
				shared++
			}
		}
	}
	if total == 0 {
		return 0, 0
	}
	return recall / total, shared
}
