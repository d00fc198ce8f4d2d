package chunk

import (
	"bytes"
	"slices"
	"strings"

	"kdd/compiler/markdown"
)

// Version is part of what names a cached vector: it grows when the same document is cut in another way.
const Version = 1

// Limit is the size that a chunk may have, its prefix included.
type Limit struct {
	Max int // largest size
	// Count measures a text: words, or a tokenizer's pieces. If the parts of a text measure less than the whole,
	// the whole decides.
	Count func(text string) int
}

// Words is the limit that is used without a model.
var Words = Limit{Max: 160, Count: CountWords}

// Chunk is a piece of one section's own text.
type Chunk struct {
	Section            int    // index into Document.Sections
	Ordinal            int    // from 0, within its section
	Start, End         int    // source bytes [Start, End)
	LineStart, LineEnd int    // first and last line of the source, inclusive: what a citation shows
	Text               string // plain body, without the prefix
	// Lead is the header row of the table in whose rows the chunk begins, "" if it does not. It is part of what is
	// embedded and of another chunk's Text.
	Lead string
}

// piece is a part of a block that is not cut further.
type piece struct {
	text       string
	size       int
	start, end int    // source bytes of the text, white space around it left out
	joint      string // what stands between it and the piece before, if they are in one chunk
	lead       string // Chunk.Lead, should a chunk begin here
	leadSize   int
	blank      bool // nothing but white space
}

// Split cuts doc into chunks, in source order. A section with text has one or more; a section without text has one
// whose Text is empty. An empty preamble has none.
//
// Cost: linear in the document; Count is called a constant number of times on each byte.
func Split(doc *markdown.Document, limit Limit) []Chunk {
	s := splitter{doc: doc, limit: limit}
	for i := range doc.Sections {
		s.section(i)
	}
	return s.chunks
}

type splitter struct {
	doc    *markdown.Document
	limit  Limit
	room   int // what a body may have beside the section's prefix
	pieces []piece
	chunks []Chunk
}

// minRoom: a body has at least 1/minRoom of the limit, even if its prefix is so long that the chunk exceeds the limit.
const minRoom = 4

func (s *splitter) section(i int) {
	sec := &s.doc.Sections[i]
	if i == 0 && len(sec.Blocks) == 0 && len(s.doc.Sections) > 1 {
		return // the document begins with a heading
	}
	s.room = max(s.limit.Max-s.limit.Count(Prefix(s.doc, i)), s.limit.Max/minRoom, 1)
	s.pieces = s.pieces[:0]
	for k := range sec.Blocks {
		s.block(sec.Blocks, k)
	}
	if len(s.pieces) == 0 {
		s.empty(i)
		return
	}
	first := len(s.chunks)
	for k := 0; k < len(s.pieces); {
		k = s.merge(i, k, len(s.chunks)-first)
	}
}

// empty makes the chunk of a section without text. Its lines are those of the heading.
func (s *splitter) empty(i int) {
	sec := &s.doc.Sections[i]
	end := sec.End
	if i+1 < len(s.doc.Sections) {
		end = min(end, s.doc.Sections[i+1].Start)
	}
	last := len(bytes.TrimRight(s.doc.Source[sec.Start:end], " \t\r\n")) - 1
	s.chunks = append(s.chunks, Chunk{
		Section: i, Start: sec.Start, End: end,
		LineStart: sec.LineStart, LineEnd: s.doc.Line(sec.Start + max(last, 0)),
	})
}

// merge makes a chunk of as many pieces, from piece k on, as fit. It returns the index of the next piece.
func (s *splitter) merge(section, k, ordinal int) int {
	n, size, blank := k+1, s.pieces[k].size+s.pieces[k].leadSize, s.pieces[k].blank
	for n < len(s.pieces) && (blank || size+s.pieces[n].size <= s.room) {
		size += s.pieces[n].size
		blank = blank && s.pieces[n].blank
		n++
	}
	text := s.join(k, n)
	for n > k+1 && s.limit.Count(text)+s.pieces[k].leadSize > s.room && !s.blankBefore(k, n) {
		n = k + (n-k)/2 // the parts measured less than the whole
		text = s.join(k, n)
	}
	from, to := k, n-1
	for from < to && s.pieces[from].blank {
		from++
	}
	for to > from && s.pieces[to].blank {
		to--
	}
	c := Chunk{
		Section: section, Ordinal: ordinal, Lead: s.pieces[k].lead,
		Start: s.pieces[from].start, End: s.pieces[to].end, Text: strings.Trim(text, "\n"),
	}
	c.LineStart, c.LineEnd = s.doc.Line(c.Start), s.doc.Line(max(c.Start, c.End-1))
	s.chunks = append(s.chunks, c)
	return n
}

// blankBefore reports whether all of the pieces [k, n) but the last one are white space.
func (s *splitter) blankBefore(k, n int) bool {
	return !slices.ContainsFunc(s.pieces[k:n-1], func(p piece) bool { return !p.blank })
}

func (s *splitter) join(k, n int) string {
	if n == k+1 {
		return s.pieces[k].text
	}
	var b strings.Builder
	for i := k; i < n; i++ {
		if i > k {
			b.WriteString(s.pieces[i].joint)
		}
		b.WriteString(s.pieces[i].text)
	}
	return b.String()
}
