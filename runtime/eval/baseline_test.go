package eval

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/compiler/corpustest"
)

func TestBaselines(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# Apples\n\nApple apple.\nAn apple again.\nAnd apples.\n",
		"b.md": "# Mixed\n\nIntroduction.\n\n## Pears\n\nA pear and an apple.\n",
		"d.md": "# Fruit\n\nOne orange tree.\nAn orange tree.\n",
		"e.md": "# Groves\n\nA tree.\n\nOne orange.\n\nAn orange.\n",
		"c.md": "# Nothing\n\nOf the kind.\n",
	})
	g := NewGrep(x)
	for _, test := range []struct {
		name, query string
		want        []Place
	}{
		{"most words first", "the apple or pear?", []Place{{Path: "b.md"}, {Path: "a.md"}}},
		{"then most lines", "apple", []Place{{Path: "a.md"}, {Path: "b.md"}}},
		{"a line of two words is one", "every orange tree", []Place{{Path: "e.md"}, {Path: "d.md"}}},
		{"a word is asked once", "introduction introduction apple", []Place{{Path: "b.md"}, {Path: "a.md"}}},
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
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := g.Rank(stopped, "apple"); !errors.Is(err, context.Canceled) {
		t.Errorf("grep of a query that was stopped = %v", err)
	}
}

// BM25 has weights of its own and corrects nothing, whatever the artifact says.
func TestBM25(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# Grape\n\nSome words stand here today.\n",
		"b.md": "# Fruit\n\nGrape, grape, grape, grape, grape.\n",
		"c.md": "# Short\n\nOlive here.\n",
		"d.md": "# Long\n\nOlive and olive, then an olive, and at last one olive, after " + strings.Repeat("many other words ", 1) + ".\n",
		"e.md": "# Mixed\n\nIntroduction.\n\n## Pears\n\nA pear.\n",
	})
	x.Meta.Weights.K1, x.Meta.Weights.B, x.Meta.Weights.Title, x.Meta.Weights.Path = 0, 0, 9, 9
	weights := x.Meta.Weights
	b := NewBM25(x)
	for _, test := range []struct {
		name, query string
		want        []Place
	}{
		{"how often counts, a title does not count more", "grape", []Place{{Path: "b.md", Anchor: "fruit"}, {Path: "a.md", Anchor: "grape"}}},
		{"lengths are beside the mean", "olive", []Place{{Path: "d.md", Anchor: "long"}, {Path: "c.md", Anchor: "short"}}},
		{"a section", "pears", []Place{{Path: "e.md", Anchor: "pears"}}},
		{"as it is typed", "introdution", []Place{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := b.Rank(t.Context(), test.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("bm25 %q (-want +got):\n%s", test.query, diff)
			}
		})
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := b.Rank(stopped, "grape"); !errors.Is(err, context.Canceled) {
		t.Errorf("bm25 of a query that was stopped = %v", err)
	}
	if diff := cmp.Diff(weights, x.Meta.Weights); diff != "" {
		t.Errorf("the weights of the artifact have changed (-before +after):\n%s", diff)
	}
}
