package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"kdd/compiler/diag"
	terms "kdd/format/text"
)

// place says in which containers a block is.
type place struct {
	kind   BlockKind // of a leaf of text here: Paragraph, ListItem or Quote
	nested bool      // inside a quote, list item or footnote: headings are no sections
}

// walk makes sections and blocks of a container's children.
func (b *builder) walk(parent ast.Node, in place) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if pos := n.Pos(); pos >= 0 && len(b.plain) > 0 {
			b.flushPlain(pos)
		}
		switch n := n.(type) {
		case *ast.Heading:
			b.heading(n, in)
		case *ast.Paragraph, *ast.TextBlock:
			b.paragraph(n, in)
			if next, ok := n.NextSibling().(*note); ok && next.kind == ListItem {
				b.term(n)
			}
		case *ast.FencedCodeBlock:
			b.fence(n)
		case *ast.CodeBlock:
			b.code(n.Lines(), Block{Kind: Code}, -1, -1)
		case *ast.HTMLBlock:
			b.html(n, in)
		case *ast.Blockquote:
			b.walk(n, place{Quote, true})
		case *ast.ListItem:
			kind := ListItem
			if in.kind == Quote {
				kind = Quote
			}
			b.walk(n, place{kind, true})
		case *footnote:
			b.walk(n, place{Paragraph, true})
		case *label:
			b.label(n, in)
		case *note:
			b.tabAnchor(n)
			b.walk(n, place{n.kind, true})
		case *rawBlock:
			b.code(n.Lines(), Block{Kind: Code, Info: n.info}, b.lines.line(n.first), b.lines.line(n.last))
		case *element:
			b.element(n)
			b.walk(n, in)
		case *ast.List:
			if next, ok := n.NextSibling().(*label); ok && next.toc && !next.HasBlankPreviousLines() {
				continue
			}
			b.walk(n, in)
		}
	}
}

// rawText returns the text of a leaf's lines and where it stands. Lines that follow one another in the source are not
// copied: the scanner skips white space at the start of a line.
func (b *builder) rawText(lines *text.Segments) ([]byte, []Place) {
	n := lines.Len()
	if n == 0 {
		return nil, nil
	}
	joined := true
	for i := 1; i < n && joined; i++ {
		gap := b.body[lines.At(i-1).Stop:lines.At(i).Start]
		joined = len(bytes.TrimLeft(gap, " \t")) == 0
	}
	start, stop := lines.At(0).Start, lines.At(n-1).Stop
	if joined {
		return b.body[start:stop], []Place{{0, start}}
	}
	var p plain
	for i := range n {
		l := lines.At(i)
		if l.Start < l.Stop {
			p.mark(l.Start)
			p.buf = append(p.buf, b.body[l.Start:l.Stop]...)
		}
		if i < n-1 && p.last() != '\n' {
			p.put("\n", l.Stop)
		}
	}
	return p.buf, p.marks
}

// cut removes the first n bytes of a raw text.
func cut(raw []byte, marks []Place, n int) ([]byte, []Place) {
	at := sourceAt(marks, n)
	out := []Place{{0, at}}
	for _, m := range marks {
		if m.Text > n {
			out = append(out, Place{m.Text - n, m.Source})
		}
	}
	return raw[n:], out
}

// paragraph makes blocks of a leaf of text: a table too, if it has a delimiter row.
func (b *builder) paragraph(n ast.Node, in place) {
	lines := n.Lines()
	count := lines.Len()
	if count == 0 {
		return
	}
	if in.nested {
		first := lines.At(0)
		if mark := alertMark(first.Value(b.body)); in.kind == Quote && mark > 0 {
			rest := text.NewSegments()
			if title := text.NewSegment(first.Start+mark, first.Stop); title.Start < title.Stop && len(bytes.TrimSpace(title.Value(b.body))) > 0 {
				b.text(oneLine(title), in)
			}
			rest.AppendAll(lines.Sliced(1, count))
			lines = rest
			if count--; count == 0 {
				return
			}
		}
	}
	if head := b.findTable(lines); head >= 0 {
		if head > 0 {
			before := text.NewSegments()
			before.AppendAll(lines.Sliced(0, head))
			b.text(before, in)
		}
		b.table(lines, head)
		return
	}
	b.text(lines, in)
}

// text makes a block of lines of running text.
func (b *builder) text(lines *text.Segments, in place) {
	raw, marks := b.rawText(lines)
	if in.kind == ListItem && len(raw) > 3 && raw[0] == '[' && raw[2] == ']' && isBlank(raw[3]) && strings.IndexByte(" xX", raw[1]) >= 0 {
		raw, marks = cut(raw, marks, 4)
	}
	id := blockID(raw)
	raw = raw[:len(raw)-len(id)]
	b.leaf(raw, marks, markdownText, in.kind)
	if at := sourceAt(marks, len(raw)) + len(id) - len(bytes.TrimLeft(id, " \t\n")); len(id) > 0 {
		b.anchor(string(bytes.TrimSpace(id)), at)
	}
}

// leaf scans raw, records what is in it, and adds a block if it has text.
func (b *builder) leaf(raw []byte, marks []Place, mode scanMode, kind BlockKind) {
	blk := Block{Kind: kind}
	blk.Start, blk.End = b.widen(sourceAt(marks, 0), sourceAt(marks, max(0, len(raw)-1)))
	if len(raw) > maxInline {
		b.report(diag.LongBlock, blk.Start, "a block of %d bytes, want at most %d for markup to be looked for", len(raw), maxInline)
	}
	found := b.scan.scan(raw, marks, mode)
	if len(found.text.buf) == 0 {
		b.record(&found, "")
		return
	}
	b.settleIDs()
	spoke := b.spoke || !onlyLinks(&found)
	added := b.add(blk, found.text)
	b.spoke = spoke && b.spoke
	b.record(&found, added.Text)
	b.settleIDs()
}

// record keeps the links, the ids and the running text that were found in a text of the current section.
func (b *builder) record(in *inline, plainText string) {
	section := b.section()
	for _, l := range in.links {
		line := b.lines.line(l.source)
		label := l.label
		if label == "" {
			label = strings.TrimSpace(plainText[l.from:l.to])
		}
		target := l.target
		if l.kind != Wiki && l.kind != Auto {
			target = plainTarget(target)
		}
		b.doc.Links = append(b.doc.Links, Link{
			Kind: l.kind, Text: label, Target: target, Domain: l.domain,
			Offset: l.source, Line: line, Section: section,
		})
	}
	for _, r := range in.runs {
		if t := plainText[min(r.from, len(plainText)):min(r.to, len(plainText))]; strings.TrimSpace(t) != "" {
			b.doc.Mentions = append(b.doc.Mentions, TextRun{t, r.source, b.lines.line(r.source), section, false})
		}
	}
	b.ids = append(b.ids, in.anchors...)
}

// settleIDs makes anchors of ids that no heading follows.
func (b *builder) settleIDs() {
	for _, id := range b.ids {
		b.anchor(id.id, id.source)
	}
	b.ids = b.ids[:0]
}

// heading opens a section, or makes a block if it is inside a quote or list item.
func (b *builder) heading(n *ast.Heading, in place) {
	first := n.Pos()
	raw, marks := b.rawText(n.Lines())
	if lines := n.Lines(); lines.Len() > 0 {
		first = lines.At(0).Start
	}
	raw, id := attributeID(raw)
	found := b.scan.scan(raw, marks, markdownText)
	if inside := b.commentHeading(raw); len(found.text.buf) == 0 && inside.start < inside.end {
		raw, marks = cut(raw[:inside.end], marks, inside.start)
		found = b.scan.scan(raw, marks, plainText)
	}
	if in.nested {
		if len(found.text.buf) > 0 {
			b.leaf(raw, marks, markdownText, in.kind)
		}
		b.nameLater(first, b.slugOf(&found), false)
		return
	}
	b.open(n.Level, first, &found, id)
}

// commentHeading returns the text of a heading that consists of a comment, which a plug-in replaces by a heading. If
// the words that mark such comments include "md:*", the text of "<!-- md:option search.lang -->" is "search.lang".
func (b *builder) commentHeading(raw []byte) span {
	inside, begun := bytes.CutPrefix(bytes.TrimSpace(raw), []byte("<!--"))
	inside, ended := bytes.CutSuffix(inside, []byte("-->"))
	if !begun || !ended || bytes.Contains(inside, []byte("-->")) {
		return span{}
	}
	at := bytes.Index(raw, []byte("<!--")) + 4
	s := span{skipSpaces(raw, at), at + len(bytes.TrimRight(inside, " \t\n"))}
	text := raw[s.start:max(s.start, s.end)]
	n := bytes.IndexAny(text, " \t")
	if n < 0 {
		return span{}
	}
	if word := string(text[:n]); !slices.ContainsFunc(b.comments, func(name string) bool { return fits(word, name) }) {
		return span{}
	}
	s.start = skipSpaces(raw, s.start+n)
	return s
}

// fits reports whether a word is name, or begins with it if name ends with "*".
func fits(word, name string) bool {
	beginning, open := strings.CutSuffix(name, "*")
	return word == name || open && strings.HasPrefix(word, beginning)
}

// maxSections is how many headings of one document open a section. A build holds 1.4 kB for each, and a
// heading may be two bytes long.
const maxSections = 100_000

// keepHeading keeps a heading beyond maxSections as text of the current section.
func (b *builder) keepHeading(first int, found *inline, id string) {
	if !b.full {
		b.full = true
		b.report(diag.ManyHeadings, first, "more than %d headings: this one and those after it are kept as text", maxSections)
	}
	if id != "" {
		b.ids = append(b.ids, idAt{id, first})
	}
	if len(found.text.buf) == 0 {
		b.record(found, "")
	} else {
		blk := Block{Kind: Paragraph}
		blk.Start, blk.End = b.widen(first, sourceAt(found.text.marks, len(found.text.buf)-1))
		b.record(found, b.add(blk, found.text).Text)
	}
	b.settleIDs()
}

// open begins a section whose heading begins in the line of offset first, unless the document has too many.
func (b *builder) open(level, first int, found *inline, id string) (opened bool) {
	if len(b.doc.Sections) > maxSections {
		b.keepHeading(first, found, id)
		return false
	}
	var ids []string
	if id != "" {
		ids = append(ids, id)
	}
	for _, c := range found.comments {
		if id := commentID(c); id != "" {
			ids = append(ids, id)
		}
	}
	for _, a := range found.anchors {
		ids = append(ids, a.id)
	}
	for _, a := range b.ids {
		ids = append(ids, a.id)
	}
	b.ids, found.anchors = b.ids[:0], nil // they name the heading
	heading := headingText(found)
	for b.doc.Sections[b.section()].Level >= level {
		b.stack = b.stack[:len(b.stack)-1]
	}
	index := len(b.doc.Sections)
	b.doc.Sections = append(b.doc.Sections, Section{
		Parent: b.section(), Level: level, Heading: heading, Start: b.lines.start(b.lines.line(first)),
	})
	b.stack = append(b.stack, index)
	b.names = append(b.names, naming{section: index, ids: ids, slug: b.slugOf(found), offset: first})
	b.record(found, string(found.text.buf))
	return true
}

// slugOf returns the anchor that the document's generator makes of a heading: without the texts of its images, with the
// names of its icons.
func (b *builder) slugOf(found *inline) string {
	if b.dashes {
		found = found.smart()
	}
	text := found.without(func(i icon) string { return i.name })
	if b.slug == nil {
		return terms.Slug(text)
	}
	return b.slug(text)
}

// headingText returns what a reader calls a section: the heading without its pictures, unless it has nothing else.
func headingText(found *inline) string {
	text := strings.Fields(found.without(func(icon) string { return "" }))
	if len(text) == 0 {
		text = strings.Fields(string(found.text.buf))
	}
	return strings.Join(text, " ")
}
