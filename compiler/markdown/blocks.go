package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth is how deep containers (quotes, list items, JSX elements) may be nested.
const maxDepth = 100

// The block parser keeps a record for each line and each container that is open in it. A line needs no mark to be in a
// JSX element, so the depth of these depends on the number of lines.
const (
	maxElements = 32
	maxRecords  = 2 << 20
)

// blockParser is goldmark's block structure with blocks of our own, and no inlines: scanner reads those.
// It is safe for concurrent use once it has parsed something, which init sees to.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(commentParser{}, 810),
		util.Prioritized(rawParser{}, 812),
		util.Prioritized(labelParser{}, 814),
		util.Prioritized(noteParser{}, 816),
		util.Prioritized(moduleParser{}, 820),
		util.Prioritized(footnoteParser{}, 830),
		util.Prioritized(jsxParser{}, 840),
		util.Prioritized(htmlParser{}, 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(definitions{}, 100)),
)

// contextKey is where a parse keeps what its blocks define.
var contextKey = parser.NewContextKey()

// defined is what the blocks of a document define for its inlines.
type defined struct {
	refs      map[string]string // link reference definitions by normalised label; the first one counts
	footnotes map[string]bool
	fuel      int // what may still be spent on looking ahead for the end of tags and comments
	elements  int // how deep JSX elements may be nested
}

// parseBlocks returns the block structure of body.
func parseBlocks(body []byte) (ast.Node, *defined) {
	d := &defined{map[string]string{}, map[string]bool{}, 16*len(body) + maxTag, maxElements}
	for lines := bytes.Count(body, []byte("\n")); d.elements > 2 && lines > maxRecords/d.elements; {
		d.elements--
	}
	pc := parser.NewContext()
	pc.Set(contextKey, d)
	root := blockParser.Parse(text.NewReader(body), parser.WithContext(pc))
	return root, d
}

func definedIn(pc parser.Context) *defined { return pc.Get(contextKey).(*defined) }

// leaf holds what our own block parsers have in common.
type leaf struct{}

// Close has nothing to finish: a block ends where Continue says so.
func (leaf) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph is true: these blocks need no empty line before them.
func (leaf) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine is false: four columns of indent are code, as CommonMark 0.31.2 section 4.4 has it.
func (leaf) CanAcceptIndentedLine() bool { return false }

// ignored is a block that is not text: an MDX comment or module statement.
type ignored struct {
	ast.BaseBlock
	until int // offset at which it ends
}

var kindIgnored = ast.NewNodeKind("Ignored")

// Kind tells an ignored block from goldmark's own nodes.
func (*ignored) Kind() ast.NodeKind { return kindIgnored }

// IsRaw is true: goldmark reads no inline markup in it.
func (*ignored) IsRaw() bool { return true }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *ignored) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// commentParser reads MDX's "{/* … */}" and Obsidian's "%% … %%" that begin a line and have nothing after them.
type commentParser struct{ leaf }

// Trigger returns the byte that a comment begins with.
func (commentParser) Trigger() []byte { return []byte{'{', '%'} }

// Open begins a comment whose end is found within maxTag bytes, with nothing else on its last line. A search that finds no
// end is paid for with fuel, so that a text of openings alone costs no more than its length.
func (commentParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	opening, closing := "{/*", "*/}"
	if line[pos] == '%' {
		opening, closing = "%%", "%%"
	}
	if !bytes.HasPrefix(line[pos:], []byte(opening)) {
		return nil, parser.NoChildren
	}
	start := seg.Start - seg.Padding + pos
	source := r.Source()
	limit := min(len(source), start+maxTag)
	d := definedIn(pc)
	if d.fuel <= 0 {
		return nil, parser.NoChildren
	}
	inside := min(limit, start+len(opening))
	n := bytes.Index(source[inside:limit], []byte(closing))
	if n < 0 {
		d.fuel -= limit - start
		return nil, parser.NoChildren
	}
	end := inside + n + len(closing)
	rest := source[end:]
	if eol := bytes.IndexByte(rest, '\n'); eol >= 0 {
		rest = rest[:eol]
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, parser.NoChildren
	}
	r.AdvanceToEOL()
	return &ignored{until: end}, parser.NoChildren
}

// Continue takes the lines that begin before the comment's end.
func (commentParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	if _, seg := r.PeekLine(); seg.Start < node.(*ignored).until {
		r.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	return parser.Close
}

// moduleParser reads MDX's import and export statements: at the top level, up to an empty line.
type moduleParser struct{ leaf }

// Trigger returns the first bytes of "import" and "export".
func (moduleParser) Trigger() []byte { return []byte{'i', 'e'} }

// CanInterruptParagraph is false: within a paragraph a line that begins with "import" is text.
func (moduleParser) CanInterruptParagraph() bool { return false }

// Open begins a statement, at the top level only.
func (moduleParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := r.PeekLine()
	if parent.Kind() != ast.KindDocument || !isModuleLine(line) {
		return nil, parser.NoChildren
	}
	r.AdvanceToEOL()
	return &ignored{}, parser.NoChildren
}

// Continue takes lines up to an empty one: a statement may go on over several.
func (moduleParser) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	if line, _ := r.PeekLine(); util.IsBlank(line) {
		return parser.Close
	}
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// isModuleLine tells an import or export statement from a sentence that begins with the word.
func isModuleLine(line []byte) bool {
	word, rest, found := bytes.Cut(line, []byte(" "))
	rest = bytes.TrimSpace(rest)
	if !found || len(rest) == 0 {
		return false
	}
	switch string(word) {
	case "import":
		if rest[0] == '{' || rest[0] == '\'' || rest[0] == '"' || rest[0] == '*' {
			return true
		}
		_, from, found := bytes.Cut(rest, []byte(" from "))
		from = bytes.TrimSpace(from)
		return found && len(from) > 1 && (from[0] == '\'' || from[0] == '"')
	case "export":
		if rest[0] == '{' || rest[0] == '*' {
			return true
		}
		next, more, _ := bytes.Cut(rest, []byte(" "))
		switch string(next) {
		case "const", "let", "var":
			return bytes.IndexByte(more, '=') > 0
		case "function", "class", "async", "function*":
			return bytes.ContainsAny(more, "({")
		case "default":
			return bytes.ContainsAny(more, "({;=") || bytes.HasPrefix(more, []byte("function")) || bytes.IndexByte(bytes.TrimSpace(more), ' ') < 0
		}
	}
	return false
}

// footnote is a footnote's body: a container.
type footnote struct{ ast.BaseBlock }

var kindFootnote = ast.NewNodeKind("FootnoteBody")

// Kind tells a footnote's body from goldmark's own nodes.
func (*footnote) Kind() ast.NodeKind { return kindFootnote }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *footnote) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// footnoteParser reads "[^label]: text" and what is indented below it.
type footnoteParser struct{ leaf }

// Trigger returns the byte that a footnote begins with.
func (footnoteParser) Trigger() []byte { return []byte{'['} }

// Open begins the footnote of a label of 1 to maxLabel-3 bytes and notes that it is defined. Within more than maxElements
// open blocks there is none.
func (footnoteParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || !bytes.HasPrefix(line[pos:], []byte("[^")) || seg.Padding > 0 || len(pc.OpenedBlocks()) > maxElements {
		return nil, parser.NoChildren
	}
	end := bytes.IndexByte(line[pos:min(len(line), pos+maxLabel)], ']')
	if end < 3 || pos+end+1 >= len(line) || line[pos+end+1] != ':' {
		return nil, parser.NoChildren
	}
	definedIn(pc).footnotes[string(line[pos+2:pos+end])] = true
	r.Advance(pos + end + 2)
	return &footnote{}, parser.HasChildren
}

// Continue takes empty lines, and lines that are indented by four columns.
func (footnoteParser) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPosition(line, r.LineOffset(), 4)
	if pos < 0 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

// definitions takes link reference definitions off the start of paragraphs.
type definitions struct{}

// Transform takes the definitions that the paragraph begins with out of it, and the paragraph out of the document where
// nothing is left.
func (definitions) Transform(node *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := node.Lines()
	source := r.Source()
	if lines.Len() == 0 {
		return
	}
	first := lines.At(0)
	if line := bytes.TrimLeft(first.Value(source), " "); len(line) == 0 || line[0] != '[' {
		return
	}
	raw := lines.Value(source)
	refs := definedIn(pc).refs
	used, count := 0, 0
	for {
		label, target, next, ok := definition(raw, used)
		if !ok {
			break
		}
		if _, again := refs[label]; !again {
			refs[label] = target
		}
		count += bytes.Count(raw[used:next], []byte("\n"))
		if next == len(raw) && raw[next-1] != '\n' {
			count++
		}
		used = next
	}
	switch {
	case count == 0:
	case count >= lines.Len():
		node.Parent().RemoveChild(node.Parent(), node)
	default:
		lines.SetSliced(count, lines.Len())
		node.SetLines(lines)
	}
}

// definition reads "[label]: target "title"" at i; next is the start of the line after it.
func definition(raw []byte, i int) (label, target string, next int, ok bool) {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t') {
		i++
	}
	if i >= len(raw) || raw[i] != '[' {
		return "", "", 0, false
	}
	j, end := i+1, min(len(raw), i+1+maxLabel)
	for ; j < end && raw[j] != ']' && raw[j] != '['; j++ {
		if raw[j] == '\\' {
			j++
		}
	}
	if j+1 >= len(raw) || j >= end || raw[j] != ']' || raw[j+1] != ':' {
		return "", "", 0, false
	}
	if label = normalLabel(raw[i+1 : j]); label == "" || label[0] == '^' {
		return "", "", 0, false
	}
	s := scanner{raw: raw}
	at := s.skipSpace(j + 2)
	dest, at, ok := destination(raw, at)
	if !ok {
		return "", "", 0, false
	}
	afterTarget, atEnd := lineRest(raw, at)
	if title := s.skipSpace(at); title > at {
		if _, after, ok := linkTitle(raw, title); ok {
			if next, ok := lineRest(raw, after); ok {
				return label, unescape(dest), next, true
			}
		}
	}
	return label, unescape(dest), afterTarget, atEnd
}

// lineRest reports whether only white space stands between i and the end of the line, and where the next one begins.
func lineRest(raw []byte, i int) (next int, blank bool) {
	for i < len(raw) && raw[i] != '\n' {
		if !isBlank(raw[i]) {
			return 0, false
		}
		i++
	}
	return min(i+1, len(raw)), true
}
