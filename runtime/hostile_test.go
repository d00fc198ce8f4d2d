package runtime

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/runtime/wire"
)

// TestByDateAgainstAll compares a list by date, for which only the newest documents are scored, with all hits of the
// same query, sorted.
func TestByDateAgainstAll(t *testing.T) {
	plain := random(2, 200).compile(t)
	meaning := withVectors(t, random(3, 120).compile(t), "distilled")
	handbook := corpus(t, "handbook")
	for name, indexes := range map[string][]string{"words": {plain}, "vectors": {meaning}, "several": {"a=" + plain, "b=" + handbook, "d=" + meaning}} {
		t.Run(name, func(t *testing.T) {
			s := New(Config{Index: indexes})
			defer s.Close()
			compared, least := 0, 60
			if raced {
				least = 30
			}
			for i, query := range []string{"update of the component tree", "refresh token", "render*", "session token retry", "the of and", "ADR-0004", "d7", "nothingofthiskind", "+component state -render"} {
				for way, q := range []wire.SearchRequest{{Mode: "lexical"}, {Mode: "hybrid"}, {Mode: "lexical", ScoreThreshold: .4}, {Mode: "hybrid", Filter: wire.Filter{PathGlob: "**/*[a-m3]*.md"}}} {
					if raced && way%2 != i%2 { // every second way, each with four queries at least
						continue
					}
					q.Query, q.Diversity, q.MaxBytes = query, "off", -1
					all := q
					all.Limit = 10_000
					hits := searched(t, s, all).Results
					best := 0.0
					for _, h := range hits {
						if named := len(h.Match) > 0 && h.Match[0] != "lexical" && h.Match[0] != "vector"; !named {
							best = max(best, h.Score)
						}
					}
					near := false // a rounded score says too little
					want := slices.DeleteFunc(slices.Clone(hits), func(h wire.Hit) bool {
						near = near || math.Abs(h.Score-best/2) < 2e-4
						return len(h.Match) == 0 || h.Score < best/2
					})
					if near {
						continue
					}
					slices.SortStableFunc(want, func(a, b wire.Hit) int { return strings.Compare(b.Date, a.Date) })
					for _, limit := range []int{1, 5, 40, 10_000} {
						q.Limit, q.Sort = limit, "date"
						got := searched(t, s, q)
						first := want[:min(limit, len(want))]
						place := func(hits []wire.Hit) (list []string) {
							for _, h := range hits {
								list = append(list, fmt.Sprint(h.Index, h.Path, "#", h.Anchor, h.Date, h.Score))
							}
							return list
						}
						if diff := cmp.Diff(place(first), place(got.Results)); diff != "" {
							t.Errorf("%q, %s, limit %d: not as sorted (-want +got)\n%s", query, q.Mode, limit, diff)
						}
						if more := len(want) > limit; got.Truncated != more {
							t.Errorf("%q, %s, limit %d of %d: truncated %t", query, q.Mode, limit, len(want), got.Truncated)
						}
						compared++
					}
				}
			}
			if compared < least {
				t.Errorf("compared %d lists, want %d at least", compared, least)
			}
		})
	}
}

// TestFacetsOverAThreshold compares facets, for which few positions are read, with the documents of all hits.
func TestFacetsOverAThreshold(t *testing.T) {
	plain, meaning := random(2, 200).compile(t), withVectors(t, random(3, 120).compile(t), "distilled")
	s := New(Config{Index: []string{"a=" + plain, "b=" + meaning}})
	defer s.Close()
	for _, query := range []string{"update of the component tree", "session token retry", "render state", "d7"} {
		for _, mode := range []string{"lexical", "hybrid"} {
			for _, threshold := range []float64{.05, .3, .6} {
				resp := searched(t, s, wire.SearchRequest{Query: query, Mode: mode, ScoreThreshold: threshold, Limit: 10_000, Facets: true, Diversity: "off", Page: wire.Page{MaxBytes: -1}})
				docs := map[string]string{}
				for _, h := range resp.Results {
					if len(h.Match) > 0 {
						docs[h.Index+h.Path] = h.Kind
					}
				}
				for _, f := range resp.Facets {
					for _, v := range f.Values {
						if n := count(docs, v.Value); f.Field == "kind" && n != v.Count {
							t.Errorf("%q, %s, over %g: %d documents of kind %s, the hits have %d", query, mode, threshold, v.Count, v.Value, n)
						}
					}
				}
				if len(docs) > 0 && len(resp.Facets) == 0 {
					t.Errorf("%q, %s, over %g: no facets", query, mode, threshold)
				}
			}
		}
	}
}

// TestWideQueries: a query whose words stand nearly everywhere is answered with the word order of so many documents
// only. The answer says so, and the first hits hold the words. An ordinary query reads no warning.
func TestWideQueries(t *testing.T) {
	s := New(Config{Index: []string{random(2, 600).compile(t)}})
	defer s.Close()
	const note = "the words of the query stand in too many documents: their order counts in those that match best, in the others their number"
	ask := func(query string) *wire.SearchResponse {
		resp, err := s.Search(context.Background(), wire.SearchRequest{Query: query, Mode: "lexical", Limit: 10_000, Diversity: "off", Page: wire.Page{MaxBytes: -1}})
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	wide := strings.Join(words, " ")
	first := ask(wide)
	if !slices.Contains(first.Warnings, note) {
		t.Errorf("%q warns %q, want %q", wide, first.Warnings, note)
	}
	if again := ask(wide); !cmp.Equal(first.Results, again.Results) {
		t.Error("the same wide query gives other hits")
	}
	for i, h := range first.Results {
		if !slices.Contains(h.Match, "lexical") || i > 0 && h.Score > first.Results[i-1].Score {
			t.Fatalf("hit %d: %s, score %g, by %q", i, h.Path, h.Score, h.Match)
		}
	}
	if resp := ask("update of the component"); slices.Contains(resp.Warnings, note) {
		t.Errorf("an ordinary query warns %q", resp.Warnings)
	}
}
