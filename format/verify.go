package format

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// Problem is one thing that Verify found.
type Problem struct {
	Block  string // a block's tag, or "header", "directory", "padding", "trailer"
	Offset int64  // of the file: where the problem lies, or where its block begins
	Text   string
}

// String gives the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("%s at byte %d: %s", p.Block, p.Offset, p.Text) }

// maxProblems bounds what is reported of one block.
const maxProblems = 8

// VerifyFile checks every byte of the file at path: hashes, padding, order, ranges, counts, and that what can be
// derived twice agrees. It goes on past a broken block where it can. A file without problems gives nil, nil.
//
// The error is a ForeignError, a VersionError or from the operating system: then there was nothing to check.
// Cost: O(file), each posting and each document read once.
func VerifyFile(path string) ([]Problem, error) {
	data, _, release, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	defer release()
	return Verify(data)
}

// Verify is VerifyFile for a file that lies in memory.
func Verify(data []byte) ([]Problem, error) {
	var v *verifier
	err := Guard(func() error {
		var err error
		v, err = inspect(data)
		return err
	})
	var corrupt *CorruptError
	switch {
	case err == nil:
	case errors.As(err, &corrupt):
		return []Problem{{"header", max(0, corrupt.Offset), corrupt.Reason}}, nil
	default:
		return nil, err
	}
	if err := Guard(v.contents); err != nil {
		v.report(Tag{}, "header", 0, err.Error())
	}
	return v.problems, nil
}

// verifier collects problems. Its file and index hold what could be opened of a damaged file; their pages count as
// checked, and blocks whose bytes are not those that were hashed are in broken.
type verifier struct {
	data     []byte
	file     *File
	x        *Index
	problems []Problem
	counts   map[string]int
	broken   map[Tag]bool
}

func (v *verifier) report(tag Tag, where string, at int64, text string) {
	if tag != (Tag{}) {
		v.broken[tag] = true
		where = tag.String()
	}
	v.counts[where]++
	switch n := v.counts[where]; {
	case n < maxProblems:
		v.problems = append(v.problems, Problem{where, at, text})
	case n == maxProblems:
		v.problems = append(v.problems, Problem{where, at, text + "; further ones are left out"})
	}
}

// bad reports a problem of the content of a block.
func (v *verifier) bad(tag Tag, reason string, args ...any) {
	var at int64
	if b := v.file.Block(tag); b != nil {
		at = int64(b.Offset)
	}
	v.report(tag, "", at, fmt.Sprintf(reason, args...))
}

// fails reports an error that an operation on a block gave.
func (v *verifier) fails(tag Tag, err error) {
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		if corrupt.Block != (Tag{}) && corrupt.Block != tag {
			v.bad(tag, "%s: %s", corrupt.Block, corrupt.Reason)
			return
		}
		v.bad(tag, "%s", corrupt.Reason)
		return
	}
	v.bad(tag, "%v", err)
}

// inspect opens what can be opened of a file, and checks its frame: header, directory, hashes, padding, trailers.
// The error says that there is nothing to go on with.
func inspect(data []byte) (*verifier, error) {
	v := &verifier{data: data, counts: map[string]int{}, broken: map[Tag]bool{}}
	h, err := readHeader(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	if err := h.check(data, int64(len(data))); err != nil {
		v.failsIn("header", err)
	}
	if h.dirOffset != headerSize || h.dirEntries > maxEntries || headerSize+int(h.dirEntries)*entrySize > len(data) {
		v.file = &File{data: data, whole: data, head: *h}
		v.x = &Index{File: v.file}
		v.x.load(func(Tag, error) error { return nil })
		return v, nil
	}
	dir := data[headerSize : headerSize+int(h.dirEntries)*entrySize]
	if got := rootHash(data[:headerSize], dir); got != h.rootHash {
		v.report(Tag{}, "header", rootHashAt, fmt.Sprintf("root hash %x…, header and directory give %x…", h.rootHash[:4], got[:4]))
	}
	entries, err := parseDirectory(dir, h)
	if err != nil {
		v.failsIn("directory", err)
	}
	if err != nil || h.length > uint64(len(data)) {
		entries = v.saneEntries(dir)
	}
	f := &File{data: data[:min(h.length, uint64(len(data)))], whole: data, head: *h, entries: entries, blocks: make([]Block, len(entries))}
	v.file = f
	var sums *Block
	for i, e := range entries {
		b := &f.blocks[i]
		b.Entry, b.data = e, data[e.Offset:e.Offset+e.Length:e.Offset+e.Length]
		b.trust()
		if e.Tag == tagSums {
			sums = b
		}
		if e.Critical && !known(e.Tag) {
			v.bad(e.Tag, "a critical block that this kdd does not know; update kdd")
		}
	}
	v.hashes(sums)
	v.padding(entries)
	if h.length <= uint64(len(data)) {
		if f.Trailers, err = parseTrailers(data, h.length); err != nil {
			v.failsIn("trailer", err)
		}
	}
	v.x = &Index{File: f}
	v.x.load(func(tag Tag, err error) error {
		if !v.broken[tag] && v.usable(countedBy[tag]...) {
			v.fails(tag, err)
		}
		return nil
	})
	return v, nil
}

// countedBy are the blocks whose rows say how many rows another block must have.
var countedBy = map[Tag][]Tag{
	tagOut: {tagDocs, tagSections, tagNodes}, tagIn: {tagDocs, tagSections, tagNodes}, tagInEdges: {tagEdges}, tagTermLists: {tagTerms},
	tagNameStarts: {tagNames}, tagFacetPlace: {tagFacets}, tagFieldStart: {tagDocs}, tagDocHashes: {tagDocs}, tagChunkHash: {tagChunks},
}

// failsIn reports an error about a part of the file that is no block.
func (v *verifier) failsIn(where string, err error) {
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		v.report(Tag{}, where, max(0, corrupt.Offset), corrupt.Reason)
		return
	}
	v.report(Tag{}, where, 0, err.Error())
}

// saneEntries returns the rows of a broken directory that lead to bytes of the file and do not repeat a tag.
func (v *verifier) saneEntries(dir []byte) []Entry {
	var list []Entry
	for row := range slices.Chunk(dir, entrySize) {
		e := parseEntry(row)
		size := uint64(len(v.data))
		if !e.Tag.printable() || e.Offset > size || e.Length > size-e.Offset || slices.ContainsFunc(list, func(o Entry) bool { return o.Tag == e.Tag }) {
			tag := e.Tag
			if !tag.printable() {
				tag = Tag{}
			}
			v.report(tag, "directory", int64(min(e.Offset, size)), fmt.Sprintf("[%d, +%d) does not fit the file of %d bytes, or its tag %s is malformed or there twice", e.Offset, e.Length, size, e.Tag))
			continue
		}
		list = append(list, e)
	}
	return list
}

// hashes compares every block with the directory's SHA-256 and the checksum block; a broken block is reported at its
// first broken page if the checksums tell it.
func (v *verifier) hashes(sums *Block) {
	var pages []byte
	var want uint64
	for i := range v.file.blocks {
		if b := &v.file.blocks[i]; b.Tag != tagSums {
			want += sumPages(b.Length) * 4
		}
	}
	switch {
	case sums == nil:
		v.report(tagSums, "", 0, "the block is missing")
	case sha256.Sum256(sums.data) != sums.SHA256:
		v.bad(tagSums, "its SHA-256 is not the directory's")
	case sums.Length != want || sums.Rows != want/4:
		v.bad(tagSums, "%d bytes, %d rows; the blocks need %d bytes", sums.Length, sums.Rows, want)
	default:
		pages = sums.data
	}
	for i := range v.file.blocks {
		b := &v.file.blocks[i]
		if b.Tag == tagSums {
			continue
		}
		var mine []byte
		if pages != nil {
			n := sumPages(b.Length) * 4
			mine, pages = pages[:n], pages[n:]
		}
		right := sha256.Sum256(b.data) == b.SHA256
		at, page := uint64(0), -1
		for ; len(mine) > 0; mine, at = mine[4:], at+crcPage {
			if crc32.Checksum(b.data[at:min(at+crcPage, b.Length)], castagnoli()) != binary.LittleEndian.Uint32(mine) {
				page = int(at / crcPage)
				break
			}
		}
		switch {
		case !right && page >= 0:
			v.report(b.Tag, "", int64(b.Offset+at), fmt.Sprintf("its bytes are not those that were written: checksum of page %d and SHA-256 are wrong", page))
		case !right:
			v.bad(b.Tag, "its bytes are not those that were written: SHA-256 is wrong")
		case page >= 0:
			v.report(tagSums, "", int64(sums.Offset), fmt.Sprintf("checksum of page %d of block %s is wrong", page, b.Tag))
		}
	}
}

// padding reports bytes outside header, directory and blocks that are not zero.
func (v *verifier) padding(entries []Entry) {
	spans := []span{{0, headerSize + uint64(v.file.head.dirEntries)*entrySize}}
	for _, e := range entries {
		spans = append(spans, span{e.Offset, e.Offset + e.Length})
	}
	sortSpans(spans)
	size, at := uint64(len(v.file.data)), uint64(0)
	gap := func(to uint64) {
		for ; at < min(to, size); at++ {
			if v.data[at] != 0 {
				v.report(Tag{}, "padding", int64(at), fmt.Sprintf("%#02x, want 0", v.data[at]))
				return
			}
		}
	}
	for _, s := range spans {
		gap(s.from)
		at = max(at, s.to)
	}
	if at < size {
		v.report(Tag{}, "padding", int64(at), fmt.Sprintf("%d bytes between the last block and the end of the file", size-at))
		gap(size)
	}
}

// usable says that the bytes of all blocks are right and could be opened.
func (v *verifier) usable(tags ...Tag) bool {
	for _, t := range tags {
		if v.broken[t] || v.file.Block(t) == nil {
			return false
		}
	}
	return true
}

// check runs f, which examines the content of a block, if that block and those that it depends on are usable.
func (v *verifier) check(tag Tag, needs []Tag, f func()) {
	if !v.usable(tag) || !v.usable(needs...) {
		return
	}
	if err := Guard(func() error { f(); return nil }); err != nil {
		v.fails(tag, err)
	}
}

// contents checks what the blocks say. Each check is next to its block's encoder.
func (v *verifier) contents() error {
	for _, view := range v.x.dicts() {
		v.check(view.tag, nil, func() { v.dict(view) })
	}
	for i := range tableSpecs {
		spec := &tableSpecs[i]
		v.check(spec.tag, nil, func() { v.table(spec) })
	}
	v.check(tagMeta, []Tag{tagDocs, tagSections, tagChunks, tagLinks, tagFindings, tagStrings, tagText}, v.meta)
	v.check(tagDocs, []Tag{tagStrings, tagDocLists, tagSections}, v.docs)
	v.check(tagText, []Tag{tagDocs, tagDocHashes, tagStrings}, v.texts)
	v.check(tagSections, []Tag{tagDocs, tagStrings}, v.sections)
	v.check(tagChunks, []Tag{tagSections, tagStrings}, v.chunks)
	v.check(tagPostings, []Tag{tagMeta, tagLists, tagPositions, tagDocs, tagSections, tagChunks, tagLinks}, v.postings)
	v.check(tagLinks, []Tag{tagStrings}, v.links)
	v.check(tagNameNodes, []Tag{tagNames, tagNameStarts, tagDocs, tagSections, tagNodes}, v.names)
	v.check(tagBitmaps, []Tag{tagFacets, tagFacetPlace, tagDocs}, v.facets)
	v.check(tagNodes, []Tag{tagDocs, tagSections, tagStrings}, v.nodes)
	v.check(tagInEdges, []Tag{tagOut, tagIn, tagEdges, tagDocs, tagSections, tagNodes}, v.edges)
	v.check(TagVectors, []Tag{tagChunks}, v.vectors)
	v.check(tagDuplicates, []Tag{tagChunks}, v.duplicates)
	v.check(tagFields, []Tag{tagFieldStart, tagDocs, tagStrings}, v.fields)
	v.check(TagGolden, nil, v.golden)
	for _, r := range []struct {
		tag  Tag
		rows int
	}{
		{tagMeta, 1}, {tagText, v.x.docN}, {tagDocHashes, v.x.docN}, {tagChunkHash, v.x.chunkN}, {tagBitmaps, v.x.facets.Len()},
		{tagPostings, int(v.x.limit(listCell))}, {tagPositions, int(v.x.limit(listCell))},
	} {
		v.check(r.tag, []Tag{tagDocs, tagChunks, tagFacets, tagLists}, func() {
			if got := v.file.Block(r.tag).Rows; got != uint64(r.rows) {
				v.bad(r.tag, "the directory says %d rows, want %d", got, r.rows)
			}
		})
	}
	return nil
}
