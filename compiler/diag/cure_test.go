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
}
