package source

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHintAndBase(t *testing.T) {
	top := t.TempDir()
	plant(t, top, map[string]string{
		"repo/.git/HEAD": "x", "repo/docs/en/a.md": "x", "worktree/.git": "gitdir: elsewhere", "worktree/docs/a.md": "x",
		"repo/linked": "-> ../plain", "plain/notes/a.md": "x", "repo/one.md": "x",
	})
	tests := []struct {
		name, dir  string
		base, hint string
		file       bool
	}{
		{"below the repository", "repo/docs/en", "en", "docs/en", false},
		{"the repository's top", "repo", "repo", ".", false},
		{"where .git is a file", "worktree/docs", "docs", "docs", false},
		{"no repository", "plain/notes", "notes", "notes", false},
		{"a trailing slash", "repo/docs/", "docs", "docs", false},
		{"through ..", "plain/../repo/docs", "docs", "docs", false},
		{"a link", "repo/linked", "linked", "linked", false},
		{"a file", "repo/docs/en/a.md", "a.md", "docs/en", true},
		{"a file at the top", "repo/one.md", "one.md", ".", true},
		{"a file without repository", "plain/notes/a.md", "a.md", "notes", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := Walk(t.Context(), Options{Dirs: []string{top + "/" + tt.dir}})
			if err != nil {
				t.Fatal(err)
			}
			r := tree.Roots[0]
			if r.Base != tt.base || r.Hint != tt.hint || r.File != tt.file {
				t.Errorf("root = base %q, hint %q, file %t, want %q, %q, %t", r.Base, r.Hint, r.File, tt.base, tt.hint, tt.file)
			}
			if !filepath.IsAbs(r.Abs) || tt.file && filepath.Base(r.Abs) == tt.base {
				t.Errorf("root = abs %q, want the absolute path of the folder", r.Abs)
			}
		})
	}
}

func TestWalkFromWorkingFolder(t *testing.T) {
	top := t.TempDir()
	plant(t, top, map[string]string{"repo/.git/HEAD": "x", "repo/docs/a.md": "x", "repo/docs/sub/b.md": "x"})
	var first *Tree
	for _, at := range [][2]string{{"repo", "docs"}, {"repo/docs", "."}, {"repo/docs/sub", ".."}} {
		t.Chdir(filepath.Join(top, at[0]))
		tree, err := Walk(t.Context(), Options{Dirs: []string{at[1]}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = tree
		}
		if tree.Hash != first.Hash || !slices.Equal(tree.Roots, first.Roots) {
			t.Errorf("Walk(%q) in %s = %x, %v, want %x, %v", at[1], at[0], tree.Hash, tree.Roots, first.Hash, first.Roots)
		}
	}
}

func TestWalkErrors(t *testing.T) {
	top := t.TempDir()
	plant(t, top, map[string]string{
		"docs/a.md": "x", "other/docs/a.md": "x", "document/a.md": "x", "images/a.png": "x", "images/b.png": "x", "images/.c": "x",
		"empty/": "", "bin/a.md": "\x00", "dangling": "-> nowhere", "Guides/x.md": "x",
		".dcos/a.md": "x", "dcoss": "no folder",
	})
	t.Chdir(top)
	tests := []struct {
		name string
		o    Options
		want string
		is   error
	}{
		{"no source", Options{}, "no source folder given", ErrOption},
		{"empty name", Options{Dirs: []string{""}}, `source folder "": an empty name`, ErrOption},
		{"NUL in the name", Options{Dirs: []string{"a\x00"}}, `source folder "a\x00": a name cannot hold a NUL byte`, ErrOption},
		{"missing", Options{Dirs: []string{"dcos"}}, `source "dcos" not found (looked for TOP/dcos); did you mean "docs"?`, ErrMissing},
		{"missing, case and end", Options{Dirs: []string{"guide"}}, `source "guide" not found (looked for TOP/guide); did you mean "Guides"?`, ErrMissing},
		{"missing, nothing near", Options{Dirs: []string{"zzz"}}, `source "zzz" not found (looked for TOP/zzz)`, ErrMissing},
		{"missing in another folder", Options{Dirs: []string{"other/doc"}}, `source "other/doc" not found (looked for TOP/other/doc); did you mean "other/docs"?`, ErrMissing},
		{"parent missing", Options{Dirs: []string{"othr/docs"}}, `source "othr/docs" not found (looked for TOP/othr/docs); did you mean "other"?`, ErrMissing},
		{"missing there, but here", Options{Dirs: []string{"../elsewhere/docs"}}, `source "../elsewhere/docs" not found (looked for PARENT/elsewhere/docs); did you mean "docs"?`, ErrMissing},
		{"misspelt there, but here", Options{Dirs: []string{"../elsewhere/dcos"}}, `source "../elsewhere/dcos" not found (looked for PARENT/elsewhere/dcos); did you mean "docs"?`, ErrMissing},
		{"below a file", Options{Dirs: []string{"docs/a.md/b"}}, `source "docs/a.md/b": not a directory`, ErrOption},
		{"dangling", Options{Dirs: []string{"dangling"}}, `source "dangling": a symbolic link that leads nowhere`, ErrMissing},
		{"same base", Options{Dirs: []string{"docs", "other/docs"}}, `sources "docs" and "other/docs": both would be called "docs" in the index; compile their common folder with --include, or rename one`, ErrOption},
		{"same twice", Options{Dirs: []string{"docs", "docs/"}}, `source "docs" is given twice`, ErrOption},
		{"no documents", Options{Dirs: []string{"images"}}, `images: no documents (.md, .markdown, .mdx, .feature); skipped 2 extension (such as a.png), 1 hidden (.c)`, ErrEmpty},
		{"empty folder", Options{Dirs: []string{"empty"}}, `empty: no documents (.md, .markdown, .mdx, .feature); nothing else is there either`, ErrEmpty},
		{"only binary", Options{Dirs: []string{"bin", "images"}, Extensions: []string{"MD"}}, `bin, images: no documents (.md); skipped 2 extension (such as images/a.png), 1 binary (bin/a.md), 1 hidden (images/.c)`, ErrEmpty},
		{"nothing included", Options{Dirs: []string{"docs"}, Include: []string{"*.mdx"}}, `docs: no documents (.md, .markdown, .mdx, .feature); skipped 1 excluded (a.md)`, ErrEmpty},
		{"bad glob", Options{Dirs: []string{"docs"}, Include: []string{"[a"}}, `include "[a": not a glob: an open [, {, or a \ at the end`, ErrOption},
		{"absolute glob", Options{Dirs: []string{"docs"}, Exclude: []string{"/a"}}, `exclude "/a": want a pattern on paths below the source folder, got an absolute one`, ErrOption},
		{"empty glob", Options{Dirs: []string{"docs"}, Exclude: []string{"./"}}, `exclude "./": an empty pattern`, ErrOption},
		{"too many globs", Options{Dirs: []string{"docs"}, Exclude: slices.Repeat([]string{"a"}, 1001)}, "exclude: 1001 patterns, want at most 1000: name folders, or several names as {a,b}", ErrOption},
		{"glob of too many alternatives", Options{Dirs: []string{"docs"}, Exclude: []string{strings.Repeat("{a,a}", 10)}}, `exclude "` + strings.Repeat("{a,a}", 10) + `": too many combinations of {a,b}, want at most 1000`, ErrOption},
		{"long glob", Options{Dirs: []string{"docs"}, Exclude: []string{strings.Repeat("a", 1025)}}, `exclude "aaaaaaaaaaaaaaaaaaaa"…: 1025 bytes, want at most 1024`, ErrOption},
		{"bad extension", Options{Dirs: []string{"docs"}, Extensions: []string{"*.md"}}, `extension "*.md": want one such as .md`, ErrOption},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := Walk(t.Context(), tt.o)
			if err == nil {
				t.Fatalf("Walk = %v, want an error", paths(tree.Files))
			}
			// The working folder may be reached through a link, as the temporary folder is on macOS.
			text := err.Error()
			for _, dir := range []string{top, resolved(t, top)} {
				text = strings.ReplaceAll(text, dir, "TOP")
				text = strings.ReplaceAll(text, filepath.Dir(dir), "PARENT")
			}
			if text != tt.want {
				t.Errorf("Walk: %s\nwant: %s", text, tt.want)
			}
			for _, kind := range []error{ErrOption, ErrMissing, ErrEmpty} {
				if errors.Is(err, kind) != (kind == tt.is) {
					t.Errorf("Walk: %v is %v: %t", err, kind, kind != tt.is)
				}
			}
		})
	}
}

func TestBaseName(t *testing.T) {
	for abs, want := range map[string]string{"/": "root", "/docs": "docs", "/a/b:c": "b:c"} {
		if got := baseName(filepath.FromSlash(abs)); got != want && filepath.Separator == '/' {
			t.Errorf("baseName(%q) = %q, want %q", abs, got, want)
		}
	}
}

func TestSimilar(t *testing.T) {
	tests := []struct {
		a, b string
		cost int
		ok   bool
	}{
		{"docs", "docs", 0, true},
		{"DOCS", "docs", 0, true},
		{"dcos", "docs", 1, true},
		{"odcs", "docs", 1, true},
		{"dosc", "docs", 1, true},
		{"doc", "docs", 1, true},
		{"docs", "dogs", 1, true},
		{"docs", "dots2", 2, false},
		{"specs", "pecs", 1, true},
		{"handboko", "hadnbook", 2, true}, // two of eight characters
		{"ab", "cd", 2, false},
		{"é", "ü", 1, true},
		{"", "a", 1, true},
		{"doc", "documentation", 10, true}, // a beginning
		{"docs", "project-docs", 8, true},  // an end
		{"do", "documentation", 11, false}, // too short for one
		{"ocs", "documentation", 11, false},
		{strings.Repeat("a", 256), strings.Repeat("a", 256), 0, false},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if cost, ok := similar(pair[0], pair[1]); cost != tt.cost || ok != tt.ok {
				t.Errorf("similar(%q, %q) = %d, %t, want %d, %t", pair[0], pair[1], cost, ok, tt.cost, tt.ok)
			}
		}
	}
}

func resolved(t *testing.T, dir string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}
