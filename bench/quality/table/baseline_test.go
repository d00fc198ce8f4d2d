package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/bench/quality/score"
	"kdd/compiler"
	"kdd/format"
)

// corpus compiles small documents without vectors.
func corpus(t *testing.T, files map[string]string) (string, *format.Index) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "corpus.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{dir}, Output: path, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	x, err := format.OpenIndex(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.File.Close() })
	return dir, x
}

func TestBaselines(t *testing.T) {
	dir, x := corpus(t, map[string]string{
		"a.md": "# Apples\n\nApple apple.\nAn apple again.\nAnd apples.\n",
		"b.md": "# Mixed\n\nIntroduction.\n\n## Pears\n\nA pear and an apple.\n",
		"c.md": "# Nothing\n\nOf the kind.\n",
	})
	g, err := newGrep(dir, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, query string
		want        []score.Place
	}{
		{"most words first", "the apple or pear?", []score.Place{{Path: "b.md"}, {Path: "a.md"}}},
		{"then most lines", "apple", []score.Place{{Path: "a.md"}, {Path: "b.md"}}},
		{"case", "NOTHING", []score.Place{{Path: "c.md"}}},
		{"stop words alone", "of the", []score.Place{{Path: "c.md"}}},
		{"no hit", "banana", []score.Place{}},
	} {
		t.Run("grep/"+test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, g.ask(test.query)); diff != "" {
				t.Errorf("grep %q (-want +got):\n%s", test.query, diff)
			}
		})
	}
	plainWeights(x)
	rows, average := plainRows(x)
	got, err := bm25(t.Context(), x, rows, average, "pears")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]score.Place{{Path: "b.md", Anchor: "pears"}}, got); diff != "" {
		t.Errorf("bm25 (-want +got):\n%s", diff)
	}
}

func TestReciprocal(t *testing.T) {
	a, b, c := score.Place{Path: "a"}, score.Place{Path: "b"}, score.Place{Path: "c"}
	for _, test := range []struct {
		name     string
		one, two []score.Place
		want     []score.Place
	}{
		{"both lists beat one", []score.Place{a, b}, []score.Place{c, b}, []score.Place{b, a, c}},
		{"one is empty", []score.Place{a, b}, nil, []score.Place{a, b}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, reciprocal(test.one, test.two)); diff != "" {
				t.Errorf("reciprocal (-want +got):\n%s", diff)
			}
		})
	}
}
