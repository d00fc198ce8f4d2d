package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced whole, with its permissions, and a link stays one: what was there before is not lost to a full
// disk.
func TestWriteOutputReplaces(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "run.tsv"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if err := os.Symlink("run.tsv", link); err != nil {
		t.Fatal(err)
	}
	if err := writeOutput("save", link, []byte("newer")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if info, statErr := os.Stat(file); err != nil || statErr != nil || string(got) != "newer" ||
		info.Mode().Perm() != 0o600 {
		t.Errorf("the file holds %q, %v, %v, want the new text and 0600", got, err, statErr)
	}
	old := make([]byte, 8)
	if n, _ := before.Read(old); string(old[:n]) != "old" {
		t.Errorf("the file of before holds %q, want it untouched", old[:n])
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%d files, %v, want the file and the link", len(entries), err)
	}
	if err := writeOutput("save", filepath.Join(dir, "none", "x"), nil); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there = %v, want not exist", err)
	}
}
