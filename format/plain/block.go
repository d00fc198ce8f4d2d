package plain

import (
	"strings"
)

func isHeading(t string) bool {
	n := len(t) - len(strings.TrimLeft(t, "#"))
	return n > 0 && n <= 6 && (n == len(t) || t[n] == ' ' || t[n] == '\t')
}

// isRule reports whether a line has nothing but the marks of a rule, the line below a heading or in a table.
func isRule(t string) bool { return len(t) > 2 && strings.Trim(t, "|-: =*_+") == "" }

// isIgnored reports whether a line gives no text: definitions of links and abbreviations, imports of MDX, includes.
func (r *reader) isIgnored(t, line string) bool {
	switch {
	case strings.HasPrefix(t, "[") && !strings.HasPrefix(t, "[^"), strings.HasPrefix(t, "*["):
		name, rest, ok := strings.Cut(t, "]:")
		return ok && len(r.pending) == 0 && rest != "" && !strings.ContainsAny(name[1:], "]") && rest[0] == ' '
	case strings.HasPrefix(line, "import "):
		return len(r.pending) == 0 && strings.ContainsAny(t, `"'`) && (strings.Contains(t, " from ") || strings.IndexAny(t, `"'`) == len("import "))
	case strings.HasPrefix(line, "export "):
		return len(r.pending) == 0 && (strings.HasPrefix(line, "export const ") || strings.HasPrefix(line, "export default ") || strings.HasPrefix(line, "export function "))
	case strings.HasPrefix(t, "--8<--"), strings.HasPrefix(t, "<<< "), strings.HasPrefix(t, "{{#"):
		return true
	}
	return false
}

// fenceLength returns the length of the mark of the fence at the beginning of a line, or 0.
func fenceLength(t string) int {
	if t == "" || t[0] != '`' && t[0] != '~' {
		return 0
	}
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	if n < 3 || t[0] == '`' && strings.IndexByte(t[n:], '`') >= 0 {
		return 0
	}
	return n
}

// opensCode takes a line that begins a block of code: a fence, or a tag for highlighted code. width is what stands
// before it in its line, in bytes.
func (r *reader) opensCode(t string, indent, width int) bool {
	n := fenceLength(t)
	switch {
	case n > 0:
		r.fence = t[:n]
	case strings.HasPrefix(t, "{% highlight"), strings.HasPrefix(t, "{{< highlight"), strings.HasPrefix(t, "{{<highlight"):
		r.fence = "{"
	default:
		return false
	}
	r.flush()
	r.indent = max(indent, width)
	return true
}

// comments are what begins a part of several lines that is no text, and what ends it.
var comments = [...][2]string{{"<!--", "-->"}, {"{/*", "*/}"}, {"<script", "</script>"}, {"<style", "</style>"}}

// opensComment takes a line that begins a comment or script and does not end it.
func (r *reader) opensComment(t string) bool {
	for _, c := range comments {
		if strings.HasPrefix(t, c[0]) {
			if strings.Contains(t, c[1]) {
				return c[0][1] == 's'
			}
			r.flush()
			r.comment = c[1]
			return true
		}
	}
	return false
}

// container takes a line that begins or ends a container, note, callout or tab: its title is a line.
func (r *reader) container(t string) bool {
	title := ""
	switch {
	case strings.HasPrefix(t, ":::"):
		rest := strings.TrimLeft(t, ":")
		if label, after, ok := strings.Cut(rest, "["); ok && !strings.Contains(label, " ") {
			title, _, _ = strings.Cut(after, "]")
		} else if _, after, ok := strings.Cut(strings.TrimLeft(rest, " "), " "); ok && !strings.HasPrefix(strings.TrimSpace(after), "{") {
			title = after
		}
	case strings.HasPrefix(t, "!!! "), strings.HasPrefix(t, "???"):
		title = quotedTitle(t)
		r.contained = true
	case strings.HasPrefix(t, `=== "`), strings.HasPrefix(t, `===! "`), strings.HasPrefix(t, `===+ "`):
		title = quotedTitle(t)
		r.contained = true
	case strings.HasPrefix(t, "[!") && len(r.pending) == 0:
		kind, after, ok := strings.Cut(t[2:], "]")
		if !ok || kind == "" || strings.ContainsAny(kind, " [(") || strings.HasPrefix(after, "(") {
			return false
		}
		title = strings.TrimLeft(after, "+-")
	default:
		return false
	}
	r.flush()
	r.add(Prose, Inline(title))
	return true
}

// EndsInCode reports whether a text ends inside a fenced block of code.
func EndsInCode(text string) bool {
	fence := ""
	for line := range strings.Lines(text) {
		t := strings.TrimLeft(line, " \t>")
		for fence == "" && t != "" && isItem(t) {
			t = strings.TrimLeft(t[itemMark(t):], " \t")
		}
		n := fenceLength(t)
		switch {
		case n == 0:
		case fence == "":
			fence = t[:n]
		case strings.HasPrefix(t, fence) && strings.TrimSpace(t[n:]) == "":
			fence = ""
		}
	}
	return fence != ""
}
