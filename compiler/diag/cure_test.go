package diag

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// What is wrong may hold "; " itself, in the name of a file; so may the cure.
func TestParts(t *testing.T) {
	tests := []struct {
		name        string
		err         error
		wrong, cure string
	}{
		{"no cure", errors.New("a; b"), "a; b", ""},
		{"cure", Cure("name another", "%s: a folder", "x"), "x: a folder", "name another"},
		{"a name with a semicolon", Cure("name another", "%s: a folder", "a; b"), "a; b: a folder", "name another"},
		{"a cure with a semicolon", Cure("name a; b", "x: a folder"), "x: a folder", "name a; b"},
		{"wrapped", fmt.Errorf("kdd.yaml: %w", Cure("name another", "x: a folder")), "kdd.yaml: x: a folder", "name another"},
		{"text behind the cure", fmt.Errorf("%w (again)", Cure("name another", "x: a folder")), "x: a folder; name another (again)", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if wrong, cure := Parts(tt.err); wrong != tt.wrong || cure != tt.cure {
				t.Errorf("Parts(%q) = %q, %q, want %q, %q", tt.err, wrong, cure, tt.wrong, tt.cure)
			}
		})
	}
	if err := Cure("wait", "cannot be read: %w", io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "cannot be read: unexpected EOF; wait" {
		t.Errorf("Cure = %v, want one that wraps its cause", err)
	}
}
