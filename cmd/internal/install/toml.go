package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxTOMLBytes bounds a TOML text: go-toml takes 240 MB for one that is a list of digits. A host's is a few KB.
const maxTOMLBytes = 4 << 20

// tomlValues returns what a TOML text says. The error is a *syntaxError.
func tomlValues(text []byte) (map[string]any, error) {
	if len(text) > maxTOMLBytes {
		return nil, &syntaxError{1, 1, fmt.Sprintf("%d bytes, at most %d are read", len(text), maxTOMLBytes)}
	}
	values := map[string]any{}
	err := toml.Unmarshal(text, &values)
	if wrong := (*toml.DecodeError)(nil); errors.As(err, &wrong) {
		line, column := wrong.Position()
		return nil, &syntaxError{line, column, strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	return values, err
}

// span is a range of bytes.
type span struct{ start, end int }

// splice replaces a range of bytes.
type splice struct {
	span
	with string
}

// apply returns data with the splices, which are in order and do not overlap.
func apply(data []byte, edits []splice) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.start]...), e.with...)
		at = e.end
	}
	return append(out, data[at:]...)
}

// expression is one expression of a TOML text: a header, or a key with its value.
type expression struct {
	span            // whole lines, the line feed included
	path   []string // with the table's
	header bool
	value  span // of a key: the text of its value
}

// expressions finds the expressions of a text that is TOML. go-toml has the places of keys and of strings, but not of
// lists and inline tables: a value begins behind the "=" and ends where the expression does.
func expressions(text []byte) []expression {
	text = text[:len(text):len(text)] // an empty range at the end has its place by its capacity
	var p unstable.Parser
	p.Reset(text)
	var list []expression
	var table []string
	for p.NextExpression() {
		node := p.Expression()
		e := expression{header: node.Kind != unstable.KeyValue}
		var first, last unstable.Range
		for keys := node.Key(); keys.Next(); {
			key := keys.Node()
			if len(e.path) == 0 {
				first = key.Raw
			}
			e.path, last = append(e.path, string(key.Data)), key.Raw
		}
		end := int(last.Offset + last.Length)
		if e.header {
			table = e.path
		} else {
			e.path = append(table[:len(table):len(table)], e.path...)
			equals := end + bytes.IndexByte(text[end:], '=') + 1
			end = int(node.Raw.Offset + node.Raw.Length)
			e.value = span{end - len(bytes.TrimLeft(text[equals:end], " \t")), end}
		}
		e.start = bytes.LastIndexByte(text[:first.Offset], '\n') + 1
		if e.end = len(text); bytes.IndexByte(text[end:], '\n') >= 0 {
			e.end = end + bytes.IndexByte(text[end:], '\n') + 1
		}
		list = append(list, e)
	}
	return list
}
