package install

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/tailscale/hujson"
)

// byteOrderMark may begin a file; the parsers of both languages get the text behind it.
const byteOrderMark = "\ufeff"

// cutMark splits a byte order mark from the text behind it.
func cutMark(data []byte) (mark string, text []byte) {
	if rest, found := bytes.CutPrefix(data, []byte(byteOrderMark)); found {
		return byteOrderMark, rest
	}
	return "", data
}

// lineEnding is the line ending of a text: that of its first line.
func lineEnding(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// syntaxError is a place in a file where its text is not what the host reads.
type syntaxError struct {
	line, column int
	what         string
}

// Error returns line, column and what is wrong there.
func (e *syntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.what) }

// syntaxAt makes a syntaxError of an offset.
func syntaxAt(data []byte, offset int, format string, args ...any) *syntaxError {
	offset = min(offset, len(data))
	line := bytes.Count(data[:offset], []byte("\n")) + 1
	column := utf8.RuneCount(data[bytes.LastIndexByte(data[:offset], '\n')+1:offset]) + 1
	return &syntaxError{line, column, fmt.Sprintf(format, args...)}
}

// layout is how values are written: in the manner of the file that takes them.
type layout struct {
	eol    string
	unit   string // one level of indentation
	inline bool   // objects on one line
}

// render writes a value; indent is that of the line on which it begins. Strings and lists of strings are the same in
// JSON and TOML. The libraries' encoders are not used: they put a list on one line only with the object around it.
func (l layout) render(value any, indent string) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = quoted(s)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []field:
		inner := indent + l.unit
		begin, between, end := l.eol+inner, ","+l.eol+inner, l.eol+indent
		if l.inline {
			begin, between, end = "", ", ", ""
		}
		items := make([]string, len(v))
		for i, f := range v {
			items[i] = quoted(f.key) + ": " + l.render(f.value, inner)
		}
		return "{" + begin + strings.Join(items, between) + end + "}"
	}
	return quoted(value.(string))
}

// quoted is a string of JSON, which is one of TOML too.
func quoted(s string) string { return string(hujson.String(s)) }

// same compares parsed values as reflect.DeepEqual does, but for TOML's nan, which is the same as itself.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, there := b[k]; !there || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case float64:
		b, ok := b.(float64)
		return ok && (a == b || a != a && b != b)
	}
	return reflect.DeepEqual(a, b)
}

// sameBut compares the values of two files without the entry name of the object key; want is what the entry has to hold
// in the second, nil that it is not there. It takes the entries out of the values.
func sameBut(was, is map[string]any, key, name string, want []field) error {
	take := func(root map[string]any) (entry map[string]any) {
		servers, _ := root[key].(map[string]any)
		entry, _ = servers[name].(map[string]any)
		delete(servers, name)
		if len(servers) == 0 {
			delete(root, key)
		}
		return entry
	}
	wasEntry, isEntry := take(was), take(is)
	if !same(was, is) {
		return fmt.Errorf("the change would alter other values")
	}
	if want == nil {
		if isEntry != nil {
			return fmt.Errorf("the change would leave the entry")
		}
		return nil
	}
	expected := map[string]any{}
	for k, v := range wasEntry {
		expected[k] = v
	}
	for k, v := range plain(want) {
		expected[k] = v
	}
	if !same(expected, isEntry) {
		return fmt.Errorf("the change would not give the entry that is wanted")
	}
	return nil
}

// unified returns the change of a file as a unified diff; "" if there is none. A side that does not exist is named
// "/dev/null".
func unified(path string, before, after []byte, was, is bool) string {
	name := func(exists bool) string {
		if exists {
			return path
		}
		return "/dev/null"
	}
	text := diff.Diff(name(was), before, name(is), after)
	_, text, _ = bytes.Cut(text, []byte("\n")) // "diff OLD NEW", which no program that applies it needs
	return string(text)
}
