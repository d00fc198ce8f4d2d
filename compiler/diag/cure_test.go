package diag

import (
	"errors"
	"io"
	"testing"
)

func TestCure(t *testing.T) {
	err := Cure("wait", "cannot be read: %w", io.ErrUnexpectedEOF)
	if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "cannot be read: unexpected EOF; wait" {
		t.Errorf("Cure = %v, want one that wraps its cause", err)
	}
	var curable Curable
	if !errors.As(err, &curable) || curable.Cure() != "wait" {
		t.Errorf("Cure = %v, want one that has its cure", err)
	}
	err = Or(err, "run")
	if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "cannot be read: unexpected EOF; wait, or run" || !errors.As(err, &curable) || curable.Cure() != "wait, or run" {
		t.Errorf("Or = %v, want both cures", err)
	}
	if err := Or(io.EOF, "run"); err != io.EOF {
		t.Errorf("Or(EOF) = %v, want EOF", err)
	}
}
