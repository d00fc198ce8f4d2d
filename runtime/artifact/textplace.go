package artifact

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"kdd/format/index"
)

// LineStart returns the byte at which a line of a document begins; the document's end for lines after the last. Cost:
// it reads the text from the last heading before the line.
func (a *Artifact) LineStart(reader *index.Reader, d index.DocID, line int) uint64 {
	first, last := a.DocSections(d)
	next := sort.Search(int(last-first), func(i int) bool { return int(a.Section(first+index.SectionID(i)).LineStart) > line })
	sec := a.Section(first + index.SectionID(max(0, next-1)))
	begin, end := a.DocText(d)
	at, on := sec.Start, int(sec.LineStart)
	if on >= line {
		return at
	}
	for part := range a.Parts(reader, d, at, end-begin) {
		for on < line {
			n := bytes.IndexByte(part, '\n')
			if n < 0 {
				break
			}
			part, at, on = part[n+1:], at+uint64(n)+1, on+1
		}
		if on == line {
			break
		}
		at += uint64(len(part))
	}
	return at
}

// CharacterStart moves an offset from the byte from back to the beginning of a character. In text that is not UTF-8 the
// offset stays.
func (a *Artifact) CharacterStart(reader *index.Reader, d index.DocID, from uint64, offset int) int {
	back := min(offset, utf8.UTFMax-1)
	if back == 0 {
		return offset
	}
	begin, end := a.DocText(d)
	around := a.AppendText(nil, reader, d, from+uint64(offset-back), min(from+uint64(offset+utf8.UTFMax), end-begin))
	if back >= len(around) || utf8.RuneStart(around[back]) {
		return offset
	}
	for i := back - 1; i >= 0; i-- {
		if utf8.RuneStart(around[i]) {
			if _, n := utf8.DecodeRune(around[i:]); i+n > back {
				return offset - (back - i)
			}
			break
		}
	}
	return offset
}

// LineAt returns the line, from 1, of a byte of a document. Cost: it reads the text from the last chunk or section that
// begins before the byte.
func (a *Artifact) LineAt(reader *index.Reader, d index.DocID, at uint64) int {
	start, line := uint64(0), 1
	known := func(place uint64, on uint32) { // a line begins at place
		if place <= at && place > start {
			start, line = place, int(on)
		}
	}
	first, last := a.DocSections(d)
	if i := sort.Search(int(last-first), func(i int) bool { return a.Section(first+index.SectionID(i)).Start > at }); i > 0 {
		sec := a.Section(first + index.SectionID(i-1))
		known(sec.Start, sec.LineStart)
	}
	from, to := a.DocChunks(d)
	if i := sort.Search(int(to-from), func(i int) bool { return a.Chunk(from+index.ChunkID(i)).Start > at }); i > 0 {
		chunk := a.Chunk(from + index.ChunkID(i-1))
		known(chunk.Start, chunk.LineStart)
	}
	for part := range a.Parts(reader, d, start, at) {
		line += bytes.Count(part, []byte("\n"))
	}
	return line
}

// WholeLines cuts text after its last line end if that keeps at least half of it, else between characters.
func WholeLines(text []byte) []byte {
	if i := bytes.LastIndexByte(text, '\n'); i >= len(text)/2 && i > 0 {
		return text[:i+1]
	}
	for i := len(text) - 1; i > 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return text[:i]
			}
			break
		}
	}
	return text
}
