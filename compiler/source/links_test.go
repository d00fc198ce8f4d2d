package source

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// What a link leads to is named as the tree has it, the top of the source too.
func TestSeenTwiceNamesThePlace(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", "b.md": "-> a.md", "sub/top": "-> ..", "sub/c.md": "x", "z": "-> sub"})
	tree, err := Walk(t.Context(), Options{Dirs: []string{dir}, FollowLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range tree.Diags {
		got = append(got, d.Path+": "+d.Text)
	}
	want := []string{`b.md: the same place again: it is compiled as "a.md"`, `sub/top/: the same place again: it is compiled as "./"`, `z/: the same place again: it is compiled as "sub/"`}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// A link that is not followed is named with where it leads, but for what is no business of the artifact's.
func TestUnfollowedLinks(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", "abs.md": "-> /etc/x.md", "gone.md": "-> no/where.md", "in.md": "-> a.md", "out.md": "-> ../other.md"})
	tree, err := Walk(t.Context(), Options{Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range tree.Diags {
		got = append(got, d.Path+": "+d.Text)
	}
	want := []string{
		"abs.md: a link out of the source folder, to an absolute path, is not followed",
		`gone.md: a link to "no/where.md", which does not exist`,
		`in.md: a link to "a.md" in the same source folder, which is compiled there`,
		`out.md: a link out of the source folder, to "../other.md", is not followed`,
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}
