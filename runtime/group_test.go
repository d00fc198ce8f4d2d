package runtime

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// byDocument is the naive reference of a list by document: the first of all hits of each document, and of the others
// that match how many there are and the first three.
func byDocument(hits []wire.Hit) []wire.Hit {
	list := []wire.Hit{}
	at := map[string]int{}
	for _, h := range hits {
		key := h.Index + "\x00" + h.Path
		i, known := at[key]
		if !known {
			at[key] = len(list)
			h.Rank = len(list) + 1
			list = append(list, h)
			continue
		}
		if len(h.Match) == 0 {
			continue
		}
		of := &list[i]
		if of.More == nil {
			of.More = &wire.MoreSections{}
		}
		if of.More.Count++; of.More.Count <= 3 {
			of.More.Sections = append(of.More.Sections, wire.MoreSection{Anchor: h.Anchor, Section: h.Section, Lines: h.Lines, Score: h.Score})
		}
	}
	return list
}

// paged returns the hits of all pages of a search.
func paged(t *testing.T, s *Service, q wire.SearchRequest) []wire.Hit {
	t.Helper()
	list := []wire.Hit{}
	for {
		resp := searched(t, s, q)
		list = append(list, resp.Results...)
		if q.Cursor = resp.Cursor; q.Cursor == "" {
			return list
		}
	}
}

// A list by document is the list by section with the first hit of each document, whatever narrows or sorts it, and
// pages go over documents.
func TestGroupByDocument(t *testing.T) {
	each(t, 40, func(t *testing.T, s *Service, mode string) {
		documents, more := 0, 0
		for _, text := range asked {
			for name, q := range map[string]wire.SearchRequest{
				"bare":      {},
				"filter":    {Filter: wire.Filter{PathGlob: "**/*[a-m]*.md"}},
				"threshold": {ScoreThreshold: .3},
				"date":      {Sort: search.SortDate},
			} {
				q.Query, q.Mode, q.Diversity, q.Limit = text, mode, search.DiversityOff, 10_000
				want := byDocument(searched(t, s, q).Results)
				q.Group = search.GroupDocument
				got := searched(t, s, q).Results
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%q, %s: by document (-naive +got)\n%s", text, name, diff)
				}
				q.Limit = 7
				if diff := cmp.Diff(want, paged(t, s, q)); diff != "" {
					t.Fatalf("%q, %s: by pages (-naive +got)\n%s", text, name, diff)
				}
				documents += len(got)
				for i := range got {
					if got[i].More != nil {
						more += got[i].More.Count
					}
				}
			}
		}
		if documents == 0 || more == 0 {
			t.Errorf("%d documents, %d more sections: nothing was tested", documents, more)
		}
	})
}

// Arranged, a document whose best section says the same as a hit above is there with its next one; neighbours are of
// the documents that are listed, and nothing is listed twice.
func TestGroupArranged(t *testing.T) {
	text := "# Rotating keys\n\nEach signing key lives for ninety days and is then replaced by a fresh one that the service has made, signed and stored in the vault.\n"
	s := serve(t, tree{
		"a/keys.md": text + "\n## Signing in\n\nA clerk signs with a key.\n",
		"b/keys.md": text + "\n## Key of the house\n\nA key lives under the mat, days and nights. See [other](../d.md).\n",
		"c/keys.md": text,
		"d.md":      "# Other\n\nNobody knows.\n",
	}.compile(t))
	shown := func(q wire.SearchRequest) string {
		var list []string
		q.Query, q.Limit = "how long does a signing key live", 10
		for _, h := range searched(t, s, q).Results {
			line := h.Path + "#" + h.Anchor
			if h.More != nil {
				for _, m := range h.More.Sections {
					line += " " + m.Anchor
				}
			}
			list = append(list, line)
		}
		return strings.Join(list, "; ")
	}
	for _, tt := range []struct {
		name, want string
		q          wire.SearchRequest
	}{
		{"arranged", "c/keys.md#rotating-keys; a/keys.md#signing-in; b/keys.md#key-of-the-house", wire.SearchRequest{Group: search.GroupDocument}},
		{"as it is", "c/keys.md#rotating-keys; a/keys.md#rotating-keys signing-in; b/keys.md#rotating-keys key-of-the-house",
			wire.SearchRequest{Group: search.GroupDocument, Diversity: search.DiversityOff}},
		{"neighbours", "c/keys.md#rotating-keys; a/keys.md#signing-in; b/keys.md#key-of-the-house; d.md#other", wire.SearchRequest{Group: search.GroupDocument, Expand: 2}},
		{"by section", "c/keys.md#rotating-keys; a/keys.md#signing-in; b/keys.md#key-of-the-house", wire.SearchRequest{Group: search.GroupSection}},
	} {
		if got := shown(tt.q); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	_, err := s.Search(t.Context(), wire.SearchRequest{Query: "key", Group: "folder"})
	want(t, err, wire.CodeInvalidInput)
}

// Several artifacts are one list: each document of each is there once.
func TestGroupOfSeveral(t *testing.T) {
	one := tree{"a.md": "# Retry\n\nRetry.\n\n## Retry again\n\nA retry after a failure.\n"}.compile(t)
	two := tree{"a.md": "# Failure\n\nA retry after a failure of the retry.\n\n## Retry twice\n\nA retry.\n", "b.md": "# Retry\n\nNo failure.\n"}.compile(t)
	s := New(Config{Index: []string{"one=" + one, "two=" + two}})
	defer s.Close()
	for _, diversity := range []string{search.DiversityOn, search.DiversityOff} {
		q := wire.SearchRequest{Query: "retry after failure", Group: search.GroupDocument, Diversity: diversity, Limit: 10}
		var places []string
		for _, h := range searched(t, s, q).Results {
			places = append(places, h.Index+":"+h.Path)
		}
		slices.Sort(places)
		if got := strings.Join(places, " "); got != "one:a.md two:a.md two:b.md" {
			t.Errorf("diversity %s: %s, want each document of each artifact once", diversity, got)
		}
		q.Limit = 1
		if pages := paged(t, s, q); len(pages) != 3 {
			t.Errorf("diversity %s: %d documents by pages, want 3", diversity, len(pages))
		}
	}
}
