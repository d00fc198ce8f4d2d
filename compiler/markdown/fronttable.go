package markdown

import (
	"bytes"
	"strings"

	"kdd/compiler/diag"
)

// maxTableLine is the last line, counted without blank ones, in which front matter as a table may begin.
const maxTableLine = 12

// knownKeys are names by which a table is known to be front matter, where nothing else tells.
var knownKeys = nameSet("title id date status tags draft kind description author version created updated owner")

// frontTable recovers front matter that a converter has turned into a table: a row of keys and a row of values,
// before the first heading. What the converter lost is named in a diagnostic.
func (b *builder) frontTable() {
	seen, previous := 0, 0
	for n := 1; n < b.lineCount() && seen < maxTableLine; n++ {
		line := b.lineAt(n)
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		seen++
		if text[0] == '#' || bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~")) {
			return
		}
		if text[0] == '|' && delimiterRow(b.lineAt(n+1)) > 0 {
			b.tableFields(n, previous)
			return
		}
		previous = n
	}
}

// tableFields reads the table whose header is line n as front matter if it is one. previous is the line with text
// before it, 0 if there is none: converters repeat the keys there.
func (b *builder) tableFields(n, previous int) {
	header := b.lineAt(n)
	var keys []string
	known := 0
	for _, c := range splitRow(header) {
		key := valid(string(header[c.start:c.end]))
		if key == "" {
			continue
		}
		if !isIdentifier(key) {
			return
		}
		if knownKeys[strings.ToLower(key)] {
			known++
		}
		keys = append(keys, key)
	}
	listed := previous > 0 && trimmedLine(b.lineAt(previous)) == strings.Join(keys, ", ")
	if len(keys) < 2 || !listed && known < 2 {
		return
	}
	row := n + 2
	if row > b.lineCount() || !bytes.HasPrefix(bytes.TrimSpace(b.lineAt(row)), []byte("|")) {
		return
	}
	last := row
	for last < b.lineCount() { // a value of several lines leaves rows without text
		next := bytes.TrimSpace(b.lineAt(last + 1))
		if len(next) == 0 || next[0] != '|' {
			break
		}
		if len(bytes.Trim(next, "| \t")) > 0 {
			return // a second row of values: a table of the text
		}
		last++
	}
	values := b.lineAt(row)
	cells := splitRow(values)
	m := FrontMatter{Form: "table"}
	var lost []string
	for i, key := range keys {
		if i >= len(cells) {
			lost = append(lost, key)
			continue
		}
		cell := strings.ReplaceAll(valid(string(values[cells[i].start:cells[i].end])), `\|`, "|")
		m.Fields = append(m.Fields, looseField(key, cell, row))
	}
	first := n
	if listed {
		first = previous
	}
	at := b.lines.start(row)
	b.report(diag.FrontMatterForm, b.lines.start(n), "front matter is a table, want YAML: %d of %d fields are recovered", len(m.Fields), len(keys))
	if len(lost) > 0 {
		b.report(diag.FrontMatterLost, at, "front matter has lost the values of %s", strings.Join(lost, ", "))
	}
	m.Fields = listFields(m.Fields)
	b.take(&m, first, last)
}

// isIdentifier reports whether text can be a key: letters, digits, "_", "-" and ".", a letter first.
func isIdentifier(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; !isAlpha(c) && (i == 0 || !isDigit(c) && c != '_' && c != '-' && c != '.') {
			return false
		}
	}
	return len(text) > 0 && len(text) <= 64
}
