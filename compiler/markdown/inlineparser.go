package markdown

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// inlineParsers read the inlines of one leaf block, by mode: their only block takes the whole text. Line ends,
// code spans, autolinks, emphasis and strikethrough are goldmark's. Links, tags and what generators of sites add are
// ours. Bare URLs and icons have a mode of their own, as each "." and ":" may be in one.
//
// They are safe for concurrent use.
var inlineParsers = func() (all [numModes]parser.Parser) {
	tags := []util.PrioritizedValue{ours('<', (*scanner).angle), ours('&', (*scanner).entity), ours('{', (*scanner).brace)}
	urls := []util.PrioritizedValue{ours(':', (*scanner).bareURL), ours('.', (*scanner).bareWWW)}
	markdown := append(slices.Clone(tags),
		util.Prioritized(codeSpans{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(autoLinks{parser.NewAutoLinkParser()}, 200),
		ours('\\', (*scanner).escape),
		ours('!', (*scanner).embedded),
		ours('[', (*scanner).mark),
		util.Prioritized(linkParser{}, 400),
		util.Prioritized(delimiters{parser.NewEmphasisParser()}, 500),
		util.Prioritized(delimiters{extension.NewStrikethroughParser()}, 500),
	)
	for mode, inlines := range map[scanMode][]util.PrioritizedValue{
		markdownText: markdown,
		markdownURLs: append(slices.Clone(markdown), ours(':', (*scanner).colon), urls[1]),
		htmlText:     append(slices.Clone(tags), ours('[', (*scanner).wiki), ours('\\', (*scanner).backslash)),
		plainText:    {ours('[', (*scanner).wiki), urls[0]},
		noMarkup:     nil,
	} {
		block := util.Prioritized(leafParser{}, 100)
		all[mode] = parser.NewParser(parser.WithBlockParsers(block), parser.WithInlineParsers(inlines...))
	}
	return all
}()

// scannerKey is where a parse of inlines finds its scanner.
var scannerKey = parser.NewContextKey()

func scannerIn(pc parser.Context) *scanner { return pc.Get(scannerKey).(*scanner) }

// leafParser makes one block of all text.
type leafParser struct{ leaf }

// Trigger is nil: the text may begin with anything.
func (leafParser) Trigger() []byte { return nil }

// CanAcceptIndentedLine is true: what is code was told from text before.
func (leafParser) CanAcceptIndentedLine() bool { return true }

// Open takes all lines.
func (leafParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n := ast.NewTextBlock()
	n.SetLines(scannerIn(pc).lines)
	size := len(r.Source())
	r.SetPosition(0, text.NewSegment(size, size))
	return n, parser.NoChildren
}

// Continue is not asked, as no line is left.
func (leafParser) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// markup is a node of ours: the items before its children and those after them. Only a link has children, its text.
type markup struct {
	ast.BaseInline
	before, after []item
}

var kindMarkup = ast.NewNodeKind("Markup")

// Kind tells our inlines from goldmark's.
func (*markup) Kind() ast.NodeKind { return kindMarkup }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *markup) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// tokenParser reads markup of ours that begins with a byte. read appends items to the scanner's; it returns the offset
// after the markup, or i if there is none.
type tokenParser struct {
	trigger byte
	read    func(s *scanner, i int) (next int)
}

func ours(trigger byte, read func(*scanner, int) int) util.PrioritizedValue {
	return util.Prioritized(tokenParser{trigger, read}, 300)
}

// Trigger returns the byte that the markup begins with.
func (p tokenParser) Trigger() []byte { return []byte{p.trigger} }

// Parse makes a node of what is read. Text before it goes into the node: a bare URL begins in it.
func (p tokenParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	s := scannerIn(pc)
	_, at := block.Position()
	s.pending = at.Start
	before, _ := parent.LastChild().(*ast.Text)
	if before != nil && before.Segment.Stop == at.Start && !before.SoftLineBreak() && !before.HardLineBreak() {
		s.pending = before.Segment.Start
	} else {
		before = nil
	}
	from := len(s.items)
	next := p.read(s, at.Start)
	if next == at.Start {
		return nil
	}
	if before != nil {
		parent.RemoveChild(parent, before)
	}
	s.advance(block, next)
	return &markup{before: s.since(from)}
}

// since returns the items that were appended since there were n.
func (s *scanner) since(n int) []item { return s.items[n:len(s.items):len(s.items)] }

// advance moves block to an offset of raw that is not before its place.
func (s *scanner) advance(block text.Reader, to int) {
	line, _ := block.Position()
	at := s.lines.At(line)
	for ; to >= at.Stop && line+1 < s.lines.Len(); at = s.lines.At(line) {
		line++
	}
	block.SetPosition(line, text.NewSegment(max(to, at.Start), at.Stop))
}

// codeSpans is goldmark's parser of code spans. That looks for the end of each span up to the end of the block, so that
// back-ticks which nothing closes are kept from it: with "\```a " its time is quadratic.
type codeSpans struct{ parser.InlineParser }

// Parse reads a code span, or back-ticks that are text.
func (p codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	s := scannerIn(pc)
	_, at := block.Position()
	if s.ticks == nil {
		s.ticks = map[int]int{}
	}
	if len(s.ticks) == 0 {
		for i := at.Start; i < len(s.raw); i++ {
			if n := ticksAt(s.raw, i); n > 0 {
				s.ticks[n] = i
				i += n
			}
		}
	}
	n := ticksAt(s.raw, at.Start)
	if s.ticks[n] >= at.Start+n {
		return p.InlineParser.Parse(parent, block, pc)
	}
	block.Advance(n)
	return ast.NewTextSegment(text.NewSegment(at.Start, at.Start+n))
}

// ticksAt returns the length of the run of back-ticks at i.
func ticksAt(raw []byte, i int) int {
	n := 0
	for i+n < len(raw) && raw[i+n] == '`' {
		n++
	}
	return n
}

// autoLinks is goldmark's parser of autolinks.
type autoLinks struct{ parser.InlineParser }

// Parse reads <scheme:…> and <name@host>.
func (p autoLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	s := scannerIn(pc)
	line, at := block.Position()
	found, ok := p.InlineParser.Parse(parent, block, pc).(*ast.AutoLink)
	if !ok || len(found.Label(s.raw)) > maxTarget {
		return nil
	}
	block.SetPosition(line, at)
	return tokenParser{read: func(s *scanner, i int) int {
		label := found.Label(s.raw)
		target, end := valid(string(label)), i+1+len(label)
		if found.AutoLinkType == ast.AutoLinkEmail {
			target = "mailto:" + target
		}
		return s.wholeLink(inlineLink{kind: Auto, target: target}, i, end+1, item{kind: itemText, start: i + 1, end: end})
	}}.Parse(parent, block, pc)
}

// maxWaiting is how many delimiters of emphasis may wait for their match.
const maxWaiting = 1000

// delimiters is a parser of goldmark's for emphasis, which looks for the opener of each closer among all that wait, so
// that time is quadratic: 10 s for 140 kB. Hence those that wait are matched when there are very many. Emphasis around
// more than these is none, and its characters are text.
type delimiters struct{ parser.InlineParser }

// Parse reads a delimiter.
func (p delimiters) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	s := scannerIn(pc)
	if s.waiting++; s.waiting > maxWaiting {
		s.matchSome(parent)
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// matchSome matches the delimiters that wait. Those before a bracket that is open wait for its end, unless they are too
// many: then they are text. An empty node marks the place up to which none waits, so that goldmark looks no further.
func (s *scanner) matchSome(parent ast.Node) {
	bottom := s.settled
	if k := len(s.brackets); k > 0 {
		bottom = s.brackets[k-1].bottom
	}
	parser.ProcessDelimiters(bottom, s.pc)
	s.waiting = 0
	for d := s.pc.LastDelimiter(); d != nil; d = d.PreviousDelimiter {
		s.waiting++
	}
	if s.waiting > maxWaiting/2 {
		s.waiting = 0
		s.pc.ClearDelimiters(s.settled)
		for k := range s.brackets {
			s.brackets[k].bottom = s.brackets[k].node
		}
	}
	if s.waiting == 0 {
		s.settled = &markup{}
		parent.AppendChild(parent, s.settled)
	}
}
