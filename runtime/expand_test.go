package runtime

import (
	"fmt"
	"strings"
	"testing"

	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// expanded is a search over the handbook with its hits expanded: each hit's document, the neighbours in brackets with
// the relation.
func expanded(t *testing.T, s *Service, q *search.Request, n int) []string {
	t.Helper()
	var list []string
	err := s.with(t.Context(), func(set *artifact.Set) error {
		r, err := search.Rank(t.Context(), set, q)
		if err != nil {
			return err
		}
		if r.Hits, err = search.Expand(t.Context(), set, r, n); err != nil {
			return err
		}
		resp := &wire.SearchResponse{}
		search.Show(set, resp, r, 0, len(r.Hits), false)
		for _, h := range resp.Results {
			one := h.NodeID
			if h.Neighbour != nil {
				one = fmt.Sprintf("[%s %s %s]", h.NodeID, h.Neighbour.Relation, h.Neighbour.Of)
			}
			list = append(list, one)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestExpand(t *testing.T) {
	s := New(Config{Index: []string{corpus(t, "handbook")}})
	defer s.Close()
	ask := func(text string, names search.NameMode, want int, filter wire.Filter) *search.Request {
		return &search.Request{Text: text, Mode: search.ModeLexical, Names: names, Want: want, Filter: &filter}
	}
	t.Run("a typed neighbour stands below an exact id", func(t *testing.T) {
		got := expanded(t, s, ask("RF-AUTH-001", search.PageNamed, 4, wire.Filter{}), 0)
		if got[0] != "REQ:RF-AUTH-001" || got[1] != "[doc:services/auth-service.md IMPLEMENTS REQ:RF-AUTH-001]" || strings.Count(strings.Join(got, " "), "[") != 1 {
			t.Errorf("expand = %v, want the id and one neighbour first", got)
		}
	})
	t.Run("words have no neighbours", func(t *testing.T) {
		if got := expanded(t, s, ask("retry after failure", search.PageNamed, 5, wire.Filter{}), 0); strings.Contains(fmt.Sprint(got), " IMPLEMENTS ") || len(got) != 5 {
			t.Errorf("expand = %v, want plain hits", got)
		}
	})
	t.Run("neighbours of each hit", func(t *testing.T) {
		got := expanded(t, s, ask("retry after failure", search.PageNamed, 5, wire.Filter{}), 2)
		if n := strings.Count(strings.Join(got, " "), "["); n < 5 {
			t.Errorf("expand = %v, want neighbours below hits", got)
		}
		seen := map[string]bool{}
		for _, h := range got {
			if strings.HasPrefix(h, "[") && seen[strings.Fields(h[1:])[0]] {
				t.Errorf("%s is a neighbour although it is there already", h)
			}
			seen[strings.Fields(strings.Trim(h, "[]"))[0]] = true
		}
	})
	t.Run("a filter holds for neighbours", func(t *testing.T) {
		got := expanded(t, s, ask("RF-AUTH-001", search.PageNamed, 4, wire.Filter{Kinds: []string{"requirement"}}), 3)
		if len(got) < 2 || strings.Contains(fmt.Sprint(got), "doc:") || !strings.HasPrefix(got[1], "[REQ:") {
			t.Errorf("expand = %v, want requirements only", got)
		}
	})
	t.Run("the beginning does not depend on the length", func(t *testing.T) {
		for _, query := range []string{"RF-AUTH-001", "webhook retry", "token expiry", "Webhooks"} {
			for _, n := range []int{0, 1, 3} {
				long := expanded(t, s, ask(query, search.PageNamed, 30, wire.Filter{}), n)
				for want := 1; want < 12; want++ {
					short := expanded(t, s, ask(query, search.PageNamed, want, wire.Filter{}), n)
					if len(short) < want && len(short) < len(long) || fmt.Sprint(short[:min(want, len(short))]) != fmt.Sprint(long[:min(want, len(long))]) {
						t.Errorf("%q, n %d: the first %d are %v, want %v", query, n, want, short, long[:min(want, len(long))])
					}
				}
			}
		}
	})
}
