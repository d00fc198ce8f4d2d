package markdown

import (
	"bytes"
	"html"
	"strings"
)

// maxAttributes bounds an attribute list, in bytes.
const maxAttributes = 1024

// attributeList is what braces after a heading, a link or a block say: "{#id .class key=value}", of Pandoc, goldmark
// and Docusaurus, with a ":" after the first brace in kramdown and Python-Markdown.
type attributeList struct {
	id    string
	title span // of the raw text; empty if there is none
	end   int  // offset after the closing brace
	toc   bool // it has the word "toc"

	colon, marked, pairs bool // it begins with a ":", it has an id or a class, it has pairs
}

// pairsOnly reports whether the braces hold pairs alone: after text these may be a set, such as "{n=3}".
func (a *attributeList) pairsOnly() bool { return !a.marked && !a.colon }

// wordsOnly reports whether the braces hold single words alone, such as "{:ok}", which may be code.
func (a *attributeList) wordsOnly() bool { return !a.marked && !a.pairs }

// readAttributes reads the list at i, which is "{". Braces that hold anything but ids, classes and pairs are text: only
// after a ":" may there be single words, as in "{:toc}". goldmark's ParseAttributes would not do: it has no "{: .a}",
// no value in single quotes, and does not tell where one is.
func readAttributes(raw []byte, i int) (a attributeList, ok bool) {
	limit := min(len(raw), i+maxAttributes)
	j := i + 1
	if a.colon = j < limit && raw[j] == ':'; a.colon {
		j++
	}
	for n := 0; ; n++ {
		if j = skipSpaces(raw[:limit], j); j >= limit {
			return a, false
		}
		start := j
		switch c := raw[j]; {
		case c == '}':
			a.end = j + 1
			return a, n > 0
		case c == '#' || c == '.':
			for j++; j < limit && !isBlank(raw[j]) && raw[j] != '}' && raw[j] != '{'; j++ {
			}
			if j == start+1 || c == '.' && !isAlpha(raw[start+1]) && raw[start+1] != '-' && raw[start+1] != '_' {
				return a, false
			}
			a.marked = true
			if c == '#' && a.id == "" {
				a.id = valid(string(raw[start+1 : j]))
			}
		case isAlpha(c) || c == '-' || c == '_':
			for j++; j < limit && (isAlpha(raw[j]) || isDigit(raw[j]) || raw[j] == '-' || raw[j] == '_' || raw[j] == ':'); j++ {
			}
			name := string(raw[start:j])
			if j >= limit || raw[j] != '=' {
				if !a.colon {
					return a, false
				}
				a.toc = a.toc || name == "toc"
				continue
			}
			value, next, found := attributeValue(raw[:limit], j+1)
			if !found {
				return a, false
			}
			a.pairs = true
			switch j = next; name {
			case "id":
				a.marked = true
				a.id = valid(html.UnescapeString(string(raw[value.start:value.end])))
			case "title":
				a.title = value
			}
		default:
			return a, false
		}
	}
}

// attributeValue reads a value at i: in quotes, or up to white space or the end of the braces.
func attributeValue(raw []byte, i int) (value span, next int, ok bool) {
	if i < len(raw) && (raw[i] == '"' || raw[i] == '\'') {
		for j := i + 1; j < len(raw) && raw[j] != '\n'; j++ {
			if raw[j] == raw[i] {
				return span{i + 1, j}, j + 1, true
			}
		}
		return span{}, len(raw), false
	}
	j := i
	for j < len(raw) && !isBlank(raw[j]) && raw[j] != '}' && raw[j] != '{' {
		j++
	}
	return span{i, j}, j, j > i
}

// attributes takes a list that follows an inline element, or ends the text, out of it. Its id is an anchor.
func (s *scanner) attributes(i int) int {
	if s.mode != markdownText || i+2 >= len(s.raw) {
		return i
	}
	ends, sure := i == 0 || isBlank(s.raw[i-1]), false
	if !ends {
		switch s.raw[i-1] {
		case ')', '`': // of a link or code, which is an item by now
			if sure = s.pending == i; !sure {
				return i
			}
		case ']', '*', ':', '}':
		case '_': // "_text_{.class}", but not TeX's "x_{i}"
			if strings.IndexByte(" .#:", s.raw[i+1]) < 0 {
				return i
			}
		default:
			return i
		}
	}
	s.fuel -= 8
	if s.fuel <= 0 {
		return i
	}
	a, ok := readAttributes(s.raw, i)
	if !ok {
		s.fuel -= min(maxAttributes, len(s.raw)-i)
		return i
	}
	if a.wordsOnly() || !sure && a.pairsOnly() || ends && len(bytes.TrimSpace(s.raw[a.end:])) > 0 {
		return i
	}
	if a.id != "" {
		s.anchors = append(s.anchors, idAt{a.id, s.at(i)})
	}
	s.add(item{kind: itemGone, start: i, end: a.end})
	return a.end
}
