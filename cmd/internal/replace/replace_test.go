package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestFile replaces a file or makes it, and looks at what is in its folder then.
func TestFile(t *testing.T) {
	refused := errors.New("refused")
	tests := []struct {
		name    string
		old     fs.FileMode // of the file that is there; 0 = none
		perm    fs.FileMode
		ready   func() error
		err     error
		content string // "" = no file
		mode    fs.FileMode
	}{
		{"new", 0, 0o640, nil, nil, "new", 0o640},
		{"new, ready", 0, 0o600, func() error { return nil }, nil, "new", 0o600},
		{"new, refused", 0, 0o600, func() error { return refused }, refused, "", 0},
		{"old", 0o604, 0o640, nil, nil, "new", 0o604},
		{"old, refused", 0o604, 0o640, func() error { return refused }, refused, "old", 0o604},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			var old fs.FileInfo
			if tt.old != 0 {
				err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, tt.old))
				if err != nil {
					t.Fatal(err)
				}
				if old, err = os.Stat(path); err != nil {
					t.Fatal(err)
				}
			}
			if err := File(path, []byte("new"), old, tt.perm, tt.ready); !errors.Is(err, tt.err) {
				t.Errorf("File = %v, want %v", err, tt.err)
			}
			got, _ := os.ReadFile(path)
			if string(got) != tt.content {
				t.Errorf("the file is %q, want %q", got, tt.content)
			}
			if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != tt.mode {
				t.Errorf("mode %o, want %o", info.Mode().Perm(), tt.mode)
			}
			if left, err := filepath.Glob(filepath.Join(dir, ".kdd-*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %q, %v", left, err)
			}
		})
	}
}

// TestFileNowhere checks what cannot be put in its place: the error is the system's, and nothing is left behind.
func TestFileNowhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "folder", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := File(filepath.Join(dir, "none", "f"), nil, nil, 0o600, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("File in a folder that is not there = %v, want %v", err, fs.ErrNotExist)
	}
	if err := File(filepath.Join(dir, "folder"), nil, nil, 0o600, nil); err == nil {
		t.Error("File in the place of a folder = nil, want an error")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v, want what it did", entries, err)
	}
}
