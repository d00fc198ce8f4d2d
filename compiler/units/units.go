package units

import (
	"strings"

	"kdd/compiler/chunk"
	"kdd/format/index"
	"kdd/format/plain"
)

// Encode returns the units of each chunk of a document as index.AppendUnits writes them. source is the document's text.
// What begins in no chunk is none: it is text that readers do not see. Cost: a few passes over the text, and some 10 µs
// for each unit.
func Encode(source []byte, chunks []chunk.Chunk) [][]byte {
	encoded := make([][]byte, len(chunks))
	for i, list := range Of(source, chunks) {
		if len(list) > 0 {
			encoded[i] = index.AppendUnits(nil, uint64(chunks[i].Start), list)
		}
	}
	return encoded
}

// Of returns the units of each chunk of a document.
func Of(source []byte, chunks []chunk.Chunk) [][]index.Unit {
	var all [][]index.Unit
	for from := 0; from < len(chunks); {
		to := from + 1
		for to < len(chunks) && chunks[to].Section == chunks[from].Section {
			to++
		}
		begin := chunks[from].Start
		list := Split(string(source[begin:chunks[to-1].End]), uint64(begin))
		all = append(all, share(list, chunks[from:to])...)
		from = to
	}
	return all
}

// Split cuts a text that begins at byte begin of its document into units.
func Split(text string, begin uint64) []index.Unit {
	var list []index.Unit
	block, head := -1, [2]int{}
	for _, p := range split(text) {
		begins := p.block != block
		if p.kind == index.RowUnit && (begins || p.head != head) {
			begins, head = false, p.head
			at := head[0] + len(text[head[0]:]) - len(strings.TrimLeft(text[head[0]:], " \t>"))
			list = append(list, index.Unit{Kind: index.HeadUnit, Marks: index.BeginsBlock,
				Start: begin + uint64(at), End: begin + uint64(head[1])})
		}
		block = p.block
		u := marked(&p, text[p.start:p.end])
		u.Start, u.End = begin+uint64(p.start), begin+uint64(p.end)
		if begins {
			u.Marks |= index.BeginsBlock
		}
		list = append(list, u)
	}
	return list
}

// share gives each chunk of a section its units: those that begin in it, and those that begin before it, outside of the
// chunk before it, and end in it. A chunk with rows of a table has its header too.
func share(list []index.Unit, chunks []chunk.Chunk) [][]index.Unit {
	own := make([][]index.Unit, len(chunks))
	var head *index.Unit // of the table at hand
	at, headed := 0, -1  // the chunk at hand, and the last one that has the header
	begins := false      // units that are left out began their block
	for i := range list {
		u := &list[i]
		if u.Kind == index.HeadUnit {
			head, headed, begins = u, -1, false
			continue
		}
		for at+1 < len(chunks) && uint64(chunks[at+1].Start) <= u.Start {
			at++
		}
		if u.Start >= uint64(chunks[at].End) && at+1 < len(chunks) && uint64(chunks[at+1].Start) < u.End {
			at++
		}
		begins = u.Has(index.BeginsBlock) || begins && i > 0
		if c := &chunks[at]; u.Start >= uint64(c.End) || u.End <= uint64(c.Start) {
			continue
		}
		if begins {
			u.Marks |= index.BeginsBlock
		}
		begins = false
		if u.Kind == index.RowUnit && headed != at {
			h := *head
			if headed >= 0 {
				h.Marks = 0 // it goes on
			}
			own[at], headed = append(own[at], h), at
		}
		own[at] = append(own[at], *u)
	}
	return own
}

// maxMarked is the length in bytes from which a unit says nothing of itself: no answer quotes one as long.
const maxMarked = 4096

// marked returns a part as a unit with what its words tell, but for its place. raw is its markdown.
func marked(p *part, raw string) index.Unit {
	u := index.Unit{Kind: p.kind, Depth: uint8(min(p.indent, index.MaxUnitDepth))}
	set := func(m index.UnitMark, has bool) {
		if has {
			u.Marks |= m
		}
	}
	set(index.BeginsItem, p.first)
	set(index.ScenarioStep, p.scenario)
	set(index.HasNumber, hasNumber(raw))
	if p.kind == index.CodeUnit || p.kind == index.RowUnit || len(raw) > maxMarked {
		return u
	}
	s := plain.Sentence(raw)
	set(index.OpenEnded, !ends(s))
	set(index.LeansBack, leans(s))
	set(index.Announces, announces(s))
	set(index.PointsAway, points(s))
	set(index.HeadsOther, asks(s))
	set(index.IsCommand, command(s))
	set(index.RefersBack, refersBack(s))
	u.Subject = uint8(subject(s))
	return u
}
