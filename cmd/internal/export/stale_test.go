package export

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kdd/compiler/filetest"
)

// TestStale exports into a folder in which exports were killed: what they left goes, and nothing else.
func TestStale(t *testing.T) {
	artifact := compile(t, map[string]string{"docs/a.md": "# A\n\nText.\n"}, nil)
	dir := t.TempDir()
	old := func(digit string) string { return tempPrefix + strings.Repeat(digit, 16) }
	filetest.Write(t, dir, map[string]string{
		old("0"): "half", old("1") + "/corpus.jsonl": "half", old("1") + "/qrels/test.tsv": "", old("2") + "-journal": "x",
		// These stay: a user's name, another name, an old export that was being replaced, a running export.
		tempPrefix + "notes": "mine", "." + old("3"): "mine", old("4") + "/before/corpus.jsonl": "the old one",
		old("5"): "running", old("6") + "/corpus.jsonl": "running",
	})
	killed := time.Now().Add(-2 * staleAfter)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); err == nil && rel != old("5") && rel != filepath.Join(old("6"), "corpus.jsonl") {
			err = os.Chtimes(path, killed, killed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Path: artifact, To: "jsonl", Output: filepath.Join(dir, "out.jsonl")}, io.Discard); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"." + old("3"), old("4"), old("5"), old("6"), tempPrefix + "notes", "out.jsonl"}
	if !slices.Equal(left, want) {
		t.Errorf("the folder has %q, want %q", left, want)
	}
}
