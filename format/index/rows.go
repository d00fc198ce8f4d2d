package index

import "kdd/format"

// Rows are the numbers that every search needs of all documents, sections and chunks.
type Rows struct {
	TitleTokens  []uint32 // by document
	FirstSection []uint32 // by document, and the number of sections
	PathTokens   []uint32 // by section
	FirstChunk   []uint32 // by section, and the number of chunks
	ChunkTokens  []uint32 // by chunk, of its body
}

// FillRows decodes them into slices that have their lengths. It fails (see Guard) where ranges fall or do not end at
// the tables' ends.
func (x *Index) FillRows(r *Rows) {
	x.docs[docTitleTokens].Fill(r.TitleTokens)
	x.docs[docSections].Fill(r.FirstSection)
	x.secs[secPathTokens].Fill(r.PathTokens)
	x.secs[secChunks].Fill(r.FirstChunk)
	x.chunks[chunkTokens].Fill(r.ChunkTokens)
	rises(tagDocs, r.FirstSection, x.sectionN)
	rises(tagSections, r.FirstChunk, x.chunkN)
}

// rises fails unless the offsets rise to the end.
func rises(tag format.Tag, offsets []uint32, end int) {
	last := uint32(0)
	for i, v := range offsets {
		if v < last {
			format.Fail(tag, "range %d ends at %d and begins at %d", i-1, v, last)
		}
		last = v
	}
	if int64(last) != int64(end) {
		format.Fail(tag, "the last range ends at %d of %d", last, end)
	}
}
