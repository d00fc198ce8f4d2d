package wire

import (
	"fmt"
	"strings"

	"kdd/format/text"
)

// Cut shortens what an error repeats.
func Cut(s string) string { return text.Ellipsis(s, 60) }

func Quote(s string) string { return `"` + Clean(Cut(s)) + `"` }

func Negative(field string, got int) error {
	return NewError(CodeInvalidInput, fmt.Sprintf("%s: got %d", field, got), "it takes a number above 0").With("field", field)
}

// Empty is the error for a text without which there is nothing to do.
func Empty(field, cure string) error {
	return NewError(CodeInvalidInput, field+": it is empty", cure).With("field", field)
}

func EmptyEntity(field string) error { return Empty(field, "give an id, name, path, title or heading") }

// BadChoice is the error for a word that is none of those which a field takes.
func BadChoice(field, got, takes string) error {
	return NewError(CodeInvalidInput, field+": got "+Quote(got), "it takes "+takes).With("field", field)
}

// Meant suggests names in an error, if there are any.
func Meant(e *Error, names []string) *Error {
	if len(names) > 0 {
		e.Hint = "did you mean " + Alternatives(names) + "?"
		e.With("suggestions", names)
	}
	return e
}

// OneOf says which of the words that there are was meant, or which there are.
func OneOf(word string, all []string) string {
	if near := Nearest(word, all); near != "" {
		return "did you mean " + near + "?"
	}
	return "it knows " + strings.Join(all, ", ")
}
