package runtime

import (
	"fmt"
	"strings"

	"kdd/runtime/wire"
)

// The errors of arguments that methods look at themselves, since a caller within the program may give what Decode refuses.

func negative(field string, got int) error {
	return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: got %d", field, got), "it takes a number above 0").With("field", field)
}

// empty is the error for a text without which there is nothing to do.
func empty(field, cure string) error {
	return wire.NewError(wire.CodeInvalidInput, field+": it is empty", cure).With("field", field)
}

func emptyEntity(field string) error { return empty(field, "give an id, name, path, title or heading") }

// badChoice is the error for a word that is none of those which a field takes.
func badChoice(field, got, takes string) error {
	return wire.NewError(wire.CodeInvalidInput, field+": got "+quote(got), "it takes "+takes).With("field", field)
}

func knownMode(mode string) bool {
	return mode == modeHybrid || mode == modeLexical || mode == modeVector
}

func badMode(mode string) error { return badChoice("mode", mode, "hybrid, lexical or vector") }

func knownDiversity(d string) bool { return d == "" || d == diversityOn || d == diversityOff }

func badDiversity(d string) error { return badChoice("diversity", d, "on or off") }

// meant suggests names in an error, if there are any.
func meant(e *wire.Error, names []string) *wire.Error {
	if len(names) > 0 {
		e.Hint = "did you mean " + wire.Alternatives(names) + "?"
		e.With("suggestions", names)
	}
	return e
}

// oneOf says which of the words that there are was meant, or which there are.
func oneOf(word string, all []string) string {
	if near := wire.Nearest(word, all); near != "" {
		return "did you mean " + near + "?"
	}
	return "it knows " + strings.Join(all, ", ")
}
