package markdown

import (
	"bytes"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"

	"kdd/compiler/diag"
)

// Parse reads one source file. It never fails: what is wrong with the file is in Diags, and its text is kept as far as
// it can be read. path is the path that the artifact has, with slashes; its extension tells .feature files from markdown.
//
// The document refers to source, which must not be changed afterwards. Cost: linear in len(source).
func Parse(path string, source []byte) *Document {
	b := builder{
		doc:   &Document{Path: path, Source: source},
		lines: indexLines(source),
		stack: []int{0},
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
	doc   *Document
	body  []byte // the source as the block parser sees it: what is no Markdown is blank, offsets are the same
	lines lineIndex
	scan  scanner

	stack []int    // sections that are open, outermost first
	plain []span   // parts of the source that are kept as they are, ascending
	names []naming // what is to be named, in source order
	ids   []idAt   // ids that stand before the next heading
	title string   // the first level 1 heading
	full  bool     // a heading beyond maxSections was met
}

// span is source bytes [start, end).
type span struct{ start, end int }

// markdown parses the source as Markdown.
func (b *builder) markdown() {
	source := b.doc.Source
	b.body = source
	b.dropBOM()
	if bytes.IndexByte(source, '\r') >= 0 && bytes.IndexByte(source, '\n') < 0 {
		b.body = bytes.ReplaceAll(b.body, []byte{'\r'}, []byte{'\n'})
	}
	b.frontMatter()
	b.guard()
	root, defs, err := safeBlocks(b.body)
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
func safeBlocks(body []byte) (root ast.Node, d *defined, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	root, d = parseBlocks(body)
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
	if len(b.body) > 0 && &b.body[0] == &b.doc.Source[0] {
		b.body = bytes.Clone(b.body)
	}
}

// report adds a diagnostic about the line that holds the byte at offset.
func (b *builder) report(r diag.Rule, offset int, format string, args ...any) {
	b.doc.Diags = append(b.doc.Diags, diag.At(r, b.doc.Path, b.lines.line(offset), 0, format, args...))
}

// guard takes out of the body what would cost the block parser more than linear time: lines with very many quote or
// list marks, or with marks behind very much white space. Their text is kept as it is.
func (b *builder) guard() {
	count, first := 0, 0
	for n := 1; n <= len(b.lines.starts); n++ {
		start, end := b.lines.start(n), b.lines.end(n)
		if end-start <= maxDepth || !nestsTooDeep(b.body[start:end]) {
			continue
		}
		if count++; count == 1 {
			first = start
		}
		if k := len(b.plain); k > 0 && b.plain[k-1].end == start {
			b.plain[k-1].end = end
		} else {
			b.plain = append(b.plain, span{start, end})
		}
		b.blank(span{start, end})
	}
	b.joinBlankLines()
	if count > 0 {
		b.report(diag.NestedTooDeep, first, "%d lines nest quotes or lists more than %d deep, want fewer; their text is kept as it is",
			count, maxDepth)
	}
}

// joinBlankLines makes one of three or more blank lines that follow one another: the block parser keeps a record for
// each line and each container that is open.
func (b *builder) joinBlankLines() {
	run := 0 // blank lines in a row before line n
	for n := 1; n <= len(b.lines.starts); n++ {
		start, end := b.lines.start(n), b.lines.end(n)
		blank := end-start <= maxTarget
		for i := start; i < end && blank; i++ {
			blank = isBlank(b.body[i])
		}
		if !blank {
			run = 0
			continue
		}
		if run++; run > 2 {
			b.ownBody()
			b.body[start-1] = ' '
		}
	}
}

// maxIndent is the column up to which a mark may begin a list item.
const maxIndent = 96

// nestsTooDeep reports whether a line opens more than maxDepth containers, or one beyond maxIndent.
func nestsTooDeep(line []byte) bool {
	marks, columns := 0, 0
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ':
			columns++
			i++
		case c == '\t':
			columns += 4
			i++
		case c == '>':
			marks++
			i++
		case c == '-' || c == '+' || c == '*':
			if i+1 < len(line) && !isBlank(line[i+1]) {
				return marks > maxDepth
			}
			marks++
			i++
		case isDigit(c):
			j := i
			for j < len(line) && j-i < 10 && isDigit(line[j]) {
				j++
			}
			if j >= len(line) || line[j] != '.' && line[j] != ')' {
				return marks > maxDepth
			}
			marks++
			i = j + 1
		default:
			return marks > maxDepth
		}
		if marks > maxDepth || marks > 0 && columns > maxIndent {
			return true
		}
	}
	return marks > maxDepth
}

// flushPlain makes blocks of the plain parts before offset.
func (b *builder) flushPlain(offset int) {
	for len(b.plain) > 0 && b.plain[0].start < offset {
		s := b.plain[0]
		b.plain = b.plain[1:]
		var p plain
		for at := s.start; at < s.end; {
			n := bytes.IndexByte(b.doc.Source[at:s.end], '\n') + 1
			if n == 0 {
				n = s.end - at
			}
			line := b.doc.Source[at : at+n]
			left := bytes.TrimLeft(line, " \t\r\n")
			p.copy(bytes.TrimRight(left, " \t\r\n"), at+len(line)-len(left))
			p.put("\n", at+n-1)
			at += n
		}
		p.trim()
		b.add(Block{Kind: Paragraph, Start: s.start, End: s.end}, p)
	}
}

// claim takes the plain parts that stand in [start, end) back into the body: they are text of the block of code or HTML
// that holds them, not blocks beside it.
func (b *builder) claim(start, end int) {
	for len(b.plain) > 0 && b.plain[0].start < end {
		s := &b.plain[0]
		from, to := max(s.start, start), min(s.end, end)
		if from < to {
			copy(b.body[from:to], b.doc.Source[from:to])
		}
		if s.end > end {
			s.start = end
			return
		}
		b.plain = b.plain[1:]
	}
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
	sort.SliceStable(d.Mentions, func(i, j int) bool { return d.Mentions[i].Offset < d.Mentions[j].Offset })
	sort.SliceStable(d.Anchors, func(i, j int) bool { return d.Anchors[i].Offset < d.Anchors[j].Offset })
	d.Diags = diag.Sort(d.Diags)
}

// setTitle chooses the title and whether the document is a draft.
func (d *Document) setTitle(b *builder) {
	stem := strings.TrimSuffix(path.Base(d.Path), fileExt(d.Path))
	d.Title, d.TitleFrom = stem, "stem"
	if b.title == "" && len(d.Sections[0].Blocks) == 0 {
		b.title = d.soleTop()
	}
	if b.title != "" {
		d.Title, d.TitleFrom = b.title, "heading"
	}
	if f := d.FrontMatter.Get("title"); f != nil && len(f.Values) > 0 {
		s := scanner{}
		in := s.scan([]byte(strings.TrimSpace(f.Values[0])), nil, markdownText)
		if title := strings.Join(strings.Fields(string(in.text.buf)), " "); title != "" {
			d.Title, d.TitleFrom = title, "front-matter"
		}
	}
	d.Draft = truth(d.FrontMatter.Get("draft")) == yes || truth(d.FrontMatter.Get("published")) == no
}

// soleTop returns the heading that a document without text before it begins with, if all others are below it: the
// chapters of many books begin at level 2.
func (d *Document) soleTop() string {
	if len(d.Sections) < 2 {
		return ""
	}
	for _, s := range d.Sections[2:] {
		if s.Level <= d.Sections[1].Level {
			return ""
		}
	}
	return d.Sections[1].Heading
}

type answer uint8

const (
	unsaid answer = iota
	yes
	no
)

// truth reads a field as yes or no, in the words that YAML 1.1 and people use.
func truth(f *Field) answer {
	if f == nil || len(f.Values) != 1 {
		return unsaid
	}
	switch strings.ToLower(f.Values[0]) {
	case "true", "yes", "on", "1", "y":
		return yes
	case "false", "no", "off", "0", "n":
		return no
	}
	return unsaid
}
