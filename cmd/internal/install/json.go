package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"kdd/runtime/wire"

	"github.com/tailscale/hujson"
)

const (
	// maxDepth bounds the nesting of a file. hujson has no bound of its own: 1 MB of "[" overflows its stack, which
	// ends the process.
	maxDepth = 500
	// maxValues bounds the values of a file. hujson takes 290 bytes for each: 2.3 GB for a file of 16 MB that is a list
	// of digits, 290 MB at this bound.
	maxValues = 1_000_000
)

// jsonText is a JSON text as a tree that packs to the bytes it was made of.
type jsonText struct {
	mark   string
	data   []byte       // the text without the mark; offsets in the tree count from its first byte
	root   hujson.Value // of data and one more line feed
	layout layout
}

// parseJSON parses a text strictly, but for what the dialect allows. A text without a value is read as an empty object.
func parseJSON(data []byte, d dialect) (*jsonText, error) {
	t := &jsonText{layout: layout{eol: lineEnding(data)}}
	t.mark, t.data = cutMark(data)
	if err := bounded(t.data); err != nil {
		return nil, err
	}
	ended := slices.Concat(t.data, []byte("\n")) // hujson wants a line feed behind a // comment
	if hujson.Extra(ended).IsValid() {           // white space and comments alone
		if n := len(t.data); n > 0 && t.data[n-1] != '\n' {
			t.data = ended
		}
		t.data = slices.Concat(t.data, []byte("{}"+t.layout.eol))
		ended = slices.Concat(t.data, []byte("\n"))
	}
	var err error
	if t.root, err = hujson.Parse(ended); err != nil {
		return nil, t.placed(ended, err)
	}
	if err := t.allowed(d); err != nil {
		return nil, err
	}
	t.layout.unit = "  "
	if object, ok := t.root.Value.(*hujson.Object); ok && len(object.Members) > 0 {
		base := t.indentation(t.root.StartOffset)
		unit, found := bytes.CutPrefix(firstIndent(object), []byte(base))
		if found && len(unit) > 0 {
			t.layout.unit = string(unit)
		}
	}
	return t, nil
}

// bounded refuses a text that hujson would need too much memory for.
func bounded(data []byte) error {
	depth, values := -1, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '/':
			i += max(0, commentLength(data[i:])-1)
		case ']', '}':
			depth--
		case '[', '{', ',':
			if c != ',' {
				depth++
			}
			if values++; values > maxValues {
				return syntaxAt(data, i, "more than %d values", maxValues)
			}
			if depth > maxDepth {
				return syntaxAt(data, i, "nested deeper than %d", maxDepth)
			}
		}
	}
	return nil
}

// placed turns an error of hujson into a syntaxError. Only the text of the error says where in parsed it is.
func (t *jsonText) placed(parsed []byte, err error) error {
	var line, column, offset int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n < 2 {
		return err
	}
	for range line - 1 {
		offset += bytes.IndexByte(parsed[offset:], '\n') + 1
	}
	return syntaxAt(t.data, offset+column-1, "%s", wire.Clean(wire.Shorten(errors.Unwrap(err).Error(), 100)))
}

// allowed refuses what hujson reads and the host does not: comments, commas behind the last value.
func (t *jsonText) allowed(d dialect) error {
	for v := range t.root.All() {
		err := t.checkComments(v.StartOffset-len(v.BeforeExtra), v.BeforeExtra, d)
		if err == nil {
			err = t.checkComments(v.EndOffset, v.AfterExtra, d)
		}
		var inside hujson.Extra
		var last *hujson.Value
		switch c := v.Value.(type) {
		case *hujson.Object:
			if inside = c.AfterExtra; len(c.Members) > 0 {
				last = &c.Members[len(c.Members)-1].Value
			}
		case *hujson.Array:
			if inside = c.AfterExtra; len(c.Elements) > 0 {
				last = &c.Elements[len(c.Elements)-1]
			}
		}
		if err == nil {
			err = t.checkComments(v.EndOffset-1-len(inside), inside, d)
		}
		if err == nil && last != nil && last.AfterExtra != nil && d != jsonRelaxed {
			comma := last.EndOffset + len(last.AfterExtra)
			err = syntaxAt(t.data, comma, "got a comma behind the last value, which this file may not have")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkComments refuses comments at an offset that the dialect does not have, and such as hosts do not agree about.
func (t *jsonText) checkComments(offset int, extra hujson.Extra, d dialect) error {
	for start, end := range comments(extra) {
		if d == strictJSON {
			return syntaxAt(t.data, offset+start, "got a comment, which this file may not have")
		}
		// VS Code ends the comment there, hujson at the line feed
		if i := bytes.IndexByte(extra[start:end], '\r'); i >= 0 && extra[start+1] == '/' {
			return syntaxAt(t.data, offset+start+i, "got a carriage return without a line feed in a comment")
		}
	}
	return nil
}

// comments gives the ranges of the comments among white space, without the line endings behind them.
func comments(extra hujson.Extra) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(extra); i++ {
			if n := commentLength(extra[i:]); n > 0 {
				if !yield(i, i+n) {
					return
				}
				i += n - 1
			}
		}
	}
}

// commentLength is the length of the comment that a text begins with, without the line ending behind it; 0 = none.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			return len(bytes.TrimSuffix(text[:end], []byte("\r")))
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return 2 + end + 2
		}
		return len(text)
	}
	return 0
}

// valueOf returns what encoding/json makes of a value; numbers stay as they are written.
func valueOf(v hujson.Value) (any, error) {
	v = v.Clone()
	v.Standardize()
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}

// values returns the members of the root.
func (t *jsonText) values() (map[string]any, error) {
	v, err := valueOf(t.root)
	members, _ := v.(map[string]any)
	return members, err
}

// pack returns the text.
func (t *jsonText) pack() []byte {
	packed := t.root.Pack()
	return slices.Concat([]byte(t.mark), packed[:len(packed)-1])
}

// indentation is the white space that the line of an offset begins with.
func (t *jsonText) indentation(offset int) string {
	line := t.data[bytes.LastIndexByte(t.data[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// firstIndent is the indentation of an object's first member; nil if that does not begin a line.
func firstIndent(object *hujson.Object) []byte {
	if len(object.Members) == 0 {
		return nil
	}
	before := object.Members[0].Name.BeforeExtra
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 || len(bytes.TrimLeft(before[i+1:], " \t")) > 0 {
		return nil
	}
	return before[i+1:]
}

// bare says that an object holds no member and no comment.
func bare(object *hujson.Object) bool {
	return len(object.Members) == 0 && object.AfterExtra.IsStandard()
}
