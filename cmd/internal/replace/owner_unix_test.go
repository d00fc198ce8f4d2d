//go:build unix

package replace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFileKeepsItsOwner is what "sudo kddq install" must not change.
func TestFileKeepsItsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives a file away")
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 1234, 4321); err != nil {
		t.Fatal(err)
	}
	old, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := File(path, []byte("new"), old, 0o600, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 4321 {
		t.Errorf("the file belongs to %d:%d, want 1234:4321", s.Uid, s.Gid)
	}
}
