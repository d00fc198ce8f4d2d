package compiler

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/index"
)

// A page that stands in two folders is one group; the same bytes come out however many threads there are.
func TestNearDuplicates(t *testing.T) {
	dir := t.TempDir()
	text := func(word string) string {
		return "# Rotating keys\n\n" + strings.Repeat("Each key lives for ninety days and is then replaced by one that the "+word+" has made, ", 3) + "signed and stored.\n"
	}
	files := map[string]string{"a/keys.md": text("service"), "b/keys.md": text("service"), "c/other.md": "# Other\n\n" + strings.Repeat("Nothing of that kind is here today, at all. ", 4)}
	for i := range 40 {
		files[fmt.Sprintf("d/%02d.md", i)] = fmt.Sprintf("# Page %d\n\nWords of its own: %s.\n", i, strings.Repeat(fmt.Sprintf("w%d x%d y%d ", i, i*7, i*13), 5))
	}
	for path, s := range files {
		if err := os.MkdirAll(filepath.Join(dir, "docs", filepath.Dir(path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "docs", path), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var first []byte
	for _, procs := range []int{1, 2, 4} {
		old := goruntime.GOMAXPROCS(procs)
		out := filepath.Join(dir, "docs.kddx")
		_, err := Build(t.Context(), Options{Sources: []string{filepath.Join(dir, "docs")}, Output: out, NoVectors: true})
		goruntime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Errorf("with %d threads the file differs", procs)
		}
	}
	f, err := format.OpenBytes(first)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.New(f)
	if err != nil {
		t.Fatal(err)
	}
	var groups [][]string
	for c := range index.ChunkID(x.Chunks()) {
		if leader, ok := x.DuplicateLeader(c); ok && leader == c {
			var paths []string
			for k := range x.Duplicates(c) {
				paths = append(paths, x.DocPath(x.DocOfChunk(k)))
			}
			groups = append(groups, paths)
		}
	}
	if len(groups) != 1 || !slices.Equal(groups[0], []string{"a/keys.md", "b/keys.md"}) {
		t.Errorf("groups %v, want the two pages about keys", groups)
	}
}
