package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/embedding/model"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime/eval"
)

// write makes a small set: its folder.
func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	filetest.Write(t, dir, map[string]string{
		"corpus/apples.md": "# Apples\n\nThey grow on trees and are pressed to cider.\n\n## Storage\n\nKeep apples in a cool cellar.\n",
		"corpus/cellar.md": "# Cellar\n\nA cellar is cool. Keep it dry, and keep wine there.\n",
		"corpus/bread.md":  "# Bread\n\nBaked of flour, water and salt.\n",
		"queries.tsv":      "a\tcool cellar for apples\nb\tflour and salt\nc\twine\tapples.md\nd\tpressed trees\n",
		"qrels.tsv":        "a\tapples.md\tstorage\t1\nb\tbread.md\t-\t1\nc\tcellar.md\tcellar\t1\nd\tapples.md\t-\t1\n",
	})
	return dir
}

// TestRun measures a small set by words alone, and with vectors where the weights of a model are there.
func TestRun(t *testing.T) {
	for _, test := range []struct {
		name, file string
		want, none []string
	}{
		{"words alone", "small-lexical.kddx", []string{"| small, lexical |", "| agreement | – |"}, []string{"exact"}},
		{"vectors", "small-distilled.kddx", []string{"| small, distilled |", "| all | before |"}, []string{"lexical |"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, artifacts, out := write(t), t.TempDir(), filepath.Join(t.TempDir(), "out")
			o := compiler.Options{Sources: []string{filepath.Join(dir, "corpus")}, Output: filepath.Join(artifacts, test.file), CacheDir: "-", NoVectors: test.name == "words alone"}
			if _, err := model.Find("", ""); errors.Is(err, model.ErrNoModel) && !o.NoVectors {
				t.Skip("the weights are not there: make setup")
			}
			if _, err := compiler.Build(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			if code := run([]string{"-kdd", filepath.Join(dir, "none"), "-sets", dir, "-artifacts", artifacts, "-out", out}, &stdout, &stderr); code != 0 {
				t.Fatalf("run = %d: %s", code, stderr.String())
			}
			for _, want := range append(test.want, "## nDCG@10 by section", "\n| 0.25 | ", "\n| rarity, agreement | ") {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("the report lacks %q:\n%s", want, stdout.String())
				}
			}
			for _, none := range test.none {
				if strings.Contains(stdout.String(), none) {
					t.Errorf("the report has %q:\n%s", none, stdout.String())
				}
			}
			if _, err := os.Stat(filepath.Join(out, "per-query.tsv.gz")); err != nil {
				t.Error(err)
			}
		})
	}
	var stdout, stderr bytes.Buffer
	if code := run(nil, &stdout, &stderr); code != 2 {
		t.Errorf("run without -sets = %d, want 2", code)
	}
}

// TestDescribe checks the features that come from words; weights that no file may have are refused.
func TestDescribe(t *testing.T) {
	dir := write(t)
	path := filepath.Join(t.TempDir(), "a.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join(dir, "corpus")}, Output: path, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	questions := []eval.Question{{ID: "all", Text: "flour water salt"}, {ID: "half", Text: "flour wine"}, {ID: "none", Text: "zzyzx"}}
	found, err := describe(t.Context(), path, questions)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		id       string
		words    float64
		coverage float64
	}{{"all", 3, 1}, {"half", 2, 0.5}, {"none", 1, 0}} {
		if f := found[test.id]; f[words] != test.words || math.Abs(f[coverage]-test.coverage) > 0.01 || f[rarity] <= 0 {
			t.Errorf("features of %s are %v, want %g words, coverage %g and a rarity", test.id, f, test.words, test.coverage)
		}
	}
	if _, err := ask(t.Context(), path, questions, func(w *index.Weights) { w.Lexical = -1 }); err == nil {
		t.Error("ask with a weight below zero gives no error")
	}
}

func TestCompare(t *testing.T) {
	var f [features]float64
	bm25 := []document{{0, 1}, {1, 0.5}, {2, 0}, {3, 0.1}}
	compare(&f, bm25, []document{{0, 0.1}, {1, 0.1}, {2, 0.1}, {3, 0.5}})
	if want := 0.3 / math.Sqrt(0.03); math.Abs(f[contrast]-want) > 1e-6 || math.Abs(f[agreement]-0.6) > 1e-9 {
		t.Errorf("contrast %g, agreement %g, want %g and 0.6: what BM25 does not find is in no list", f[contrast], f[agreement], want)
	}
}
