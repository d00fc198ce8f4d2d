package deltas

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
)

const sample = "---\ntitle: a line of front matter that is long enough to be taken for a line of prose\n---\n" +
	"# Title\n\nA line of prose that is long enough to be edited, and has some words in it.\n\n" +
	"```\nA line of code that is long enough to be edited, and has some words in it.\n```\n\n- an item\n"

func TestPlan(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"short.md": "too short\n", "a.txt": sample}
	for i := range 5 {
		files[fmt.Sprintf("d/%d.md", i)] = sample
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	edits, err := Plan(dir, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Plan(dir, 5, 1); !reflect.DeepEqual(again, edits) {
		t.Errorf("the same seed gives other edits: %v and %v", edits, again)
	}
	seen := map[string]bool{}
	for i, e := range edits {
		if seen[e.Path] || !strings.HasPrefix(e.Path, "d/") || e.Line != 6 || e.Kind != kinds[i%len(kinds)] {
			t.Errorf("edit %d is %+v, want line 6 of another document", i, e)
		}
		seen[e.Path] = true
		if err := e.apply(dir); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, e.Path))
		if err != nil {
			t.Fatal(err)
		}
		before, after := strings.Split(sample, "\n"), strings.Split(string(got), "\n")
		if more := map[string]int{oneLine: 3, oneName: 5}[e.Kind]; len(after) != len(before)+more {
			t.Errorf("%s makes %d lines of %d", e.Kind, len(after), len(before))
		}
		if string(got) == sample || !strings.HasPrefix(string(got), strings.Join(before[:5], "\n")) {
			t.Errorf("%s makes %q", e.Kind, got)
		}
	}
	if _, err := Plan(dir, 6, 1); err == nil {
		t.Error("Plan finds 6 documents with prose, want an error")
	}
}

func TestPatchBytes(t *testing.T) {
	tests := []struct {
		patch string
		want  int // -1: an error
	}{
		{"diff --git a/a b/b\nGIT binary patch\ndelta 7\nGc${NkU|;|M00aO5\n\ndelta 3\nAcR\n\n", 7},
		{"\nGIT binary patch\nliteral 60\nzabc\nAd\n\n", 53},
		{"\nGIT binary patch\ndelta 7\nGc${NkU|;|M00aO5", -1},
		{"\nGIT binary patch\ndelta 7\n?\n\n", -1},
		{"Binary files a and b differ\n", -1},
	}
	for _, tt := range tests {
		got, err := patchBytes(tt.patch)
		if err != nil {
			got = -1
		}
		if got != tt.want {
			t.Errorf("patchBytes(%q) = %d, %v, want %d", tt.patch, got, err, tt.want)
		}
	}
}

// TestRepository commits files that differ a little and much.
func TestRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	r := rand.New(rand.NewPCG(1, 1))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	repo, err := newRepository(t.Context(), filepath.Join(t.TempDir(), "r"))
	if err != nil {
		t.Fatal(err)
	}
	a := random(100_000)
	b := append([]byte("some bytes more"), a...)
	size := int64(0)
	for i, step := range []struct {
		data     []byte
		from, to int64
	}{{a, 100_000, 103_000}, {b, 1, 1000}, {random(100_000), 100_000, 103_000}} {
		if err := os.WriteFile(repo.file(), step.data, 0o644); err != nil {
			t.Fatal(err)
		}
		grown, err := repo.commit(t.Context(), "step")
		if err != nil {
			t.Fatal(err)
		}
		if by := grown - size; by < step.from || by > step.to {
			t.Errorf("step %d: the repository grows by %d bytes, want %d to %d", i, by, step.from, step.to)
		}
		size = grown
	}
	all, err := repo.compare(t.Context(), map[string][]byte{"SAME": a, "MORE": a, "MANY": a}, map[string][]byte{"SAME": a, "MORE": b, "MANY": random(100_000)})
	if err != nil {
		t.Fatal(err)
	}
	if c := all["SAME"]; c != (change{Bytes: 100_000}) {
		t.Errorf("equal blocks: %+v", c)
	}
	if c := all["MORE"]; c.Delta < 15 || c.Delta > 100 || c.Pages != len(b) || c.Moved < 90_000 || c.Moved == c.Pages {
		t.Errorf("bytes in front: %+v, want a small difference, all pages new, and most of them moved", c)
	}
	if c := all["MANY"]; c.Delta < 100_000 || c.Pages != 100_000 || c.Moved != 0 {
		t.Errorf("other bytes: %+v, want a difference as large as they are, and nothing moved", c)
	}
}

func TestNewPages(t *testing.T) {
	page := func(c byte) []byte { return bytes.Repeat([]byte{c}, pageBytes) }
	before := joined(page('a'), page('b'), []byte("end"))
	for _, tt := range []struct {
		name         string
		after        []byte
		pages, moved int
	}{
		{"equal", before, 0, 0},
		{"in another order", joined(page('b'), page('a'), []byte("end")), 0, 0},
		{"a page more", joined(page('a'), page('c'), page('b'), []byte("end")), pageBytes, 0},
		{"another end", joined(page('a'), page('b'), []byte("END!")), 4, 0},
		{"a byte less", before[1:], 2*pageBytes + 2, 2*pageBytes + 2},
	} {
		if pages, moved := newPages(before, tt.after); pages != tt.pages || moved != tt.moved {
			t.Errorf("%s: newPages = %d, %d, want %d, %d", tt.name, pages, moved, tt.pages, tt.moved)
		}
	}
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestText(t *testing.T) {
	r := report{FileBytes: 1000, Commits: []commit{
		{Edit: Edit{Kind: oneWord}, Growth: 30, Pull: 70, Blocks: map[string]change{"TEXT": {400, 10, 300, 200}, "META": {100, 0, 0, 0}}},
		{Edit: Edit{Kind: oneLine}, Growth: 50, Pull: 90, Blocks: map[string]change{"TEXT": {420, 30, 500, 200}, "META": {100, 10, 100, 0}}},
		{Edit: Edit{Kind: oneName}, Growth: 130, Pull: 200, Blocks: map[string]change{"TEXT": {440, 80, 700, 100}, "META": {100, 20, 100, 40}}},
	}}
	want := `A file of 1000 bytes, 3 commits.

| edit | repository grows | of the file | pulled | of the file | differences | new pages | new pages, moved left out |
|---|---:|---:|---:|---:|---:|---:|---:|
| another word | 30 | 3.00 % | 70 | 7.00 % | 10 | 300 | 100 |
| a paragraph more | 50 | 5.00 % | 90 | 9.00 % | 40 | 600 | 400 |
| a new name | 130 | 13.00 % | 200 | 20.00 % | 100 | 800 | 660 |
| **mean** | 70 | 7.00 % | 120 | 12.00 % | 50 | 566 | 386 |
| **median** | 50 | 5.00 % | 90 | 9.00 % | 40 | 600 | 400 |

| block, mean of the commits | bytes | difference | median | of all differences | new pages | moved left out | median |
|---|---:|---:|---:|---:|---:|---:|---:|
| TEXT text | 420 | 40 | 30 | 80.0 % | 500 | 333 | 300 |
| META meta | 100 | 10 | 10 | 20.0 % | 66 | 53 | 60 |
`
	if got := r.text(); got != want {
		t.Errorf("text =\n%s\nwant\n%s", got, want)
	}
}

// TestNewName draws the first name again, then from texts that have one of its parts.
func TestNewName(t *testing.T) {
	draw := func(texts string) string { return newName(rand.New(rand.NewPCG(1, 1)), texts) }
	name := draw("")
	if len(name) != 12 || strings.ToLower(name[:6]) != name[:6] || name[6] < 'A' || name[6] > 'Z' {
		t.Fatalf("newName = %q, want two parts of six letters", name)
	}
	if again := draw("other words"); again != name {
		t.Errorf("newName = %q, want %q", again, name)
	}
	for _, part := range []string{name[:6], strings.ToLower(name[6:])} {
		if other := draw("a " + part + " b"); other == name {
			t.Errorf("newName = %q, though a text has %q", other, part)
		}
	}
}
