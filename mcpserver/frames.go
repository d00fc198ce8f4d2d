package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// ErrFrameTooLong means that a line was longer than the reader's limit. The whole line was skipped.
var ErrFrameTooLong = errFrameTooLong

// Frames returns a function that reads the lines of a stdio transport one by one, for clients. Blank lines are skipped.
// The error is ErrFrameTooLong, after which reading can go on, or that of in. It never holds more than maxBytes and a
// buffer.
func Frames(in io.Reader, maxBytes int) func() ([]byte, error) {
	return newFrameReader(in, maxBytes).next
}

// CheckFrame says what is wrong with a line as a message: it is nested too deep, not UTF-8, not JSON or not an object.
func CheckFrame(line []byte) error {
	switch {
	case deeper(line, maxFrameDepth):
		return fmt.Errorf("nested deeper than %d levels", maxFrameDepth)
	case !utf8.Valid(line):
		return errors.New("not UTF-8")
	case len(line) == 0 || line[0] != '{':
		return errors.New("not a JSON object")
	}
	return validJSON(line)
}
