package diag

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity orders diagnostics; the zero value is Note.
type Severity uint8

// The severities, mildest first.
const (
	Note Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Note: "note", Warning: "warning", Error: "error"}

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// ParseSeverity is the inverse of String; it takes any case and the plural too ("warnings").
func ParseSeverity(text string) (Severity, error) {
	name := strings.TrimSuffix(strings.ToLower(text), "s")
	for i, known := range severityNames {
		if name == known {
			return Severity(i), nil
		}
	}
	return Note, fmt.Errorf("severity %q: want note, warning or error", text)
}

// MarshalText writes the name, so that a Severity in JSON is a word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what ParseSeverity reads.
func (s *Severity) UnmarshalText(text []byte) error {
	parsed, err := ParseSeverity(string(text))
	if err == nil {
		*s = parsed
	}
	return err
}

// Diagnostic is one finding about one place in the sources.
//
// Make one with New or At, so that Code and Rule come from the same row of the table.
type Diagnostic struct {
	Path     string   // slash path as the artifact has it; "" for the whole build
	Line     int      // from 1; 0 if the finding is about the whole file
	Col      int      // column from 1 in characters, as Col counts them; 0 if unknown
	Severity Severity // what --strict and --fail-on compare with
	Code     string   // stable, "KDD009": the rule's number
	Rule     string   // stable, "link-outside": the rule's name, as lint filters by
	Text     string   // lower-case, no full stop, with got and want
	Hint     string   // the cure, "" if the text says it
}

// New returns a diagnostic about a whole file, or with path "" about the whole build. Severity and hint are the rule's.
func New(r Rule, path, format string, args ...any) Diagnostic {
	return At(r, path, 0, 0, format, args...)
}

// At returns a diagnostic about a line and column, both from 1; 0 says that it is unknown.
func At(r Rule, path string, line, col int, format string, args ...any) Diagnostic {
	return Diagnostic{
		Path: path, Line: line, Col: col, Severity: r.Severity,
		Code: r.Code(), Rule: r.Name, Text: fmt.Sprintf(format, args...), Hint: r.Cure,
	}
}

// Col returns the column, from 1, of what stands behind before in its line: a count of Unicode code points, what is no
// UTF-8 one for each byte, a byte order mark none. It is the one unit of columns: YAML counts so, SARIF says so
// (columnKind unicodeCodePoints), and GitHub and editors show characters.
func Col(before []byte) int {
	return utf8.RuneCount(bytes.TrimPrefix(before, []byte("\uFEFF"))) + 1
}

// WithHint returns d with a cure that fits this place better than the rule's own.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithSeverity returns d with a severity other than the rule's default.
func (d Diagnostic) WithSeverity(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// Sort orders ds by path, line, column, code and text, drops exact repetitions, and returns what is left.
// It works in place: the caller keeps the result only.
func Sort(ds []Diagnostic) []Diagnostic {
	slices.SortStableFunc(ds, compare)
	return slices.Compact(ds)
}

// compare is a total order over all fields, so that identical diagnostics end up side by side.
func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Hint, b.Hint),
	)
}

// Counts says how many diagnostics there are of each severity.
type Counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
}

// Count counts ds by severity.
func Count(ds []Diagnostic) Counts {
	var c Counts
	for i := range ds {
		switch ds[i].Severity {
		case Error:
			c.Errors++
		case Warning:
			c.Warnings++
		default:
			c.Notes++
		}
	}
	return c
}

// AtLeast returns how many are of severity s or worse, which is what --strict and --fail-on ask.
func (c Counts) AtLeast(s Severity) int {
	n := c.Errors
	if s <= Warning {
		n += c.Warnings
	}
	if s <= Note {
		n += c.Notes
	}
	return n
}

// String returns "1 error, 2 warnings, 3 notes", leaving out what is zero; "" if all are.
func (c Counts) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{c.Errors, "error"}, {c.Warnings, "warning"}, {c.Notes, "note"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.name)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.name))
		}
	}
	return strings.Join(parts, ", ")
}
