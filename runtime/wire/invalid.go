package wire

import (
	"fmt"
	"strings"

	"kdd/format/text"
)

// Excerpt shortens what an error repeats of the request.
func Excerpt(s string) string { return text.Ellipsis(s, 60) }

// Quote returns an excerpt of s in quotation marks, harmless to show.
func Quote(s string) string { return `"` + Clean(Excerpt(s)) + `"` }

// Negative is the error for a number that must be above 0.
func Negative(field string, got int) error {
	return NewError(CodeInvalidInput, fmt.Sprintf("%s: got %d", field, got), "it takes a number above 0").With("field", field)
}

// Empty is the error for a required text that is empty.
func Empty(field, cure string) error {
	return NewError(CodeInvalidInput, field+": it is empty", cure).With("field", field)
}

// EmptyEntity is the error for the missing name of a document, section or thing.
func EmptyEntity(field string) error { return Empty(field, "give an id, name, path, title or heading") }

// BadChoice is the error for a value that is not among those that a field takes.
func BadChoice(field, got, takes string) error {
	return NewError(CodeInvalidInput, field+": got "+Quote(got), "it takes "+takes).With("field", field)
}

// WithSuggestions adds the names that were probably meant to e, if there are any, and returns e.
func WithSuggestions(e *Error, names []string) *Error {
	if len(names) > 0 {
		e.Hint = "did you mean " + Alternatives(names) + "?"
		e.With("suggestions", names)
	}
	return e
}

// ChoiceHint is the hint for a word that is not among all: the word that was probably meant, else the list of all.
func ChoiceHint(word string, all []string) string {
	if near := Nearest(word, all); near != "" {
		return "did you mean " + near + "?"
	}
	return "it knows " + strings.Join(all, ", ")
}
