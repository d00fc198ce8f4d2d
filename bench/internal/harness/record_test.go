package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	place := filepath.Join(t.TempDir(), "deep", "docs")
	err := Keep(dir, Result{Title: "Test", Command: "x", Args: []string{"-sets", place + "," + place, "-out=" + place, "-n", "3", "-try", "k1=.9 b=.6", "docs=" + place}, Version: "1.2", Body: "| table |\n",
		Files: map[string]string{"raw/b.tsv": "b\n", "a.tsv": "a\n"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Test\n", "\ngo run ./bench/x -sets docs,docs -out=docs -n 3 -try \"k1=.9 b=.6\" docs=docs\n", "kdd 1.2, commit ", "\n| table |\n", "- [a.tsv](a.tsv)\n- [raw/b.tsv](raw/b.tsv)\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("README.md lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), filepath.Dir(place)) {
		t.Errorf("README.md names a place of the machine:\n%s", text)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "raw", "b.tsv")); err != nil || string(got) != "b\n" {
		t.Errorf("raw/b.tsv = %q, %v, want the file", got, err)
	}
}
