package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// label is a line that says how the blocks after it are shown. Only the title in it is text: that of ":::note[Title]"
// (Docusaurus, Starlight), "::: tip Title" (VitePress, Pandoc), "/// note | Title" (PyMdown), or what the tags of a
// template leave. Its lines are that text; a line that closes, and one that asks for a table of contents or for another
// file's text, has none.
type label struct {
	ast.BaseBlock
	id  string // of an attribute list on a line of its own
	toc bool   // kramdown puts the table of contents in the place of the list above
	at  int    // offset of the line
}

var kindLabel = ast.NewNodeKind("Label")

// Kind tells a label from goldmark's own nodes.
func (*label) Kind() ast.NodeKind { return kindLabel }

// IsRaw is true: goldmark reads no inline markup in it.
func (*label) IsRaw() bool { return true }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *label) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// labelParser reads lines that are labels by their first characters.
type labelParser struct{ leaf }

// Trigger returns the bytes that such a line begins with.
func (labelParser) Trigger() []byte { return []byte(":/[{<-@") }

// Open takes the line if it is a label.
func (labelParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) > maxTarget {
		return nil, parser.NoChildren
	}
	start := seg.Start - seg.Padding + pos
	n := &label{at: start}
	title, ok := span{}, false
	switch line = bytes.TrimRight(line[pos:], " \t\r\n"); line[0] {
	case ':':
		title, ok = colonFence(line)
	case '/':
		title, ok = slashFence(line)
	case '{':
		if a, found := readAttributes(line, 0); found && a.end == len(line) {
			n.id, n.toc, ok = a.id, bytes.HasPrefix(line, []byte("{:toc")), true
		} else if ok = isInclude(line) || isStarInclude(line); ok {
			break
		} else if title, ok = tagLine(line); ok && printsText(line) && ast.IsParagraph(pc.LastOpenedBlock().Node) {
			ok = false
		}
	default:
		ok = isInsertion(line)
	}
	if !ok {
		return nil, parser.NoChildren
	}
	if title.start < title.end {
		n.Lines().Append(text.NewSegment(start+title.start, start+title.end))
	}
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// Continue is Close: a label is one line.
func (labelParser) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// colonFence reads ":::" with what may follow it on the line, and returns where the title stands.
func colonFence(line []byte) (title span, ok bool) {
	i := len(line) - len(bytes.TrimLeft(line, ":"))
	if i < 3 {
		return span{}, false
	}
	if i == len(line) {
		return span{}, true
	}
	i = skipSpaces(line, i)
	name := i
	for i < len(line) && (isAlpha(line[i]) || i > name && (isDigit(line[i]) || line[i] == '-' || line[i] == '_')) {
		i++
	}
	if i == name && line[i] != '{' {
		return span{}, false
	}
	if i < len(line) && strings.IndexByte(" \t[{:", line[i]) < 0 {
		return span{}, false // "::: package.module" names what another tool puts there
	}
	end := len(bytes.TrimRight(line, ": \t"))
	if i = min(skipSpaces(line, i), end); i < end && line[i] == '[' {
		if n := bytes.LastIndexByte(line[i:end], ']'); n > 0 {
			return span{i + 1, i + n}, true
		}
	}
	if end > i && line[end-1] == '}' {
		if open := bytes.LastIndexByte(line[i:end], '{'); open >= 0 {
			if a, found := readAttributes(line, i+open); found && a.title.start < a.title.end {
				return a.title, true
			}
			end = i + open
		}
	}
	return span{i, max(i, end)}, true
}

// slashFence reads "/// name", "/// name | title" and the "///" that closes it.
func slashFence(line []byte) (title span, ok bool) {
	i := len(line) - len(bytes.TrimLeft(line, "/"))
	if i < 3 {
		return span{}, false
	}
	i = skipSpaces(line, i)
	name := i
	for i < len(line) && (isAlpha(line[i]) || i > name && line[i] == '-') {
		i++
	}
	bar := skipSpaces(line, i)
	switch {
	case bar == len(line):
		return span{}, true
	case i > name && line[bar] == '|':
		return span{skipSpaces(line, bar+1), len(line)}, true
	}
	return span{}, false
}

func skipSpaces(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return i
}

// isInsertion reports whether a generator puts something else in the line's place: the table of contents of
// Python-Markdown, VitePress, GitLab; a file's text by PyMdown's scissors, VitePress's "<<<" or VuePress's "@[code]".
func isInsertion(line []byte) bool {
	switch line[0] {
	case '[':
		switch strings.ToLower(string(line[:min(len(line), 16)])) {
		case "[toc]", "[[toc]]", "[[_toc_]]":
			return true
		}
	case '-':
		return bytes.HasPrefix(line, []byte("--8<--"))
	case '<':
		rest, found := bytes.CutPrefix(line, []byte("<<<"))
		rest = bytes.TrimLeft(rest, " \t")
		return found && len(rest) > 1 && (rest[0] == '@' || rest[0] == '.' || rest[0] == '/' || rest[0] == '~')
	case '@':
		return bytes.HasPrefix(line, []byte("@[code")) && line[len(line)-1] == ')' && bytes.Contains(line, []byte("]("))
	}
	return false
}

// isStarInclude reports whether a line is an include of MDX-Include: "{* ../a.py hl[1] *}". In code it may be a comment.
func isStarInclude(line []byte) bool {
	return len(line) > 4 && bytes.HasPrefix(line, []byte("{* ")) && bytes.HasSuffix(line, []byte(" *}")) && bytes.IndexByte(line, '.') > 0
}

// note is an admonition or a tab of Python-Markdown: a line that begins it, and what is indented by four columns below.
// Or it is what a list of definitions says of a term, whose first line is the one that begins with ":".
type note struct {
	ast.BaseBlock
	kind   BlockKind
	indent int // of what follows its first line
}

var kindNote = ast.NewNodeKind("Note")

// Kind tells a note from goldmark's own nodes.
func (*note) Kind() ast.NodeKind { return kindNote }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *note) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// noteParser reads "!!! type "title"", "??? type", "???+ type", "=== "title"" and, below a paragraph or another of its kind,
// ": definition".
type noteParser struct{ leaf }

// Trigger returns the bytes that a note begins with.
func (noteParser) Trigger() []byte { return []byte{'!', '?', '=', ':'} }

// Open begins a note; its title, if it has one, is its first label. Within more than maxElements open blocks there is none.
func (noteParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) > maxTarget || len(pc.OpenedBlocks()) > maxElements {
		return nil, parser.NoChildren
	}
	if line[pos] == ':' {
		return openDefinition(parent, r, pc)
	}
	title, ok := noteTitle(bytes.TrimRight(line[pos:], " \t\r\n"))
	if !ok {
		return nil, parser.NoChildren
	}
	n := &note{kind: Paragraph, indent: 4}
	if start := seg.Start - seg.Padding + pos; title.start < title.end {
		l := &label{at: start}
		l.Lines().Append(text.NewSegment(start+title.start, start+title.end))
		n.AppendChild(n, l)
	}
	r.AdvanceToEOL()
	return n, parser.HasChildren
}

// openDefinition begins a definition at ":" with white space after it.
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

// term makes an anchor of the term that is defined below a paragraph, its last line, as Hugo does.
func (b *builder) term(n ast.Node) {
	line := n.Lines().At(n.Lines().Len() - 1)
	found := b.scan.scan(line.Value(b.body), []Place{{0, line.Start}}, markdownText)
	if slug := slugOf(&found); slug != "" {
		b.names = append(b.names, naming{anchor: len(b.doc.Anchors), slug: slug, offset: line.Start})
		b.doc.Anchors = append(b.doc.Anchors, Anchor{Offset: line.Start, Line: b.lines.line(line.Start), Section: b.section()})
	}
}

// noteTitle reads the line that begins a note.
func noteTitle(line []byte) (title span, ok bool) {
	if len(line) < 5 || line[1] != line[0] || line[2] != line[0] {
		return span{}, false
	}
	i := 3
	if line[0] == '?' && line[i] == '+' || line[0] == '=' && (line[i] == '+' || line[i] == '!') {
		i++
	}
	i = skipSpaces(line, i)
	types := i
	for i < len(line) && line[0] != '=' && line[i] != '"' {
		if !isAlpha(line[i]) && !isDigit(line[i]) && strings.IndexByte("-_ \t", line[i]) < 0 {
			return span{}, false
		}
		i++
	}
	if line[0] != '=' && (types == len(line) || types == i) {
		return span{}, false
	}
	if i == len(line) {
		return span{}, line[0] != '='
	}
	if line[i] != '"' || line[len(line)-1] != '"' || i+1 >= len(line) {
		return span{}, false
	}
	return span{i + 1, len(line) - 1}, true
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

// label makes a block of a label's title. Its id names what it stands below, as kramdown has it, or else what follows.
func (b *builder) label(n *label, in place) {
	if n.Lines().Len() > 0 {
		b.text(n.Lines(), in)
	}
	if n.id == "" {
		return
	}
	last := len(b.names) - 1
	switch n.PreviousSibling().(type) {
	case *ast.Heading:
		if !n.HasBlankPreviousLines() && last >= 0 && b.names[last].section == len(b.doc.Sections)-1 {
			b.names[last].ids = append(b.names[last].ids, n.id)
			return
		}
	case nil:
	default:
		if !n.HasBlankPreviousLines() {
			b.settleIDs()
			b.doc.Anchors = append(b.doc.Anchors, Anchor{n.id, n.at, b.lines.line(n.at), b.section()})
			return
		}
	}
	b.ids = append(b.ids, idAt{n.id, n.at})
}
