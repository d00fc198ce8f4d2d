package source

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// ErrIncomplete matches every *IncompleteError, by errors.Is.
var ErrIncomplete = errors.New("sources cannot be read")

// IncompleteError says which documents and folders would be missing, because the system gave an error or a limit was
// passed.
type IncompleteError struct {
	Diags []diag.Diagnostic // one each, sorted; never empty
}

// maxNamed is how many of them the text names.
const maxNamed = 3

// Error names the first few, each with its cause and cure, and how to go on without them.
func (e *IncompleteError) Error() string {
	var b strings.Builder
	if n := len(e.Diags); n == 1 {
		b.WriteString("a source cannot be read, so nothing is written: ")
	} else {
		fmt.Fprintf(&b, "%d sources cannot be read, so nothing is written: ", n)
	}
	for i, d := range e.Diags[:min(len(e.Diags), maxNamed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", diag.Escape(cmp.Or(d.Path, "./")), diag.Escape(d.Text))
		if d.Hint != "" {
			fmt.Fprintf(&b, " (%s)", d.Hint)
		}
	}
	if more := len(e.Diags) - maxNamed; more > 0 {
		fmt.Fprintf(&b, ", and %d more", more)
	}
	b.WriteString("; ")
	b.WriteString(e.Cure())
	return b.String()
}

// Cure says how to go on without what cannot be read.
func (e *IncompleteError) Cure() string { return "cure it, or leave them out with --keep-going" }

// Is reports whether target is ErrIncomplete.
func (e *IncompleteError) Is(target error) bool { return target == ErrIncomplete }

// incomplete returns the error for the diagnostics that say that sources are missing, or that some are there which an
// ignore file excludes; nil if there is none.
func incomplete(diags []diag.Diagnostic) error {
	missing := slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity < diag.Error || d.Code != diag.IgnoreFile.Code() && d.Code != diag.Unreadable.Code() && d.Code != diag.TooLarge.Code() && d.Code != diag.TooDeep.Code()
	})
	if len(missing) == 0 {
		return nil
	}
	return &IncompleteError{Diags: diag.Sort(missing)}
}
