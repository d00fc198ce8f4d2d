package markdown

import (
	"bytes"
	"html"
	"strings"
)

// maxTag is the size of a tag, in bytes, above which it is text.
const maxTag = 16 << 10

// tag is an HTML or JSX tag.
type tag struct {
	name    string // as written; "" for <> and </>
	closing bool
	empty   bool // self-closing
	attrs   []attr
	end     int // offset after it
}

type attr struct{ name, value string }

// attr returns the first value of the attribute named.
func (t *tag) attr(name string) (string, bool) {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// component reports whether the tag is JSX: a capital, a dot, or a fragment.
func (t *tag) component() bool {
	return t.name == "" || 'A' <= t.name[0] && t.name[0] <= 'Z' || strings.IndexByte(t.name, '.') > 0
}

// readTag reads a tag at raw[i], which is "<". used is how many bytes were looked at.
func readTag(raw []byte, i int) (t tag, used int, ok bool) {
	end := min(len(raw), i+maxTag)
	j := i + 1
	if j < end && raw[j] == '/' {
		t.closing = true
		j++
	}
	name := j
	for j < end && (isAlpha(raw[j]) || j > name && (isDigit(raw[j]) || raw[j] == '-' || raw[j] == '.' || raw[j] == ':' || raw[j] == '_')) {
		j++
	}
	t.name = string(raw[name:j])
	if t.name == "" {
		ok = j < end && raw[j] == '>'
		t.end = j + 1
		return t, j - i + 1, ok
	}
	if strings.HasSuffix(t.name, ":") || strings.Contains(t.name, "://") {
		return t, j - i, false // an autolink
	}
	for j < end {
		space := j
		if j = skipWhite(raw[:end], j); j == end {
			break
		}
		switch c := raw[j]; {
		case c == '>':
			t.end = j + 1
			return t, j - i + 1, true
		case c == '/' && j+1 < end && raw[j+1] == '>':
			t.end, t.empty = j+2, true
			return t, j - i + 2, !t.closing
		case t.closing || space == j:
			return t, j - i, false
		case c == '{':
			_, next, found := braces(raw[:end], j)
			if !found {
				return t, next - i, false
			}
			j = next
		case isAlpha(c) || c == '_' || c == ':' || c == '@':
			a, next, found := readAttr(raw[:end], j)
			if !found {
				return t, next - i, false
			}
			t.attrs = append(t.attrs, a)
			j = next
		default:
			return t, j - i, false
		}
	}
	return t, end - i, false
}

// readAttr reads name, name=value, name="value" or name={expression} at i.
func readAttr(raw []byte, i int) (a attr, next int, ok bool) {
	j := i
	for j < len(raw) && (isAlpha(raw[j]) || isDigit(raw[j]) || strings.IndexByte("_:.@-", raw[j]) >= 0) {
		j++
	}
	a.name = string(raw[i:j])
	eq := skipWhite(raw, j)
	if eq == len(raw) || raw[eq] != '=' {
		return a, j, true
	}
	if j = skipWhite(raw, eq+1); j == len(raw) {
		return a, j, false
	}
	switch c := raw[j]; c {
	case '"', '\'':
		n := 0
		if v := raw[j+1:]; len(v) > 1 && v[0] == '{' && (v[1] == '{' || v[1] == '%') {
			n = templateLength(v) // which may hold quotes of the same kind
		}
		if k := bytes.IndexByte(raw[j+1+n:], c); k >= 0 {
			n += k
		} else {
			return a, len(raw), false
		}
		a.value = valid(html.UnescapeString(string(raw[j+1 : j+1+n])))
		return a, j + n + 2, true
	case '{':
		inside, next, ok := braces(raw, j)
		a.value = stringLiteral(inside)
		return a, next, ok
	}
	k := j
	for k < len(raw) && !isBlank(raw[k]) && strings.IndexByte("\"'=<>`", raw[k]) < 0 {
		k++
	}
	a.value = valid(html.UnescapeString(string(raw[j:k])))
	return a, k, k > j
}

// braces reads a JSX expression at i, which is "{"; braces inside strings do not count.
func braces(raw []byte, i int) (inside []byte, next int, ok bool) {
	depth := 0
	for j := i; j < len(raw); j++ {
		switch c := raw[j]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return raw[i+1 : j], j + 1, true
			}
		case '"', '\'', '`':
			for j++; j < len(raw) && raw[j] != c; j++ {
				if raw[j] == '\\' {
					j++
				}
			}
		}
	}
	return nil, len(raw), false
}

// stringLiteral returns the value of a JSX expression that is nothing but a string without escapes.
func stringLiteral(expr []byte) string {
	e := bytes.TrimSpace(expr)
	if len(e) >= 2 && strings.IndexByte("\"'`", e[0]) >= 0 && e[len(e)-1] == e[0] &&
		bytes.IndexByte(e[1:len(e)-1], e[0]) < 0 && !bytes.ContainsAny(e, "\\$") {
		return valid(string(e[1 : len(e)-1]))
	}
	return ""
}

// blockTags are the HTML elements that separate words; inlineTags those that do not.
var blockTags, inlineTags = nameSet(`address article aside blockquote body br button canvas caption center col colgroup
	dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
	hr html iframe input legend li link main menu menuitem meta nav noframes noscript object ol optgroup option p param
	picture pre script section select source style summary table tbody td textarea template tfoot th thead title tr track
	ul video`), nameSet(`a abbr acronym area audio b base bdi bdo big cite code data datalist del dfn em embed font i img
	ins kbd label map mark math meter nobr output path progress q rp rt ruby s samp slot small span strike strong sub sup
	svg time tt u var wbr`)

// standAlone are elements that need no closing tag.
var standAlone = nameSet("area br col dd dt hr img li p td th tr wbr")

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}
