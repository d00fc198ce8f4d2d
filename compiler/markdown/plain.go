package markdown

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// plain is text under construction together with the place in the source that each part of it comes from.
type plain struct {
	buf   []byte
	marks []Place
}

// mark says that the next byte of text stands at source offset at.
func (p *plain) mark(at int) {
	n := len(p.marks)
	if n == 0 {
		p.marks = append(p.marks, Place{len(p.buf), at})
		return
	}
	last := &p.marks[n-1]
	if last.Source+len(p.buf)-last.Text == at {
		return
	}
	if last.Text == len(p.buf) {
		last.Source = at
		return
	}
	p.marks = append(p.marks, Place{len(p.buf), at})
}

// put appends text that replaces what stands in the source at offset at.
func (p *plain) put(text string, at int) {
	if text == "" {
		return
	}
	p.mark(at)
	p.buf = append(p.buf, text...)
}

// copy appends source bytes that begin at offset at. Bytes that are not UTF-8, and NUL, become U+FFFD.
func (p *plain) copy(src []byte, at int) {
	if len(src) == 0 {
		return
	}
	p.mark(at)
	if utf8.Valid(src) && bytes.IndexByte(src, 0) < 0 {
		p.buf = append(p.buf, src...)
		return
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		p.mark(at + i)
		if r == utf8.RuneError && size <= 1 || r == 0 {
			p.buf = append(p.buf, "\uFFFD"...)
			i++
			continue
		}
		p.buf = append(p.buf, src[i:i+size]...)
		i += size
	}
}

// trim cuts white space off the end.
func (p *plain) trim() {
	p.buf = bytes.TrimRight(p.buf, " \t\n")
	for n := len(p.marks); n > 1 && p.marks[n-1].Text >= len(p.buf); n-- {
		p.marks = p.marks[:n-1]
	}
}

// last is the last byte, or a newline if there is none.
func (p *plain) last() byte {
	if len(p.buf) == 0 {
		return '\n'
	}
	return p.buf[len(p.buf)-1]
}

// sourceAt maps an offset in a text to the source through its places, which must not be empty.
func sourceAt(places []Place, text int) int {
	if len(places) == 1 || text < places[1].Text {
		return places[0].Source + text - places[0].Text
	}
	i := sort.Search(len(places), func(i int) bool { return places[i].Text > text }) - 1
	return places[i].Source + text - places[i].Text
}

// SourceAt returns the offset in the document's source at which the byte of b.Text at offset text stands. For text
// that stands for other bytes, such as a decoded entity, it is where those begin; for len(b.Text) it is one past the
// last byte's place. It is at most b.End.
func (b *Block) SourceAt(text int) int {
	if len(b.Map) == 0 {
		return b.Start
	}
	return min(sourceAt(b.Map, text), b.End)
}

// lineIndex finds lines by offset. A line ends with "\n"; the last one may lack it.
type lineIndex struct {
	starts []uint32
	size   int
}

func indexLines(source []byte) lineIndex {
	starts := make([]uint32, 1, 2+len(source)/40)
	for i := 0; ; {
		n := bytes.IndexByte(source[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		if i < len(source) {
			starts = append(starts, uint32(i))
		}
	}
	return lineIndex{starts, len(source)}
}

// line returns the number, from 1, of the line that holds the byte at offset.
func (x lineIndex) line(offset int) int {
	return sort.Search(len(x.starts), func(i int) bool { return int(x.starts[i]) > offset })
}

// start and end return the bytes of line number n, its newline included.
func (x lineIndex) start(n int) int { return int(x.starts[n-1]) }

func (x lineIndex) end(n int) int {
	if n >= len(x.starts) {
		return x.size
	}
	return int(x.starts[n])
}
