package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"kdd/compiler/diag"
)

// Parse reads one source file. It never fails: what is wrong with the file is in Diags, and its text is kept as far as
// it can be read. path is the path that the artifact has, with slashes; its extension tells .feature files from
// markdown.
//
// comments are the first words of comments that stand for a heading, see commentHeading; "*" at the end stands for any
// ending.
//
// The document refers to source, which must not be changed afterwards. Cost: linear in len(source).
func Parse(path string, source []byte, comments ...string) *Document {
	return ParseWith(path, source, Options{HeadingComments: comments})
}

// Span is bytes [Start, End) of a source.
type Span struct{ Start, End int }

// Options says how a document is read, beside what markdown has in common.
type Options struct {
	HeadingComments []string                    // see Parse
	Slug            func(heading string) string // the anchor of a heading; nil: GitHub's
	SmartDashes     bool                        // "--" and "---" outside of code are dashes before an anchor is made
	Joint           string                      // between an anchor and the number of its repetition; "": "-"
	LastDefinition  bool                        // of several definitions of a link's label the last one counts
	Tab             func(title string) string   // the anchor of a tab ("=== "title""); nil: tabs have none
	TabBelow        bool                        // the anchor of a tab begins with that of the heading above, and "-"

	// Hidden are parts that are no text of the document: within lines, ascending. They count as white space; a line of
	// code that is nothing else is none.
	Hidden []Span
}

// ParseWith is Parse with options.
func ParseWith(path string, source []byte, o Options) *Document {
	b := builder{
		doc:      &Document{Path: path, Source: source},
		seen:     hide(source, o.Hidden),
		hidden:   o.Hidden,
		lines:    indexLines(source),
		stack:    []int{0},
		comments: o.HeadingComments,
		slug:     o.Slug,
		dashes:   o.SmartDashes,
		joint:    cmp.Or(o.Joint, "-"),
		last:     o.LastDefinition,
		tab:      o.Tab,
		tabBelow: o.TabBelow,
	}
	b.doc.lines = b.lines
	b.doc.Sections = []Section{{Parent: -1}}
	if strings.EqualFold(fileExt(path), ".feature") {
		b.gherkin()
	} else {
		b.markdown()
	}
	b.finish()
	return b.doc
}

func fileExt(name string) string { return path.Ext(name) }

// builder collects a document while its blocks are walked in source order.
type builder struct {
	doc    *Document
	seen   []byte // the source with blanks for what is hidden
	hidden []Span
	body   []byte // the source as the block parser sees it: what is no Markdown is blank, offsets are the same
	lines  lineIndex
	scan   scanner

	comments []string                    // first words of comments that stand for a heading
	slug     func(heading string) string // nil: GitHub's
	dashes   bool                        // see Options.SmartDashes
	joint    string                      // see Options
	last     bool                        // see Options.LastDefinition
	tab      func(title string) string   // nil: tabs have no anchors
	tabBelow bool

	stack []int    // sections that are open, outermost first
	plain []span   // parts of the source that are kept as they are, ascending
	names []naming // what is to be named, in source order
	ids   []idAt   // ids that stand before the next heading
	spoke bool     // text other than links stands before the first heading
	full  bool     // a heading beyond maxSections was met
}

// hide returns a source with blanks for its hidden parts.
func hide(source []byte, hidden []Span) []byte {
	if len(hidden) == 0 {
		return source
	}
	seen := bytes.Clone(source)
	for _, h := range hidden {
		for i := h.Start; i < h.End; i++ {
			if seen[i] != '\n' {
				seen[i] = ' '
			}
		}
	}
	return seen
}

// hides reports whether the source bytes [start, end) hold something hidden.
func (b *builder) hides(start, end int) bool {
	i := sort.Search(len(b.hidden), func(i int) bool { return b.hidden[i].End > start })
	return i < len(b.hidden) && b.hidden[i].Start < end
}

// span is source bytes [start, end).
type span struct{ start, end int }

// markdown parses the source as Markdown.
func (b *builder) markdown() {
	source := b.seen
	b.body = source
	b.dropBOM()
	if bytes.IndexByte(source, '\r') >= 0 && bytes.IndexByte(source, '\n') < 0 {
		b.body = bytes.ReplaceAll(b.body, []byte{'\r'}, []byte{'\n'})
	}
	b.frontMatter()
	b.guard()
	root, defs, err := safeBlocks(b.body, b.last)
	if err != nil {
		b.report(diag.NestedTooDeep, 0, "the block structure cannot be parsed (%v); the text is kept as it is", err)
		b.plain = []span{{0, len(source)}}
	} else {
		b.scan.refs, b.scan.footnotes = defs.refs, defs.footnotes
		b.walk(root, place{})
	}
	b.flushPlain(len(source) + 1)
}

// dropBOM makes empty lines of a byte order mark: spaces would indent the first line.
func (b *builder) dropBOM() {
	if bytes.HasPrefix(b.body, []byte(bom)) {
		b.blank(span{0, len(bom)})
		copy(b.body, "\n\n\n")
	}
}

const bom = "\ufeff"

// safeBlocks keeps a panic of the block parser from ending a build.
func safeBlocks(body []byte, last bool) (root ast.Node, d *defined, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	root, d = parseBlocks(body, last)
	return root, d, nil
}

// blank hides a part of the source from the block parser.
func (b *builder) blank(s span) {
	if s.start >= s.end {
		return
	}
	b.ownBody()
	for i := s.start; i < s.end; i++ {
		if b.body[i] != '\n' {
			b.body[i] = ' '
		}
	}
}

// ownBody makes the body a copy of the source, if it is not yet.
func (b *builder) ownBody() {
	if len(b.body) > 0 && &b.body[0] == &b.seen[0] {
		b.body = bytes.Clone(b.body)
	}
}

// report adds a diagnostic about the line that holds the byte at offset.
func (b *builder) report(r diag.Rule, offset int, format string, args ...any) {
	b.doc.Diags = append(b.doc.Diags, diag.At(r, b.doc.Path, b.lines.line(offset), 0, format, args...))
}

// add appends a block to the current section.
func (b *builder) add(blk Block, p plain) *Block {
	blk.Text = string(p.buf)
	blk.Map = p.marks
	if len(blk.Map) == 0 {
		blk.Map = []Place{{0, blk.Start}}
	}
	s := &b.doc.Sections[b.section()]
	s.Blocks = append(s.Blocks, blk)
	b.spoke = b.spoke || len(b.doc.Sections) == 1
	return &s.Blocks[len(s.Blocks)-1]
}

// section is the index of the section that blocks belong to now.
func (b *builder) section() int { return b.stack[len(b.stack)-1] }

// widen returns whole lines that hold the bytes from first to last.
func (b *builder) widen(first, last int) (start, end int) {
	return b.lines.start(b.lines.line(first)), b.lines.end(b.lines.line(last))
}

// finish names the sections, ends them, and sorts what must be in source order.
func (b *builder) finish() {
	d := b.doc
	size := len(d.Source)
	d.setTitle(b)
	root := &d.Sections[0]
	root.Heading, root.End, root.LineStart, root.LineEnd = d.Title, size, 1, len(b.lines.starts)
	var starts [7]int
	for i := range starts {
		starts[i] = size
	}
	for i := len(d.Sections) - 1; i > 0; i-- {
		s := &d.Sections[i]
		s.End = starts[s.Level]
		for l := s.Level; l < len(starts); l++ {
			starts[l] = s.Start
		}
		s.LineStart, s.LineEnd = b.lines.line(s.Start), b.lines.line(max(s.Start, s.End-1))
	}
	b.nameAnchors()
	sort.SliceStable(d.Links, func(i, j int) bool { return d.Links[i].Offset < d.Links[j].Offset })
	d.setColumns()
	sort.SliceStable(d.Mentions, func(i, j int) bool { return d.Mentions[i].Offset < d.Mentions[j].Offset })
	sort.SliceStable(d.Anchors, func(i, j int) bool { return d.Anchors[i].Offset < d.Anchors[j].Offset })
	d.Diags = diag.Sort(d.Diags)
}

// setColumns counts the columns of the links, which are in source order: each from the one before it in its line, as a
// line may hold very many.
func (d *Document) setColumns() {
	for i := range d.Links {
		l := &d.Links[i]
		if i > 0 && d.Links[i-1].Line == l.Line {
			before := &d.Links[i-1]
			l.Col = before.Col + utf8.RuneCount(d.Source[before.Offset:l.Offset])
			continue
		}
		l.Col = diag.Col(d.Source[d.lines.start(l.Line):l.Offset])
	}
}
