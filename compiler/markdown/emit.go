package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// emitter writes items as plain text.
type emitter struct {
	s    *scanner
	out  plain
	runs []textRange
	run  textRange // the running text being written; from < 0 if there is none
	open bool
	gap  bool // something was left out after a space: no second one follows
}

// emit turns the items into text, links and running text.
func (s *scanner) emit() inline {
	e := emitter{s: s}
	e.out.buf = make([]byte, 0, len(s.raw))
	for i := range s.items {
		it := &s.items[i]
		switch it.kind {
		case itemText, itemOpen:
			e.text(it, it.start, it.end)
		case itemDelim:
			e.text(it, it.end-it.keep, it.end)
		case itemLiteral:
			if it.wiki {
				e.endRun()
			} else {
				e.beginRun(it.start)
			}
			e.out.put(it.lit, s.at(it.start))
		case itemCode:
			e.endRun()
			e.code(it.start, it.end)
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
		case itemGone:
			e.gap = e.out.last() <= ' '
		}
	}
	e.endRun()
	e.out.trim()
	in := inline{text: e.out, runs: e.runs, anchors: s.anchors, comments: s.comments}
	for _, l := range s.links {
		if !l.nested {
			l.from, l.to = min(l.from, len(e.out.buf)), min(l.to, len(e.out.buf))
			in.links = append(in.links, l)
		}
		if l.kind == Image {
			in.alts = append(in.alts, textRange{l.from, min(l.to, len(e.out.buf)), l.source})
		}
	}
	return in
}

func (e *emitter) text(it *item, start, end int) {
	if it.wiki {
		e.endRun()
	} else if start < end {
		e.beginRun(start)
	}
	for e.gap && start < end && e.s.raw[start] == ' ' {
		start++
	}
	e.gap = e.gap && start == end
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
