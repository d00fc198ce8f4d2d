package export

import (
	"bytes"
	"encoding/json"
	"io"
)

// lineWriter writes values as JSON, one a line.
type lineWriter struct {
	w       io.Writer
	buffer  bytes.Buffer
	encoder *json.Encoder
}

func newLineWriter(w io.Writer) *lineWriter {
	l := &lineWriter{w: w}
	l.encoder = json.NewEncoder(&l.buffer)
	l.encoder.SetEscapeHTML(false)
	return l
}

// add puts a value and a line end behind what is buffered.
func (l *lineWriter) add(value any) error { return l.encoder.Encode(value) }

// flush writes what is buffered.
func (l *lineWriter) flush() error {
	_, err := l.buffer.WriteTo(l.w)
	return err
}

func (l *lineWriter) write(value any) error {
	if err := l.add(value); err != nil {
		return err
	}
	return l.flush()
}

// writeIndented writes a value as JSON for people.
func writeIndented(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// lines is JSON lines: the row itself.
type lines struct{ *lineWriter }

func newLines(w io.Writer, _ *job) (sink, error) { return lines{newLineWriter(w)}, nil }

// Write writes a line.
func (l lines) Write(row *Row) error { return l.write(row) }

// Close does nothing: lines have no end.
func (l lines) Close() error { return nil }

// linesSchema prints About: a line of JSON has no place for it.
func linesSchema(w io.Writer, j *job) error { return writeIndented(w, j.about) }
