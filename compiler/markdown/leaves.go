package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// fence makes a block of a fenced code block; its lines include the fences. An attribute list behind the opening one
// may name it.
func (b *builder) fence(n *ast.FencedCodeBlock) {
	blk := Block{Kind: Code}
	if n.Info != nil {
		blk.Info = unescape(n.Info.Segment.Value(b.body))
	}
	opening := b.lines.line(n.Pos())
	last := opening
	if lines := n.Lines(); lines.Len() > 0 {
		l := lines.At(lines.Len() - 1)
		last = b.lines.line(max(l.Start, l.Stop-1))
	}
	if last < len(b.lines.starts) && last+1 <= len(b.lines.starts) {
		next := b.body[b.lines.start(last+1):b.lines.end(last+1)]
		open := b.body[n.Pos()]
		if mark := bytes.Trim(next, " \t\r\n>"); len(mark) >= 3 && len(bytes.Trim(mark, string(open))) == 0 {
			last++
		}
	}
	b.settleIDs()
	if at := strings.IndexByte(blk.Info, '{'); at >= 0 {
		if a, ok := readAttributes([]byte(blk.Info), at); ok && a.id != "" {
			b.anchor(a.id, n.Pos())
		}
	}
	b.code(n.Lines(), blk, opening, last)
}

// isInclude reports whether a line only includes another file: mdBook's "{{#include a.rs}}", the
// scissors of PyMdown, "{!a.py!}" of Markdown-Include.
func isInclude(line []byte) bool {
	line = bytes.TrimSpace(line)
	if isScissors(line) {
		return true
	}
	if n := len(line); n > 4 && bytes.HasPrefix(line, []byte("{!")) && bytes.HasSuffix(line, []byte("!}")) {
		return line[2] != '!' && bytes.IndexByte(line, '.') > 0 && bytes.IndexByte(line[1:], '{') < 0
	}
	inside, found := bytes.CutPrefix(line, []byte("{{#"))
	if !found || !bytes.HasSuffix(inside, []byte("}}")) || bytes.Count(inside, []byte("}}")) > 1 {
		return false
	}
	name, _, _ := bytes.Cut(inside, []byte(" "))
	switch string(name) {
	case "include", "rustdoc_include", "playground", "template":
		return true
	}
	return false
}

// code makes a block of code, verbatim but for includes. first and last are its lines, or -1 for those of its text.
func (b *builder) code(lines *text.Segments, blk Block, first, last int) {
	b.settleIDs()
	var p plain
	if lines.Len() > 0 {
		start, stop := lines.At(0).Start, lines.At(lines.Len()-1).Stop
		b.claim(start, b.lines.end(b.lines.line(max(0, stop-1))))
		p.buf = make([]byte, 0, stop-start)
	}
	included := false
	for i := range lines.Len() {
		l := lines.At(i)
		src := b.seen[l.Start:l.Stop]
		src = bytes.TrimSuffix(bytes.TrimSuffix(src, []byte("\n")), []byte("\r"))
		if isInclude(src) || len(b.hidden) > 0 && len(bytes.TrimSpace(src)) == 0 && b.hides(l.Start, l.Stop) {
			included = true
			continue
		}
		if l.Padding > 0 {
			p.put(strings.Repeat(" ", l.Padding), l.Start)
		}
		p.copy(src, l.Start)
		if i < lines.Len()-1 {
			p.put("\n", max(l.Start, l.Stop-1))
		}
	}
	if included {
		p.trim()
	}
	if first < 0 {
		if lines.Len() == 0 {
			return
		}
		l := lines.At(lines.Len() - 1)
		first, last = b.lines.line(lines.At(0).Start), b.lines.line(max(l.Start, l.Stop-1))
	}
	blk.Start, blk.End = b.lines.start(first), b.lines.end(last)
	if len(bytes.TrimSpace(p.buf)) > 0 {
		b.add(blk, p)
	}
}

// element records the target and id of a JSX tag on lines of its own.
func (b *builder) element(n *element) {
	if n.tag.closing {
		return
	}
	found := b.scan.element(&n.tag, n.start)
	b.record(&found, "")
}

var htmlHeading = regexp.MustCompile(`(?i)<h([1-6])(?:\s[^<>]*)?>`)

// html makes a block of the text of an HTML block. A heading element that comes first opens a section.
func (b *builder) html(n *ast.HTMLBlock, in place) {
	lines := n.Lines()
	if n.HasClosure() {
		lines.Append(n.ClosureLine)
	}
	if lines.Len() == 0 || n.HTMLBlockType == ast.HTMLBlockType2 && b.onlyComment(lines) {
		return
	}
	b.claim(lines.At(0).Start, lines.At(lines.Len()-1).Stop)
	raw, marks := b.rawText(lines)
	if !in.nested && len(raw) <= maxInline {
		raw, marks = b.htmlHeading(raw, marks)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return
	}
	kind := HTML
	if in.nested {
		kind = in.kind
	}
	b.summaries(raw, marks)
	if skip := len(raw) - len(bytes.TrimLeft(raw, " \t\r\n")); skip > 0 {
		raw, marks = cut(raw, marks, skip)
	}
	b.leaf(raw, marks, htmlText, kind)
}

// onlyComment reports whether nothing follows the end of a comment block.
func (b *builder) onlyComment(lines *text.Segments) bool {
	last := lines.At(lines.Len() - 1)
	line := last.Value(b.body)
	at := bytes.LastIndex(line, []byte("-->"))
	return at >= 0 && len(bytes.TrimSpace(line[at+3:])) == 0 && bytes.Count(b.body[lines.At(0).Start:last.Stop], []byte("-->")) == 1
}

// htmlHeading opens a section for <h1> to <h6> if no text comes before it, and returns what follows.
func (b *builder) htmlHeading(raw []byte, marks []Place) ([]byte, []Place) {
	for {
		m := htmlHeading.FindSubmatchIndex(raw)
		if m == nil {
			return raw, marks
		}
		level := int(raw[m[2]] - '0')
		closing := []byte("</h" + string(raw[m[2]]) + ">")
		n := indexFold(raw[m[1]:], closing)
		if n < 0 {
			return raw, marks
		}
		before := b.scan.scan(raw[:m[0]], marks, htmlText)
		if len(before.text.buf) > 0 {
			return raw, marks
		}
		b.record(&before, "")
		head, at := cut(raw[:m[1]+n], marks, m[0])
		found := b.scan.scan(head, at, htmlText)
		b.open(level, sourceAt(marks, m[0]), &found, "")
		raw, marks = cut(raw, marks, m[1]+n+len(closing))
	}
}

// maxSummaries is how many of the folded parts in one HTML block get an anchor.
const maxSummaries = 64

// summaries makes anchors of the titles of folded parts, as GitBook does.
func (b *builder) summaries(raw []byte, marks []Place) {
	for i, count := 0, 0; len(raw) <= maxInline && count < maxSummaries; count++ {
		n := indexFold(raw[i:], []byte("<summary>"))
		if n < 0 {
			return
		}
		i += n + len("<summary>")
		end := indexFold(raw[i:], []byte("</summary>"))
		if end < 0 {
			return
		}
		text, at := cut(raw[:i+end], marks, i)
		found := b.scan.scan(text, at, htmlText)
		if slug := b.slugOf(&found); slug != "" {
			b.nameLater(sourceAt(marks, i), slug, true)
		}
		i += end
	}
}

// indexFold is bytes.Index for an ASCII needle in lower case, whatever the case of text.
func indexFold(text, needle []byte) int {
	for i := 0; i+len(needle) <= len(text); i++ {
		n := bytes.IndexByte(text[i:], needle[0])
		if n < 0 {
			return -1
		}
		i += n
		if foldPrefix(text[i:], needle) {
			return i
		}
	}
	return -1
}
