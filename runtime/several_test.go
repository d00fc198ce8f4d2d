package runtime

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestHalvesRankLikeTheWhole splits documents over two artifacts and compares the merged ranking with that of one.
func TestHalvesRankLikeTheWhole(t *testing.T) {
	for _, vectors := range []bool{false, true} {
		t.Run(fmt.Sprintf("vectors=%v", vectors), func(t *testing.T) {
			all := random(11, 80)
			a, b := all.halves()
			paths := []string{all.compile(t), a.compile(t), b.compile(t)}
			if vectors {
				for i := range paths {
					paths[i] = withVectors(t, paths[i], "distilled")
				}
			}
			whole, both := serve(t, paths[0]), serve(t, "left="+paths[1], "right="+paths[2])
			agree, total := 0, 0
			for _, text := range asked {
				one := searched(t, whole, wire.SearchRequest{Query: text, Limit: 20, Diversity: search.DiversityOff})
				two := searched(t, both, wire.SearchRequest{Query: text, Limit: 20, Diversity: search.DiversityOff})
				if len(two.Indexes) != 2 || two.Indexes[0].Name != "left" || one.Indexes != nil || two.IndexID == one.IndexID {
					t.Fatalf("indexes %+v", two.Indexes)
				}
				scores := map[string]float64{}
				for _, h := range one.Results {
					scores[h.Chunk] = h.Score
				}
				for i, h := range two.Results {
					if h.Index != "left" && h.Index != "right" {
						t.Fatalf("hit without index: %+v", h)
					}
					total++
					// Weights of words in link texts are each artifact's own, and links between the halves lead
					// nowhere.
					if score, ok := scores[h.Chunk]; ok && math.Abs(score-h.Score) < 0.1 {
						agree++
					}
					if i > 0 && h.Score > two.Results[i-1].Score {
						t.Fatalf("%q: hit %d has score %g after %g", text, h.Rank, h.Score, two.Results[i-1].Score)
					}
				}
			}
			if agree < total*85/100 {
				t.Errorf("%d of %d hits are those of the whole", agree, total)
			}
		})
	}
}

func TestSeveralArtifacts(t *testing.T) {
	a := tree{"x.md": "# Same\n\nalpha text\n\n## Only left\n\nMore.\n", "left.md": "# Left Thing\n\nSee [same](x.md).\n"}.compile(t)
	b := tree{"x.md": "# Same\n\nbeta text\n\n## Only right\n\nMore.\n", "right.md": "---\nid: RF-1\n---\n# Right Thing\n\nText.\n"}.compile(t)
	s := serve(t, "one="+a, "two="+b)
	for _, tt := range []struct{ file, anchor, index, text string }{
		{"x.md", "", "one", "alpha"},
		{"one:x.md", "", "one", "alpha"},
		{"two:x.md", "", "two", "beta"},
		{"two:x.md#same", "", "two", "beta"},
		{"x.md", "only-right", "two", "Only right"},
		{"x.md#only-right", "", "two", "Only right"},
		{"kdd://doc/x.md?index=two#same", "", "two", "beta"},
		{"right.md", "", "two", "Right Thing"},
	} {
		resp, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file, Anchor: tt.anchor})
		if err != nil || resp.Index != tt.index || !strings.Contains(resp.Markdown, tt.text) || len(resp.Indexes) != 2 {
			t.Errorf("Read(%s, %s) = %+v, %v, want %q of %s", tt.file, tt.anchor, resp, err, tt.text, tt.index)
		}
	}
	_, err := s.Read(t.Context(), wire.ReadRequest{File: "three:x.md"})
	want(t, err, wire.CodeNotFound)
	for _, tt := range []struct{ entity, id, index string }{
		{"RF-1", "", "two"}, {"two:RF-1", "", "two"}, {"Left Thing", "", "one"}, {"one:x.md", "doc:x.md", "one"}, {"two:x.md", "doc:x.md", "two"},
	} {
		resp, err := s.Related(t.Context(), wire.RelatedRequest{Entity: tt.entity})
		if err != nil || tt.id != "" && resp.NodeID != tt.id || len(resp.Related) > 0 && resp.Related[0].Index != tt.index {
			t.Errorf("Related(%s) = %+v, %v, want %s of %s", tt.entity, resp, err, tt.id, tt.index)
		}
	}
	list := must(s.List(t.Context(), wire.ListRequest{}))
	var got []string
	for _, d := range list.Documents {
		got = append(got, d.Index+":"+d.Path)
		if !strings.HasSuffix(d.URL, filepath.ToSlash("/docs/"+d.Path)) {
			t.Errorf("URL %s of %s", d.URL, d.Path)
		}
	}
	if text := strings.Join(got, " "); text != "one:left.md one:x.md two:right.md two:x.md" {
		t.Errorf("List = %s", text)
	}
	swapped := serve(t, "two="+b, "one="+a)
	if x, y := must(s.List(t.Context(), wire.ListRequest{})).IndexID, must(swapped.List(t.Context(), wire.ListRequest{})).IndexID; x != y {
		t.Errorf("index_id %s and %s for the same artifacts in another order", x, y)
	}
	_, err = serve(t, a, b).List(t.Context(), wire.ListRequest{})
	if e := want(t, err, wire.CodeInvalidInput); !strings.Contains(e.Message, `"docs" stands for`) {
		t.Errorf("repeated names: %v", e)
	}
	// One with vectors, one without: the other says so, and vector alone is refused.
	mixed := serve(t, "one="+a, "two="+withVectors(t, b, "distilled"))
	resp := searched(t, mixed, wire.SearchRequest{Query: "text"})
	if resp.Mode != search.ModeHybrid && resp.Mode != search.ModeLexical || len(resp.Warnings) == 0 || !strings.HasPrefix(resp.Warnings[0], "index one: no vectors") {
		t.Errorf("mixed: mode %s, warnings %q", resp.Mode, resp.Warnings)
	}
	_, err = mixed.Search(t.Context(), wire.SearchRequest{Query: "state", Mode: search.ModeVector})
	want(t, err, wire.CodeNoVectors)
}
