package compiler

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/diag"
	"kdd/compiler/filetest"
	"kdd/compiler/source"
)

func TestAssetsExist(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"docs/img/a.png": "x", "docs/img/Straße 1.png": "x", "docs/img/#%.png": "x", "docs/a.md": "x", "more/b.pdf": "x", "secret.png": "x",
	})
	symlink(t, "../../secret.png", filepath.Join(dir, "docs/img/out.png"))
	symlink(t, "a.png", filepath.Join(dir, "docs/img/in.png"))
	symlink(t, "gone.png", filepath.Join(dir, "docs/img/dangling.png"))
	docs, more := source.Root{Abs: filepath.Join(dir, "docs"), Base: "docs"}, source.Root{Abs: filepath.Join(dir, "more"), Base: "more"}
	tests := []struct {
		name  string
		roots []source.Root
		path  string
		want  bool
	}{
		{"a file", []source.Root{docs}, "img/a.png", true},
		{"a folder", []source.Root{docs}, "img", true},
		{"the source itself", []source.Root{docs}, ".", true},
		{"none", []source.Root{docs}, "img/b.png", false},
		{"in no folder", []source.Root{docs}, "none/b.png", false},
		{"below a file", []source.Root{docs}, "img/a.png/b.png", false},
		{"another case", []source.Root{docs}, "IMG/a.png", false},
		{"not ASCII, with a space", []source.Root{docs}, "img/Straße 1.png", true},
		{"special characters", []source.Root{docs}, "img/#%.png", true},
		{"outside", []source.Root{docs}, "../secret.png", false},
		{"absolute", []source.Root{docs}, "/etc/passwd", false},
		{"NUL", []source.Root{docs}, "img/a.png\x00", false},
		{"a very long name", []source.Root{docs}, strings.Repeat("x", 5000), false},
		{"very deep", []source.Root{docs}, strings.Repeat("x/", 2000) + "x", false},
		{"a link inside", []source.Root{docs}, "img/in.png", true},
		{"a link to nowhere", []source.Root{docs}, "img/dangling.png", false},
		{"a link outside is not looked at", []source.Root{docs}, "img/out.png", true},
		{"several sources", []source.Root{docs, more}, "docs/img/a.png", true},
		{"several sources, the second", []source.Root{docs, more}, "more/b.pdf", true},
		{"several sources, from the top of one", []source.Root{docs, more}, "img/a.png", true},
		{"several sources, none of them", []source.Root{docs, more}, "other/b.pdf", false},
		{"a source that is gone", []source.Root{{Abs: filepath.Join(dir, "gone")}}, "a.png", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := openAssets(tt.roots)
			defer a.close()
			for range 2 { // the second answer comes from memory
				if got := a.exists(tt.path); got != tt.want {
					t.Errorf("exists(%.60q) = %t, want %t", tt.path, got, tt.want)
				}
			}
		})
	}
}

// TestMissingAssets checks that links to files that are no documents are reported where the files are missing.
func TestMissingAssets(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"docs/a.md":      "# A\n\n![there](img/a.png) ![gone](img/b.png)\n\n[pdf](/x.pdf)\n[gone](/y.pdf) [code](a.js?raw=1#x) [space](<img/a b.png>) [coded](img/a%20b.png)\n",
		"docs/img/a.png": "x", "docs/x.pdf": "x", "docs/a.js": "x", "docs/img/a b.png": "x",
	})
	for _, sources := range [][]string{{"docs"}, {"docs", "more"}, {"docs/a.md"}} {
		o := Options{NoVectors: true, Output: filepath.Join(dir, "out.kddx")}
		filetest.Write(t, dir, map[string]string{"more/b.md": "# B\n"})
		prefix := ""
		if len(sources) > 1 {
			prefix = "docs/"
		}
		for _, s := range sources {
			o.Sources = append(o.Sources, filepath.Join(dir, s))
		}
		r, _ := mustBuild(t, o)
		var got []string
		for _, d := range r.Diags {
			if d.Rule == diag.MissingAsset.Name {
				got = append(got, fmt.Sprintf("%s:%d:%d: %s: %s [%s]", d.Path, d.Line, d.Col, d.Severity, d.Text, d.Code))
			}
		}
		want := []string{prefix + `a.md:3:21: note: no such file: "img/b.png" [KDD208]`, prefix + `a.md:6:1: note: no such file: "/y.pdf" [KDD208]`}
		if !slices.Equal(got, want) {
			t.Errorf("%q: findings\n%s\nwant\n%s", sources, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
