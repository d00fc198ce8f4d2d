package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"
)

// crcPage is the unit of the checksum block, FORMAT.md §4.1.
const (
	crcBits = 14
	crcPage = 1 << crcBits
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// RawBlock is a block ready to be written.
type RawBlock struct {
	Tag      Tag
	Critical bool
	Rows     uint64
	Data     []byte
	Pages    PageSize
	Ahead    bool // it lies between the first block and the hashes of pages
}

// Image is a whole artifact, laid out and hashed, ready to be written.
type Image struct {
	head    []byte     // header and directory
	blocks  []RawBlock // by tag
	entries []Entry    // of blocks
	length  uint64
	root    [32]byte
}

// Lay gives each block its place in the file: the first one and those ahead behind it, the hashes of pages, the others as
// they are given, the checksums. It computes all hashes.
//
// Errors: ErrTooBig if there are more blocks than a directory holds; a duplicate or malformed tag is a caller's bug and
// an error too. Cost: one SHA-256 and one CRC-32C over all bytes, spread over goroutines.
func Lay(blocks []RawBlock) (*Image, error) {
	list := slices.Clone(blocks)
	tree := RawBlock{Tag: TagTree, Critical: true}
	second := min(1, len(list))
	for second > 0 && second < len(list) && list[second].Ahead {
		second++
	}
	list = append(slices.Insert(list, second, tree), RawBlock{Tag: TagSums, Critical: true})
	if err := checkTags(blocks); err != nil {
		return nil, err
	}
	if len(list) > maxEntries {
		return nil, fmt.Errorf("%w: %d blocks, at most %d", ErrTooBig, len(list), maxEntries)
	}
	sums, levels, roots := make([][]byte, len(list)), make([][][]byte, len(list)), make([][32]byte, len(list))
	var wg sync.WaitGroup
	for i := range list {
		wg.Go(func() {
			levels[i], roots[i] = blockTree(list[i].Data, list[i].leaf())
			sums[i] = pageSums(list[i].Data)
		})
	}
	wg.Wait()
	entries, _ := place(list, roots)
	order := make([]int, len(list)) // by tag
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(list[a].Tag[:], list[b].Tag[:]) })

	// What the container adds has its size before it has its bytes: places depend on sizes only.
	at := placeTree(entries)
	hashes := make([]byte, at.total)
	for i, of := range at.of {
		for level, from := range of {
			copy(hashes[from:], levels[i][level])
		}
	}
	var pages []byte
	for _, i := range order {
		if list[i].Tag == TagTree {
			pages = append(pages, pageSums(hashes)...)
			continue
		}
		pages = append(pages, sums[i]...)
	}
	for i := range list {
		switch list[i].Tag {
		case TagTree:
			list[i].Data, list[i].Rows, roots[i] = hashes, at.total/hashBytes, sha256.Sum256(hashes)
		case TagSums:
			list[i].Data, list[i].Rows, roots[i] = pages, uint64(len(pages)/4), sha256.Sum256(pages)
		}
	}
	entries, length := place(list, roots)

	im := &Image{length: length}
	h := header{version: Version, minReader: Version, dirOffset: headerSize, dirEntries: uint32(len(list)), length: length}
	var dir []byte
	for _, i := range order {
		im.blocks, im.entries = append(im.blocks, list[i]), append(im.entries, entries[i])
		dir = appendEntry(dir, &entries[i])
	}
	im.root = rootHash(h.append(nil), dir)
	h.rootHash = im.root
	im.head = append(h.append(nil), dir...)
	return im, nil
}

// checkTags fails unless the blocks have tags of their own.
func checkTags(blocks []RawBlock) error {
	seen := map[Tag]bool{}
	for _, b := range blocks {
		switch {
		case seen[b.Tag]:
			return fmt.Errorf("block %s is there twice", b.Tag)
		case !b.Tag.printable():
			return fmt.Errorf("block tag %s is not four printable ASCII characters", b.Tag)
		case b.Tag == TagSums || b.Tag == TagTree:
			return fmt.Errorf("block %s is made by the writer", b.Tag)
		}
		seen[b.Tag] = true
	}
	return nil
}

// place returns the entry of each block, in the order of the file, and the file's length.
func place(list []RawBlock, roots [][32]byte) (entries []Entry, end uint64) {
	end = headerSize + uint64(len(list))*entrySize
	for i := range list {
		b := &list[i]
		end = alignUp(end, pageSize)
		entries = append(entries, Entry{Tag: b.Tag, Critical: b.Critical, Offset: end, Length: uint64(len(b.Data)),
			Rows: b.Rows, Root: roots[i], leaf: b.leaf()})
		end += uint64(len(b.Data))
	}
	return entries, end
}

// leaf is log2 of the size of the block's pages.
func (b *RawBlock) leaf() PageSize {
	switch {
	case b.Tag == TagTree || b.Tag == TagSums:
		return 0
	case b.Pages != 0:
		return b.Pages
	}
	return CoarsePages
}

// RootHash names the artifact.
func (im *Image) RootHash() [32]byte { return im.root }

// Bytes is the size of the file.
func (im *Image) Bytes() int64 { return int64(im.length) }

// Entries returns the directory, sorted by tag.
func (im *Image) Entries() []Entry { return im.entries }

// WriteTo writes the whole file.
func (im *Image) WriteTo(w io.Writer) (int64, error) {
	var done uint64
	put := func(b []byte) error {
		n, err := w.Write(b)
		done += uint64(n)
		return err
	}
	if err := put(im.head); err != nil {
		return int64(done), err
	}
	padding := make([]byte, pageSize)
	for _, i := range byOffset(im.entries) {
		if err := put(padding[:im.entries[i].Offset-done]); err != nil {
			return int64(done), err
		}
		if err := put(im.blocks[i].Data); err != nil {
			return int64(done), err
		}
	}
	return int64(done), nil
}

// AppendTrailer adds a trailer to a written file: its tag, its payload and a hash over both, which lie outside the root
// hash (FORMAT.md §5).
func AppendTrailer(dst []byte, tag Tag, payload []byte) []byte {
	head := len(dst)
	dst = append(dst, tag[:]...)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(payload)))
	sum := trailerHash(dst[head:], payload)
	dst = append(dst, sum[:]...)
	return append(dst, payload...)
}

// pageSums returns the CRC-32C of each crcPage bytes of data.
func pageSums(data []byte) (sums []byte) {
	for chunk := range slices.Chunk(data, crcPage) {
		sums = binary.LittleEndian.AppendUint32(sums, crc32.Checksum(chunk, castagnoli))
	}
	return sums
}

func sumPages(length uint64) uint64 { return (length + crcPage - 1) / crcPage }
