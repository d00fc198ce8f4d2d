package markdown

import (
	"bytes"
	"html"
	"strings"
)

// Limits of CommonMark, and of sense: a longer target is no link.
const (
	maxLabel  = 999
	maxTarget = 8192
	maxParens = 32
	maxWiki   = 512
)

// closeBracket decides what the "]" at i closes: a link, an image, a footnote mark, or nothing.
func (s *scanner) closeBracket(i int) int {
	if len(s.brackets) == 0 {
		return i
	}
	top := len(s.brackets) - 1
	b := s.brackets[top]
	s.brackets = s.brackets[:top]
	inactive := top < s.inactive
	s.inactive = min(s.inactive, top)
	if inactive && !b.image {
		return i
	}
	open := s.items[b.item]
	inside := s.raw[open.end:i]
	if !b.image && len(inside) > 1 && inside[0] == '^' && s.footnotes[string(inside[1:])] {
		s.flush(i)
		s.items = append(s.items[:b.item], item{kind: itemGone, start: open.start, end: i + 1})
		s.delims = s.delims[:b.delims]
		return i + 1
	}
	kind := Inline
	target, next, ok := s.inlineTarget(i + 1)
	if !ok {
		kind = Reference
		if target, next, ok = s.referenceTarget(i+1, inside); !ok {
			return i
		}
	}
	s.flush(i)
	if b.image {
		kind = Image
		s.alts = append(s.alts, len(s.links))
	}
	s.items[b.item].kind = itemStart
	s.items[b.item].link = len(s.links)
	s.items = append(s.items, item{kind: itemEnd, start: i, end: next, link: len(s.links)})
	s.links = append(s.links, inlineLink{kind: kind, target: target, source: s.at(open.start)})
	s.emphasis(b.delims)
	if !b.image {
		s.inactive = len(s.brackets)
		for k := len(s.links) - 2; k >= 0 && s.links[k].source > s.links[len(s.links)-1].source; k-- {
			s.links[k].nested = s.links[k].nested || s.links[k].kind == Auto
		}
	}
	return next
}

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
	_, i, ok = linkTitle(raw, after)
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
	for i < len(s.raw) && isBlank(s.raw[i]) {
		i++
		s.fuel--
	}
	return i
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

// linkTitle reads a title in quotes or parentheses at i. It has no empty line.
func linkTitle(raw []byte, i int) (title []byte, next int, ok bool) {
	if i >= len(raw) {
		return nil, i, false
	}
	open := raw[i]
	closer := open
	switch open {
	case '(':
		closer = ')'
	case '"', '\'':
	default:
		return nil, i, false
	}
	end := min(len(raw), i+maxTarget)
	for j := i + 1; j < end; j++ {
		switch c := raw[j]; {
		case c == '\\':
			j++
		case c == closer:
			return raw[i+1 : j], j + 1, true
		case c == open:
			return nil, j, false
		case c == '\n' && j+1 < end && raw[j+1] == '\n':
			return nil, j, false
		}
	}
	return nil, end, false
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
	if bytes.IndexByte(text, '\\') >= 0 {
		out := make([]byte, 0, len(text))
		for i := 0; i < len(text); i++ {
			if text[i] == '\\' && i+1 < len(text) && isPunct(text[i+1]) {
				i++
			}
			out = append(out, text[i])
		}
		text = out
	}
	if bytes.IndexByte(text, '&') >= 0 {
		return valid(html.UnescapeString(string(text)))
	}
	return valid(string(text))
}

// valid replaces what is not UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// wiki reads "[[target]]", "[[target|alias]]" or "[[domain::target]]" at i. "[[x]](y)" is left to Markdown.
func (s *scanner) wiki(i int) int {
	raw := s.raw
	if i+4 >= len(raw) || raw[i+1] != '[' || s.quiet > 0 {
		return i
	}
	end := min(len(raw), i+maxWiki)
	j := i + 2
	for j < end && raw[j] != ']' && raw[j] != '[' && raw[j] != '\n' {
		j++
	}
	s.fuel -= j - i
	if s.fuel <= 0 || j+1 >= end || raw[j] != ']' || raw[j+1] != ']' || j+2 < len(raw) && raw[j+2] == '(' {
		return i
	}
	inside := valid(string(raw[i+2 : j]))
	target, alias, _ := strings.Cut(inside, "|")
	domain, rest, found := strings.Cut(target, "::")
	if found && strings.TrimSpace(domain) != "" {
		target = rest
	} else {
		domain = ""
	}
	target, alias = strings.TrimSpace(strings.TrimSuffix(target, `\`)), strings.TrimSpace(alias)
	if target == "" {
		return i
	}
	if alias == "" {
		alias = target
	}
	start := i
	if i > 0 && raw[i-1] == '!' && i-1 >= s.pending {
		start = i - 1 // an embedded page
	}
	s.add(item{kind: itemStart, start: start, end: i, link: len(s.links)})
	s.items = append(s.items,
		item{kind: itemLiteral, wiki: true, start: i + 2, end: j, lit: alias},
		item{kind: itemEnd, start: j, end: j + 2, link: len(s.links)})
	s.links = append(s.links, inlineLink{
		kind: Wiki, target: target, domain: strings.TrimSpace(domain), source: s.at(start),
	})
	s.pending = j + 2
	return j + 2
}

// bareURL makes a link of "http://…" and "https://…" whose colon is at i.
func (s *scanner) bareURL(i int) int {
	raw := s.raw
	if i+3 >= len(raw) || raw[i+1] != '/' || raw[i+2] != '/' {
		return i
	}
	start := i
	for start > s.pending && i-start < 5 && isAlpha(raw[start-1]) {
		start--
	}
	scheme := strings.ToLower(string(raw[start:i]))
	if scheme != "http" && scheme != "https" || !s.urlMayStart(start) {
		return i
	}
	return s.bareLink(i, start, i+3, "")
}

// bareWWW makes a link of "www.…" whose first dot is at i.
func (s *scanner) bareWWW(i int) int {
	raw := s.raw
	if i-3 < s.pending || !bytes.EqualFold(raw[i-3:i], []byte("www")) || !s.urlMayStart(i-3) {
		return i
	}
	return s.bareLink(i, i-3, i+1, "http://")
}

// urlMayStart reports whether GFM lets a bare link begin at i: at a line's start, after white space, or after * _ ~ (.
func (s *scanner) urlMayStart(i int) bool {
	if len(s.tags) > 0 {
		return false // the text of an HTML link
	}
	return i == 0 || isBlank(s.raw[i-1]) || strings.IndexByte("*_~(>", s.raw[i-1]) >= 0 || s.raw[i-1] >= 0x80
}

// bareLink ends the link that begins at start and whose host begins at host. It returns at if it is none.
func (s *scanner) bareLink(at, start, host int, prefix string) int {
	raw, end := s.raw, host
	for end < len(raw) && end-start < maxTarget && raw[end] > ' ' && raw[end] != '<' && raw[end] != 0x7f {
		end++
	}
	end = trimURL(raw, host, end)
	s.fuel -= end - start
	if end <= host || !isAlpha(raw[host]) && !isDigit(raw[host]) && raw[host] < 0x80 && raw[host] != '[' {
		return at
	}
	text := valid(string(raw[start:end]))
	s.add(item{kind: itemStart, start: start, end: start, link: len(s.links)})
	s.items = append(s.items,
		item{kind: itemText, wiki: true, start: start, end: end},
		item{kind: itemEnd, start: end, end: end, link: len(s.links)})
	s.links = append(s.links, inlineLink{kind: Auto, target: prefix + text, source: s.at(start)})
	s.pending = end
	return end
}

// trimURL returns the end of a bare URL without the punctuation that belongs to the sentence.
func trimURL(raw []byte, start, end int) int {
	open, closed := bytes.Count(raw[start:end], []byte("(")), bytes.Count(raw[start:end], []byte(")"))
	for end > start {
		switch c := raw[end-1]; c {
		case '?', '!', '.', ',', ':', '*', '_', '~', '\'', '"', ']', '|', '`':
			end--
		case ')':
			if closed <= open {
				return end
			}
			closed--
			end--
		case ';':
			j := end - 2
			for j > start && (isAlpha(raw[j]) || isDigit(raw[j])) {
				j--
			}
			if j == end-2 || raw[j] != '&' {
				end--
				continue
			}
			end = j
		default:
			return end
		}
	}
	return end
}
