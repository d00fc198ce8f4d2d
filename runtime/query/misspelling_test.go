package query

import "testing"

func TestMisspelling(t *testing.T) {
	for _, tt := range []struct {
		name, word, of string
		edits          int
		want           bool
	}{
		{"letters that changed places", "porp", "prop", 1, true},
		{"the first two", "tsate", "state", 1, true},
		{"a letter left out", "stae", "state", 1, true},
		{"a letter too many, of four", "sing", "sig", 1, false},
		{"a letter too many, of five", "sttep", "step", 1, true},
		{"another letter, of four", "stop", "step", 1, false},
		{"another letter, of five", "stste", "state", 1, true},
		{"another first letter", "round", "found", 1, false},
		{"another first letter of a long word", "tomponents", "components", 1, false},
		{"a first letter too many", "around", "round", 1, false},
		{"a first letter left out, of five", "flect", "effect", 2, false},
		{"a first letter left out, of four", "tate", "state", 1, false},
		{"a first letter left out, of six", "omponent", "component", 1, true},
		{"two edits of eight", "validity", "validate", 2, false},
		{"two edits of nine", "compnents", "component", 2, true},
		{"two edits of ten", "componenst", "component", 2, true},
		{"two edits and another first letter", "tomponenst", "components", 2, false},
		{"not of one byte each", "árobl", "árbol", 1, true},
		{"another letter, not of one byte", "ñoño", "ñaño", 1, false},
	} {
		if got := misspelling(tt.word, tt.of, tt.edits); got != tt.want {
			t.Errorf("%s: misspelling(%s, %s, %d) = %t, want %t", tt.name, tt.word, tt.of, tt.edits, got, tt.want)
		}
	}
}
