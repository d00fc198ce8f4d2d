package format

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
)

// Version is the format that this package writes and the only one it reads (FORMAT.md §1). It is 0 until the first
// release: files of version 0 promise nothing to another build of kdd.
const Version = 0

// Sizes of the fixed parts, FORMAT.md §2 and §3.
const (
	headerSize    = 128
	entrySize     = 64
	pageSize      = 4096  // blocks begin on multiples of it
	bootSize      = 16384 // header and directory lie inside
	maxEntries    = (bootSize - headerSize) / entrySize
	hashSHA256    = 1
	rootHashAt    = 64
	criticalFlag  = 1
	leafShift     = 8 // of the flags: the bits of a page's size
	knownFlags    = criticalFlag | 0xff<<leafShift
	trailerHeader = 48
	maxTrailers   = 2
	maxTrailer    = 1 << 20
)

// magic begins every file: the CR LF and LF tell a copy made in text mode, the 0x1a stops a terminal's "type".
var magic = [8]byte{'K', 'D', 'D', 'X', '\r', '\n', 0x1a, '\n'}

// Tag names a block: four printable ASCII characters.
type Tag [4]byte

// String returns the four characters, or the bytes in hex where they are not printable.
func (t Tag) String() string {
	if !t.printable() {
		return fmt.Sprintf("%x", t[:])
	}
	return string(t[:])
}

func (t Tag) printable() bool {
	for _, c := range t {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}

// TagSums is the block of checksums, FORMAT.md §4.1. The container itself reads and writes it.
var TagSums = Tag{'C', 'R', 'C', 'S'}

// Entry is a row of the directory.
type Entry struct {
	Tag      Tag
	Critical bool
	Offset   uint64
	Length   uint64
	Rows     uint64
	Root     [32]byte // of the tree over its pages
	leaf     PageSize // log2 of a page's size; 0: the root is the hash of the whole block
}

// header is the first 128 bytes, decoded.
type header struct {
	version, minReader uint32
	length             uint64 // of the file without trailers
	dirOffset          uint64
	dirEntries         uint32
	rootHash           [32]byte
}

func (h *header) append(dst []byte) []byte {
	n := len(dst)
	dst = append(dst, magic[:]...)
	dst = binary.LittleEndian.AppendUint32(dst, h.version)
	dst = binary.LittleEndian.AppendUint32(dst, h.minReader)
	dst = binary.LittleEndian.AppendUint64(dst, h.length)
	dst = binary.LittleEndian.AppendUint64(dst, h.dirOffset)
	dst = binary.LittleEndian.AppendUint32(dst, h.dirEntries)
	dst = binary.LittleEndian.AppendUint32(dst, hashSHA256)
	dst = append(dst, make([]byte, 24)...)
	dst = append(dst, h.rootHash[:]...)
	return append(dst, make([]byte, headerSize-(len(dst)-n))...)
}

func appendEntry(dst []byte, e *Entry) []byte {
	dst = append(dst, e.Tag[:]...)
	var flags uint32
	if e.Critical {
		flags |= criticalFlag
	}
	flags |= uint32(e.leaf) << leafShift
	dst = binary.LittleEndian.AppendUint32(dst, flags)
	dst = binary.LittleEndian.AppendUint64(dst, e.Offset)
	dst = binary.LittleEndian.AppendUint64(dst, e.Length)
	dst = binary.LittleEndian.AppendUint64(dst, e.Rows)
	return append(dst, e.Root[:]...)
}

// rootHash returns SHA-256 over the header with its root hash zero and the directory.
func rootHash(head, dir []byte) [32]byte {
	h := sha256.New()
	h.Write(head[:rootHashAt])
	h.Write(make([]byte, 32))
	h.Write(head[rootHashAt+32 : headerSize])
	h.Write(dir)
	var sum [32]byte
	h.Sum(sum[:0])
	return sum
}

func headerError(at int64, reason string, args ...any) error {
	return &CorruptError{Offset: at, Reason: fmt.Sprintf(reason, args...)}
}

// parseHeader checks and decodes the first 128 bytes of a file of size bytes.
func parseHeader(b []byte, size int64) (*header, error) {
	h, err := readHeader(b, size)
	if err != nil {
		return nil, err
	}
	if err := h.check(b, size); err != nil {
		return nil, err
	}
	return h, nil
}

// readHeader decodes the first 128 bytes after a look at what kind of file it is and of which version.
func readHeader(b []byte, size int64) (*header, error) {
	if err := sniff(b, size); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	h := &header{version: le.Uint32(b[8:]), minReader: le.Uint32(b[12:])}
	if h.version != Version || h.minReader > Version {
		return nil, &VersionError{Got: h.version, Min: h.minReader}
	}
	h.length, h.dirOffset, h.dirEntries = le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint32(b[32:])
	copy(h.rootHash[:], b[rootHashAt:])
	return h, nil
}

// check compares what the header says with itself and with the size of the file.
func (h *header) check(b []byte, size int64) error {
	kind := binary.LittleEndian.Uint32(b[36:])
	switch {
	case kind != hashSHA256:
		return headerError(36, "hash kind %d, want 1 (SHA-256)", kind)
	case !zero(b[40:rootHashAt]):
		return headerError(40, "reserved bytes are not zero")
	case !zero(b[rootHashAt+32 : headerSize]):
		return headerError(rootHashAt+32, "reserved bytes are not zero")
	case h.length > uint64(size):
		return headerError(16, "the file is cut off: %d bytes, its header says %d", size, h.length)
	case h.dirOffset != headerSize:
		return headerError(24, "directory at byte %d, want %d", h.dirOffset, headerSize)
	case h.dirEntries == 0 || h.dirEntries > maxEntries:
		return headerError(32, "%d directory entries, want 1 to %d", h.dirEntries, maxEntries)
	case h.length < headerSize+uint64(h.dirEntries)*entrySize:
		return headerError(16, "file length %d ends inside the directory", h.length)
	}
	return nil
}

// parseEntry decodes a row of the directory; unknown flags are for the caller to refuse.
func parseEntry(row []byte) Entry {
	le := binary.LittleEndian
	e := Entry{Tag: Tag(row[:4]), Critical: le.Uint32(row[4:])&criticalFlag != 0}
	e.Offset, e.Length, e.Rows = le.Uint64(row[8:]), le.Uint64(row[16:]), le.Uint64(row[24:])
	copy(e.Root[:], row[32:])
	e.leaf = PageSize(row[5])
	return e
}

// parseDirectory checks and decodes the directory: sorted tags, blocks on page borders without overlap.
func parseDirectory(b []byte, h *header) ([]Entry, error) {
	entries := make([]Entry, h.dirEntries)
	spans := make([]span, 0, len(entries))
	for i := range entries {
		row, at := b[i*entrySize:(i+1)*entrySize], int64(headerSize+i*entrySize)
		e := &entries[i]
		*e = parseEntry(row)
		flags := binary.LittleEndian.Uint32(row[4:])
		switch {
		case flags&^knownFlags != 0:
			return nil, headerError(at+4, "entry %s has unknown flags %#x", e.Tag, flags)
		case !e.Tag.printable():
			return nil, headerError(at, "entry %s is not four printable ASCII characters", e.Tag)
		case i > 0 && bytes.Compare(entries[i-1].Tag[:], e.Tag[:]) >= 0:
			return nil, headerError(at, "entry %s is not sorted after %s", e.Tag, entries[i-1].Tag)
		case e.leaf != wantLeaf(e.Tag, e.leaf):
			return nil, headerError(at+5, "entry %s has pages of 2^%d bytes, want %d, %d or %d, and 0 of %s and %s",
				e.Tag, e.leaf, RowPages, FinePages, CoarsePages, TagTree, TagSums)
		case e.Offset%pageSize != 0:
			return nil, headerError(at+8, "block %s begins at byte %d, which is no multiple of %d",
				e.Tag, e.Offset, pageSize)
		case e.Offset < headerSize+uint64(h.dirEntries)*entrySize || e.Offset > h.length ||
			e.Length > h.length-e.Offset:
			return nil, headerError(at+8, "block %s [%d, +%d) does not fit the file of %d bytes",
				e.Tag, e.Offset, e.Length, h.length)
		}
		spans = append(spans, span{e.Offset, e.Offset + e.Length})
	}
	sortSpans(spans)
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return nil, headerError(headerSize, "blocks overlap at byte %d", spans[i].from)
		}
	}
	return entries, nil
}

// wantLeaf returns leaf if a block of that tag may have pages of that size, else a size that it may have.
func wantLeaf(tag Tag, leaf PageSize) PageSize {
	switch {
	case tag == TagTree || tag == TagSums:
		return 0
	case leaf == RowPages || leaf == FinePages:
		return leaf
	}
	return CoarsePages
}

// span is a range of bytes [from, to).
type span struct{ from, to uint64 }

func sortSpans(spans []span) {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

func alignUp(n, to uint64) uint64 { return (n + to - 1) / to * to }
