package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"kdd/runtime/shape"
)

// maxDepth bounds the nesting of a file that is scanned.
const maxDepth = 500

// node is a value of a JSON text with its place.
type node struct {
	start, end int      // of its text
	object     bool     //
	list       bool     //
	members    []member // of an object
}

// member is a key and value of an object.
type member struct {
	name  string
	at    int // offset of the key
	value *node
	comma int // offset of the comma behind it; -1 = none
}

// span is a range of bytes.
type span struct{ start, end int }

// text is a scanned JSON text.
type text struct {
	data     []byte
	root     *node  // nil where there is no value
	comments []span // without the line feed that ends them
	trailing []int  // offsets of trailing commas
}

// syntaxError is a place in a file where its text is not what the host reads.
type syntaxError struct {
	line, column int
	what         string
}

// Error returns line, column and what is wrong there.
func (e *syntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.what) }

// at makes a syntaxError of an offset.
func syntaxAt(data []byte, offset int, format string, args ...any) *syntaxError {
	offset = min(offset, len(data))
	line := bytes.Count(data[:offset], []byte("\n")) + 1
	column := utf8.RuneCount(data[bytes.LastIndexByte(data[:offset], '\n')+1:offset]) + 1
	return &syntaxError{line, column, fmt.Sprintf(format, args...)}
}

// scanner walks a JSON text once, strict but for what the dialect allows.
type scanner struct {
	text
	at      int
	dialect dialect
}

// scan finds the places of values, keys, commas and comments. A byte order mark is skipped.
func scan(data []byte, d dialect) (*text, error) {
	s := &scanner{text: text{data: data}, dialect: d}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		s.at = 3
	}
	if err := s.space(); err != nil {
		return nil, err
	}
	if s.at < len(data) {
		root, err := s.value(0)
		if err != nil {
			return nil, err
		}
		if s.root = root; s.at < len(data) {
			if err := s.space(); err != nil {
				return nil, err
			}
		}
		if s.at < len(data) {
			return nil, s.errorf("got %s after the end of the value", s.here())
		}
	}
	return &s.text, nil
}

func (s *scanner) errorf(format string, args ...any) error {
	return syntaxAt(s.data, s.at, format, args...)
}

// here shows what stands at the scanner's place.
func (s *scanner) here() string {
	if s.at >= len(s.data) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRune(s.data[s.at:])
	return fmt.Sprintf("%q", shape.Clean(string(r)))
}

// space skips white space and comments.
func (s *scanner) space() error {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.at++
		case c == '/' && s.at+1 < len(s.data) && (s.data[s.at+1] == '/' || s.data[s.at+1] == '*'):
			if s.dialect == strictJSON {
				return s.errorf("got a comment, which this file may not have")
			}
			start := s.at
			if s.data[s.at+1] == '/' {
				for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' {
					s.at++
				}
			} else {
				end := bytes.Index(s.data[s.at+2:], []byte("*/"))
				if end < 0 {
					return s.errorf("the comment has no end")
				}
				s.at += 2 + end + 2
			}
			s.comments = append(s.comments, span{start, s.at})
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, s.errorf("nested deeper than %d", maxDepth)
	}
	if s.at >= len(s.data) {
		return nil, s.errorf("got the end of the file, want a value")
	}
	n := &node{start: s.at}
	var err error
	switch s.data[s.at] {
	case '{':
		n.object = true
		err = s.members(n, '}', depth)
	case '[':
		n.list = true
		err = s.members(n, ']', depth)
	case '"':
		_, err = s.str()
	default:
		for s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n,:]}/\"[{"), s.data[s.at]) < 0 {
			s.at++
		}
		if token := s.data[n.start:s.at]; !json.Valid(token) {
			s.at = n.start
			return nil, s.errorf("got %s, want a value", s.here())
		}
	}
	n.end = s.at
	return n, err
}

// members scans what is between braces or brackets; s.at is at the opening one.
func (s *scanner) members(n *node, close byte, depth int) error {
	s.at++
	for comma := -1; ; {
		if err := s.space(); err != nil {
			return err
		}
		if s.at < len(s.data) && s.data[s.at] == close {
			if comma >= 0 {
				if s.dialect != jsonRelaxed {
					s.at = comma
					return s.errorf("got a comma behind the last value, which this file may not have")
				}
				s.trailing = append(s.trailing, comma)
			}
			s.at++
			return nil
		}
		m := member{at: s.at, comma: -1}
		if close == '}' {
			if s.at >= len(s.data) || s.data[s.at] != '"' {
				return s.errorf("got %s, want a key in double quotes", s.here())
			}
			var err error
			if m.name, err = s.str(); err != nil {
				return err
			}
			if err := s.space(); err != nil {
				return err
			}
			if s.at >= len(s.data) || s.data[s.at] != ':' {
				return s.errorf("got %s, want \":\"", s.here())
			}
			s.at++
			if err := s.space(); err != nil {
				return err
			}
		}
		var err error
		if m.value, err = s.value(depth + 1); err != nil {
			return err
		}
		if err := s.space(); err != nil {
			return err
		}
		if comma = -1; s.at < len(s.data) && s.data[s.at] == ',' {
			comma, m.comma = s.at, s.at
			s.at++
		} else if s.at >= len(s.data) || s.data[s.at] != close {
			return s.errorf("got %s, want \",\" or %q", s.here(), string(close))
		}
		if close == '}' {
			n.members = append(n.members, m)
		}
	}
}

// str scans a string and returns what it says.
func (s *scanner) str() (string, error) {
	start := s.at
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
		if s.at < len(s.data) && s.data[s.at] == '\n' {
			break
		}
	}
	if s.at >= len(s.data) || s.data[s.at] != '"' {
		s.at = start
		return "", s.errorf("the string has no end")
	}
	s.at++
	var value string
	if err := json.Unmarshal(s.data[start:s.at], &value); err != nil {
		s.at = start
		return "", s.errorf("the string is not JSON: %s", shape.Clean(err.Error()))
	}
	return value, nil
}

// values parses the text with encoding/json, comments and trailing commas blanked.
func (t *text) values() (any, error) {
	if t.root == nil {
		return map[string]any{}, nil
	}
	data := slices.Clone(t.data)
	blank := func(s span) {
		for i := s.start; i < s.end; i++ {
			data[i] = ' '
		}
	}
	for _, c := range t.comments {
		blank(c)
	}
	for _, c := range t.trailing {
		blank(span{c, c + 1})
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		blank(span{0, 3})
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}
