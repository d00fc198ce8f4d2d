package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode returns the wire JSON of v: one line without a trailing line feed, HTML characters as they are, map keys
// sorted, invalid UTF-8 as U+FFFD. Characters that a terminal or a reader would obey and not show (controls,
// bidirectional and zero-width characters) are written as \u escapes, so that the value stays the same.
//
// It panics if v has no JSON form; every struct of this package has one.
func Encode(v any) []byte {
	var b bytes.Buffer
	encodeTo(&b, v)
	return escapeInvisible(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func encodeTo(w io.Writer, v any) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(shown(v)); err != nil {
		panic(fmt.Sprintf("wire.Encode(%T): %v", v, err))
	}
}

// encodedLen is len(Encode(v)), without a copy of the text.
func encodedLen(v any) int {
	n := lengths(-len("\n"))
	encodeTo(&n, v)
	return int(n)
}

// lengths counts what escapeInvisible makes of the texts that are written to it, each whole.
type lengths int

// Write counts a text, and never fails.
func (n *lengths) Write(text []byte) (int, error) {
	*n += lengths(len(escapeInvisible(text)))
	return len(text), nil
}

// escapeInvisible escapes the invisible characters of JSON text. They can only be in strings.
func escapeInvisible(data []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(data); {
		if c := data[i]; c < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r < 0xa0 || invisible(r) {
			out = append(out, data[done:i]...)
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return data
	}
	return append(out, data[done:]...)
}

// Decode reads data into v: one JSON value and nothing behind it. Numbers become a json.Number where v leaves their
// type open. After an error, v may hold a part of the value.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF { // More() takes a bracket for the end
		return errors.New("text behind the JSON value")
	}
	return nil
}

// Milliseconds returns d for a time_ms field: rounded to a microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// Round4 rounds a score or a part of a score to four decimals, so that it is easy to read and to compare.
func Round4(x float64) float64 {
	return math.Round(x*1e4) / 1e4
}

// JSONKind names the type of a JSON value in a message, by the value's first byte.
func JSONKind(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// Plural returns a number with the right form of a noun: "1 hit", "2 hits".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
