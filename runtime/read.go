package runtime

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"kdd/format"
	"kdd/runtime/wire"
)

// readDefault is how many bytes read gives unless told otherwise.
const readDefault = 16384

// Read returns the markdown of a document, section or chunk (PATH#ANCHOR~N) as it was compiled. Only what the artifact
// holds exists: no file is opened. FILE may hold the anchor, and NAME: before the path where several artifacts answer;
// what is no path may be an id, alias, title or other name.
// Parts begin and end between characters, at the ends of lines where that is near.
//
// Errors: not_found with suggestions, invalid_input for a name that several places have. Cost: unpacking the text that is returned, in 64 KiB steps.
func (s *Service) Read(ctx context.Context, q wire.ReadRequest) (*wire.ReadResponse, error) {
	if q.File == "" {
		return nil, empty("file", "give a path as search results have it")
	}
	if q.Offset < 0 {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("offset: got %d", q.Offset), "it takes 0 or more").With("field", "offset")
	}
	var resp *wire.ReadResponse
	err := s.with(ctx, func(set *set) error {
		p, err := set.place(q.File, q.Anchor)
		if err != nil {
			return err
		}
		a := p.a
		from, to := p.bounds()
		total := int(to - from)
		if q.Offset > total {
			return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("offset: got %d, the section has %d bytes", q.Offset, total), "go on with the next_offset of the answer before").With("field", "offset")
		}
		most := readDefault
		switch {
		case q.MaxBytes < 0:
			most = total
		case q.MaxBytes > 0:
			most = max(q.MaxBytes, utf8.UTFMax)
		}
		reader := a.Text.Reader()
		offset := a.characterAt(reader, p.doc, from, q.Offset)
		end := min(total, offset+most)
		text := a.AppendText(nil, reader, p.doc, from+uint64(offset), from+uint64(end))
		if end < total { // end between characters, and at a line's end if that is near
			text = wholeLines(text)
			end = offset + len(text)
		}
		resp = &wire.ReadResponse{
			Envelope: set.envelope("read.v1"), Path: a.DocPath(p.doc), Anchor: a.SectionAnchor(p.section), Markdown: strings.ToValidUTF8(string(text), "\uFFFD"),
			Offset: offset, TotalBytes: total, Index: set.indexName(a),
		}
		resp.Lines[0] = a.lineAt(reader, p.doc, from+uint64(offset))
		resp.Lines[1] = resp.Lines[0] + bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		if len(text) == 0 && offset > 0 { // at the end: the last line is what it stands behind
			last := a.lineAt(reader, p.doc, from+uint64(offset)-1)
			resp.Lines = [2]int{last, last}
		}
		if end < total {
			resp.NextOffset = end
		}
		resp.URL, _ = set.where(a).url(p.doc, resp.Anchor)
		return nil
	})
	return resp, err
}

// characterAt moves an offset within [from, ...) back to where a character begins; in text that is not UTF-8 it stays.
func (a *artifact) characterAt(reader *format.Reader, d format.DocID, from uint64, offset int) int {
	back := min(offset, utf8.UTFMax-1)
	if back == 0 {
		return offset
	}
	_, end := a.DocText(d)
	begin, _ := a.DocText(d)
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

// lineAt returns the line, from 1, of a byte of a document. Cost: the text from the chunk or section before it.
func (a *artifact) lineAt(reader *format.Reader, d format.DocID, at uint64) int {
	start, line := uint64(0), 1
	known := func(place uint64, on uint32) {
		if place <= at && place > start {
			start, line = place, int(on)
		}
	}
	first, last := a.DocSections(d)
	if i := sort.Search(int(last-first), func(i int) bool { return a.Section(first+format.SectionID(i)).Start > at }); i > 0 {
		sec := a.Section(first + format.SectionID(i-1))
		known(sec.Start, sec.LineStart)
	}
	from, to := a.DocChunks(d)
	if i := sort.Search(int(to-from), func(i int) bool { return a.Chunk(from+format.ChunkID(i)).Start > at }); i > 0 {
		chunk := a.Chunk(from + format.ChunkID(i-1))
		known(chunk.Start, chunk.LineStart)
	}
	return line + bytes.Count(a.AppendText(nil, reader, d, start, at), []byte("\n"))
}

// wholeLines cuts text at its last line end if that keeps most of it, else between characters.
func wholeLines(text []byte) []byte {
	for i := len(text) - 1; i >= len(text)/2 && i > 0; i-- {
		if text[i] == '\n' {
			return text[:i+1]
		}
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
