package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/compiler/corpustest"
)

func TestBaselines(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# Apples\n\nApple apple.\nAn apple again.\nAnd apples.\n",
		"b.md": "# Mixed\n\nIntroduction.\n\n## Pears\n\nA pear and an apple.\n",
		"c.md": "# Nothing\n\nOf the kind.\n",
	})
	g := NewGrep(x)
	for _, test := range []struct {
		name, query string
		want        []Place
	}{
		{"most words first", "the apple or pear?", []Place{{Path: "b.md"}, {Path: "a.md"}}},
		{"then most lines", "apple", []Place{{Path: "a.md"}, {Path: "b.md"}}},
		{"case", "NOTHING", []Place{{Path: "c.md"}}},
		{"stop words alone", "of the", []Place{{Path: "c.md"}}},
		{"no hit", "banana", []Place{}},
	} {
		t.Run("grep/"+test.name, func(t *testing.T) {
			got, err := g.Rank(t.Context(), test.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("grep %q (-want +got):\n%s", test.query, diff)
			}
		})
	}
	weights := x.Meta.Weights
	got, err := NewBM25(x).Rank(t.Context(), "pears")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Place{{Path: "b.md", Anchor: "pears"}}, got); diff != "" {
		t.Errorf("bm25 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(weights, x.Meta.Weights); diff != "" {
		t.Errorf("the weights of the artifact have changed (-before +after):\n%s", diff)
	}
}
