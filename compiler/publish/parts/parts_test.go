package parts

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	format "kdd/format/parts"
	source "kdd/runtime/source/parts"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/source/web"
)

// file is n random bytes, which stand for an artifact.
func file(n int, seed byte) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// options are those of an artifact of these bytes.
func options(dir string, data []byte) Options {
	return Options{Name: "docs.kddx", File: bytes.NewReader(data), Bytes: int64(len(data)), Root: [32]byte{data[0]}, Dir: dir,
		Ready: func() error { return nil }}
}

// write writes an artifact and returns the report.
func write(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Write(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// list returns the paths of all files below a folder.
func list(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestWrite publishes an artifact and reads it from a host.
func TestWrite(t *testing.T) {
	const part = format.PartBytes
	for _, n := range []int{1, part - 1, part, part + 1, 4*part + 17} {
		dir := filepath.Join(t.TempDir(), "public")
		data := file(n, 1)
		want := &Report{SchemaVersion: "site_report.v1", Manifest: filepath.Join(dir, "docs.kddx.json"), Bytes: int64(n),
			Parts: (n-1)/part + 1, Written: (n-1)/part + 1, WrittenBytes: int64(n)}
		if got := write(t, options(dir, data)); *got != *want {
			t.Errorf("%d bytes: Write = %+v, want %+v", n, got, want)
		}
		if files := list(t, dir); len(files) != want.Parts+1 {
			t.Errorf("%d bytes: the folder has %q", n, files)
		}
		server := sourcetest.New(os.DirFS(dir))
		s, err := source.Open(t.Context(), server.URL+"/docs.kddx.json", web.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.ReadRange(t.Context(), 0, int64(n)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: ReadRange gives %d, %v", n, len(got), err)
		}
		s.Close()
		server.Close()
	}
}

// TestAgain publishes a version after another: equal parts stay, old ones until they are pruned.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	one := file(4*format.PartBytes, 1)
	two := slices.Clone(one)
	two[format.PartBytes]++ // the second part
	for i, tt := range []struct {
		data          []byte
		prune, dry    bool
		written       int
		removed, left int // files are left
	}{
		{data: one, dry: true, written: 4},
		{data: one, written: 4, left: 5},
		{data: one, left: 5},
		{data: two, prune: true, dry: true, written: 1, removed: 1, left: 5},
		{data: two, written: 1, left: 6},
		{data: two, prune: true, dry: true, removed: 1, left: 6},
		{data: two, prune: true, removed: 1, left: 5},
		{data: one[:format.PartBytes+1], prune: true, written: 1, removed: 3, left: 3},
	} {
		o := options(dir, tt.data)
		o.Prune, o.DryRun = tt.prune, tt.dry
		r := write(t, o)
		if left := len(list(t, dir)); r.Written != tt.written || r.Removed != tt.removed || left != tt.left {
			t.Errorf("step %d: %d written, %d removed, %d left; want %d, %d, %d", i, r.Written, r.Removed, left, tt.written, tt.removed, tt.left)
		}
	}
}

// TestShared checks that parts of several artifacts in a folder are one, and that prune leaves those of others and all
// that is no part.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	one, two := file(2*format.PartBytes, 1), file(2*format.PartBytes, 2)
	copy(two, one[:format.PartBytes])
	write(t, options(dir, one))
	o := options(dir, two)
	o.Name = "other.kddx"
	if r := write(t, o); r.Written != 1 {
		t.Errorf("%d parts are written for the second, want 1", r.Written)
	}
	others := []string{"index.html", "parts/readme.txt", "parts/ab/index.html", "parts/ab/" + strings.Repeat("a", 64), "parts/" + strings.Repeat("b", 64)}
	for _, name := range append(others, "parts/ab/.kdd-0011223344556677") {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	three := options(dir, file(10, 3))
	three.Prune = true
	if r := write(t, three); r.Removed != 1 {
		t.Errorf("%d parts are removed, want the second one of the first artifact", r.Removed)
	}
	files := list(t, dir)
	for _, name := range others {
		if !slices.Contains(files, name) {
			t.Errorf("%s is gone", name)
		}
	}
	if len(files) != 2+3+len(others) {
		t.Errorf("the folder has %q", files)
	}
}

// TestHalf checks what a run leaves that did not end, and that the next one mends it.
func TestHalf(t *testing.T) {
	dir := t.TempDir()
	data := file(3*format.PartBytes, 1)
	stop := errors.New("stop")
	o := options(dir, data)
	o.Ready = func() error { return stop }
	if _, err := Write(t.Context(), o); !errors.Is(err, stop) {
		t.Errorf("Write = %v", err)
	}
	files := list(t, dir)
	if len(files) != 3 || slices.Contains(files, "docs.kddx.json") {
		t.Errorf("the folder has %q, want three parts", files)
	}
	if err := os.Truncate(filepath.Join(dir, files[1]), 7); err != nil { // as after a loss of power
		t.Fatal(err)
	}
	if r := write(t, options(dir, data)); r.Written != 1 {
		t.Errorf("%d parts are written, want the damaged one", r.Written)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, options(t.TempDir(), data)); !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want the context's error", err)
	}
}
