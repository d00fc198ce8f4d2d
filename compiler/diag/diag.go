// Package diag holds what a compilation has to say about its sources: findings as values.
//
// A Diagnostic points at a place, names a rule and says what is wrong and how to cure it. Packages of the compiler
// append diagnostics and go on; nothing is printed below cmd. They are sorted by position before they are shown or
// stored, so the same sources give the same list.
package diag

// Severity orders diagnostics; the zero value is Note.
type Severity uint8

// The severities, mildest first.
const (
	Note Severity = iota
	Warning
	Error
)

// Diagnostic is one finding about one place in the sources.
type Diagnostic struct {
	Path     string   // slash path as the artifact has it; "" for the whole build
	Line     int      // from 1; 0 if the finding is about the whole file
	Col      int      // byte column from 1; 0 if unknown
	Severity Severity // what --strict and --fail-on compare with
	Code     string   // stable, "KDD104": the rule's number
	Rule     string   // stable, "broken-anchor": the rule's name, as lint filters by
	Text     string   // lower-case, no full stop, with got and want
	Hint     string   // the cure, "" if the text says it
}
