package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// ErrFrameTooLong means that a line was longer than the reader's limit; it was passed over whole.
var ErrFrameTooLong = errFrameTooLong

// Frames returns a function that reads the lines of a stdio transport one by one, for a client too. Blank lines are
// passed over. The error is ErrFrameTooLong, after which reading goes on, or in's. It never holds more than most bytes
// and a buffer.
func Frames(in io.Reader, most int) func() ([]byte, error) { return newFrameReader(in, most).next }

// CheckFrame says what is wrong with a line as a JSON message: too deep, no UTF-8, no JSON, no object.
func CheckFrame(line []byte) error {
	switch {
	case deeper(line, maxFrameDepth):
		return fmt.Errorf("nested deeper than %d levels", maxFrameDepth)
	case !utf8.Valid(line):
		return errors.New("not UTF-8")
	case len(line) == 0 || line[0] != '{':
		return errors.New("no JSON object")
	}
	return validJSON(line)
}
