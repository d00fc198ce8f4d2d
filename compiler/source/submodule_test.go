package source

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAbsentSubmodule(t *testing.T) {
	modules := "[submodule \"shared\"]\n\tpath = docs/shared\n\turl = https://example.com/shared.git\n[submodule \"api\"]\n\tpath = docs/api # theirs\n"
	tests := []struct {
		name    string
		files   map[string]string
		sources []string
		want    []string
	}{
		{"below the source", map[string]string{".git": "gitdir: x", ".gitmodules": modules, "docs/a.md": "a", "docs/shared/": "", "docs/api/b.md": "b", "docs/empty/": ""},
			[]string{"docs"}, []string{`shared/: the git submodule "docs/shared" is not checked out`}},
		{"the whole repository", map[string]string{".git/HEAD": "", ".gitmodules": modules, "docs/a.md": "a", "docs/shared/": "", "docs/api/": ""},
			[]string{"."}, []string{`docs/api/: the git submodule "docs/api" is not checked out`, `docs/shared/: the git submodule "docs/shared" is not checked out`}},
		{"one of two sources", map[string]string{".git/HEAD": "", ".gitmodules": modules, "docs/a.md": "a", "docs/shared/": "", "more/b.md": "b"},
			[]string{"docs/shared", "more"}, []string{`shared/: the git submodule "docs/shared" is not checked out`, `shared: no document in this source`}},
		{"ignored", map[string]string{".git/HEAD": "", ".gitmodules": modules, "docs/a.md": "a", "docs/shared/": "", "docs/.kddignore": "/shared"}, []string{"docs"}, nil},
		{"another repository inside", map[string]string{".git/HEAD": "", ".gitmodules": modules, "docs/.git/HEAD": "", "docs/a.md": "a", "docs/shared/": ""}, []string{"docs"}, nil},
		{"no repository", map[string]string{".gitmodules": modules, "docs/a.md": "a", "docs/shared/": ""}, []string{"docs"}, nil},
		{"no file", map[string]string{".git/HEAD": "", ".gitmodules/x": modules, "docs/a.md": "a", "docs/shared/": ""}, []string{"docs"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			plant(t, top, tt.files)
			var o Options
			for _, dir := range tt.sources {
				o.Dirs = append(o.Dirs, filepath.Join(top, dir))
			}
			tree, err := Walk(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range tree.Diags {
				got = append(got, d.Path+": "+d.Text)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("diagnostics = %q, want %q", got, tt.want)
			}
		})
	}
	top := t.TempDir()
	plant(t, top, map[string]string{".git": "gitdir: x", ".gitmodules": modules, "docs/shared/": ""})
	if _, err := Walk(t.Context(), Options{Dirs: []string{filepath.Join(top, "docs")}}); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), "git submodule update --init") {
		t.Errorf("Walk of nothing but a submodule = %v, want the cure", err)
	}
}

func TestParseSubmodules(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"path", nil},
		{"path =", nil},
		{"path = \"\"", nil},
		{"\tpath = a b/c \n", []string{"a b/c"}},
		{"Path=a/\r\nurl = path = x\r\npath = \"b # c\" # d\n", []string{"a", "b # c"}},
		{"path = a ; c\npath = a\\tb\n# path = c\n", []string{"a"}},
	}
	for _, tt := range tests {
		if got := parseSubmodules(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("parseSubmodules(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzSubmodules(f *testing.F) {
	for _, text := range []string{"[submodule \"a\"]\n\tpath = docs/a\n", "path = \"a\" # b\npath = a\\b\n", "path = ;\r\n", "PATH=/\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range parseSubmodules(text) {
			if path == "" || strings.ContainsAny(path, "\n\\") || !strings.Contains(text, path) {
				t.Errorf("parseSubmodules(%q) has %q", text, path)
			}
		}
	})
}
