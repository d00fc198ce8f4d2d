package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	Block  string // a block's tag, or "header", "directory", "padding", "trailer"
	Offset int64  // of the file: where the problem lies, or where its block begins
	Text   string
}

// String gives the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("%s at byte %d: %s", p.Block, p.Offset, p.Text) }

// maxProblems bounds what is reported of one block.
const maxProblems = 8

// Report is what Verify found. Who knows what the blocks hold goes on from there: File is what could be opened of the
// file, and Add and AddError report what is wrong with the content of a block.
type Report struct {
	// File has the blocks that lie inside the file. Their pages count as checked, whatever their bytes are: see Broken.
	// Its directory is nil if there is none to be found.
	File     *File
	Problems []Problem

	counts map[string]int // of problems, by Problem.Block
	broken map[Tag]bool
}

// Verify checks the container of the file at path: header, directory, hashes, checksums, padding and trailers. It goes
// on past what is broken where it can. Close the report's File after use.
//
// The error is a ForeignError, a VersionError, a CorruptError of the header, or from the operating system: then there
// was nothing to check. Cost: two passes over the file.
func Verify(path string) (*Report, error) {
	data, info, release, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	r, err := VerifyBytes(data)
	if err != nil {
		release()
		return nil, err
	}
	r.File.Path, r.File.release = path, release
	r.File.stamp.Store(newStamp(info))
	return r, nil
}

// VerifyBytes is Verify for a file that lies in memory. It keeps data.
func VerifyBytes(data []byte) (*Report, error) {
	r := &Report{counts: map[string]int{}, broken: map[Tag]bool{}}
	if err := Guard(func() error { return r.inspect(data) }); err != nil {
		return nil, err
	}
	return r, nil
}

// Add reports a problem with the content of a block, which counts as broken from then on. It leaves out what is more
// than a few problems of one block. The zero tag stands for the file as a whole.
func (r *Report) Add(tag Tag, reason string, args ...any) {
	var at int64
	if b := r.File.Block(tag); b != nil {
		at = int64(b.Offset)
	}
	r.add(tag, "header", at, fmt.Sprintf(reason, args...))
}

// AddError reports an error that an operation on a block gave.
func (r *Report) AddError(tag Tag, err error) {
	var corrupt *CorruptError
	switch {
	case !errors.As(err, &corrupt):
		r.Add(tag, "%v", err)
	case corrupt.Block != (Tag{}) && corrupt.Block != tag:
		r.Add(tag, "%s: %s", corrupt.Block, corrupt.Reason)
	default:
		r.Add(tag, "%s", corrupt.Reason)
	}
}

// Broken says whether a problem of that block was reported.
func (r *Report) Broken(tag Tag) bool { return r.broken[tag] }

// add reports a problem of a block, or with the zero tag of a part of the file that is none.
func (r *Report) add(tag Tag, part string, at int64, text string) {
	if tag != (Tag{}) {
		r.broken[tag] = true
		part = tag.String()
	}
	r.counts[part]++
	switch n := r.counts[part]; {
	case n < maxProblems:
		r.Problems = append(r.Problems, Problem{part, at, text})
	case n == maxProblems:
		r.Problems = append(r.Problems, Problem{part, at, text + "; further ones are left out"})
	}
}

// addIn reports an error about a part of the file that is no block.
func (r *Report) addIn(part string, err error) {
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		r.add(Tag{}, part, max(0, corrupt.Offset), corrupt.Reason)
		return
	}
	r.add(Tag{}, part, 0, err.Error())
}

// inspect opens what can be opened of a file and checks its frame. The error says that there is nothing to go on with.
func (r *Report) inspect(data []byte) error {
	h, err := readHeader(data, int64(len(data)))
	if err != nil {
		return err
	}
	if err := h.check(data, int64(len(data))); err != nil {
		r.addIn("header", err)
	}
	if h.dirOffset != headerSize || h.dirEntries > maxEntries || headerSize+int(h.dirEntries)*entrySize > len(data) {
		r.File = &File{data: data, whole: data, head: *h}
		return nil
	}
	dir := data[headerSize : headerSize+int(h.dirEntries)*entrySize]
	if got := rootHash(data[:headerSize], dir); got != h.rootHash {
		r.add(Tag{}, "header", rootHashAt,
			fmt.Sprintf("root hash %x…, header and directory give %x…", h.rootHash[:4], got[:4]))
	}
	entries, err := parseDirectory(dir, h)
	if err != nil {
		r.addIn("directory", err)
	}
	if err != nil || h.length > uint64(len(data)) {
		entries = r.saneEntries(dir, uint64(len(data)))
	}
	f := &File{
		data: data[:min(h.length, uint64(len(data)))], whole: data, head: *h, entries: entries,
		blocks: make([]Block, len(entries)),
	}
	r.File = f
	for i, e := range entries {
		b := &f.blocks[i]
		b.Entry, b.data = e, data[e.Offset:e.Offset+e.Length:e.Offset+e.Length]
		b.trust()
	}
	r.hashes()
	r.padding()
	if h.length <= uint64(len(data)) {
		if f.trailers, err = parseTrailers(data[h.length:], h.length); err != nil {
			r.addIn("trailer", err)
		}
	}
	return nil
}

// saneEntries returns the rows of a broken directory that lead to bytes of the file and do not repeat a tag.
func (r *Report) saneEntries(dir []byte, size uint64) []Entry {
	list := []Entry{}
	for row := range slices.Chunk(dir, entrySize) {
		e := parseEntry(row)
		twice := slices.ContainsFunc(list, func(o Entry) bool { return o.Tag == e.Tag })
		if e.Tag.printable() && e.Offset <= size && e.Length <= size-e.Offset && !twice && e.leaf == wantLeaf(e.Tag, e.leaf) {
			list = append(list, e)
			continue
		}
		tag := e.Tag
		if !tag.printable() {
			tag = Tag{}
		}
		r.add(tag, "directory", int64(min(e.Offset, size)),
			fmt.Sprintf("[%d, +%d) does not fit the file of %d bytes, or its tag %s or its page size 2^%d is malformed, or "+
				"the tag is there twice", e.Offset, e.Length, size, e.Tag, e.leaf))
	}
	return list
}

// hashes compares every block with the root of its tree in the directory, with the block of page hashes and with the
// checksum block. A broken block is reported at its first broken page if the checksums tell it.
func (r *Report) hashes() {
	pages, tree := r.sums(), r.tree()
	at := placeTree(r.File.entries)
	for i := range r.File.blocks {
		b := &r.File.blocks[i]
		if b.Tag == TagSums {
			continue
		}
		var own []byte // the checksums of b
		if pages != nil {
			n := sumPages(b.Length) * 4
			own, pages = pages[:n], pages[n:]
		}
		levels, root := blockTree(b.data, b.leaf)
		intact, page := root == b.Root, wrongPage(b.data, own)
		switch {
		case b.Tag == TagTree && r.Broken(TagTree): // said
		case !intact && page >= 0:
			r.add(b.Tag, "", int64(b.Offset)+int64(page)*crcPage,
				fmt.Sprintf("its bytes are not those that were written: checksum of page %d and SHA-256 are wrong",
					page))
		case !intact:
			r.Add(b.Tag, "its bytes are not those that were written: SHA-256 is wrong")
		case page >= 0:
			r.Add(TagSums, "checksum of page %d of block %s is wrong", page, b.Tag)
		}
		if !intact || tree == nil {
			continue
		}
		for level, hashes := range levels {
			if from := at.of[i][level]; !bytes.Equal(tree[from:from+uint64(len(hashes))], hashes) {
				r.Add(TagTree, "the hashes on level %d of block %s are wrong", level, b.Tag)
			}
		}
	}
}

// sums returns the checksums of all pages, nil if they cannot be used.
func (r *Report) sums() []byte {
	var want uint64
	for i := range r.File.blocks {
		if b := &r.File.blocks[i]; b.Tag != TagSums {
			want += sumPages(b.Length)
		}
	}
	return r.own(TagSums, want, 4)
}

// tree returns the hashes of all pages, nil if they cannot be used.
func (r *Report) tree() []byte {
	return r.own(TagTree, placeTree(r.File.entries).total/hashBytes, hashBytes)
}

// own returns the bytes of a block that the container has for itself: that many rows of a size. It reports what is
// wrong with it and returns nil then.
func (r *Report) own(tag Tag, rows, size uint64) []byte {
	switch b := r.File.Block(tag); {
	case b == nil:
		r.Add(tag, "the block is missing")
	case sha256.Sum256(b.data) != b.Root:
		r.Add(tag, "its SHA-256 is not the directory's")
	case b.Length != rows*size || b.Rows != rows:
		r.Add(tag, "%d bytes, %d rows; the blocks need %d bytes", b.Length, b.Rows, rows*size)
	default:
		return b.data
	}
	return nil
}

// wrongPage returns the first page of data whose checksum is not the one in sums, which may be empty; -1 if there is
// none.
func wrongPage(data, sums []byte) int {
	for page := 0; len(sums) > 0; page, sums = page+1, sums[4:] {
		from := page * crcPage
		if crc32.Checksum(data[from:min(from+crcPage, len(data))], castagnoli) != binary.LittleEndian.Uint32(sums) {
			return page
		}
	}
	return -1
}

// padding reports bytes outside header, directory and blocks that are not zero.
func (r *Report) padding() {
	f := r.File
	spans := []span{{0, headerSize + uint64(f.head.dirEntries)*entrySize}}
	for _, e := range f.entries {
		spans = append(spans, span{e.Offset, e.Offset + e.Length})
	}
	sortSpans(spans)
	size, at := uint64(len(f.data)), uint64(0)
	gap := func(to uint64) {
		for ; at < min(to, size); at++ {
			if f.data[at] != 0 {
				r.add(Tag{}, "padding", int64(at), fmt.Sprintf("%#02x, want 0", f.data[at]))
				return
			}
		}
	}
	for _, s := range spans {
		gap(s.from)
		at = max(at, s.to)
	}
	if at < size {
		r.add(Tag{}, "padding", int64(at), fmt.Sprintf("%d bytes between the last block and the end of the file",
			size-at))
		gap(size)
	}
}
