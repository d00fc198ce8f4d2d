package install

import (
	"bytes"
	"strings"
)

// expressions finds headers and keys of a TOML text that go-toml has parsed. It looks at quotes and brackets only, so
// on a text that is no TOML its places mean nothing; whoever edits at them parses the result again.
func expressions(data []byte) []expression {
	s := tomlScanner{data: data}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		s.at = 3
	}
	var list []expression
	var table []string
	line, counted := 1, 0
	for s.at < len(data) {
		line, counted = line+bytes.Count(data[counted:s.at], []byte("\n")), s.at
		e := expression{span: span{start: s.at}, line: line}
		s.blanks()
		switch {
		case s.at >= len(data):
			return list
		case data[s.at] == '#' || data[s.at] == '\n' || data[s.at] == '\r':
			s.line()
			continue
		case data[s.at] == '[':
			s.at++
			if s.at < len(data) && data[s.at] == '[' {
				s.at++
			}
			table = s.key(']')
			e.header, e.path = true, table
			s.line()
		default:
			key := s.key('=')
			e.path = append(table[:len(table):len(table)], key...)
			s.at++ // the "="
			s.blanks()
			e.valueStart = min(s.at, len(data))
			s.value()
			e.valueEnd = e.valueStart + len(bytes.TrimRight(data[e.valueStart:min(s.at, len(data))], " \t\r\n"))
			s.line()
		}
		e.end = min(s.at, len(data))
		list = append(list, e)
	}
	return list
}

type tomlScanner struct {
	data []byte
	at   int
}

func (s *tomlScanner) blanks() {
	for s.at < len(s.data) && (s.data[s.at] == ' ' || s.data[s.at] == '\t') {
		s.at++
	}
}

// line goes behind the end of the line.
func (s *tomlScanner) line() {
	if end := bytes.IndexByte(s.data[min(s.at, len(s.data)):], '\n'); end >= 0 {
		s.at += end + 1
	} else {
		s.at = len(s.data)
	}
}

// key reads a dotted key up to a byte that ends it.
func (s *tomlScanner) key(end byte) []string {
	var parts []string
	var part strings.Builder
	for s.at < len(s.data) && s.data[s.at] != end && s.data[s.at] != '\n' {
		switch c := s.data[s.at]; c {
		case '"', '\'':
			start := s.at
			s.str()
			part.WriteString(unquoted(s.data[start:min(s.at, len(s.data))]))
			continue
		case '.':
			parts = append(parts, part.String())
			part.Reset()
		case ' ', '\t':
		default:
			part.WriteByte(c)
		}
		s.at++
	}
	return append(parts, part.String())
}

// str goes behind a string of any of the four kinds.
func (s *tomlScanner) str() {
	quote := s.data[s.at]
	long := strings.Repeat(string(quote), 3)
	if bytes.HasPrefix(s.data[s.at:], []byte(long)) {
		for s.at += 3; s.at < len(s.data); s.at++ {
			if quote == '"' && s.data[s.at] == '\\' {
				s.at++
				continue
			}
			if bytes.HasPrefix(s.data[s.at:], []byte(long)) {
				for s.at += 3; s.at < len(s.data) && s.data[s.at] == quote; { // up to two quotes before the end are text
					s.at++
				}
				return
			}
		}
		return
	}
	for s.at++; s.at < len(s.data) && s.data[s.at] != quote && s.data[s.at] != '\n'; s.at++ {
		if quote == '"' && s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

// value goes to the end of a value: the comment or line feed behind it.
func (s *tomlScanner) value() {
	for depth := 0; s.at < len(s.data); {
		switch c := s.data[s.at]; c {
		case '"', '\'':
			s.str()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#', '\n':
			if depth <= 0 {
				return
			}
			if c == '#' {
				s.line()
				continue
			}
		}
		s.at++
	}
}
