package index

import (
	"iter"

	"kdd/format"
	"kdd/format/internal/table"
)

// Columns of the sections table, FORMAT.md §10.4; offsets are bytes of the document's text.
const (
	secHeading = iota
	secAnchor
	secParent // sections back to the parent
	secLevel  // level·2 + (1 if the anchor is explicit)
	secStart
	secLength
	secLine
	secLines // last line - first line
	secPathTokens
	secChunks // rising: chunks before it; one row more than sections
)

// Columns of the chunks table, FORMAT.md §10.5.
const (
	chunkStart = iota
	chunkLength
	chunkLine
	chunkLines
	chunkTokens
)

func (e *encoder) sections() {
	c := e.content
	n := len(c.Sections)
	t := table.New(n + 1)
	num := func(get func(s *Section) uint64) {
		t.Plain(func(i int) uint64 {
			if i == n {
				return 0
			}
			return get(&c.Sections[i])
		})
	}
	num(func(s *Section) uint64 { return e.str(s.Heading) })
	num(func(s *Section) uint64 { return e.str(s.Anchor) })
	num(func(s *Section) uint64 { return uint64(s.Parent) })
	num(func(s *Section) uint64 {
		if s.Explicit {
			return uint64(s.Level)<<1 | 1
		}
		return uint64(s.Level) << 1
	})
	num(func(s *Section) uint64 { return s.Start })
	num(func(s *Section) uint64 { return s.End - s.Start })
	num(func(s *Section) uint64 { return uint64(s.LineStart) })
	num(func(s *Section) uint64 { return uint64(s.LineEnd - s.LineStart) })
	num(func(s *Section) uint64 { return uint64(s.PathTokens) })
	t.Rising(func(i int) uint64 {
		if i == n {
			return uint64(len(c.Chunks))
		}
		return uint64(c.Sections[i].FirstChunk)
	})
	e.block(tagSections, uint64(n), t.Bytes())

	k := table.New(len(c.Chunks))
	k.Plain(func(i int) uint64 { return c.Chunks[i].Start })
	k.Plain(func(i int) uint64 { return c.Chunks[i].End - c.Chunks[i].Start })
	k.Plain(func(i int) uint64 { return uint64(c.Chunks[i].LineStart) })
	k.Plain(func(i int) uint64 { return uint64(c.Chunks[i].LineEnd - c.Chunks[i].LineStart) })
	k.Plain(func(i int) uint64 { return uint64(c.Chunks[i].BodyTokens) })
	e.block(tagChunks, uint64(len(c.Chunks)), k.Bytes())
	hashes := make([]byte, 0, 32*len(c.Chunks))
	for i := range c.Chunks {
		hashes = append(hashes, c.Chunks[i].SHA256[:]...)
	}
	e.block(tagChunkHash, uint64(len(c.Chunks)), hashes)
}

// Sections returns the number of sections.
func (x *Index) Sections() int { return x.sectionN }

// Chunks returns the number of chunks.
func (x *Index) Chunks() int { return x.chunkN }

// Section returns a section's row, but for FirstChunk, which SectionChunks gives.
func (x *Index) Section(s SectionID) Section {
	i := uint32(s)
	x.checkSection(s)
	level := x.secs[secLevel].U8(i)
	sec := Section{
		Heading: x.secStr(s, secHeading), Anchor: x.secStr(s, secAnchor),
		Parent: x.secs[secParent].U32(i), Level: level >> 1, Explicit: level&1 == 1,
		Start: x.secs[secStart].At(i), LineStart: x.secs[secLine].U32(i), PathTokens: x.secs[secPathTokens].U32(i),
	}
	sec.End = sec.Start + x.secs[secLength].At(i)
	sec.LineEnd = uint32(x.secs[secLines].At(i)) + sec.LineStart
	return sec
}

func (x *Index) secStr(s SectionID, column int) string {
	return x.rowString(tagSections, x.secs, uint32(s), column)
}

func (x *Index) checkSection(s SectionID) {
	if int(s) >= x.sectionN {
		format.Fail(tagSections, "section %d of %d", s, x.sectionN)
	}
}

// SectionAnchor returns a section's anchor, "" for a document's own section 0.
func (x *Index) SectionAnchor(s SectionID) string {
	x.checkSection(s)
	return x.secStr(s, secAnchor)
}

// SectionLevel returns a section's level, 0 for a document's own.
func (x *Index) SectionLevel(s SectionID) int {
	x.checkSection(s)
	return int(x.secs[secLevel].At(uint32(s)) >> 1)
}

// SectionHeading returns a section's heading; a document's own section has the title.
func (x *Index) SectionHeading(s SectionID) string {
	x.checkSection(s)
	return x.secStr(s, secHeading)
}

// SectionParent returns a section's parent; false for a document's own section.
func (x *Index) SectionParent(s SectionID) (SectionID, bool) {
	x.checkSection(s)
	back := x.secs[secParent].U32(uint32(s))
	if back == 0 {
		return 0, false
	}
	if back > uint32(s) {
		format.Fail(tagSections, "section %d has its parent %d back", s, back)
	}
	return s - SectionID(back), true
}

// SectionPathTokens returns the length of a section's heading path in tokens.
func (x *Index) SectionPathTokens(s SectionID) uint32 {
	x.checkSection(s)
	return x.secs[secPathTokens].U32(uint32(s))
}

// SectionEnd returns the section after the last one of s's subtree.
func (x *Index) SectionEnd(s SectionID) SectionID {
	level := x.SectionLevel(s)
	_, end := x.DocSections(x.DocOfSection(s))
	at := s + 1
	for at < end && x.SectionLevel(at) > level {
		at++
	}
	return at
}

// SectionChunks returns a section's own chunks [from, to).
func (x *Index) SectionChunks(s SectionID) (from, to ChunkID) {
	a, b := x.secs[secChunks].Pair(uint32(s), uint64(x.chunkN))
	return ChunkID(a), ChunkID(b)
}

// SectionOfChunk returns the section that a chunk belongs to. Cost: a binary search.
func (x *Index) SectionOfChunk(c ChunkID) SectionID {
	s := SectionID(x.secs[secChunks].Search(uint64(c)))
	x.checkSection(s)
	return s
}

// Chunk returns a chunk's row, but for its hash.
func (x *Index) Chunk(c ChunkID) Chunk {
	i := uint32(c)
	row := Chunk{Start: x.chunks[chunkStart].At(i), LineStart: x.chunks[chunkLine].U32(i),
		BodyTokens: x.chunks[chunkTokens].U32(i)}
	row.End = row.Start + x.chunks[chunkLength].At(i)
	row.LineEnd = uint32(x.chunks[chunkLines].At(i)) + row.LineStart
	return row
}

// ChunkTokens returns the length of a chunk's body in tokens.
func (x *Index) ChunkTokens(c ChunkID) uint32 { return x.chunks[chunkTokens].U32(uint32(c)) }

// ChunkSHA256 returns the hash of a chunk's embedded text.
func (x *Index) ChunkSHA256(c ChunkID) (sum [32]byte) {
	if int(c) >= x.chunkN {
		format.Fail(tagChunkHash, "chunk %d of %d", c, x.chunkN)
	}
	copy(sum[:], x.chunkHashes.Range(uint64(c)*32, 32))
	return sum
}

// AppendText adds bytes [from, to) of a document's text to dst, through r, which x.Text.Reader gave.
func (x *Index) AppendText(dst []byte, r *Reader, d DocID, from, to uint64) []byte {
	start, end := x.DocText(d)
	if from > to || to > end-start {
		format.Fail(tagText, "bytes [%d, %d) of a document of %d", from, to, end-start)
	}
	return r.read(dst, start+from, to-from)
}

// Parts yields the text of a document in parts of 64 KiB at most, none of them empty, from byte from up to byte to. A
// part is good until the next one.
func (x *Index) Parts(r *Reader, d DocID, from, to uint64) iter.Seq[[]byte] {
	start, end := x.DocText(d)
	if from > to || to > end-start {
		format.Fail(tagText, "bytes [%d, %d) of a document of %d", from, to, end-start)
	}
	return r.parts(start+from, start+to)
}

// sections checks that the sections of each document form a tree: the parent of a section is the last one before it
// with a lower level, and the section lies within its parent and behind its siblings.
func (v *verifier) sections() {
	x := v.x
	for d := range DocID(x.docN) {
		from, to := x.DocSections(d)
		textFrom, textTo := x.DocText(d)
		var open []Section // from the document's own section down to the one at hand
		var ids []SectionID
		for s := from; s < to; s++ {
			row := x.Section(s)
			if s == from {
				if row.Level != 0 || row.Parent != 0 || row.Anchor != "" || row.Start != 0 ||
					row.End != textTo-textFrom {
					v.Add(tagSections, "section %d is a document's own, but has level %d, anchor %q or bytes [%d, %d) of %d",
						s, row.Level, row.Anchor, row.Start, row.End, textTo-textFrom)
				}
				open, ids = append(open, row), append(ids, s)
				continue
			}
			if row.Level == 0 {
				v.Add(tagSections, "section %d has level 0, but is not its document's first", s)
				continue
			}
			least := uint64(0) // where it may begin
			for open[len(open)-1].Level >= row.Level {
				least = open[len(open)-1].End
				open, ids = open[:len(open)-1], ids[:len(ids)-1]
			}
			up := open[len(open)-1]
			switch {
			case uint32(s-ids[len(ids)-1]) != row.Parent:
				v.Add(tagSections, "section %d has its parent %d back, want %d", s, row.Parent, s-ids[len(ids)-1])
			case row.Start < max(least, up.Start) || row.End < row.Start || row.End > up.End:
				v.Add(tagSections, "section %d, bytes [%d, %d), does not lie in its parent [%d, %d) after byte %d",
					s, row.Start, row.End, up.Start, up.End, least)
			case row.LineStart < up.LineStart || row.LineEnd < row.LineStart || row.LineEnd > up.LineEnd:
				v.Add(tagSections, "section %d, lines %d to %d, does not lie in its parent, %d to %d",
					s, row.LineStart, row.LineEnd, up.LineStart, up.LineEnd)
			}
			open, ids = append(open, row), append(ids, s)
		}
	}
}

// chunks checks that chunks lie in their sections and follow each other.
func (v *verifier) chunks() {
	x := v.x
	for s := range SectionID(x.sectionN) {
		row := x.Section(s)
		from, to := x.SectionChunks(s)
		at := row.Start
		for c := from; c < to; c++ {
			k := x.Chunk(c)
			if k.Start < at || k.End < k.Start || k.End > row.End {
				v.Add(tagChunks, "chunk %d, bytes [%d, %d), does not lie in its section [%d, %d) after byte %d",
					c, k.Start, k.End, row.Start, row.End, at)
			}
			if k.LineStart < row.LineStart || k.LineEnd < k.LineStart || k.LineEnd > row.LineEnd {
				v.Add(tagChunks, "chunk %d, lines %d to %d, does not lie in its section, %d to %d",
					c, k.LineStart, k.LineEnd, row.LineStart, row.LineEnd)
			}
			at = k.Start
		}
	}
}
