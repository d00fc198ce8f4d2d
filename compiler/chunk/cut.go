package chunk

import (
	"strings"
	"unicode/utf8"

	"kdd/compiler/markdown"
)

// block appends the pieces of block k of a section: one if it fits into a chunk.
func (s *splitter) block(blocks []markdown.Block, k int) {
	b, joint := &blocks[k], "\n\n"
	if k > 0 && b.Kind == markdown.ListItem && blocks[k-1].Kind == markdown.ListItem {
		joint = "\n"
	}
	if size := s.limit.Count(b.Text); size <= s.room {
		s.pieces = append(s.pieces, piece{
			text: b.Text, size: size, start: b.Start, end: b.End, joint: joint, blank: strings.TrimSpace(b.Text) == "",
		})
		return
	}
	first := len(s.pieces)
	c := cutter{splitter: s, block: b}
	switch b.Kind {
	case markdown.Table:
		c.lead(b)
		c.each(0, len(b.Text), lineEnd, c.sentences)
	case markdown.Code:
		c.each(0, len(b.Text), lineEnd, c.words)
	default:
		c.sentences(0, len(b.Text))
	}
	if first < len(s.pieces) {
		s.pieces[first].joint = joint
		s.pieces[first].start = min(s.pieces[first].start, b.Start)
		s.pieces[first].lead, s.pieces[first].leadSize = "", 0
		s.pieces[len(s.pieces)-1].end = b.End
	}
}

// cutter cuts one block that does not fit into a chunk.
type cutter struct {
	*splitter
	block    *markdown.Block
	leadText string
	leadSize int
}

// lead keeps a table's header row for the chunks that begin further down, if it is short enough to be repeated.
func (c *cutter) lead(b *markdown.Block) {
	header, _, _ := strings.Cut(b.Text, "\n")
	if size := c.limit.Count(header); size <= c.room/minRoom {
		c.leadText, c.leadSize = header, size
	}
}

// each cuts text [from, to) of the block with next, which returns the length of the first part. A part that is too
// large goes to finer, which cuts it further.
func (c *cutter) each(from, to int, next func(text string) int, finer func(from, to int)) {
	for from < to {
		end := from + next(c.block.Text[from:to])
		if size := c.limit.Count(c.block.Text[from:end]); size <= c.room-c.leadSize {
			c.piece(from, end, size)
		} else {
			finer(from, end)
		}
		from = end
	}
}

func (c *cutter) sentences(from, to int) { c.each(from, to, sentenceEnd, c.words) }

// words cuts text between words, into parts as large as fit. It is used where there is no better place to cut.
func (c *cutter) words(from, to int) {
	room, size, end := c.room-c.leadSize, 0, from
	for end < to {
		next := end + wordEnd(c.block.Text[end:to])
		word := c.limit.Count(c.block.Text[end:next])
		if end > from && size+word > room {
			c.fit(from, end)
			from, size = end, 0
		}
		if word > room {
			c.runes(end, next)
			from, end = next, next
			continue
		}
		size += word
		end = next
	}
	if from < end {
		c.fit(from, end)
	}
}

// fit makes one piece of words that fit one by one. It halves them if together they measure more than their sum.
func (c *cutter) fit(from, to int) {
	size := c.limit.Count(c.block.Text[from:to])
	half := from + wordEnd(c.block.Text[from:to])
	if size <= c.room-c.leadSize || half == to {
		c.piece(from, to, size)
		return
	}
	for half-from < (to-from)/2 {
		next := half + wordEnd(c.block.Text[half:to])
		if next == to {
			break
		}
		half = next
	}
	c.fit(from, half)
	c.fit(half, to)
}

// runes cuts a word that is too large between characters, into parts about as large as fit.
func (c *cutter) runes(from, to int) {
	size := c.limit.Count(c.block.Text[from:to])
	step := max((to-from)/max(size, 1)*(c.room-c.leadSize)*3/4, 16)
	for from < to {
		end := runeBorder(c.block.Text, from, min(from+step, to))
		size := c.limit.Count(c.block.Text[from:end])
		for size > c.room-c.leadSize && end-from > utf8.UTFMax {
			end = runeBorder(c.block.Text, from, from+(end-from)/2)
			size = c.limit.Count(c.block.Text[from:end])
		}
		c.piece(from, end, size)
		from = end
	}
}

// runeBorder returns the last border between characters at or before end; at least one character after from.
func runeBorder(text string, from, end int) int {
	for end < len(text) && end > from && !utf8.RuneStart(text[end]) {
		end--
	}
	if end > from {
		return end
	}
	_, size := utf8.DecodeRuneInString(text[from:])
	return from + size
}

func (c *cutter) piece(from, to, size int) {
	text := c.block.Text[from:to]
	p := piece{text: text, size: size, lead: c.leadText, leadSize: c.leadSize}
	left := len(text) - len(strings.TrimLeft(text, " \t\n"))
	right := len(strings.TrimRight(text, " \t\n"))
	if p.blank = left >= right; p.blank {
		p.start = c.block.SourceAt(from)
		p.end = p.start
	} else {
		p.start, p.end = c.block.SourceAt(from+left), min(c.block.SourceAt(from+right-1)+1, c.block.End)
	}
	c.pieces = append(c.pieces, p)
}

// lineEnd returns the length of the first line of text.
func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

// wordEnd returns the length of the first word of text with the white space around it. In a script without spaces
// each character is a word.
func wordEnd(text string) int {
	i, seen := 0, false
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isSpace(r):
			if seen {
				for i < len(text) {
					r, size := utf8.DecodeRuneInString(text[i:])
					if !isSpace(r) {
						break
					}
					i += size
				}
				return i
			}
		case isDense(r):
			if !seen {
				i += size
			}
			return i
		default:
			seen = true
		}
		i += size
	}
	return i
}
