package markdown

import (
	"unicode"
	"unicode/utf8"
)

// delim is a run of *, _ or ~ that may open or close emphasis.
type delim struct {
	item              int
	char              byte
	n, length         int // characters left, and as written
	canOpen, canClose bool
	prev, next        int
}

// delimiter reads a run of *, _ or ~ at i.
func (s *scanner) delimiter(i int) int {
	c, end := s.raw[i], i+1
	for end < len(s.raw) && s.raw[end] == c {
		end++
	}
	if c == '~' && end-i > 2 {
		s.flush(end)
		return end
	}
	before, _ := utf8.DecodeLastRune(s.raw[:i])
	after, _ := utf8.DecodeRune(s.raw[end:])
	if i == 0 {
		before = ' '
	}
	if end == len(s.raw) {
		after = ' '
	}
	beforePunct, afterPunct := isPunctRune(before), isPunctRune(after)
	beforeSpace, afterSpace := unicode.IsSpace(before), unicode.IsSpace(after)
	left := !afterSpace && (!afterPunct || beforeSpace || beforePunct)
	right := !beforeSpace && (!beforePunct || afterSpace || afterPunct)
	d := delim{char: c, n: end - i, length: end - i, canOpen: left, canClose: right}
	if c == '_' {
		d.canOpen = left && (!right || beforePunct)
		d.canClose = right && (!left || afterPunct)
	}
	if !d.canOpen && !d.canClose {
		s.flush(end)
		return end
	}
	s.add(item{kind: itemDelim, start: i, end: end, keep: end - i})
	d.item = len(s.items) - 1
	s.delims = append(s.delims, d)
	return end
}

// isPunctRune is CommonMark's: Unicode's categories P and S.
func isPunctRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isPunct(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// emphasis matches the delimiters from index bottom on and forgets them. Matched characters are taken out of the text.
// It is CommonMark's procedure with a lower bound per kind of closer for where an opener may be, so it is linear.
func (s *scanner) emphasis(bottom int) {
	d := s.delims
	for i := bottom; i < len(d); i++ {
		d[i].prev, d[i].next = i-1, i+1
	}
	var floor [3 * 2 * 3]int
	for i := range floor {
		floor[i] = bottom - 1
	}
	for i := bottom; i < len(d); {
		c := &d[i]
		if !c.canClose {
			i = c.next
			continue
		}
		key := kindOf(c)
		o := c.prev
		for ; o > floor[key] && o >= bottom; o = d[o].prev {
			if matches(&d[o], c) {
				break
			}
		}
		if o <= floor[key] || o < bottom {
			floor[key] = c.prev
			next := c.next
			if !c.canOpen {
				unlink(d, i, bottom)
			}
			i = next
			continue
		}
		use := 1
		if c.char == '~' {
			use = c.n
		} else if d[o].n >= 2 && c.n >= 2 {
			use = 2
		}
		d[o].n -= use
		c.n -= use
		s.items[d[o].item].keep -= use
		s.items[c.item].keep -= use
		d[o].next, c.prev = i, o
		if d[o].n == 0 {
			unlink(d, o, bottom)
		}
		if c.n == 0 {
			next := c.next
			unlink(d, i, bottom)
			i = next
		}
	}
	s.delims = d[:bottom]
}

func unlink(d []delim, i, bottom int) {
	if d[i].prev >= bottom {
		d[d[i].prev].next = d[i].next
	}
	if d[i].next < len(d) {
		d[d[i].next].prev = d[i].prev
	}
}

// kindOf numbers the kinds of closer that can share a lower bound.
func kindOf(c *delim) int {
	k := 0
	switch c.char {
	case '_':
		k = 6
	case '~':
		return 12 + c.length
	}
	if c.canOpen {
		k += 3
	}
	return k + c.length%3
}

func matches(o, c *delim) bool {
	if o.char != c.char || !o.canOpen {
		return false
	}
	if o.char == '~' {
		return o.length == c.length
	}
	return !(o.canClose || c.canOpen) || (o.length+c.length)%3 != 0 || o.length%3 == 0 && c.length%3 == 0
}
