package eval

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// File is a file of questions, of judgements, or a run.
type File struct {
	Name string // for messages
	Data []byte
}

// MaxFileBytes bounds a file of questions or judgements, or a run.
const MaxFileBytes = index.MaxGoldenBytes

// Fault is one thing that is wrong with a line of a file.
type Fault struct {
	File string
	Line int    // from 1; 0 if it is about the whole file
	Text string // got and want
	Hint string // the cure
}

// Error names the place, then what is wrong.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// maxFaults bounds the faults of one file.
const maxFaults = 50

// Err returns the first fault as an error invalid_input, or nil if there is none.
func Err(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	text := faults[0].Error()
	if more := len(faults) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return wire.NewError(wire.CodeInvalidInput, text, faults[0].Hint).With("field", "questions")
}

// reader goes through the lines of a file.
type reader struct {
	file   File
	faults []Fault
	line   int // the current line, from 1
}

// fault adds a fault of the current line.
func (r *reader) fault(hint, text string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{r.file.Name, r.line, fmt.Sprintf(text, args...), hint})
	}
}

// each calls f for every line that is not blank, without its line end.
func (r *reader) each(f func(line string)) {
	data := bytes.TrimPrefix(r.file.Data, []byte("\xef\xbb\xbf"))
	r.line = 0
	if len(data) > MaxFileBytes {
		r.fault("", "%d bytes, at most %d", len(data), MaxFileBytes)
		return
	}
	for line := range bytes.Lines(data) {
		r.line++
		text := strings.TrimRight(string(line), "\r\n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if !utf8.ValidString(text) {
			r.fault("save the file as UTF-8", "the line is not UTF-8")
			continue
		}
		f(text)
	}
}

// first returns the first line that is not blank.
func (r *reader) first() string {
	found := ""
	probe := reader{file: r.file}
	probe.each(func(line string) {
		if found == "" {
			found = line
		}
	})
	return found
}

// idNames are the names of the first column in a header.
var idNames = []string{"qid", "id", "_id", "query-id", "query_id", "queryid"}

// isHeader says that a row is a header.
func isHeader(cells []string) bool {
	return slices.Contains(idNames, strings.ToLower(strings.TrimSpace(cells[0])))
}

// SplitAnchor splits path#anchor.
func SplitAnchor(text string) Place {
	path, anchor, _ := strings.Cut(text, "#")
	return Place{Path: path, Anchor: anchor}
}

// gain reads a gain; ok is false after a fault.
func (r *reader) gain(text string) (gain int, ok bool) {
	gain, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || gain > index.MaxGain || gain < -index.MaxGain {
		r.fault("0 says that a place does not answer, a higher number that it answers better", "gain: got %s, want a whole number up to %d", short(text), index.MaxGain)
		return 0, false
	}
	return gain, true
}

// short quotes a value for a message.
func short(text string) string { return strconv.Quote(wire.Shorten(text, 60)) }
