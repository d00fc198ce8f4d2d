package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// htmlParser reads CommonMark's seven kinds of HTML block, by byte comparisons in place of goldmark's expressions.
type htmlParser struct{ leaf }

// htmlEnds are what ends the kinds that do not end at a blank line; kind 1 has its own names.
var htmlEnds = map[ast.HTMLBlockType][]byte{
	ast.HTMLBlockType2: []byte("-->"),
	ast.HTMLBlockType3: []byte("?>"),
	ast.HTMLBlockType4: []byte(">"),
	ast.HTMLBlockType5: []byte("]]>"),
}

// rawTags begin kind 1 and breakTags kind 6.
var rawTags, breakTags = nameSet("script pre style textarea"), nameSet(`address article aside base basefont blockquote
	body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset
	h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p
	param search section summary table tbody td tfoot th thead title tr track ul`)

// Trigger returns the byte that a block begins with.
func (htmlParser) Trigger() []byte { return []byte{'<'} }

// Open begins a block if the line is the start of one.
func (htmlParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	kind, ok := htmlKind(line[pos:])
	if !ok || kind == ast.HTMLBlockType7 && ast.IsParagraph(pc.LastOpenedBlock().Node) {
		return nil, parser.NoChildren
	}
	n := ast.NewHTMLBlock(kind)
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// htmlKind returns the kind of HTML block that a line may begin.
func htmlKind(line []byte) (ast.HTMLBlockType, bool) {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return ast.HTMLBlockType2, true
	case bytes.HasPrefix(line, []byte("<?")):
		return ast.HTMLBlockType3, true
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return ast.HTMLBlockType5, true
	case len(line) > 2 && line[1] == '!' && isAlpha(line[2]):
		return ast.HTMLBlockType4, true
	}
	i := 1
	closing := i < len(line) && line[i] == '/'
	if closing {
		i++
	}
	j := i
	for j < len(line) && j-i < 16 && (isAlpha(line[j]) || j > i && isDigit(line[j])) {
		j++
	}
	if j == i {
		return 0, false
	}
	name := bytes.ToLower(line[i:j])
	raw := rawTags[string(name)]
	rest := line[j:]
	ends := len(rest) == 0 || isBlank(rest[0]) || rest[0] == '>'
	if raw && !closing && ends {
		return ast.HTMLBlockType1, true
	}
	if breakTags[string(name)] && (ends || bytes.HasPrefix(rest, []byte("/>"))) {
		return ast.HTMLBlockType6, true
	}
	t, _, ok := readTag(line, 0)
	if !ok || raw || t.name == "" {
		return 0, false
	}
	_, blank := lineRest(line, t.end)
	return ast.HTMLBlockType7, blank
}

// Continue takes the line unless the block has ended.
func (htmlParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	n := node.(*ast.HTMLBlock)
	line, seg := r.PeekLine()
	if n.HTMLBlockType >= ast.HTMLBlockType6 {
		if util.IsBlank(line) {
			return parser.Close
		}
	} else if last := n.Lines().At(n.Lines().Len() - 1); endsHTML(n, last.Value(r.Source())) {
		return parser.Close
	}
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// endsHTML reports whether line is the last one of a block that does not end at a blank line.
func endsHTML(n *ast.HTMLBlock, line []byte) bool {
	if end := htmlEnds[n.HTMLBlockType]; end != nil {
		return bytes.Contains(line, end)
	}
	for i := 0; ; {
		k := bytes.Index(line[i:], []byte("</"))
		if k < 0 {
			return false
		}
		i += k + 2
		k = bytes.IndexByte(line[i:min(len(line), i+16)], '>')
		if k > 0 && rawTags[string(bytes.ToLower(line[i:i+k]))] {
			return true
		}
	}
}
