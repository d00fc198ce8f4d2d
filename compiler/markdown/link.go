package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// bracket is a "[" or "![" that may begin a link's text.
type bracket struct {
	node   *markup
	bottom ast.Node // the last delimiter of emphasis before it, or the bracket itself
}

// linkParser reads links, images and references. goldmark's would not do: it has no targets with templates, such as
// "{{< ref "a b" >}}", loses a link behind two open brackets that are 998 bytes apart, and takes quadratic time for
// "[a](" without an end (1.5 s for 80 kB).
type linkParser struct{}

// Trigger returns the bytes that open and close brackets.
func (linkParser) Trigger() []byte { return []byte{'!', '[', ']'} }

// Parse notes a bracket that opens, or makes a link of the text before one that closes.
func (linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	s := scannerIn(pc)
	_, at := block.Position()
	i := at.Start
	switch {
	case s.raw[i] == ']':
		return s.closeBracket(parent, block, i)
	case s.raw[i] == '[':
		return s.openBracket(block, i, i+1)
	case i+1 < len(s.raw) && s.raw[i+1] == '[':
		return s.openBracket(block, i, i+2)
	}
	return nil
}

// openBracket notes that a link's text may begin with the "[" or, of an image, the "![" at [i, end).
func (s *scanner) openBracket(block text.Reader, i, end int) ast.Node {
	s.items = append(s.items, item{kind: itemText, start: i, end: end})
	n := &markup{before: s.since(len(s.items) - 1)}
	b := bracket{n, n}
	if last := s.pc.LastDelimiter(); last != nil {
		b.bottom = last
	}
	s.brackets = append(s.brackets, b)
	block.Advance(end - i)
	return n
}

// closeBracket decides what the "]" at i closes: a link, an image, or nothing. The node of the bracket becomes that of
// the link.
func (s *scanner) closeBracket(parent ast.Node, block text.Reader, i int) ast.Node {
	top := len(s.brackets) - 1
	if top < 0 {
		return nil
	}
	b := s.brackets[top]
	s.brackets = s.brackets[:top]
	inactive := top < s.inactive
	s.inactive = min(s.inactive, top)
	open := b.node.before[0]
	image := open.end > open.start+1
	if inactive && !image {
		return nil
	}
	kind := Inline
	target, next, ok := s.inlineTarget(i + 1)
	if !ok {
		kind = Reference
		if target, next, ok = s.referenceTarget(i+1, s.raw[open.end:i]); !ok {
			return nil
		}
	}
	if image {
		kind = Image
	}
	index := len(s.links)
	s.links = append(s.links, inlineLink{kind: kind, target: target, source: s.at(open.start)})
	b.node.before[0] = item{kind: itemStart, start: open.start, end: open.end, link: index}
	s.items = append(s.items, item{kind: itemEnd, start: i, end: next, link: index})
	b.node.after = s.since(len(s.items) - 1)
	parser.ProcessDelimiters(b.bottom, s.pc)
	for c := b.node.NextSibling(); c != nil; c = b.node.NextSibling() {
		b.node.AppendChild(b.node, c)
	}
	parent.RemoveChild(parent, b.node)
	if !image {
		s.inactive = len(s.brackets)
		for k := index - 1; k >= 0 && s.links[k].source > s.links[index].source; k-- {
			s.links[k].nested = s.links[k].nested || s.links[k].kind == Auto
		}
	}
	s.advance(block, next)
	return b.node
}

// footnoteMark takes "[^label]" at i out of the text if there is a footnote of that label.
func (s *scanner) footnoteMark(i int) int {
	limit := min(len(s.raw), i+maxLabel)
	if i+2 >= limit || s.raw[i+1] != '^' {
		return i
	}
	n := bytes.IndexByte(s.raw[i+2:limit], ']')
	if s.fuel -= max(n, 0); n < 1 || !s.footnotes[string(s.raw[i+2:i+2+n])] {
		return i
	}
	s.add(item{kind: itemGone, start: i, end: i + n + 3})
	return i + n + 3
}
