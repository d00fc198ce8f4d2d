package source

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMade(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".gitignore": "report/\n*.gen.md\n/top.txt\n", "pkg/.gitignore": "!kept.gen.md\nown\n", "pkg/a.md": "# A\n", "other/b.md": "# B\n",
		".kddignore": "drafts\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, err := Walk(t.Context(), Options{Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	two, err := Walk(t.Context(), Options{Dirs: []string{filepath.Join(dir, "pkg"), filepath.Join(dir, "other")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tree *Tree
		path string
		want bool
	}{
		{one, "report", true},
		{one, "pkg/report/index.html", true},
		{one, "pkg/a.md", false},
		{one, "x.gen.md", true},
		{one, "pkg/x.gen.md", true},
		{one, "pkg/kept.gen.md", false},
		{one, "other/kept.gen.md", true},
		{one, "top.txt", true},
		{one, "pkg/top.txt", false},
		{one, "pkg/own", true},
		{one, "other/own", false},
		{one, "drafts/x.md", false}, // not git's
		{one, "", false},
		{one, "../report", true},
		{two, "pkg/own/x", true},
		{two, "other/own", false},
		{two, "own", false},
	} {
		if got := tt.tree.Made(tt.path); got != tt.want {
			t.Errorf("Made(%q) = %t, want %t", tt.path, got, tt.want)
		}
	}
}
