package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// element is a JSX element whose tags stand on lines of their own. The lines between them are Markdown, however deep
// the first is indented: MDX has no indented code.
type element struct {
	ownBlock
	tag    tag
	start  int  // offset of the tag
	indent int  // of the content; -1 before its first line
	alone  bool // a tag by itself: closing, empty, or nested too deep
}

// jsxParser reads lines that hold one JSX tag and nothing else; the tag may go on over the next lines.
type jsxParser struct{ leaf }

// Trigger returns the byte that an element begins with.
func (jsxParser) Trigger() []byte { return []byte{'<'} }

// Open begins an element if a tag stands alone on the line.
func (jsxParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	source := r.Source()
	start := seg.Start - seg.Padding + pos
	if start >= len(source) || source[start] != '<' || !mayBeComponent(source[start+1:]) {
		return nil, parser.NoChildren
	}
	d := definedIn(pc)
	if d.fuel <= 0 {
		return nil, parser.NoChildren
	}
	t, used, ok := readTag(source, start)
	if !ok || !t.component() {
		d.fuel -= used
		return nil, parser.NoChildren
	}
	if _, blank := lineRest(source, t.end); !blank {
		return nil, parser.NoChildren
	}
	r.AdvanceToEOL()
	alone := t.closing || t.empty || len(pc.OpenedBlocks()) >= d.elements
	return &element{tag: t, start: start, indent: -1, alone: alone}, parser.HasChildren
}

func mayBeComponent(rest []byte) bool {
	rest = bytes.TrimPrefix(rest, []byte("/"))
	if len(rest) == 0 {
		return false
	}
	if rest[0] == '>' || 'A' <= rest[0] && rest[0] <= 'Z' {
		return true
	}
	for i := 0; i < len(rest) && i < 64; i++ { // motion.div
		if rest[i] == '.' {
			return i > 0
		}
		if !isAlpha(rest[i]) && !isDigit(rest[i]) {
			break
		}
	}
	return false
}

// Continue takes lines up to the closing tag, that line included, and strips the indent of the first line of the
// content from each.
func (jsxParser) Continue(node ast.Node, r text.Reader, pc parser.Context) parser.State {
	n := node.(*element)
	line, seg := r.PeekLine()
	if seg.Start < n.tag.end {
		r.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	}
	open := pc.OpenedBlocks()
	if n.alone {
		return parser.Close
	}
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	width, _ := util.IndentWidth(line, r.LineOffset())
	if closesElement(bytes.TrimLeft(line, " \t"), n.tag.name) && !inFence(open) && innermost(open, n) {
		r.AdvanceToEOL()
		return parser.Close
	}
	if n.indent < 0 {
		n.indent = width
	}
	if strip := min(n.indent, width); strip > 0 {
		pos, padding := util.IndentPosition(line, r.LineOffset(), strip)
		if pos >= 0 {
			r.AdvanceAndSetPadding(pos, padding)
		}
	}
	return parser.Continue | parser.HasChildren
}

// closesElement reports whether line is the closing tag of name.
func closesElement(line []byte, name string) bool {
	if !bytes.HasPrefix(line, []byte("</")) || !bytes.HasPrefix(line[2:], []byte(name)) {
		return false
	}
	rest := bytes.TrimLeft(line[2+len(name):], " \t")
	return len(rest) > 0 && rest[0] == '>' && util.IsBlank(rest[1:])
}

func inFence(open []parser.Block) bool {
	return len(open) > 0 && open[len(open)-1].Node.Kind() == ast.KindFencedCodeBlock
}

// innermost reports whether n is the last open element of its name.
func innermost(open []parser.Block, n *element) bool {
	for _, b := range slices.Backward(open) {
		if e, ok := b.Node.(*element); ok && e.tag.name == n.tag.name && !e.alone {
			return e == n
		}
	}
	return true
}
