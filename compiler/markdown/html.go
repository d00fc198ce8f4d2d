package markdown

import (
	"bytes"
	"strings"
)

// openTag is an element whose content becomes the text of a raw link.
type openTag struct {
	name string
	link int
}

// closers are the ends of the constructs that begin with "<" and are no tags; missing remembers that there is none.
var closers = [...]struct{ open, end string }{
	{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"},
}

// angle reads the comment or tag that begins with the "<" at i.
func (s *scanner) angle(i int) int {
	raw := s.raw
	if i+1 >= len(raw) {
		return i
	}
	switch c := raw[i+1]; {
	case c == '!' || c == '?':
		return s.notText(i)
	case c == '/' || c == '>' || isAlpha(c):
	default:
		return i
	}
	if s.fuel <= 0 {
		return i
	}
	t, used, ok := readTag(raw, i)
	s.fuel -= used
	if !ok {
		return i
	}
	lower := strings.ToLower(t.name)
	if len(t.attrs) == 0 && !t.empty && s.placeholder(i, &t, lower) {
		return i
	}
	s.tag(i, &t, lower)
	if !t.closing && !t.empty && (lower == "script" || lower == "style") && !t.component() {
		return s.afterHidden(t.end, lower)
	}
	return t.end
}

// placeholder reports whether an apparent tag is text: <file>, the <T> of List<T>, or, in running text, an element that
// is never closed, such as <title>.
func (s *scanner) placeholder(i int, t *tag, lower string) bool {
	if t.component() {
		return !t.closing && i > 0 && (isAlpha(s.raw[i-1]) || isDigit(s.raw[i-1]))
	}
	if !blockTags[lower] && !inlineTags[lower] {
		return strings.IndexByte(lower, '-') < 0
	}
	if t.closing || s.mode != markdownText || standAlone[lower] {
		return false
	}
	if never, known := s.unclosed[lower]; known {
		return never
	}
	never := indexFold(s.raw[t.end:], []byte("</"+lower)) < 0
	if s.unclosed == nil {
		s.unclosed = map[string]bool{}
	}
	s.unclosed[lower] = never
	return never
}

func foldPrefix(text, prefix []byte) bool {
	return len(text) >= len(prefix) && bytes.EqualFold(text[:len(prefix)], prefix)
}

// notText skips comments, declarations, processing instructions and CDATA sections.
func (s *scanner) notText(i int) int {
	raw := s.raw
	if bytes.HasPrefix(raw[i:], []byte("<!-->")) || bytes.HasPrefix(raw[i:], []byte("<!--->")) {
		n := bytes.IndexByte(raw[i:], '>') + 1
		s.add(item{kind: itemGone, start: i, end: i + n})
		return i + n
	}
	for k, c := range closers {
		if !bytes.HasPrefix(raw[i:], []byte(c.open)) {
			continue
		}
		if c.open == "<!" && (i+2 >= len(raw) || !isAlpha(raw[i+2])) || s.missing[k] {
			return i
		}
		n := bytes.Index(raw[i+len(c.open):], []byte(c.end))
		if n < 0 {
			s.missing[k] = true
			return i
		}
		end := i + len(c.open) + n + len(c.end)
		s.add(item{kind: itemGone, start: i, end: end})
		return end
	}
	return i
}

// brace reads what begins with the "{" at i: it skips "{/* … */}", also with spaces inside the braces, and what templates
// and attribute lists have, and takes JSX's way to write a space, {' '}, for one.
func (s *scanner) brace(i int) int {
	raw := s.raw
	if i+4 < len(raw) && raw[i+4] == '}' && raw[i+2] == ' ' && raw[i+1] == raw[i+3] && (raw[i+1] == '\'' || raw[i+1] == '"') {
		s.add(item{kind: itemLiteral, start: i, end: i + 5, lit: " "})
		return i + 5
	}
	start := skipSpaces(raw, i+1)
	if !bytes.HasPrefix(raw[start:], []byte("/*")) {
		if next := s.template(i); next > i {
			return next
		}
		return s.attributes(i)
	}
	if s.noComment {
		return i
	}
	for start, end := start+2, start+2; ; end += 2 {
		n := bytes.Index(raw[end:], []byte("*/"))
		if n < 0 {
			s.noComment = true
			return i
		}
		end += n
		if brace := skipSpaces(raw, end+2); brace < len(raw) && raw[brace] == '}' {
			s.comments = append(s.comments, strings.TrimSpace(valid(string(raw[start:end]))))
			s.add(item{kind: itemGone, start: i, end: brace + 1})
			return brace + 1
		}
	}
}

// afterHidden returns where the closing tag of a script or style begins, whose content from i on is not text.
func (s *scanner) afterHidden(i int, name string) int {
	for {
		n := indexFold(s.raw[i:], []byte("</"+name))
		if n < 0 || s.fuel <= 0 {
			return len(s.raw)
		}
		i += n
		_, used, ok := readTag(s.raw, i)
		s.fuel -= used
		if ok {
			return i
		}
		i++
	}
}

// tag takes the tag t at i out of the text and keeps its anchors, targets and alternative text.
func (s *scanner) tag(i int, t *tag, lower string) {
	s.flush(i)
	gap := item{kind: itemGone, start: i, end: t.end}
	switch {
	case lower == "br" && s.mode == markdownText:
		gap.kind = itemHard
	case blockTags[lower] || s.mode == htmlText && t.component():
		gap.kind = itemBreak
		gap.start = t.end - 1
	}
	s.items = append(s.items, gap)
	if t.closing {
		s.closeTag(i, t)
		return
	}
	if id, ok := t.attr("id"); ok && id != "" {
		s.anchors = append(s.anchors, idAt{id, s.at(i)})
	} else if name, ok := t.attr("name"); ok && name != "" && lower == "a" {
		s.anchors = append(s.anchors, idAt{name, s.at(i)})
	}
	switch lower {
	case "script", "style":
		return
	case "pre", "code":
		if s.mode == htmlText && !t.empty && !t.component() {
			s.quiet++
		}
		return
	case "img":
		s.image(i, t)
		return
	case "link", "base":
		if !t.component() {
			return
		}
	}
	s.rawLink(i, t)
}

func (s *scanner) closeTag(i int, t *tag) {
	if n := strings.ToLower(t.name); (n == "pre" || n == "code") && s.quiet > 0 {
		s.quiet--
	}
	for k := len(s.tags) - 1; k >= 0 && k >= len(s.tags)-8; k-- {
		if s.tags[k].name == t.name {
			s.items = append(s.items, item{kind: itemEnd, start: i, end: i, link: s.tags[k].link})
			s.tags = s.tags[:k]
			return
		}
	}
}

// element returns the links and ids of a tag that stands by itself at a source offset.
func (s *scanner) element(t *tag, source int) inline {
	s.begin(nil, []Place{{0, source}}, htmlText)
	s.tag(0, t, strings.ToLower(t.name))
	return inline{links: s.links, anchors: s.anchors}
}

// image records <img src alt>; the alternative text is text.
func (s *scanner) image(i int, t *tag) {
	src, _ := t.attr("src")
	alt, _ := t.attr("alt")
	if src == "" && alt == "" {
		return
	}
	s.items = append(s.items, item{kind: itemStart, start: i, end: i, link: len(s.links)})
	if alt = strings.Join(strings.Fields(alt), " "); alt != "" && len(alt) < t.end-i {
		s.items = append(s.items, item{kind: itemLiteral, start: i, end: t.end, lit: alt})
	}
	s.items = append(s.items, item{kind: itemEnd, start: t.end, end: t.end, link: len(s.links)})
	s.links = append(s.links, inlineLink{kind: Image, target: src, source: s.at(i)})
}

// rawLink records the target in a tag's attributes, if there is one.
func (s *scanner) rawLink(i int, t *tag) {
	target := linkTarget(t)
	if target == "" {
		return
	}
	link := inlineLink{kind: Raw, target: target, source: s.at(i)}
	if title, _ := t.attr("title"); title != "" && t.component() {
		link.label = title
	}
	n := len(s.links)
	s.links = append(s.links, link)
	s.items = append(s.items, item{kind: itemStart, start: t.end, end: t.end, link: n})
	if t.empty || link.label != "" {
		s.items = append(s.items, item{kind: itemEnd, start: t.end, end: t.end, link: n})
		return
	}
	s.tags = append(s.tags, openTag{t.name, n})
}

// linkTarget returns where a tag leads: href or to, or a component's path if it looks like one.
func linkTarget(t *tag) string {
	if v, _ := t.attr("href"); v != "" {
		return v
	}
	if v, _ := t.attr("to"); t.component() && strings.ContainsAny(v, "/.#") {
		return v // "to" may be a selector or a name: <Teleport to="body">
	}
	if v, _ := t.attr("path"); t.component() && (strings.HasPrefix(v, "/") || strings.HasPrefix(v, ".") || strings.HasPrefix(v, "#")) {
		return v
	}
	return ""
}
