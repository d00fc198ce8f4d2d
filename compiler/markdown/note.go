package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// note is an admonition or a tab of Python-Markdown: a first line, and the lines below it that are indented by four
// columns. Or it is the definition of a term in a definition list: its first line begins with ":".
type note struct {
	ownBlock
	kind   BlockKind
	indent int  // of what follows its first line
	tab    bool // it begins with "==="
}

// noteParser reads "!!! type "title"", "??? type", "???+ type", "=== "title"" and, below a paragraph or another of its
// kind, ": definition".
type noteParser struct{ leaf }

// Trigger returns the bytes that a note begins with.
func (noteParser) Trigger() []byte { return []byte{'!', '?', '=', ':'} }

// Open begins a note; its title, if it has one, is its first label. Within more than maxElements open blocks there is
// none.
func (noteParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) > maxTarget || len(pc.OpenedBlocks()) > maxElements {
		return nil, parser.NoChildren
	}
	if line[pos] == ':' {
		return openDefinition(parent, r, pc)
	}
	title, quoted, ok := noteTitle(bytes.TrimRight(line[pos:], " \t\r\n"))
	if start := seg.Start - seg.Padding + pos; !ok || !quoted && !holdsMore(r.Source(), start) {
		return nil, parser.NoChildren
	}
	n := &note{kind: Paragraph, indent: 4, tab: line[pos] == '='}
	if start := seg.Start - seg.Padding + pos; title.start < title.end {
		l := &label{at: start}
		l.Lines().Append(text.NewSegment(start+title.start, start+title.end))
		n.AppendChild(n, l)
	}
	r.AdvanceToEOL()
	return n, parser.HasChildren
}

// openDefinition begins a definition at ":" with white space after it. goldmark's definition lists make a term of each
// line of the paragraph above, and take text as far in as the first line's, where four columns are enough.
func openDefinition(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	after := skipSpaces(line, pos+1)
	if after == pos+1 || after >= len(line) || isBlank(line[after]) || seg.Padding > 0 || bytes.IndexByte(line[pos:after], '\t') >= 0 {
		return nil, parser.NoChildren
	}
	before := parent.LastChild()
	if last, ok := before.(*note); !ast.IsParagraph(before) && (!ok || last.kind != ListItem) {
		return nil, parser.NoChildren
	}
	if after > pos+5 {
		after = pos + 2 // code
	}
	r.Advance(after)
	return &note{kind: ListItem, indent: min(after, 4)}, parser.HasChildren
}

// term makes an anchor of a defined term, which is the last line of a paragraph, as Hugo does.
func (b *builder) term(n ast.Node) {
	line := n.Lines().At(n.Lines().Len() - 1)
	found := b.scan.scan(line.Value(b.body), []Place{{0, line.Start}}, markdownText)
	if slug := b.slugOf(&found); slug != "" {
		b.nameLater(line.Start, slug, true)
	}
}

// tabAnchor makes an anchor of a tab's title, where the generator does.
func (b *builder) tabAnchor(n *note) {
	title, ok := n.FirstChild().(*label)
	if !n.tab || b.tab == nil || !ok || title.Lines().Len() == 0 {
		return
	}
	line := title.Lines().At(0)
	found := b.scan.scan(line.Value(b.body), []Place{{0, line.Start}}, markdownText)
	if slug := b.tab(string(found.text.buf)); slug != "" {
		b.nameLater(line.Start, slug, true)
		b.names[len(b.names)-1].below = b.tabBelow
	}
}

// holdsMore reports whether the line after the one that holds offset at, or after empty lines, is indented by four
// columns more. If there is no title in quotes, this tells a note from text such as "!!! do not touch".
func holdsMore(source []byte, at int) bool {
	start := bytes.LastIndexByte(source[:at], '\n') + 1
	want := columns(source[start:at]) + 4
	for range 4 { // more empty lines do not follow one another, see joinBlankLines
		eol := bytes.IndexByte(source[at:], '\n')
		if eol < 0 {
			return false
		}
		at += eol + 1
		i := at
		for i < len(source) && strings.IndexByte(" \t>", source[i]) >= 0 {
			i++
		}
		if i < len(source) && !isBlank(source[i]) {
			return columns(source[at:i]) >= want
		}
	}
	return false
}

// columns returns the width of text, with a tab stop at each fourth column.
func columns(text []byte) (n int) {
	for _, c := range text {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

// noteWords may follow the type of a note and say how it is shown.
var noteWords = nameSet("annotate end inline")

// noteTitle reads the line that begins a note. Without a title in quotes the title is the whole line, unless
// the line has the type alone.
func noteTitle(line []byte) (title span, quoted, ok bool) {
	if len(line) < 5 || line[1] != line[0] || line[2] != line[0] {
		return span{}, false, false
	}
	i := 3
	if line[0] == '?' && line[i] == '+' || line[0] == '=' && (line[i] == '+' || line[i] == '!') {
		i++
	}
	i = skipSpaces(line, i)
	types := i
	for i < len(line) && line[0] != '=' && line[i] != '"' {
		if !isAlpha(line[i]) && !isDigit(line[i]) && strings.IndexByte("-_ \t", line[i]) < 0 {
			return span{}, false, false
		}
		i++
	}
	if line[0] != '=' && (types == len(line) || types == i) {
		return span{}, false, false
	}
	if i == len(line) {
		for _, word := range strings.Fields(string(line[types:]))[1:] {
			if !noteWords[word] {
				return span{types, i}, false, line[0] != '='
			}
		}
		return span{}, false, line[0] != '='
	}
	if line[len(line)-1] != '"' || i+1 >= len(line) {
		return span{}, false, false
	}
	return span{i + 1, len(line) - 1}, true, true
}

// Continue takes empty lines, and lines that are indented far enough.
func (noteParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPosition(line, r.LineOffset(), node.(*note).indent)
	if pos < 0 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}
