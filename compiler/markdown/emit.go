package markdown

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// emitter writes items as plain text.
type emitter struct {
	s     *scanner
	out   plain
	runs  []textRange
	run   textRange // the running text being written; from < 0 if there is none
	open  bool
	gap   bool // something was left out after a space: no second one follows
	icons []icon
}

// emit turns the nodes below root into text, links and running text. Without a root all of raw is text.
func (s *scanner) emit(root ast.Node) inline {
	e := emitter{s: s}
	e.out.buf = make([]byte, 0, len(s.raw))
	if root == nil {
		e.item(&item{kind: itemText, end: len(s.raw)})
	} else {
		e.runs, e.out.marks = make([]textRange, 0, 4), make([]Place, 0, 8)
		e.children(root)
	}
	e.endRun()
	e.out.trim()
	in := inline{text: e.out, runs: e.runs, icons: e.icons, anchors: s.anchors, comments: s.comments}
	for i := range in.icons {
		in.icons[i].from, in.icons[i].to = min(in.icons[i].from, len(e.out.buf)), min(in.icons[i].to, len(e.out.buf))
	}
	for i := range s.links {
		l := &s.links[i]
		l.from, l.to = min(l.from, len(e.out.buf)), min(l.to, len(e.out.buf))
		if l.kind == Image {
			in.alts = append(in.alts, textRange{l.from, l.to, l.source})
		}
	}
	in.links = slices.DeleteFunc(s.links, func(l inlineLink) bool { return l.nested })
	return in
}

// children writes the content of a node. Depth is bounded by what can be nested in maxInline bytes.
func (e *emitter) children(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			e.textNode(n)
		case *ast.CodeSpan:
			e.endRun()
			e.code(n.FirstChild().(*ast.Text).Segment.Start, n.LastChild().(*ast.Text).Segment.Stop)
		case *markup:
			for i := range n.before {
				e.item(&n.before[i])
			}
			e.children(n)
			for i := range n.after {
				e.item(&n.after[i])
			}
		default:
			e.children(n)
		}
	}
}

// textNode writes a text node of goldmark and the line end after it. Only Markdown has two kinds of line end.
func (e *emitter) textNode(n *ast.Text) {
	raw, start, end, kind := e.s.raw, n.Segment.Start, n.Segment.Stop, itemBreak
	if n.HardLineBreak() {
		kind = itemHard
	}
	next := end
	if n.SoftLineBreak() || n.HardLineBreak() {
		next = nextLine(raw, end)
		switch e.s.mode {
		case htmlText:
			kind, end = itemBreak, end+len(bytes.TrimRight(raw[end:next], " \t\r\n"))
		case plainText:
			kind = itemHard
		}
	}
	if start < end {
		e.text(&item{}, start, end)
	}
	if end < next {
		e.item(&item{kind: kind, start: end, end: next})
	}
}

// item writes an item that kdd read itself.
func (e *emitter) item(it *item) {
	s := e.s
	switch it.kind {
	case itemText:
		e.text(it, it.start, it.end)
	case itemLiteral:
		if it.wiki {
			e.endRun()
		} else {
			e.beginRun(it.start)
		}
		e.out.put(it.lit, s.at(it.start))
		e.gap = false
	case itemBreak:
		e.endRun()
		e.softBreak(it)
	case itemHard:
		e.endRun()
		if e.out.last() != '\n' {
			e.out.put("\n", s.at(it.start))
		}
	case itemStart:
		s.links[it.link].from, s.links[it.link].to = len(e.out.buf), len(e.out.buf)
	case itemEnd:
		s.links[it.link].to = len(e.out.buf)
	case itemIcon:
		e.endRun()
		from := len(e.out.buf)
		e.out.put(it.lit, s.at(it.start))
		e.gap = it.lit == "" && e.out.last() <= ' '
		e.icons = append(e.icons, icon{from, len(e.out.buf), string(s.raw[it.start:it.end])})
	case itemGone:
		e.gap = e.out.last() <= ' '
	}
}

func (e *emitter) text(it *item, start, end int) {
	for e.gap && start < end && e.s.raw[start] == ' ' {
		start++
		if n := len(e.icons); n > 0 && e.icons[n-1].to == len(e.out.buf) {
			e.icons[n-1].name += " "
		}
	}
	e.gap = e.gap && start == end
	if it.wiki {
		e.endRun()
	} else if start < end {
		e.beginRun(start)
	}
	for start < end { // a piece of raw that is one piece of the source
		at := e.s.at(start)
		stop := end
		if c := e.s.cur + 1; c < len(e.s.marks) && e.s.marks[c].Text > start && e.s.marks[c].Text < end {
			stop = e.s.marks[c].Text
		}
		e.out.copy(e.s.raw[start:stop], at)
		start = stop
	}
}

func (e *emitter) code(start, end int) {
	for start < end {
		n := bytes.IndexByte(e.s.raw[start:end], '\n')
		if n < 0 {
			n = end - start
		}
		e.text(&item{wiki: true}, start, start+n)
		start += n
		if start < end {
			e.out.put(" ", e.s.at(start))
			start++
		}
	}
}

// softBreak writes a space for a line end, but nothing at the start of a text or between two letters of a script that
// has no spaces.
func (e *emitter) softBreak(it *item) {
	if c := e.out.last(); c == '\n' || c == ' ' {
		return
	}
	before, _ := utf8.DecodeLastRune(e.out.buf)
	after, _ := utf8.DecodeRune(e.s.raw[skipSpaces(e.s.raw, it.end):])
	if spaceless(before) && spaceless(after) {
		return
	}
	e.out.put(" ", e.s.at(it.end-1))
}

// spaceless reports whether a line may end beside r without meaning a space.
func spaceless(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef)
}

func (e *emitter) beginRun(start int) {
	if !e.open {
		e.open, e.run = true, textRange{len(e.out.buf), 0, e.s.at(start)}
	}
}

func (e *emitter) endRun() {
	if e.open && len(e.out.buf) > e.run.from {
		e.run.to = len(e.out.buf)
		e.runs = append(e.runs, e.run)
	}
	e.open = false
}

// smart returns what was found with "--" and "---" of running text as generators have them that make dashes of them:
// characters that no anchor has. Code keeps its own.
func (in *inline) smart() *inline {
	if !bytes.Contains(in.text.buf, []byte("--")) {
		return in
	}
	out := *in
	out.text.buf = bytes.Clone(in.text.buf)
	for _, r := range in.runs {
		run := out.text.buf[r.from:r.to]
		for i := 0; i < len(run); i++ {
			n := len(run[i:]) - len(bytes.TrimLeft(run[i:], "-"))
			if n > 1 {
				copy(run[i:], bytes.Repeat([]byte{0}, n))
			}
			i += n
		}
	}
	return &out
}

// without returns the text without the texts of images, and with what instead gives in the place of its icons.
func (in *inline) without(instead func(icon) string) string {
	buf, from := in.text.buf, 0
	var out []byte
	icons := in.icons
	put := func(to int) { // what stands before to
		for len(icons) > 0 && icons[0].from <= to {
			if i := icons[0]; i.from >= from && i.to <= len(buf) {
				out = append(append(out, buf[from:i.from]...), instead(i)...)
				from = i.to
			}
			icons = icons[1:]
		}
		out = append(out, buf[from:max(from, to)]...)
		from = max(from, to)
	}
	for _, a := range in.alts {
		if a.from >= from && a.to <= len(buf) {
			put(a.from)
			from = a.to
		}
	}
	put(len(buf))
	return string(out)
}
