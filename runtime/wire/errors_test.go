package wire

import (
	"errors"
	"fmt"
	"testing"
)

// curedError is an error as those of the compiler are.
type curedError struct{ wrong, cure string }

func (e curedError) Error() string { return e.wrong + "; " + e.cure }
func (e curedError) Cure() string  { return e.cure }

// What is wrong may hold "; " itself, in the name of a file; so may the cure.
func TestFrom(t *testing.T) {
	tests := []struct {
		name          string
		place         string
		err           error
		message, hint string
	}{
		{"no cure", "", errors.New("a; b"), "a; b", ""},
		{"cure", "", curedError{"x: a folder", "name another"}, "x: a folder", "name another"},
		{"place", "x: ", curedError{"a folder", "name another"}, "x: a folder", "name another"},
		{"a name with a semicolon", "", curedError{"a; b: a folder", "name another"}, "a; b: a folder", "name another"},
		{"a cure with a semicolon", "", curedError{"x: a folder", "name a; b"}, "x: a folder", "name a; b"},
		{"wrapped", "", fmt.Errorf("kdd.yaml: %w", curedError{"x: a folder", "name another"}), "kdd.yaml: x: a folder", "name another"},
		{"text behind the cure", "", fmt.Errorf("%w (again)", curedError{"x: a folder", "name another"}), "x: a folder; name another (again)", ""},
		{"one of ours", "x: ", NewError(CodeNotFound, "no document", "did you mean y?"), "x: no document", "did you mean y?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if e := From(CodeIO, tt.place, tt.err); e.Code != CodeIO || e.Message != tt.message || e.Hint != tt.hint || !errors.Is(e, tt.err) {
				t.Errorf("From(%q) = %+v, want the message %q and the hint %q", tt.err, e, tt.message, tt.hint)
			}
		})
	}
}
