package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/util"
)

// Limits of CommonMark, and of sense: a longer target is no link.
const (
	maxLabel  = 999
	maxTarget = 8192
	maxParens = 32
	maxWiki   = 512
)

// inlineTarget reads "(target "title")" at i and returns the target and the offset after it.
func (s *scanner) inlineTarget(i int) (target string, next int, ok bool) {
	raw := s.raw
	if i >= len(raw) || raw[i] != '(' {
		return "", 0, false
	}
	i = s.skipSpace(i + 1)
	if i < len(raw) && raw[i] == ')' {
		return "", i + 1, true
	}
	dest, i, ok := destination(raw, i)
	s.fuel -= len(dest) + 1
	if !ok || s.fuel <= 0 {
		return "", 0, false
	}
	after := s.skipSpace(i)
	if after < len(raw) && raw[after] == ')' {
		return unescape(dest), after + 1, true
	}
	if after == i {
		return "", 0, false
	}
	i, ok = linkTitle(raw, after)
	s.fuel -= i - after
	if !ok {
		return "", 0, false
	}
	i = s.skipSpace(i)
	if i < len(raw) && raw[i] == ')' {
		return unescape(dest), i + 1, true
	}
	return "", 0, false
}

// skipSpace skips white space, line ends included.
func (s *scanner) skipSpace(i int) int {
	next := skipWhite(s.raw, i)
	s.fuel -= next - i
	return next
}

// destination reads a link destination at i, in angle brackets or bare.
func destination(raw []byte, i int) (dest []byte, next int, ok bool) {
	end := min(len(raw), i+maxTarget)
	if i < end && raw[i] == '<' {
		for j := i + 1; j < end; j++ {
			switch raw[j] {
			case '\\':
				j++
			case '>':
				return raw[i+1 : j], j + 1, true
			case '<', '\n':
				return nil, j, false
			}
		}
		return nil, end, false
	}
	depth, j := 0, i
	for ; j < end; j++ {
		c := raw[j]
		switch {
		case c == '\\' && j+1 < end && isPunct(raw[j+1]):
			j++
		case c == '{' && j+1 < end && (raw[j+1] == '{' || raw[j+1] == '%'):
			if n := templateLength(raw[j:end]); n > 0 {
				j += n - 1
			}
		case c == '(':
			if depth++; depth > maxParens {
				return nil, j, false
			}
		case c == ')':
			if depth == 0 {
				return raw[i:j], j, j > i
			}
			depth--
		case c <= ' ' || c == 0x7f:
			return raw[i:j], j, j > i && depth == 0
		}
	}
	return raw[i:min(j, len(raw))], min(j, len(raw)), j > i && depth == 0 && j >= len(raw)
}

// templateLength returns the length of the output or tag of a template that text begins with, white space and all; 0 if
// it does not end.
func templateLength(text []byte) int {
	closer := []byte("}}")
	if text[1] == '%' || len(text) > 2 && text[2] == '%' {
		closer = []byte("%}")
	}
	n := bytes.Index(text[:min(len(text), maxLabel)], closer)
	if n < 0 || bytes.IndexByte(text[:n], '\n') >= 0 {
		return 0
	}
	for n += len(closer); n < len(text) && text[n] == '}'; n++ {
	}
	return n
}

// linkTitle passes over a title in quotes or parentheses at i. It has no empty line.
func linkTitle(raw []byte, i int) (next int, ok bool) {
	if i >= len(raw) {
		return i, false
	}
	open := raw[i]
	closer := open
	switch open {
	case '(':
		closer = ')'
	case '"', '\'':
	default:
		return i, false
	}
	end := min(len(raw), i+maxTarget)
	for j := i + 1; j < end; j++ {
		switch c := raw[j]; {
		case c == '\\':
			j++
		case c == closer:
			return j + 1, true
		case c == open, c == '\n' && j+1 < end && raw[j+1] == '\n':
			return j, false
		}
	}
	return end, false
}

// referenceTarget resolves "[label]" at i, "[]" at i, or the bracket's own text as a label.
func (s *scanner) referenceTarget(i int, inside []byte) (target string, next int, ok bool) {
	if len(s.refs) == 0 {
		return "", 0, false
	}
	raw := s.raw
	if i < len(raw) && raw[i] == '[' {
		end := min(len(raw), i+2+maxLabel)
		for j := i + 1; j < end && raw[j] != '['; j++ {
			if raw[j] == '\\' {
				j++
				continue
			}
			if raw[j] != ']' {
				continue
			}
			s.fuel -= j - i
			label := raw[i+1 : j]
			if len(label) == 0 {
				label = inside
			}
			target, ok = s.refs[s.label(label)]
			return target, j + 1, ok
		}
	}
	target, ok = s.refs[s.label(inside)]
	return target, i, ok
}

// label normalises a reference label; "" if it cannot be one.
func (s *scanner) label(text []byte) string {
	if len(text) > maxLabel {
		return ""
	}
	if s.fuel -= len(text); s.fuel <= 0 {
		return ""
	}
	return normalLabel(text)
}

func normalLabel(text []byte) string {
	return strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(string(text)), " ")))
}

// unescape resolves backslashes and entities of a link destination.
func unescape(text []byte) string {
	return valid(html.UnescapeString(string(util.UnescapePunctuations(text))))
}

// valid replaces what is not UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
