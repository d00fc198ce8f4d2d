package markdown

import (
	"bytes"
	"strings"
)

// maxTemplate is the size of a template's tag, in bytes, above which it is text.
const maxTemplate = 4096

// templateTag is a tag of a template language: "{% name … %}" of Liquid (Jekyll, GitBook), Markdoc and Nunjucks, or one
// of Hugo's shortcodes, "{{< name … >}}" and "{{% name … %}}".
type templateTag struct {
	name    string // without the "/" of a closing shortcode
	hugo    bool
	closing bool // Hugo and Markdoc; Liquid has a name of its own, such as endraw
	empty   bool
	args    []templateArg
	end     int // offset after it
}

// templateArg is an argument, whose value stands at [start, end); name is "" for one that has only a place.
type templateArg struct {
	name string
	span
}

// readTemplate reads the tag at i, which is "{".
func readTemplate(raw []byte, i int) (t templateTag, ok bool) {
	limit := min(len(raw), i+maxTemplate)
	rest := raw[i:limit]
	closer, j := "%}", 2
	switch {
	case bytes.HasPrefix(rest, []byte("{{<")):
		closer, j, t.hugo = ">}}", 3, true
	case bytes.HasPrefix(rest, []byte("{{%")):
		closer, j, t.hugo = "%}}", 3, true
	case !bytes.HasPrefix(rest, []byte("{%")):
		return t, false
	}
	n := bytes.Index(rest[j:], []byte(closer))
	if n < 0 {
		return t, false
	}
	stop := i + j + n
	t.end = stop + len(closer)
	j += i
	if !t.hugo && j < stop && raw[j] == '-' {
		j++
	}
	if !t.hugo && j < stop && raw[stop-1] == '-' {
		stop--
	}
	j = skipWhite(raw[:stop], j)
	if j < stop && raw[j] == '/' {
		t.closing = true
		j = skipWhite(raw[:stop], j+1)
	}
	for stop > j && isBlank(raw[stop-1]) {
		stop--
	}
	if stop > j && raw[stop-1] == '/' {
		t.empty = true
		stop--
	}
	name := j
	for j < stop && (isAlpha(raw[j]) || raw[j] == '_' || raw[j] == '@' || j > name && (isDigit(raw[j]) || strings.IndexByte("-./", raw[j]) >= 0)) {
		j++
	}
	t.name = string(raw[name:j])
	if j == name || j < stop && !isBlank(raw[j]) {
		return t, false
	}
	t.args = templateArgs(raw, j, stop)
	return t, true
}

// templateArgs reads the arguments in raw[i:stop].
func templateArgs(raw []byte, i, stop int) (args []templateArg) {
	for i < stop {
		if isBlank(raw[i]) {
			i++
			continue
		}
		a := templateArg{}
		k := i
		for k < stop && (isAlpha(raw[k]) || isDigit(raw[k]) || raw[k] == '_' || raw[k] == '-') {
			k++
		}
		if k > i && k < stop && raw[k] == '=' {
			a.name, i = string(raw[i:k]), k+1
		}
		if i < stop && strings.IndexByte("\"'`", raw[i]) >= 0 {
			n := bytes.IndexByte(raw[i+1:stop], raw[i])
			if n < 0 {
				return args
			}
			a.span = span{i + 1, i + 1 + n}
			i += n + 2
		} else {
			start := i
			for i < stop && !isBlank(raw[i]) {
				i++
			}
			a.span = span{start, i}
		}
		args = append(args, a)
	}
	return args
}

// Arguments that readers see, tags whose first argument they see, arguments that are the target of a link, and tags
// that stand for one.
var (
	shownArgs  = nameSet("alt caption content description header heading label name summary text title")
	shownTags  = nameSet("abbr badge button details expand glossary-term glossary_term heading kbd tab term tooltip")
	targetArgs = nameSet("href link relref url")
	targetTags = nameSet("link post_url ref relref")
)

// includeTags put another document's text in their place.
var includeTags = nameSet("include include-markdown include_relative readfile snippet")

func hasDocumentExtension(name []byte) bool {
	return bytes.HasSuffix(name, []byte(".md")) || bytes.HasSuffix(name, []byte(".mdx")) || bytes.HasSuffix(name, []byte(".markdown"))
}

// printingTags of templates print text in the middle of a sentence.
var printingTags = nameSet("glossary_tooltip include link param post_url ref relref")

// template takes a tag out of the text, all but the arguments that readers see. What Liquid's raw holds is text, what
// its comment holds is none.
func (s *scanner) template(i int) int {
	raw := s.raw
	if i+3 >= len(raw) || raw[i+1] != '%' && (raw[i+1] != '{' || raw[i+2] != '<' && raw[i+2] != '%') || s.fuel <= 0 || i < s.untouched {
		return i
	}
	t, ok := readTemplate(raw, i)
	if !ok {
		s.fuel -= min(maxTemplate, len(raw)-i)
		return i
	}
	s.fuel -= t.end - i
	s.add(item{kind: itemGone, start: i, end: t.end})
	if !t.hugo && (t.name == "raw" || t.name == "comment") {
		return s.until(&t)
	}
	if t.closing {
		return t.end
	}
	link := s.templateLink(i, &t)
	shown := false
	for k, a := range t.args {
		if a.start == a.end || !shownArgs[a.name] && (a.name != "" || k > 0 || !shownTags[t.name]) {
			continue
		}
		if shown {
			s.items = append(s.items, item{kind: itemLiteral, wiki: true, start: a.start - 1, end: a.start, lit: " "})
		}
		s.items = append(s.items, item{kind: itemText, start: a.start, end: a.end})
		shown = true
	}
	if link >= 0 {
		s.items = append(s.items, item{kind: itemEnd, start: t.end, end: t.end, link: link})
	}
	return t.end
}

// until finds the end of Liquid's raw, in which there are no tags, or skips that of a comment.
func (s *scanner) until(t *templateTag) int {
	for k := t.end; ; {
		n := bytes.Index(s.raw[k:], []byte("{%"))
		if n < 0 || s.fuel <= 0 {
			s.fuel -= len(s.raw) - k
			return t.end
		}
		k += n
		s.fuel -= n + 2
		if end, ok := readTemplate(s.raw, k); ok && end.name == "end"+t.name {
			if t.name == "raw" {
				s.untouched = k
				return t.end
			}
			s.pending = end.end
			return end.end
		}
		k += 2
	}
}

// templateLink begins the link that a tag makes; -1 if it makes none.
func (s *scanner) templateLink(i int, t *templateTag) int {
	target := ""
	if targetTags[t.name] {
		target = valid(string(s.raw[i:t.end]))
	}
	for _, a := range t.args {
		if (targetArgs[a.name] || a.name == "" && includeTags[t.name] && hasDocumentExtension(s.raw[a.start:a.end])) && target == "" {
			target = valid(string(s.raw[a.start:a.end]))
		}
	}
	if target == "" {
		return -1
	}
	s.items = append(s.items, item{kind: itemStart, start: t.end, end: t.end, link: len(s.links)})
	s.links = append(s.links, inlineLink{kind: Raw, target: target, source: s.at(i)})
	return len(s.links) - 1
}

// tagLine reports whether a line holds tags of a template and nothing else; all of it is the label's.
func tagLine(line []byte) (all span, ok bool) {
	for i := 0; i < len(line); {
		if isBlank(line[i]) {
			i++
			continue
		}
		t, found := templateTag{}, false
		if line[i] == '{' {
			t, found = readTemplate(line, i)
		}
		if !found {
			return span{}, false
		}
		i = t.end
	}
	return span{0, len(line)}, true
}

// printsText reports whether the first tag of a line prints text, so that the line may be one of a paragraph.
func printsText(line []byte) bool {
	t, ok := readTemplate(line, 0)
	return ok && printingTags[t.name]
}
