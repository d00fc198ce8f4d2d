package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kdd/runtime/render"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// What is shown is the base ranking without near duplicates of hits above, each named by the one that stays, in the
// order of what scores count.
func TestArrange(t *testing.T) {
	each(t, 40, func(t *testing.T, s *Service, mode string) {
		left, moved, named := 0, 0, 0
		for _, text := range asked {
			base := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000, Diversity: search.DiversityOff})
			shown := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000})
			scores, place := map[string]float64{}, map[string]int{}
			for i, h := range base.Results {
				scores[h.Chunk], place[h.Chunk] = h.Score, i
				if h.Duplicates != nil {
					t.Fatalf("%q: the base ranking names duplicates of %s", text, h.Chunk)
				}
			}
			there, gone := map[string]bool{}, map[string]bool{}
			docs, last := map[string]int{}, 1.0
			for i, h := range shown.Results {
				if score, ok := scores[h.Chunk]; !ok || score != h.Score || there[h.Chunk] {
					t.Fatalf("%q: %s has score %g, in the base ranking %g, %v; there already: %v", text, h.Chunk, h.Score, score, ok, there[h.Chunk])
				}
				there[h.Chunk] = true
				named += len(h.Duplicates)
				for _, d := range h.Duplicates {
					gone[d] = true
				}
				counts := h.Score * math.Pow(.97, float64(docs[h.Path]))
				docs[h.Path]++
				if h.Neighbour != nil || !slices.ContainsFunc(h.Match, func(m string) bool { return m == "lexical" || m == "vector" }) || len(h.Match) > 0 && h.Match[0] != "lexical" && h.Match[0] != "vector" {
					continue // it has its place for what it is
				}
				if counts > last+1e-4 { // scores are rounded
					t.Fatalf("%q: hit %d, %s, counts %g, the one above it %g", text, i+1, h.Chunk, counts, last)
				}
				last = counts
			}
			for i, h := range base.Results {
				at := render.Address("", h.Path, h.Anchor)
				if !there[h.Chunk] {
					if left++; !gone[at] && len(gone) < 3*len(shown.Results) {
						t.Fatalf("%q: hit %d, %s, is left out and not named", text, i+1, h.Chunk)
					}
				} else if i < 5 && shown.Results[i].Chunk != h.Chunk {
					moved++
				}
			}
		}
		if left == 0 || moved == 0 || named == 0 {
			t.Errorf("%d hits left out, %d moved, %d named: nothing was tested", left, moved, named)
		}
	})
}

// A near duplicate that a filter keeps out neither hides a hit nor is named.
func TestDuplicatesStayWithinTheFilter(t *testing.T) {
	text := "# Rotating keys\n\nEach signing key lives for ninety days and is then replaced by a fresh one that the service has made, signed and stored in the vault.\n"
	s := serve(t, tree{"a/keys.md": text, "b/keys.md": text, "c/keys.md": "---\nkind: guide\n---\n" + text, "d.md": "# Other\n\nSigning in.\n"}.compile(t))
	for _, tt := range []struct {
		filter wire.Filter
		path   string
		named  []string
	}{
		{wire.Filter{}, "a/keys.md", []string{"b/keys.md#rotating-keys", "c/keys.md#rotating-keys"}},
		{wire.Filter{PathGlob: "{b,c,d}/**"}, "b/keys.md", []string{"c/keys.md#rotating-keys"}},
		{wire.Filter{Kinds: []string{"guide"}}, "c/keys.md", nil},
	} {
		got := searched(t, s, wire.SearchRequest{Query: "how long does a signing key live", Filter: tt.filter})
		if len(got.Results) == 0 || got.Results[0].Path != tt.path || !slices.Equal(got.Results[0].Duplicates, tt.named) {
			t.Errorf("with %+v: %+v, want %s first and %v named", tt.filter, got.Results, tt.path, tt.named)
			continue
		}
		for _, h := range got.Results[1:] {
			if strings.HasSuffix(h.Path, "keys.md") {
				t.Errorf("with %+v: %s is there beside %s", tt.filter, h.Chunk, tt.path)
			}
		}
	}
	if got := searched(t, s, wire.SearchRequest{Query: "how long does a signing key live", Diversity: search.DiversityOff}); got.Count < 3 || got.Results[2].Path != "c/keys.md" {
		t.Errorf("without diversity: %+v, want all three", got.Results)
	}
	if _, err := s.Search(t.Context(), wire.SearchRequest{Query: "key", Diversity: "some"}); err == nil {
		t.Error("diversity some is taken")
	}
}

func TestSortByDate(t *testing.T) {
	f := tree{"x/undated.md": "# Retry\n\nA retry comes after a failure.\n", "x/other.md": "---\ndate: 2026-10-01\n---\n# Other\n\nNothing of it.\n"}
	for _, date := range []string{"2024-05-01", "2026-01-31", "2025-12-01", "2025-12-01"} {
		f[fmt.Sprintf("d/%d.md", len(f))] = "---\ndate: " + date + "\n---\n# Retry " + fmt.Sprint(len(f)) + "\n\nA retry comes after a failure of the service.\n"
	}
	s := serve(t, f.compile(t))
	whole := searched(t, s, wire.SearchRequest{Query: "retry after failure", Sort: search.SortDate, Limit: 100, Diversity: search.DiversityOff})
	var dates []string
	for _, h := range whole.Results {
		dates = append(dates, h.Date)
	}
	if got := strings.Join(dates, " "); got != "2026-01-31 2025-12-01 2025-12-01 2024-05-01 " {
		t.Errorf("dates %q, want the newest first and the undated last", got)
	}
	var paged []string
	q := wire.SearchRequest{Query: "retry after failure", Sort: search.SortDate, Limit: 2, Diversity: search.DiversityOff}
	for {
		resp := searched(t, s, q)
		for _, h := range resp.Results {
			paged = append(paged, h.Date)
		}
		if q.Cursor = resp.Cursor; q.Cursor == "" {
			break
		}
	}
	if !slices.Equal(paged, dates) {
		t.Errorf("by pages %q, want %q", paged, dates)
	}
	since := searched(t, s, wire.SearchRequest{Query: "retry after failure", Sort: search.SortDate, Filter: wire.Filter{Since: "2025-12"}, Diversity: search.DiversityOff})
	if since.Count != 3 {
		t.Errorf("since 2025-12: %d hits, want 3", since.Count)
	}
	for _, tt := range []struct{ sort, want string }{
		{"", "d/2.md d/3.md d/4.md d/5.md x/other.md x/undated.md"}, {search.SortPath, "d/2.md d/3.md d/4.md d/5.md x/other.md x/undated.md"},
		{search.SortDate, "x/other.md d/3.md d/4.md d/5.md d/2.md x/undated.md"}, {search.SortTitle, "x/other.md x/undated.md d/2.md d/3.md d/4.md d/5.md"},
	} {
		var got []string
		q := wire.ListRequest{Sort: tt.sort, Limit: 4}
		for {
			resp, err := s.List(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range resp.Documents {
				got = append(got, d.Path)
			}
			if q.Cursor = resp.Cursor; q.Cursor == "" {
				break
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("list by %q: %v, want %s", tt.sort, got, tt.want)
		}
	}
	for _, err := range []error{
		func() error {
			_, err := s.Search(t.Context(), wire.SearchRequest{Query: "x", Sort: "title"})
			return err
		}(),
		func() error { _, err := s.List(t.Context(), wire.ListRequest{Sort: "relevance"}); return err }(),
	} {
		want(t, err, wire.CodeInvalidInput)
	}
}

// A hit far below the best does not come first only since it is new; one that is not so far does.
func TestSortByDateHasAFloor(t *testing.T) {
	f := tree{
		"kitchen.md": "---\ndate: 2026-10-01\n---\n# Kitchen\n\nThe kitchen is closed for a week: the oven had a failure, which is to be mended by the end of the month at the latest, and then there is lunch again for all who work in the house, and coffee too.\n",
		"queue.md":   "---\ndate: 2026-05-01\n---\n# Queue\n\nThe queue does a retry, unless the failure is final.\n",
		"calls.md":   "---\ndate: 2024-05-01\n---\n# Retry after failure of calls\n\nA retry comes after a failure.\n",
	}
	for i := range 60 { // of few documents nothing is far below the best
		f[fmt.Sprintf("x/%d.md", i)] = fmt.Sprintf("# Page %d\n\nSome other text.\n", i)
	}
	s := serve(t, withVectors(t, f.compile(t), "distilled", "after", "failure", "kitchen", "calls", "some", "other", "text", "page"))
	scores := map[string]float64{}
	for _, tt := range []struct{ sort, want string }{{search.SortRelevance, "calls.md queue.md kitchen.md"}, {search.SortDate, "queue.md calls.md"}} {
		var got []string
		for _, h := range searched(t, s, wire.SearchRequest{Query: "retry after failure", Sort: tt.sort, Limit: 100}).Results {
			if slices.Contains(h.Match, "lexical") {
				got = append(got, h.Path)
				scores[h.Path] = h.Score
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("sorted by %s: %v, want %s", tt.sort, got, tt.want)
		}
	}
	if best := scores["calls.md"]; scores["kitchen.md"] > 0.45*best || scores["queue.md"] < 0.55*best || scores["queue.md"] > 0.95*best {
		t.Errorf("scores %v: the test tells no floor from another", scores)
	}
}

// Facets count the documents of all hits, whatever page is asked for.
func TestFacets(t *testing.T) {
	each(t, 30, func(t *testing.T, s *Service, mode string) {
		for _, text := range asked[:6] {
			for _, filter := range []wire.Filter{{}, {Kinds: []string{"adr"}}} {
				got := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 3, Facets: true, Filter: filter})
				docs := map[string]wire.Hit{}
				for _, h := range searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000, Filter: filter, Diversity: search.DiversityOff}).Results {
					if len(h.Match) > 0 {
						docs[h.Path] = h
					}
				}
				count := map[string]map[string]int{"kind": {}, "domain": {}, "status": {}}
				for _, h := range docs {
					count["kind"][h.Kind]++
					count["domain"][h.Domain]++
					count["status"][h.Status]++
				}
				for _, f := range got.Facets {
					last := 1 << 30
					for _, v := range f.Values {
						if count[f.Field] != nil && count[f.Field][v.Value] != v.Count || v.Count > last || v.Count < 1 {
							t.Errorf("%q with %v: %s %s has %d documents, want %d", text, filter, f.Field, v.Value, v.Count, count[f.Field][v.Value])
						}
						last = v.Count
						delete(count[f.Field], v.Value)
					}
				}
				for field, rest := range count {
					if len(rest) > 0 && len(docs) > 0 {
						t.Errorf("%q with %v: facet %s lacks %v", text, filter, field, rest)
					}
				}
			}
		}
	})
	list, err := serve(t, corpus(t, "handbook")).List(t.Context(), wire.ListRequest{Kind: "adr", Limit: 2, Facets: true})
	if err != nil || len(list.Facets) == 0 || list.Facets[0].Field != "kind" || list.Facets[0].Values[0] != (wire.FacetValue{Value: "adr", Count: list.Total}) {
		t.Errorf("facets of a list: %+v, %v", list.Facets, err)
	}
}

// A document that is no longer in force says what takes its place, and of two that say the same stands second.
func TestSuperseded(t *testing.T) {
	s := serve(t, corpus(t, "handbook"))
	got := searched(t, s, wire.SearchRequest{Query: "token decision", Limit: 20, Explain: true})
	old, young := 0, 0
	for _, h := range got.Results {
		switch h.Path {
		case "decisions/ADR-0001.md":
			if old == 0 {
				old = h.Rank
			}
			if !slices.Equal(h.SupersededBy, []string{"decisions/ADR-0004.md"}) || !slices.ContainsFunc(h.Explain.Parts, func(p wire.ExplainPart) bool { return p.Name == "no longer in force" && p.Weight < 0 }) {
				t.Errorf("%s: superseded by %v, explained %+v", h.Chunk, h.SupersededBy, h.Explain)
			}
		case "decisions/ADR-0004.md":
			if young == 0 {
				young = h.Rank
			}
		}
		if h.Path != "decisions/ADR-0001.md" && h.SupersededBy != nil {
			t.Errorf("%s is superseded by %v", h.Chunk, h.SupersededBy)
		}
	}
	if young == 0 || old < young {
		t.Errorf("ADR-0001 stands at %d, ADR-0004, which supersedes it, at %d", old, young)
	}
	// Named, it comes first all the same.
	if got := searched(t, s, wire.SearchRequest{Query: "ADR-0001"}); got.Results[0].Path != "decisions/ADR-0001.md" {
		t.Errorf("ADR-0001 finds %s", got.Results[0].Path)
	}
	text := "# Signing\n\nKeys are rotated every ninety days by the service.\n"
	twins := serve(t, tree{
		"a.md": "---\nid: DEC-1\nstatus: Deprecated since March\nversion: 1.4\n---\n" + text, "b.md": "---\nid: DEC-2\nsupersedes: [DEC-1, DEC-3]\n---\n" + text, "c.md": "---\nid: DEC-3\n---\n" + text, "d.md": text,
	}.compile(t))
	var order []string
	for _, h := range searched(t, twins, wire.SearchRequest{Query: "rotated keys", Diversity: search.DiversityOff, Limit: 20}).Results {
		order = append(order, h.Path+" "+h.Version+" "+strings.Join(h.SupersededBy, ","))
	}
	if got := strings.Join(order, "; "); got != "b.md  ; d.md  ; a.md 1.4 b.md; c.md  b.md" {
		t.Errorf("twins come as %s", got)
	}
	list, err := twins.List(t.Context(), wire.ListRequest{})
	if err != nil || list.Documents[0].Version != "1.4" || !slices.Equal(list.Documents[0].SupersededBy, []string{"b.md"}) || list.Documents[1].SupersededBy != nil {
		t.Errorf("listed as %+v, %v", list, err)
	}
}
