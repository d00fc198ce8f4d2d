package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/runtime/wire"
)

// TestFirstHits compares the first hits of a search, for which only the documents that may be among them are scored
// whole, with those of a search for all hits, for which every document is.
func TestFirstHits(t *testing.T) {
	plain := random(2, 300).compile(t) // more documents than are scored whole in any case
	meaning := withVectors(t, random(3, 150).compile(t), "distilled")
	handbook, specs := corpus(t, "handbook"), corpus(t, "kdd-specs")
	for name, indexes := range map[string][]string{
		"words": {plain}, "vectors": {meaning}, "handbook": {handbook}, "specs": {specs}, "several": {"a=" + plain, "b=" + handbook, "c=" + specs, "d=" + meaning},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(Config{Index: indexes})
			defer s.Close()
			differ, searches, way := 0, 0, 0
			for i, query := range []string{
				"how does the state of a component change when its props change", "update of the component tree", "session token retry", "refresh token", `"refresh token" OR lockout`, "rotate the signing keys after a leak",
				"which rule says how many results a search returns", "búsqueda por similitud y fusión de puntuaciones", "refrsh tokne", "render*", "+index documents -rule", "the of and", "UC-001",
			} {
				for _, mode := range []string{"lexical", "hybrid"} {
					for _, filter := range []wire.Filter{{}, {PathGlob: "**/*[a-m]*.md"}} {
						for _, diversity := range []string{"on", "off"} {
							// With the race detector two of the eight ways, which differ in all: each query in both modes,
							// with and without a filter, arranged and not, and each way with three queries at least.
							if way = (way + 1) % 8; raced && way != i%4 && way != 7-i%4 {
								continue
							}
							ask := func(limit int) []wire.Hit {
								t.Helper()
								resp, err := s.Search(context.Background(), wire.SearchRequest{Query: query, Mode: mode, Limit: limit, Diversity: diversity, Filter: filter, Page: wire.Page{MaxBytes: -1}})
								if err != nil {
									t.Fatal(err)
								}
								return resp.Results
							}
							all := ask(10_000)
							for _, limit := range []int{1, 10} {
								got := ask(limit)
								if diff := cmp.Diff(all[:min(limit, len(all))], got); diff != "" {
									t.Errorf("%q, %s, diversity %s, filter %+v: the first %d differ (-all +first)\n%s", query, mode, diversity, filter, limit, diff)
								}
								if searches++; len(got) < len(all) {
									differ++
								}
							}
						}
					}
				}
			}
			if differ*10 < searches || searches < 50 {
				t.Errorf("only %d searches of %d had more hits than were asked for", differ, searches)
			}
		})
	}
}

// TestFacetsCountHits compares the facets of a search with the documents of all its hits.
func TestFacetsCountHits(t *testing.T) {
	s := New(Config{Index: []string{corpus(t, "handbook")}})
	defer s.Close()
	for _, q := range []wire.SearchRequest{{Query: "refresh token"}, {Query: `"refresh token" -kind:guide`}, {Query: "token", ScoreThreshold: 0.6}, {Query: "token", Filter: wire.Filter{Kinds: []string{"guide"}}}} {
		t.Run(fmt.Sprint(q.Query, q.ScoreThreshold, q.Filter.Kinds), func(t *testing.T) {
			q.Mode, q.Limit, q.Facets, q.Diversity = "lexical", 10_000, true, "off"
			resp := searched(t, s, q)
			docs := map[string]string{}
			for _, h := range resp.Results {
				docs[h.Path] = h.Kind
			}
			for _, f := range resp.Facets {
				if f.Field != "kind" {
					continue
				}
				sum := 0
				for _, v := range f.Values {
					sum += v.Count
					if n := count(docs, v.Value); n != v.Count {
						t.Errorf("%d documents of kind %s, the hits have %d", v.Count, v.Value, n)
					}
				}
				if sum != len(docs) || sum == 0 {
					t.Errorf("facets count %d documents, the hits have %d", sum, len(docs))
				}
			}
			if !slices.ContainsFunc(resp.Facets, func(f wire.Facet) bool { return f.Field == "kind" }) {
				t.Error("no facet of kinds")
			}
		})
	}
}

func count(docs map[string]string, kind string) (n int) {
	for _, k := range docs {
		if k == kind {
			n++
		}
	}
	return n
}
