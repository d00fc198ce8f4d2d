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

// crcPage is the unit of the checksum block, FORMAT.md §4.
const crcPage = 1 << 14

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// RawBlock is a block ready to be written.
type RawBlock struct {
	Tag      Tag
	Critical bool
	Rows     uint64
	Data     []byte
}

// Image is a whole artifact, laid out and hashed, ready to be written.
type Image struct {
	head   []byte // header and directory
	blocks []RawBlock
	places []uint64
	length uint64
	root   [32]byte
}

// Lay orders blocks by tag, adds the checksum block, gives each its place and computes all hashes.
//
// Errors: ErrTooBig if there are more blocks than a directory holds; a duplicate or malformed tag is a caller's bug and
// an error too. Cost: one SHA-256 and one CRC-32C over all bytes, spread over goroutines.
func Lay(blocks []RawBlock) (*Image, error) {
	im := &Image{blocks: slices.Clone(blocks)}
	slices.SortStableFunc(im.blocks, func(a, b RawBlock) int { return bytes.Compare(a.Tag[:], b.Tag[:]) })
	for i, b := range im.blocks {
		if i > 0 && im.blocks[i-1].Tag == b.Tag {
			return nil, fmt.Errorf("block %s is there twice", b.Tag)
		}
		if !b.Tag.printable() {
			return nil, fmt.Errorf("block tag %s is not four printable ASCII characters", b.Tag)
		}
		if b.Tag == TagSums {
			return nil, fmt.Errorf("block %s is made by the writer", b.Tag)
		}
	}
	sums := make([][]byte, len(im.blocks))
	hashes := make([][32]byte, len(im.blocks))
	var wg sync.WaitGroup
	for i := range im.blocks {
		wg.Go(func() {
			hashes[i] = sha256.Sum256(im.blocks[i].Data)
			sums[i] = pageSums(im.blocks[i].Data)
		})
	}
	wg.Wait()
	crc := RawBlock{Tag: TagSums, Critical: true, Data: slices.Concat(sums...)}
	crc.Rows = uint64(len(crc.Data) / 4)
	at, _ := slices.BinarySearchFunc(im.blocks, crc,
		func(a, b RawBlock) int { return bytes.Compare(a.Tag[:], b.Tag[:]) })
	im.blocks = slices.Insert(im.blocks, at, crc)
	hashes = slices.Insert(hashes, at, sha256.Sum256(crc.Data))
	if len(im.blocks) > maxEntries {
		return nil, fmt.Errorf("%w: %d blocks, at most %d", ErrTooBig, len(im.blocks), maxEntries)
	}

	h := header{version: Version, minReader: Version, dirOffset: headerSize, dirEntries: uint32(len(im.blocks))}
	end := headerSize + uint64(len(im.blocks))*entrySize
	var dir []byte
	for i := range im.blocks {
		b := &im.blocks[i]
		end = alignUp(end, pageSize)
		im.places = append(im.places, end)
		dir = appendEntry(dir, &Entry{Tag: b.Tag, Critical: b.Critical, Offset: end, Length: uint64(len(b.Data)),
			Rows: b.Rows, SHA256: hashes[i]})
		end += uint64(len(b.Data))
	}
	h.length, im.length = end, end
	im.root = rootHash(h.append(nil), dir)
	h.rootHash = im.root
	im.head = append(h.append(nil), dir...)
	return im, nil
}

// RootHash names the artifact.
func (im *Image) RootHash() [32]byte { return im.root }

// Bytes is the size of the file.
func (im *Image) Bytes() int64 { return int64(im.length) }

// Entries returns the directory, sorted by tag.
func (im *Image) Entries() []Entry {
	list := make([]Entry, len(im.blocks))
	for i, b := range im.blocks {
		list[i] = Entry{Tag: b.Tag, Critical: b.Critical, Offset: im.places[i], Length: uint64(len(b.Data)),
			Rows: b.Rows}
	}
	return list
}

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
	for i, b := range im.blocks {
		if err := put(padding[:im.places[i]-done]); err != nil {
			return int64(done), err
		}
		if err := put(b.Data); err != nil {
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
