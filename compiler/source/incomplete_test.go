package source

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"kdd/compiler/diag"
)

func TestIncomplete(t *testing.T) {
	const end = "; cure it, or leave them out with --keep-going"
	tests := []struct {
		name  string
		diags []diag.Diagnostic
		want  string // "" = no error
	}{
		{"nothing wrong", nil, ""},
		{"only warnings", []diag.Diagnostic{diag.New(diag.Binary, "a.md", "not text"), diag.New(diag.LinkBroken, "b.md", "gone")}, ""},
		{"an ignore file that is not applied", []diag.Diagnostic{diag.New(diag.IgnoreFile, "a", "x"), diag.New(diag.IgnoreFile, "b", "y").WithSeverity(diag.Error)},
			"a source cannot be read, so nothing is written: b: y" + end},
		{"descriptors", []diag.Diagnostic{unreadable("a.md", "file", &fs.PathError{Op: "open", Path: "/x/a.md", Err: syscall.EMFILE})},
			`a source cannot be read, so nothing is written: a.md: cannot read the file: too many open files (permit more open files, such as with "ulimit -n 1024")` + end},
		{"vanished", []diag.Diagnostic{unreadable("a/", "folder", &fs.PathError{Op: "open", Path: "/x/a", Err: syscall.ENOENT})},
			"a source cannot be read, so nothing is written: a/: cannot read the folder: no such file or directory (it has vanished since its folder was listed: build again)" + end},
		{"the source itself", []diag.Diagnostic{unreadable("", "folder", syscall.EMFILE)},
			`a source cannot be read, so nothing is written: ./: cannot read the folder: too many open files (permit more open files, such as with "ulimit -n 1024")` + end},
		{"no right", []diag.Diagnostic{unreadable("a.md", "file", syscall.EACCES)},
			"a source cannot be read, so nothing is written: a.md: cannot read the file: permission denied (" + diag.Unreadable.Cure + ")" + end},
		{"several, by path, beside others", []diag.Diagnostic{diag.New(diag.TooLarge, "d.md", "9"), diag.New(diag.Binary, "a.md", "x"), diag.New(diag.TooLarge, "c.md", "8"),
			diag.New(diag.TooDeep, "e/", "7"), diag.New(diag.TooLarge, "b\n.md", "6")},
			"4 sources cannot be read, so nothing is written: b\\n.md: 6 (" + diag.TooLarge.Cure + "), c.md: 8 (" + diag.TooLarge.Cure + "), d.md: 9 (" + diag.TooLarge.Cure + "), and 1 more" + end},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := incomplete(tt.diags)
			if tt.want == "" {
				if err != nil {
					t.Errorf("incomplete = %v, want nil", err)
				}
				return
			}
			if runtime.GOOS == "windows" && strings.Contains(tt.want, "cannot read") {
				t.Skip("Windows has its own texts")
			}
			if !errors.Is(err, ErrIncomplete) || err.Error() != tt.want {
				t.Errorf("incomplete = %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestIncompleteWalk walks files that cannot be read: /proc/self/mem is a regular file whose first byte gives EIO,
// also to root.
func TestIncompleteWalk(t *testing.T) {
	if _, err := os.Stat("/proc/self/mem"); err != nil {
		t.Skip("no /proc")
	}
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", "b.md": "-> /proc/self/mem", "c.md": "123456"})
	o := Options{Dirs: []string{dir}, FollowLinks: true, MaxFileBytes: 5}
	_, err := Walk(t.Context(), o)
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) || len(incomplete.Diags) != 2 || !strings.Contains(err.Error(), "b.md: cannot read the file: input/output error") {
		t.Errorf("Walk = %v, want an IncompleteError that names b.md and c.md", err)
	}
	o.KeepGoing = true
	tree, err := Walk(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(append(paths(tree.Files), texts(tree.Diags)...), ", "); got != "a.md, b.md: error: unreadable, c.md: error: too-large" {
		t.Errorf("Walk with KeepGoing takes and finds %s", got)
	}
}

// TestIncompleteIgnoreFile has an ignore file that the system does not give: what it excludes must not be compiled.
func TestIncompleteIgnoreFile(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{".kddignore": "a.md\n"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	w := &walker{ctx: t.Context()}
	f := folder{mount: &mount{root: root, real: dir}, name: "."}
	entries, err := list(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir + "/.kddignore"); err != nil {
		t.Fatal(err)
	}
	w.ignoreFiles(&f, entries)
	if err := incomplete(w.diags); err == nil || !strings.Contains(err.Error(), ".kddignore: cannot read the file") {
		t.Errorf("an ignore file that vanished: %v, want an IncompleteError", err)
	}
}
