//go:build unix

package format

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe is named as such without waiting for its other end.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.kddx")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func() error{
		func() error { _, err := Open(path); return err },
		func() error { _, err := Verify(path); return err },
	} {
		if err := open(); !errors.Is(err, ErrNotKddx) || !strings.Contains(err.Error(), "pipe") {
			t.Errorf("open of a pipe = %v, want not a .kddx file", err)
		}
	}
}
