package format

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestGuardTellsOurMistakes checks that only what a file is to blame for is called corrupt.
func TestGuardTellsOurMistakes(t *testing.T) {
	var none *File
	var list []int
	tests := []struct {
		name    string
		f       func() error
		corrupt bool
		text    string
	}{
		{"values that contradict each other", func() error { Fail(Tag{'P', 'O', 'S', 'T'}, "term %d", 7); return nil }, true, "corrupt index: block POST: term 7"},
		{"a nil pointer", func() error { _ = none.data; return nil }, false, "an operation broke off: runtime error: invalid memory address or nil pointer"},
		{"an index", func() error { _ = list[len(list)]; return nil }, false, "index out of range [0]"},
		{"a value", func() error { panic("no such case") }, false, "an operation broke off: no such case; this is a mistake in kdd: please report it"},
		{"an error", func() error { panic(io.ErrNoProgress) }, false, "multiple Read calls"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Guard(tt.f)
			if errors.Is(err, ErrCorrupt) != tt.corrupt || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Guard = %v, want corrupt: %t, %q", err, tt.corrupt, tt.text)
			}
			var broken *PanicError
			if errors.As(err, &broken) == tt.corrupt || broken != nil && !strings.Contains(string(broken.Stack), "TestGuardTellsOurMistakes") {
				t.Errorf("Guard = %#v, want a PanicError with the stack of the panic: %t", err, !tt.corrupt)
			}
		})
	}
	if err := Guard(func() error { panic(io.ErrNoProgress) }); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("Guard = %v, want the error that was panicked with behind it", err)
	}
}
