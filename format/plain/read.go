package plain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a line is.
type Kind uint8

// The kinds of lines.
const (
	Prose Kind = iota // a paragraph, or a part of one up to a hard break
	Item              // an item of a list, or its first paragraph, with its mark
	Code              // a line of code
	Row               // a row of a table: its cells, with " | " between them
)

// Line is a line of a Text, [Start, End).
type Line struct {
	Kind       Kind
	Start, End int
}

// Text is what a reader sees of a part of a document: lines that are separated by "\n", none of them empty.
type Text struct {
	String string
	Lines  []Line
}

// Options say what a text is that is read.
type Options struct {
	InCode   bool   // it begins inside a block of code
	Scenario bool   // it is of a .feature file
	Heading  string // the heading of its section: a first line that says only that is left out

	Addresses bool // the targets of links are shown too
}

// Read returns what a reader sees of markdown. Headings are left out. Cost: one pass.
func Read(markdown string, o Options) *Text {
	r := reader{rest: markdown, heading: strings.Join(strings.Fields(o.Heading), " "), addresses: o.Addresses}
	if o.InCode {
		r.fence = "`~"
	}
	for r.rest != "" {
		line := r.line()
		switch {
		case o.Scenario:
			r.scenario(line)
		case r.fence != "":
			r.code(line)
		default:
			r.markdown(line)
		}
	}
	r.flush()
	return &Text{r.out.String(), r.lines}
}

// reader is Read at work.
type reader struct {
	rest    string // what follows the line at hand
	heading string
	out     strings.Builder
	lines   []Line

	addresses bool

	pending   []byte // the paragraph at hand, with its marks
	kind      Kind   // of the paragraph
	mark      string // what stands before it
	fence     string // the mark that the block of code began with; "`~" if that is not known; or the tag that ends it
	indent    int    // of the fence
	comment   string // what ends the comment or script at hand
	items     []int  // how far the marks of the open items are indented
	table     bool
	contained bool // the last line without indentation began a note or tab, whose text is indented
	blank     bool // the line before was empty
}

// line cuts the next line off.
func (r *reader) line() (line string) {
	line, r.rest = cutLine(r.rest)
	return line
}

// cutLine cuts the first line off, which ends with a line feed, a carriage return or both.
func cutLine(s string) (line, rest string) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimPrefix(strings.TrimPrefix(s[i:], "\r"), "\n")
}

// add appends a line to the text.
func (r *reader) add(kind Kind, text string) {
	if strings.TrimSpace(text) == "" || len(r.lines) == 0 && kind != Code && strings.EqualFold(text, r.heading) {
		return
	}
	if n := len(r.lines); n > 0 && kind == Prose && r.lines[n-1].Kind == Prose && r.out.String()[r.lines[n-1].Start:] == text {
		return // two links to one place, for two kinds of reader
	}
	if len(r.lines) > 0 {
		r.out.WriteByte('\n')
	}
	start := r.out.Len()
	r.out.WriteString(text)
	r.lines = append(r.lines, Line{kind, start, r.out.Len()})
}

// flush appends the paragraph at hand.
func (r *reader) flush() {
	if len(r.pending) > 0 {
		for part := range strings.SplitSeq(string(r.pending), hardBreak) {
			if text := inline(part, r.addresses); text != "" {
				r.add(r.kind, r.mark+text)
				r.mark = strings.Repeat(" ", len(r.mark))
			}
		}
	}
	r.pending, r.kind, r.mark = r.pending[:0], Prose, ""
}

// hardBreak stands for a hard line break in a paragraph.
const hardBreak = "\x00"

func (r *reader) scenario(line string) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' || line[0] == '@' || strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, "```") {
		return
	}
	kind := Item
	if line[0] == '|' {
		kind, line = Row, strings.TrimSpace(strings.Trim(line, "|"))
	}
	r.add(kind, line)
}

// code takes a line inside a block of code.
func (r *reader) code(line string) {
	t := strings.TrimLeft(line, " \t>")
	switch {
	case r.fence[0] == '{':
		if strings.HasPrefix(t, "{% end") || strings.HasPrefix(t, "{{< /") || strings.HasPrefix(t, "{{</") {
			r.fence = ""
			return
		}
	case t != "" && strings.IndexByte(r.fence, t[0]) >= 0:
		if n := len(t) - len(strings.TrimLeft(t, t[:1])); n >= 3 && (r.fence == "`~" || n >= len(r.fence)) && strings.TrimSpace(t[n:]) == "" {
			r.fence = ""
			return
		}
	}
	n := 0
	for n < len(line) && n < r.indent && (line[n] == ' ' || line[n] == '\t' || line[n] == '>') {
		n++
	}
	r.add(Code, strings.TrimRight(line[n:], " \t"))
}

// markdown takes a line outside of code.
func (r *reader) markdown(line string) {
	if r.comment != "" {
		_, after, ok := strings.Cut(line, r.comment)
		if !ok {
			return
		}
		r.comment, line = "", after
	}
	t, indent := unquoted(line)
	if t == "" {
		r.flush()
		r.blank, r.table = true, false
		return
	}
	blank := r.blank
	r.blank = false
	if indent == 0 {
		r.contained = false
		if blank && !isItem(t) {
			r.items = r.items[:0]
		}
	}
	switch {
	case r.isIgnored(t, line):
	case isHeading(t):
		r.flush()
	case r.opensCode(t, indent, len(line)-len(t)):
	case r.opensComment(t):
	case r.container(t):
	case isRule(t):
		if r.kind == Prose && (strings.Trim(t, "-") == "" || strings.Trim(t, "=") == "") {
			r.pending = r.pending[:0] // a heading that is underlined
		}
		r.flush()
	case t[0] == '|' || r.table && strings.IndexByte(t, '|') >= 0 || r.opensTable(t):
		r.flush()
		r.table = true
		r.add(Row, r.row(t))
	case isItem(t):
		r.flush()
		r.item(t, indent)
	case indent >= 4 && len(r.pending) == 0 && len(r.items) == 0 && !r.contained:
		r.add(Code, strings.Repeat(" ", indent-4)+t)
	default:
		r.prose(t, line)
	}
}

// unquoted returns a line without the marks of quotations and spaces around it, and its indentation.
func unquoted(line string) (text string, indent int) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			indent++
		case '\t':
			indent += 4
		case '>':
			indent = 0
			if i+1 < len(line) && line[i+1] == ' ' {
				i++
			}
		default:
			return strings.TrimRight(line[i:], " \t"), indent
		}
	}
	return "", 0
}

// prose appends a line to the paragraph at hand.
func (r *reader) prose(t, line string) {
	if rest, ok := strings.CutPrefix(t, ": "); ok { // a definition
		r.flush()
		t = strings.TrimLeft(rest, " ")
	}
	if len(r.pending) > 0 {
		last, _ := utf8.DecodeLastRune(r.pending)
		first, _ := utf8.DecodeRuneInString(t)
		if !unicode.In(last, unspaced...) || !unicode.In(first, unspaced...) {
			r.pending = append(r.pending, ' ')
		}
	}
	r.pending = append(r.pending, strings.ReplaceAll(t, hardBreak, "")...)
	if strings.HasSuffix(line, "  ") {
		r.pending = append(r.pending, hardBreak...)
	} else if strings.HasSuffix(t, `\`) {
		r.pending = append(r.pending[:len(r.pending)-1], hardBreak...)
	}
}

// unspaced are the scripts that write no space between words, nor one for a line end.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// item begins the paragraph of an item.
func (r *reader) item(t string, indent int) {
	for len(r.items) > 0 && r.items[len(r.items)-1] >= indent {
		r.items = r.items[:len(r.items)-1]
	}
	length := itemMark(t)
	mark := "- "
	if isDigit(t[0]) {
		mark = strings.TrimSpace(t[:length]) + " "
	}
	r.mark = strings.Repeat("  ", min(len(r.items), maxNested)) + mark
	r.items = append(r.items, indent)
	r.kind = Item
	text := strings.TrimLeft(t[length:], " \t")
	if n := fenceLength(text); n > 0 {
		r.fence, r.indent, r.mark, r.kind = text[:n], indent+length, "", Prose
		return
	}
	r.pending = append(r.pending, strings.ReplaceAll(text, hardBreak, "")...)
}

// maxNested bounds the indentation of items.
const maxNested = 6

func isItem(t string) bool { return itemMark(t) > 0 }

// itemMark returns the length of the mark of a list item with the space after it, or 0.
func itemMark(t string) int {
	n := 0
	for n < len(t) && n < 9 && isDigit(t[n]) {
		n++
	}
	switch {
	case n > 0 && n < len(t) && (t[n] == '.' || t[n] == ')'):
	case n == 0 && strings.IndexByte("-*+", t[0]) >= 0:
	default:
		return 0
	}
	if n++; n < len(t) && (t[n] == ' ' || t[n] == '\t') {
		return n + 1
	}
	return 0
}

// row returns the cells of a row of a table.
func (r *reader) row(t string) string {
	t = strings.TrimSuffix(strings.TrimPrefix(t, "|"), "|")
	var cells []string
	for _, cell := range strings.Split(strings.ReplaceAll(t, `\|`, hardBreak), "|") {
		if cell = inline(strings.ReplaceAll(cell, hardBreak, "|"), r.addresses); cell != "" {
			cells = append(cells, cell)
		}
	}
	return strings.Join(cells, " | ")
}

// opensTable reports whether the line after t makes t the header of a table.
func (r *reader) opensTable(t string) bool {
	if strings.IndexByte(t, '|') < 0 {
		return false
	}
	next, _ := cutLine(r.rest)
	next, _ = unquoted(next)
	return strings.Contains(next, "-") && strings.Contains(next, "|") && isRule(next)
}

// quotedTitle returns the title in a line like `!!! note "Title"`.
func quotedTitle(t string) string {
	_, title, _ := strings.Cut(t, `"`)
	if i := strings.LastIndexByte(title, '"'); i >= 0 {
		title = title[:i]
	}
	if unquoted, err := strconv.Unquote(`"` + title + `"`); err == nil {
		return unquoted
	}
	return title
}
