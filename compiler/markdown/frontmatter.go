package markdown

import (
	"bytes"
	"strings"

	"kdd/compiler/diag"
)

// maxFront is the size of front matter, in bytes, above which it is not parsed as YAML but read line by line, as far
// as that.
const maxFront = 256 << 10

// frontMatter finds the front matter in whatever form, decodes it, and blanks it out of the body.
func (b *builder) frontMatter() {
	if len(b.body) == 0 {
		return
	}
	first := b.firstLine(1)
	if first == 0 {
		return
	}
	switch line := trimmedLine(b.lineAt(first)); {
	case line == "---":
		if b.yamlBlock(first, "yaml") {
			return
		}
	case line == "+++":
		if b.tomlBlock(first) {
			return
		}
	case strings.HasPrefix(line, "# "):
		if next := b.firstLine(first + 1); next > 0 && trimmedLine(b.lineAt(next)) == "---" && b.yamlBlock(next, "heading") {
			return
		}
	case b.lineAt(first)[0] == '{' && b.jsonBlock(first):
		return
	default:
		next := b.firstLine(first + 2) // a heading underlined with =
		if u := trimmedLine(b.lineAt(min(first+1, b.lineCount()))); u != "" && strings.Trim(u, "=") == "" &&
			next > 0 && trimmedLine(b.lineAt(next)) == "---" && b.yamlBlock(next, "heading") {
			return
		}
	}
	b.frontTable()
}

// onlyComments reports whether each line is a comment of YAML: no generator takes it for a heading between two rules.
func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line[0] != '#' {
			return false
		}
	}
	return true
}

func (b *builder) lineCount() int { return len(b.lines.starts) }

// lineAt returns line n of the body, without the empty lines that a byte order mark was made of.
func (b *builder) lineAt(n int) []byte {
	return bytes.TrimLeft(b.body[b.lines.start(n):b.lines.end(n)], "\n")
}

// trimmedLine returns a line without the white space at its end, "" for one that is too long to be looked at.
func trimmedLine(line []byte) string {
	if len(line) > maxTarget {
		return ""
	}
	return string(bytes.TrimRight(line, " \t\r\n"))
}

// firstLine returns the number of the first line from n on that is not blank, 0 if there is none.
func (b *builder) firstLine(n int) int {
	for ; n <= b.lineCount(); n++ {
		if len(bytes.TrimSpace(b.lineAt(n))) > 0 {
			return n
		}
	}
	return 0
}

// yamlBlock reads front matter whose opening line is number open. It reports whether there is any.
func (b *builder) yamlBlock(open int, form string) bool {
	closing, closed := 0, false
	for n := open + 1; n <= b.lineCount(); n++ {
		if line := trimmedLine(b.lineAt(n)); line == "---" || line == "..." {
			closing, closed = n, true
			break
		}
	}
	first := b.firstLine(open + 1)
	if !closed {
		// Without an end it is front matter as far as it looks like it.
		if open+1 > b.lineCount() || !isKeyLine(b.lineAt(open+1)) {
			return false
		}
		closing = open + 1
		for closing <= b.lineCount() && looksYAML(b.lineAt(closing)) {
			closing++
		}
		b.report(diag.FrontMatterOpen, b.lines.start(open), "front matter has no closing line, want --- after line %d", closing-1)
	} else if first == closing {
		if form == "heading" {
			return false // two thematic breaks
		}
		b.take(&FrontMatter{Form: form}, open, closing)
		return true
	}
	if line := b.lineAt(first); !isKeyLine(line) && (form != "yaml" || first != open+1) {
		return false // a thematic break with Markdown after it
	}
	text := b.body[b.lines.start(open+1):b.lineStart(closing)]
	if form == "yaml" && open == 1 && closed && onlyComments(text) {
		b.take(&FrontMatter{Form: form}, open, closing)
		return true
	}
	fields, ok := b.yamlFields(text, open+1, b.lineAt(first), !closed)
	if !ok {
		return false
	}
	last := closing
	if !closed {
		last = closing - 1
	}
	b.take(&FrontMatter{Form: form, Fields: fields}, open, last)
	return true
}

// lineStart is the start of line n, or the end of the source past the last line.
func (b *builder) lineStart(n int) int {
	if n > b.lineCount() {
		return len(b.body)
	}
	return b.lines.start(n)
}

// take keeps m, which stands in lines first to last, and blanks them out.
func (b *builder) take(m *FrontMatter, first, last int) {
	m.LineStart, m.LineEnd = first, last
	b.doc.FrontMatter = m
	b.blank(span{b.lines.start(first), b.lines.end(last)})
}

// isKeyLine reports whether a line begins with a key and a colon, as a top-level line of front matter does.
func isKeyLine(line []byte) bool { return keyLength(line) > 0 }

// keyLength returns the length of the key of "key:" or "key: value" at the start of a line, 0 if there is none.
func keyLength(line []byte) int {
	if len(line) == 0 || isBlank(line[0]) || strings.IndexByte("#-[{>|*&!%@`?", line[0]) >= 0 {
		return 0
	}
	limit := min(len(line), 128)
	n := bytes.IndexByte(line[:limit], ':')
	if quote := line[0]; quote == '"' || quote == '\'' {
		end := bytes.IndexByte(line[1:limit], quote)
		if end < 0 || end+2 >= len(line) || line[end+2] != ':' {
			return 0
		}
		n = end + 2
	}
	if n <= 0 || n+1 < len(line) && !isBlank(line[n+1]) || len(bytes.Fields(line[:n])) > 4 {
		return 0
	}
	return n
}

// looksYAML reports whether a line can belong to front matter that is not closed.
func looksYAML(line []byte) bool {
	text := bytes.TrimRight(line, " \t\r\n")
	if len(text) == 0 || text[0] == '#' {
		return false
	}
	return isKeyLine(line) || text[0] == ' ' || text[0] == '\t' || bytes.HasPrefix(text, []byte("- "))
}

// tomlBlock reads front matter between two lines of +++: its top-level scalars, and tables' with their name before
// a ".".
func (b *builder) tomlBlock(open int) bool {
	closing := 0
	for n := open + 1; n <= b.lineCount(); n++ {
		if trimmedLine(b.lineAt(n)) == "+++" {
			closing = n
			break
		}
	}
	if closing == 0 {
		return false
	}
	m := FrontMatter{Form: "toml"}
	prefix, size := "", 0
	for n := open + 1; n < closing && size <= maxFront; n++ {
		line := strings.TrimSpace(valid(trimmedLine(b.lineAt(n))))
		size += len(line)
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			if prefix = strings.Trim(line, "[] \t") + "."; prefix == "taxonomies." {
				prefix = "" // Zola's place for tags
			}
			continue
		}
		key, value, found := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		if !found || key == "" || key[0] == '#' {
			continue
		}
		first := n
		value = strings.TrimSpace(withoutComment(value))
		if strings.HasPrefix(value, "[") { // a list may go on over several lines
			var list strings.Builder
			list.WriteString(value)
			for last := value; !strings.HasSuffix(last, "]") && n+1 < closing && size <= maxFront; {
				n++
				last = strings.TrimSpace(withoutComment(valid(trimmedLine(b.lineAt(n)))))
				size += len(last)
				list.WriteString(last)
			}
			value = list.String()
		}
		m.Fields = append(m.Fields, looseField(prefix+key, value, first))
	}
	b.report(diag.FrontMatterForm, b.lines.start(open), "front matter is TOML, want YAML: %d fields are read, of lists and of values on one line", len(m.Fields))
	b.take(&m, open, closing)
	return true
}

// withoutComment cuts what follows a "#" that stands in no string off a value.
func withoutComment(value string) string {
	quote := byte(0)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quote != 0 && c == '\\' && quote == '"':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return value[:i]
		}
	}
	return value
}
