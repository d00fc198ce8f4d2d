package markdown

import (
	"bytes"
	"strings"
)

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
	link := inlineLink{kind: Wiki, target: target, domain: strings.TrimSpace(domain)}
	return s.wholeLink(link, start, j+2, item{kind: itemLiteral, start: i + 2, end: j, lit: alias})
}

// mark reads what begins with "[" and is no link of Markdown's.
func (s *scanner) mark(i int) int {
	if next := s.wiki(i); next > i {
		return next
	}
	return s.footnoteMark(i)
}

// embedded reads "![[page]]" at i.
func (s *scanner) embedded(i int) int {
	if i+1 < len(s.raw) && s.raw[i+1] == '[' {
		if next := s.wiki(i + 1); next > i+1 {
			return next
		}
	}
	return i
}

// wholeLink makes a link of all that stands in [start, end), of which readers see text. It returns end.
func (s *scanner) wholeLink(link inlineLink, start, end int, text item) int {
	text.wiki, link.source = true, s.at(start)
	s.add(item{kind: itemStart, start: start, end: text.start, link: len(s.links)})
	s.items = append(s.items, text, item{kind: itemEnd, start: text.end, end: end, link: len(s.links)})
	s.links = append(s.links, link)
	s.pending = end
	return end
}

// Bare URLs are read here, as goldmark's Linkify makes links of mail addresses, too, has none without a dot in the host
// (http://localhost:80/x), and takes quotation marks into the target.

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
	return s.wholeLink(inlineLink{kind: Auto, target: prefix + text}, start, end, item{kind: itemText, start: start, end: end})
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
