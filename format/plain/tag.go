package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isBlank reports whether r is white space, or the beginning or end of a text.
func isBlank(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !isLetter(byte(r)) && !isDigit(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// tag returns the length of the tag, comment or address at the beginning of s, and what is shown in its place. The
// length is 0 if there is none.
func tag(s string) (length int, shown string) {
	if strings.HasPrefix(s, "<!--") {
		return until(s, "-->"), ""
	}
	i := 1
	if i < len(s) && s[i] == '/' {
		i++
	}
	if i < len(s) && s[i] == '>' { // a fragment of JSX
		return i + 1, ""
	}
	first := i
	if i == len(s) || !isLetter(s[i]) {
		return 0, ""
	}
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || strings.IndexByte(".-:", s[i]) >= 0) {
		i++
	}
	name := strings.ToLower(s[first:i])
	if i < len(s) && strings.IndexByte(" \t\r\n/>{", s[i]) < 0 || strings.HasSuffix(name, ":") { // <https://example.org>, <me@example.org>
		end := strings.IndexAny(s[:min(len(s), maxInside)], " \n>")
		if end < 0 || s[end] != '>' || !strings.ContainsAny(s[1:end], ":@") {
			return 0, ""
		}
		return end + 1, strings.TrimPrefix(s[1:end], "mailto:")
	}
	if length = endOfTag(s, i); length > 0 && apart[name] {
		shown = " "
	}
	return length, shown
}

// apart are the elements whose tags stand between words.
var apart = map[string]bool{
	"br": true, "p": true, "div": true, "li": true, "ul": true, "ol": true, "dt": true, "dd": true, "dl": true,
	"td": true, "th": true, "tr": true, "table": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
	"summary": true, "details": true, "section": true, "figure": true, "figcaption": true, "hr": true, "pre": true,
}

// endOfTag returns the place behind the ">" of the tag whose name ends at i, or 0. Quoted values and braces of JSX may
// hold one.
func endOfTag(s string, i int) int {
	depth, quote := 0, byte(0)
	for ; i < min(len(s), maxInside); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`' && depth > 0:
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '>' && depth <= 0:
			return i + 1
		}
	}
	return 0
}

// until returns the length of s up to and with end, or 0.
func until(s, end string) int {
	if i := strings.Index(s[:min(len(s), maxInside)], end); i >= 0 {
		return i + len(end)
	}
	return 0
}

// templates are what stands in braces and is no text: comments of MDX, tags of Liquid and Jinja, shortcodes of Hugo,
// includes of mdBook.
var templates = [...][2]string{{"{/*", "*/}"}, {"{%", "%}"}, {"{{<", ">}}"}, {"{{%", "%}}"}, {"{{#", "}}"}}

// braces returns the length of a comment, template or list of attributes at the beginning of s, and what is shown in
// its place. The length is 0 if there is none.
func braces(s string) (length int, shown string) {
	for _, t := range templates {
		if strings.HasPrefix(s, t[0]) {
			return until(s, t[1]), ""
		}
	}
	for _, space := range [...]string{`{" "}`, `{' '}`} {
		if strings.HasPrefix(s, space) {
			return len(space), " "
		}
	}
	end := strings.IndexByte(s[:min(len(s), 200)], '}')
	if end < 0 || !isAttributes(s[1:end]) {
		return 0, ""
	}
	return end + 1, ""
}

// isAttributes reports whether what stands in braces is a list of attributes: { .lg }, {#id}, {: .note }, {width="3"}.
func isAttributes(inside string) bool {
	inside = strings.TrimPrefix(strings.TrimSpace(inside), ":")
	words := strings.Fields(inside)
	for _, w := range words {
		if len(w) > 1 && (w[0] == '#' || w[0] == '.') && !strings.ContainsAny(w, "(){}") {
			continue
		}
		name, value, ok := strings.Cut(w, "=")
		if !ok || name == "" || value == "" || strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' }) >= 0 {
			return false
		}
	}
	return len(words) > 0
}

// iconSets are the beginnings of the names of icons that Material for MkDocs draws: ":material-account-circle:".
var iconSets = [...]string{":material-", ":fontawesome-", ":octicons-", ":simple-"}

// iconLength returns the length of the name of an icon at the beginning of s, with its colons, or 0.
func iconLength(s string) int {
	for _, set := range iconSets {
		if !strings.HasPrefix(s, set) {
			continue
		}
		n := len(set)
		for n < min(len(s), maxIcon) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '-') {
			n++
		}
		if n < len(s) && s[n] == ':' {
			return n + 1
		}
	}
	return 0
}

// maxIcon bounds the name of an icon, in bytes.
const maxIcon = 80
