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

// blockParser is goldmark's block structure with blocks of our own, and no inlines: inlineParsers read those.
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
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(definitions{}, 100)),
)

// contextKey is where a parse keeps what its blocks define.
var contextKey = parser.NewContextKey()

// defined is what the blocks of a document define for its inlines.
type defined struct {
	refs      map[string]string // link reference definitions by normalised label
	last      bool              // of several definitions of a label the last one counts, not the first
	footnotes map[string]bool
	fuel      int // what may still be spent on looking ahead for the end of tags and comments
	elements  int // how deep JSX elements may be nested
}

// parseBlocks returns the block structure of body.
func parseBlocks(body []byte, last bool) (ast.Node, *defined) {
	d := &defined{map[string]string{}, last, map[string]bool{}, 16*len(body) + maxTag, maxElements}
	for lines := bytes.Count(body, []byte("\n")); d.elements > 2 && lines > maxRecords/d.elements; {
		d.elements--
	}
	pc := parser.NewContext()
	pc.Set(contextKey, d)
	root := blockParser.Parse(text.NewReader(body), parser.WithContext(pc))
	return root, d
}

func definedIn(pc parser.Context) *defined { return pc.Get(contextKey).(*defined) }

// leaf has the methods that our block parsers share.
type leaf struct{}

// Close has nothing to finish: a block ends where Continue says so.
func (leaf) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph is true: these blocks need no empty line before them.
func (leaf) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine is false: four columns of indent are code, as CommonMark 0.31.2 section 4.4 has it.
func (leaf) CanAcceptIndentedLine() bool { return false }

// ownBlock has the methods that our blocks share.
type ownBlock struct{ ast.BaseBlock }

var kindOwn = ast.NewNodeKind("OwnBlock")

// Kind tells our own blocks from goldmark's.
func (*ownBlock) Kind() ast.NodeKind { return kindOwn }

// IsRaw is true: goldmark reads no inline markup in it.
func (*ownBlock) IsRaw() bool { return true }

// Dump prints the node to standard output for debugging; ast.Node asks for it.
func (n *ownBlock) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// footnote is a footnote's body: a container.
type footnote struct{ ownBlock }

// footnoteParser reads "[^label]: text" and what is indented below it. goldmark's moves footnotes out of their sections
// to one list, in which it looks for each mark: 3.3 s for 20,000 of both, 28 times as long as for 5,000.
type footnoteParser struct{ leaf }

// Trigger returns the byte that a footnote begins with.
func (footnoteParser) Trigger() []byte { return []byte{'['} }

// Open begins the footnote of a label of 1 to maxLabel-3 bytes and notes that it is defined. Within more than
// maxElements open blocks there is none.
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
