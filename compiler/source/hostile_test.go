package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreadable uses entries that vanish between listing and reading: permissions do not stop a test run as root.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	pick, err := newSelection(Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &mount{root: root, real: dir}
	w := &walker{ctx: t.Context(), pick: pick}
	if err := w.folder(folder{mount: m, name: "gone", rel: "gone"}); err != nil {
		t.Fatal(err)
	}
	w.taken = []candidate{
		{mount: m, name: "gone.md", path: "gone.md"},
		{mount: &mount{real: filepath.Join(dir, "gone")}, name: "x.md", path: "linked.md"},
		{mount: m, name: filepath.Join("..", "x.md"), path: "outside.md"},
		{mount: m, name: ".", path: "folder.md"},
	}
	files, err := w.read(1 << 20)
	if err != nil || len(files) != 0 {
		t.Errorf("read = %v, %v, want no file and no error", files, err)
	}
	want := []string{"gone/ unreadable", "folder.md special", "gone.md unreadable", "linked.md unreadable", "outside.md unreadable"}
	if diff := cmp.Diff(want, skips(w.skipped)); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	for _, d := range w.diags {
		if d.Rule != "unreadable" && d.Rule != "special-file" || strings.Contains(d.Text, dir) {
			t.Errorf("diagnostic %+v: want unreadable, without an absolute path", d)
		}
	}
}

func TestTooDeep(t *testing.T) {
	dir := t.TempDir()
	deep := strings.Repeat("d/", maxDepth)
	plant(t, dir, map[string]string{"a.md": "x", deep + "b.md": "x", deep + "d/c.md": "x"})
	tree, err := Walk(t.Context(), Options{Dirs: []string{dir}, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.md", deep + "b.md"}; !slices.Equal(paths(tree.Files), want) {
		t.Errorf("Walk takes %q, want %q", paths(tree.Files), want)
	}
	if want := []string{deep + "d/ too-deep"}; !slices.Equal(skips(tree.Skipped), want) {
		t.Errorf("Walk skips %q, want %q", skips(tree.Skipped), want)
	}
}

// TestLinksFanOut follows folders in which every link leads to the next folder twice: 2^40 paths, 40 folders.
func TestLinksFanOut(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"docs/in": "-> ../l00"}
	for i := range 40 {
		files[fmt.Sprintf("l%02d/x.md", i)] = "x"
		files[fmt.Sprintf("l%02d/a", i)] = fmt.Sprintf("-> ../l%02d", i+1)
		files[fmt.Sprintf("l%02d/b", i)] = fmt.Sprintf("-> ../l%02d", i+1)
	}
	plant(t, dir, files)
	tree, err := Walk(t.Context(), Options{Dirs: []string{filepath.Join(dir, "docs")}, FollowLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Files) != 40 {
		t.Errorf("Walk takes %d files, want 40", len(tree.Files))
	}
}

func TestIgnoreFileUnusable(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", ".gitignore": strings.Repeat("#", maxIgnoreBytes+1), "b/.gitignore/": "", "b/a.md": "x", "c/.kddignore": "-> ../list", "list": "a.md", "c/a.md": "x",
		"d/.kddignore": strings.Repeat("*.md\n", maxPatterns+1), "d/a.md": "x", "e/.kddignore": strings.Repeat("#\n", maxPatterns) + strings.Repeat("*.md\n", maxPatterns), "e/a.md": "x",
		"f/.kddignore": strings.Repeat("*x*\n", maxGlobRules), "f/g/.gitignore": strings.Repeat("a.md\n", 9) + "*y*\n", "f/g/a.md": "x"})
	tree, err := Walk(t.Context(), Options{Dirs: []string{dir}, KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.md", "b/a.md", "c/a.md", "d/a.md", "f/g/a.md"}; !slices.Equal(paths(tree.Files), want) {
		t.Errorf("Walk takes %q, want %q", paths(tree.Files), want)
	}
	want := []string{".gitignore: warning: ignore-file", "c/.kddignore: warning: ignore-file", "d/.kddignore: error: ignore-file", "f/g/.gitignore: error: ignore-file"}
	if diff := cmp.Diff(want, texts(tree.Diags)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}
