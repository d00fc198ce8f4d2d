//go:build unix

package source

import (
	"bytes"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestSpecialFiles would hang if a pipe were opened as a file is: nothing writes to it.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", "d/b.md": "x", "linked.md": "-> pipe.md"})
	for _, name := range []string{"pipe.md", "pipe", "d/.gitignore"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, follow := range []bool{false, true} {
		tree, err := Walk(t.Context(), Options{Dirs: []string{dir}, FollowLinks: follow})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"a.md", "d/b.md"}; !slices.Equal(paths(tree.Files), want) {
			t.Errorf("Walk takes %q, want %q", paths(tree.Files), want)
		}
		linked, diags := "linked.md link", "linked.md: note: link-inside"
		if follow {
			linked, diags = "linked.md special", "linked.md: warning: special-file"
		}
		want := []string{"d/.gitignore hidden", linked, "pipe extension", "pipe.md special", "s.md special"}
		if diff := gocmp.Diff(want, skips(tree.Skipped)); diff != "" {
			t.Errorf("skipped, follow = %t (-want +got):\n%s", follow, diff)
		}
		want = []string{"d/.gitignore: warning: ignore-file", diags, "pipe.md: warning: special-file", "s.md: warning: special-file"}
		if diff := gocmp.Diff(want, texts(tree.Diags)); diff != "" {
			t.Errorf("diagnostics, follow = %t (-want +got):\n%s", follow, diff)
		}
	}
	// A pipe that has taken a file's place since the folder was listed.
	m := &mount{real: dir}
	if _, why, d := readFile(t.Context(), candidate{mount: m, name: "pipe.md", path: "pipe.md"}, 10, new(bytes.Buffer)); why != ReasonSpecial {
		t.Errorf("readFile of a pipe: %q, %v, want %q", why, d, ReasonSpecial)
	}
	_, err = Walk(t.Context(), Options{Dirs: []string{filepath.Join(dir, "pipe.md")}})
	if err == nil || !strings.HasSuffix(err.Error(), "a named pipe, want a folder or a file") {
		t.Errorf("Walk of a pipe: %v", err)
	}
}
