//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that nobody writes does not keep a command that is interrupted.
func TestQuestionsOfAPipeCanBeInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the reader that was left behind ends
		if f, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil {
			f.Close()
		}
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	if _, err := ParseQuestions(ctx, []string{pipe}, ""); !errors.Is(err, errInterrupted) {
		t.Errorf("ParseQuestions = %v, want %v", err, errInterrupted)
	}
}
