package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// label is a line that says how the blocks after it are shown. Only the title in it is text: that of ":::note[Title]"
// (Docusaurus, Starlight), "::: tip Title" (VitePress, Pandoc), "/// note | Title" (PyMdown), or what the tags of a
// template leave. Its lines are that text; a line that closes, and one that asks for a table of contents or for another
// file's text, has none.
type label struct {
	ownBlock
	id  string // of an attribute list on a line of its own
	toc bool   // kramdown puts the table of contents in the place of the list above
	at  int    // offset of the line
}

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
		if a, found := readAttributes(line, 0); found && a.end == len(line) && !a.pairsOnly() {
			n.id, n.toc, ok = a.id, a.toc, true
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

// Continue closes the label: it is one line.
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
		stop := closingBracket(line[:end], i)
		if after := skipSpaces(line, stop+1); stop < 0 || after < end && line[after] != '{' {
			return span{}, false
		}
		return span{i + 1, stop}, true
	}
	if end > i && line[end-1] == '}' {
		if open := bytes.LastIndexByte(line[i:end], '{'); open >= 0 {
			a, found := readAttributes(line, i+open)
			if found && a.title.start < a.title.end {
				return a.title, true
			}
			if found || string(line[i+open:end]) == "{open}" { // VitePress's word for details that are unfolded
				end = i + open
			}
		}
	}
	return span{i, max(i, end)}, true
}

// closingBracket returns the offset of the "]" that closes the "[" at i, -1 if none does.
func closingBracket(line []byte, i int) int {
	for depth := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// slashBlocks are the names of PyMdown's blocks and of common admonitions. A line with another name is text,
// since comments of some languages begin with "///" too.
var slashBlocks = nameSet(`abstract admonition attention bug caption caution check danger define definition details error example
	failure figure-caption hint html important info new note question quote seealso settings success summary tab table-caption tip
	todo warning`)

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
		return span{}, i == name || slashBlocks[string(line[name:i])]
	case i > name && line[bar] == '|':
		return span{skipSpaces(line, bar+1), len(line)}, true
	}
	return span{}, false
}

// isInsertion reports whether a generator replaces the line by other text: the table of contents of
// Python-Markdown, VitePress, GitLab; a file's text by PyMdown's scissors, VitePress's "<<<" or VuePress's "@[code]".
func isInsertion(line []byte) bool {
	switch line[0] {
	case '[':
		switch strings.ToLower(string(line[:min(len(line), 16)])) {
		case "[toc]", "[[toc]]", "[[_toc_]]":
			return true
		}
	case '-':
		return isScissors(line)
	case '<':
		rest, found := bytes.CutPrefix(line, []byte("<<<"))
		rest = bytes.TrimLeft(rest, " \t")
		if !found || len(rest) < 2 || strings.IndexByte("@./~", rest[0]) < 0 {
			return false
		}
		end := bytes.IndexAny(rest, " \t{") // of the path; lines, a language and a title may follow
		return end < 0 || strings.IndexByte("{[", rest[skipSpaces(rest, end)]) >= 0
	case '@':
		rest, found := bytes.CutPrefix(line, []byte("@[code"))
		return found && len(rest) > 0 && strings.IndexByte(" {]", rest[0]) >= 0 && line[len(line)-1] == ')' && bytes.Contains(rest, []byte("]("))
	}
	return false
}

// isScissors reports whether a line is one of PyMdown's: "--8<--" alone, or with a file's name in quotes.
func isScissors(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("--8<--"))
	rest = bytes.TrimSpace(rest)
	return found && (len(rest) == 0 || len(rest) > 2 && (rest[0] == '"' || rest[0] == '\'') && rest[len(rest)-1] == rest[0])
}

// isStarInclude reports whether a line is an include of MDX-Include: "{* ../a.py hl[1] *}". In code it may be a
// comment.
func isStarInclude(line []byte) bool {
	return len(line) > 4 && bytes.HasPrefix(line, []byte("{* ")) && bytes.HasSuffix(line, []byte(" *}")) && bytes.IndexByte(line, '.') > 0
}

// label makes a block of a label's title. Its id names the block above it, as in kramdown, or else the next one.
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
			b.anchor(n.id, n.at)
			return
		}
	}
	b.ids = append(b.ids, idAt{n.id, n.at})
}
