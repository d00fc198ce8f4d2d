package snippet

import (
	"slices"
	"strings"
)

// isBorder reports whether a line of markdown separates paragraphs.
func isBorder(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "#") ||
		strings.Trim(line, "|-: =*_>") == "" || isMark(line)
}

// What lines begin with that are no text but for a title: containers, notes and tabs; and tags of templates and
// comments.
var (
	containers = [...]string{":::", "!!! ", "???", "=== "}
	templates  = [...]string{"{%", "{{<", "{{%", "{/*", "<!--"}
)

// isMark reports whether a line is not text but a mark of a site generator or a single HTML tag.
func isMark(line string) bool {
	for _, mark := range templates {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return isContainer(line) || line[0] == '<' && line[len(line)-1] == '>' && strings.LastIndexByte(line, '<') == 0
}

// tags are the beginnings and ends of tags of HTML, templates and comments.
var tags = [...][2]string{{"{%", "%}"}, {"{{<", ">}}"}, {"{{%", "%}}"}, {"{/*", "*/}"}, {"<!--", "-->"}, {"<", ">"}}

// isMarkup reports whether a line tells a reader nothing: it is empty, a rule, a code fence, the begin or end of a
// container, note or tab, or has only tags.
func isMarkup(line string) bool {
	line = strings.TrimSpace(line)
	if strings.Trim(line, "|-: =*_>") == "" || isContainer(line) || isFence(line) {
		return true
	}
	for line != "" {
		rest, ok := cutTag(line)
		if !ok {
			return false
		}
		line = strings.TrimSpace(rest)
	}
	return true
}

// isContainer reports whether a line without spaces at its beginning begins or ends a container, a note or a tab.
func isContainer(line string) bool {
	for _, mark := range containers {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// isFence reports whether a line without spaces at its ends begins or ends a block of code.
func isFence(line string) bool {
	for _, mark := range []string{"```", "~~~"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return !strings.Contains(strings.TrimLeft(rest, mark[:1]), mark[:1])
		}
	}
	return false
}

// cutTag removes the tag at the beginning of a line.
func cutTag(line string) (rest string, ok bool) {
	for _, tag := range tags {
		inside, ok := strings.CutPrefix(line, tag[0])
		if !ok {
			continue
		}
		inside, rest, ok = strings.Cut(inside, tag[1])
		if tag[0] == "<" { // and no address as <https://example.org>
			name := strings.TrimLeftFunc(strings.TrimPrefix(inside, "/"), isTagName)
			ok = ok && (name == "" || name[0] == ' ' || name[0] == '/')
		}
		return rest, ok
	}
	return line, false
}

func isTagName(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-'
}

// skipMarkup returns the beginning of the first line in text[start:high] that is text, or the first hit in a line that
// is markup, since code may consist of tags. It skips a fence even if its language is a hit. It returns start if there
// is no such line.
func skipMarkup(text string, hits []Span, start, high int) int {
	for at := start; at < high; {
		line, _, _ := strings.Cut(text[at:high], "\n")
		if !isMarkup(line) || !isFence(strings.TrimSpace(line)) && holds(hits, at, at+len(line)) {
			return at
		}
		at += len(line) + 1
	}
	return start
}

// endMarkup returns the end of text[start:end] without containers and fences in its last lines, unless a hit is there.
// Tags stay, since they often end code.
func endMarkup(text string, hits []Span, start, end int) int {
	for {
		line := strings.LastIndexByte(text[start:end], '\n') + start
		if line < start {
			return end
		}
		if last := strings.TrimSpace(text[line+1 : end]); last != "" && !isContainer(last) && !isFence(last) || holds(hits, line+1, end) {
			return end
		}
		end = line
	}
}

// holds reports whether a hit begins in [start, end). Cost: all hits, of which a text has few.
func holds(hits []Span, start, end int) bool {
	return slices.ContainsFunc(hits, func(h Span) bool { return h.Start >= start && h.Start < end })
}

// trimMarkup removes markup from both ends: spaces, list and quote marks, heading marks, table borders, and emphasis or
// brackets whose other half was cut off.
func trimMarkup(s string) string {
	for {
		t := strings.TrimSpace(s)
		t = strings.TrimLeft(t, "#>|+=~ \t\n")
		if rest := strings.TrimLeft(t, "-"); rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '|' {
			t = rest
		}
		if rest := strings.TrimLeft(t, "*_`"); rest == "" || rest[0] == ' ' || unbalanced(t, t[0]) {
			t = rest
		}
		t = strings.TrimRight(t, "#|=~ \t\n")
		if rest := strings.TrimRight(t, "-"); rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\n") || strings.HasSuffix(rest, "|") {
			t = rest
		}
		if rest := strings.TrimRight(t, "*_`"); rest == "" || strings.HasSuffix(rest, " ") || len(rest) < len(t) && unbalanced(t, t[len(t)-1]) {
			t = rest
		}
		t = strings.TrimRight(t, "([{")
		t = strings.TrimLeft(t, ")]}")
		if t == s {
			return t
		}
		s = t
	}
}

// unbalanced reports whether s has an odd number of runs of mark.
func unbalanced(s string, mark byte) bool {
	if strings.IndexByte("*_`", mark) < 0 {
		return false
	}
	runs := 0
	for i := range len(s) {
		if s[i] == mark && (i == 0 || s[i-1] != mark) {
			runs++
		}
	}
	return runs%2 == 1
}
