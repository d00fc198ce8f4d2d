package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"sync/atomic"
)

// File is an open artifact: the mapping, its directory and its checksums. It is safe for concurrent use; Close waits
// for nobody, so callers must know that no view is in use.
type File struct {
	Path     string
	data     []byte // header to file length
	whole    []byte // with trailers
	release  func() error
	head     header
	entries  []Entry
	blocks   []Block
	trailers []Trailer
	stamp    atomic.Pointer[Stamp] // nil for OpenBytes
	pages    *pages                // of a file that lies elsewhere; nil for others
	hashed   bool                  // OpenHashed
}

// Trailer is what follows the file length: provenance or signature, outside the root hash.
type Trailer struct {
	Tag     Tag
	Payload []byte // aliases the mapping: read it only, and not after Close
}

// TagProvenance is the tag of the trailer that says where the sources came from, FORMAT.md §5.
var TagProvenance = Tag{'P', 'R', 'O', 'V'}

// Block is one block of an open file. Its bytes are checked against the checksum block before they are first used.
type Block struct {
	Entry
	data []byte
	sums []byte          // CRC-32C per crcPage of data
	seen []atomic.Uint32 // bit per page: checked

	shift  uint8  // log2 of a page's size
	pages  *pages // brings the pages; nil for a file of this machine
	number int    // of the block in the directory
	hashes []byte // SHA-256 of each page, in place of sums; nil for most files
}

// Open maps the file at path and checks header, directory and checksum block. Cost: O(blocks + bytes/4096).
//
// The error is a ForeignError, VersionError, CorruptError or from the operating system; all but the last name no path.
// On Windows the file is read into memory, so that it can be replaced while it is open.
func Open(path string) (*File, error) {
	data, info, release, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	var f *File
	err = Guard(func() (err error) {
		f, err = OpenBytes(data)
		return err
	})
	if err != nil {
		release()
		return nil, err
	}
	f.Path, f.release = path, release
	f.stamp.Store(newStamp(info))
	return f, nil
}

// OpenHashed is Open for a file whose root hash somebody vouches for: each page is compared on its first use with its
// SHA-256, which the root hash covers, and not with its CRC-32C, which is easy to forge. Cost: SHA-256 of the page hashes
// at once, .4 % of the file at most; then 15 times that of a file that Open opened for each page, some 13 µs for 16 KiB.
func OpenHashed(path string) (*File, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := f.hashPages(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// hashPages gives each block the hashes of its pages, after a look at TREE as a whole.
func (f *File) hashPages() error {
	tree := f.Block(TagTree)
	at := placeTree(f.entries)
	if tree == nil || tree.Length != at.total || sha256.Sum256(tree.data) != tree.Root {
		return Corrupt(TagTree, "the block is missing, or its bytes are not those that the directory names")
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.Tag == TagTree || b.Tag == TagSums {
			b.trust()
			continue
		}
		b.shift, b.hashes = uint8(b.leaf), b.Root[:]
		if levels := at.of[i]; len(levels) > 0 {
			b.hashes = tree.data[levels[0]:][:treeLevels(b.Length, b.leaf)[0]*hashBytes]
		}
		b.forget()
	}
	f.hashed = true
	return nil
}

// Hashed says whether OpenHashed opened the file: what lies outside of its root hash is not to be believed.
func (f *File) Hashed() bool { return f.hashed }

// OpenBytes opens a file that lies in memory. It keeps data.
func OpenBytes(data []byte) (*File, error) {
	h, entries, err := openHead(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	f := &File{data: data[:h.length], whole: data, head: *h, entries: entries, blocks: make([]Block, len(entries))}
	var sums []byte
	var pages uint64
	for i, e := range entries {
		b := &f.blocks[i]
		b.Entry, b.data = e, f.data[e.Offset:e.Offset+e.Length:e.Offset+e.Length]
		if e.Tag == TagSums {
			if sha256.Sum256(b.data) != e.Root {
				return nil, &CorruptError{Block: TagSums, Offset: int64(e.Offset),
					Reason: "its SHA-256 is not the directory's"}
			}
			sums = b.data
			b.trust()
			continue
		}
		pages += sumPages(e.Length)
	}
	if uint64(len(sums)) != pages*4 {
		return nil, Corrupt(TagSums, "%d bytes, the blocks need %d", len(sums), pages*4)
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.Tag == TagSums {
			continue
		}
		n := sumPages(b.Length)
		b.sums, sums = sums[:n*4], sums[n*4:]
		b.shift = crcBits
		b.forget()
	}
	if f.trailers, err = parseTrailers(data[h.length:], h.length); err != nil {
		return nil, err
	}
	return f, nil
}

// openHead checks and decodes header and directory, which lie in the first bytes of a file of size bytes.
func openHead(data []byte, size int64) (*header, []Entry, error) {
	h, err := parseHeader(data, size)
	if err != nil {
		return nil, nil, err
	}
	end := headerSize + int(h.dirEntries)*entrySize
	if end > len(data) {
		return nil, nil, headerError(headerSize, "the directory ends at byte %d of %d", end, len(data))
	}
	dir := data[headerSize:end]
	if got := rootHash(data[:headerSize], dir); got != h.rootHash {
		return nil, nil, headerError(rootHashAt, "root hash %x…, header and directory give %x…", h.rootHash[:4], got[:4])
	}
	entries, err := parseDirectory(dir, h)
	return h, entries, err
}

// trailerHash returns SHA-256 over a trailer's first 16 bytes and its payload.
func trailerHash(head, payload []byte) (sum [32]byte) {
	h := sha256.New()
	h.Write(head)
	h.Write(payload)
	h.Sum(sum[:0])
	return sum
}

// parseTrailers decodes the bytes after the file's length, which begin at byte at.
func parseTrailers(data []byte, at uint64) ([]Trailer, error) {
	var list []Trailer
	for rest := data; len(rest) > 0; {
		here := int64(at) + int64(len(data)-len(rest))
		if len(list) == maxTrailers || len(rest) < trailerHeader {
			return nil, headerError(here, "%d bytes after the end that are no trailer", len(rest))
		}
		n := binary.LittleEndian.Uint64(rest[8:])
		if binary.LittleEndian.Uint32(rest[4:]) != 0 || n > maxTrailer || n > uint64(len(rest)-trailerHeader) {
			return nil, headerError(here, "malformed trailer")
		}
		t := Trailer{Tag: Tag(rest[:4]), Payload: rest[trailerHeader : trailerHeader+n]}
		if len(list) == 1 && list[0].Tag == t.Tag {
			return nil, headerError(here, "trailer %s is there twice", t.Tag)
		}
		if sum := trailerHash(rest[:16], t.Payload); !bytes.Equal(sum[:], rest[16:trailerHeader]) {
			return nil, headerError(here, "trailer %s does not have the hash it says", t.Tag)
		}
		list, rest = append(list, t), rest[trailerHeader+n:]
	}
	return list, nil
}

// Close unmaps the file. No view may be used after it.
func (f *File) Close() error {
	if f.release == nil {
		return nil
	}
	release := f.release
	f.release = nil
	return release()
}

// ID returns the first 16 hex digits of the root hash.
func (f *File) ID() string { return hex.EncodeToString(f.head.rootHash[:8]) }

// Version returns the version of the format that the file is of.
func (f *File) Version() uint32 { return f.head.version }

// RootHash returns the hash that names the artifact.
func (f *File) RootHash() [32]byte { return f.head.rootHash }

// Bytes returns the file's size with its trailers.
func (f *File) Bytes() int64 {
	if f.pages != nil {
		return f.pages.Size
	}
	return int64(len(f.whole))
}

// Trailers returns what follows the file's length. It reads them first if the file lies elsewhere, and fails (see
// Guard) where that fails or they are malformed.
func (f *File) Trailers() []Trailer {
	if f.pages == nil {
		return f.trailers
	}
	f.pages.trailing.Lock()
	defer f.pages.trailing.Unlock()
	if f.trailers == nil {
		list, err := f.pages.readTrailers(f.head.length)
		if err != nil {
			panic(err)
		}
		f.trailers = list
	}
	return f.trailers
}

// Entries returns the directory, sorted by tag. The slice belongs to f.
func (f *File) Entries() []Entry { return f.entries }

// Raw returns copies of the blocks as Lay was given them.
func (f *File) Raw() []RawBlock {
	var list []RawBlock
	for _, i := range byOffset(f.entries) {
		if e := f.entries[i]; e.Tag != TagTree && e.Tag != TagSums {
			list = append(list, RawBlock{Tag: e.Tag, Critical: e.Critical, Rows: e.Rows,
				Data: bytes.Clone(f.blocks[i].All()), Pages: e.leaf})
		}
	}
	return list
}

// Changed says whether the file at f.Path is still the one that was mapped, and as it was. Cost: a stat; where the system
// says that the file or its rights or links changed, but its size and time are the same, a look at all that was read.
func (f *File) Changed() Change {
	before := f.stamp.Load()
	switch {
	case f.pages != nil && f.pages.Changed != nil && f.pages.Changed():
		return Replaced
	case before == nil:
		return Same
	}
	now, err := StampOf(f.Path)
	if err != nil {
		return Replaced
	}
	change := before.Change(now)
	if change != Touched {
		return change
	}
	if !f.unchanged() {
		return Written
	}
	f.stamp.Store(&now)
	return Same
}

// unchanged says whether all that was read of the mapping is still what it was.
func (f *File) unchanged() bool {
	same := true
	err := Guard(func() error {
		for i := range f.blocks {
			same = same && f.blocks[i].unchanged()
		}
		return nil
	})
	return same && err == nil
}

// Block returns the block of that tag, or nil.
func (f *File) Block(tag Tag) *Block {
	for i := range f.blocks {
		if f.blocks[i].Tag == tag {
			return &f.blocks[i]
		}
	}
	return nil
}

// All returns the whole block after checking all of it once. It fails (see Guard) where a checksum is wrong.
func (b *Block) All() []byte { return b.Range(0, uint64(len(b.data))) }

// Range returns bytes [at, at+n) of the block, checking the pages it touches on their first use.
// The slice aliases the mapping: read it only, and not after Close.
func (b *Block) Range(at, n uint64) []byte {
	if at > uint64(len(b.data)) || n > uint64(len(b.data))-at {
		Fail(b.Tag, "range [%d, +%d) does not fit %d bytes", at, n, len(b.data))
	}
	if n == 0 {
		return nil
	}
	b.check(at, n)
	return b.data[at : at+n : at+n]
}

// Word returns the number in bytes [at, at+8) of the block, checking the pages it touches on their first use. It panics
// if they lie outside of the block: a caller's bug. Cost: 1 ns.
func (b *Block) Word(at uint64) uint64 {
	if page := at >> (b.shift & 63); (at+7)>>(b.shift&63) != page || !b.checked(page) {
		b.check(at, 8)
	}
	return binary.LittleEndian.Uint64(b.data[at:])
}

// check fails unless the pages of bytes [at, at+n) have their checksums. It looks at each page once.
func (b *Block) check(at, n uint64) {
	if b.pages != nil {
		b.bring(at, n)
		return
	}
	for page := at >> b.shift; page <= (at+n-1)>>b.shift; page++ {
		if b.checked(page) {
			continue
		}
		if err := b.compare(page); err != nil {
			panic(err)
		}
		b.mark(page)
	}
}

// compare compares a page with its SHA-256 in a file of OpenHashed, with its checksum in others. It returns nil if they
// agree.
func (b *Block) compare(page uint64) *CorruptError {
	from := page << b.shift
	data, reason := b.data[from:min(from+1<<b.shift, b.Length)], ""
	if b.hashes != nil {
		if sha256.Sum256(data) != [hashBytes]byte(b.hashes[page*hashBytes:][:hashBytes]) {
			reason = "its bytes are not those under the root hash"
		}
	} else if got, want := crc32.Checksum(data, castagnoli), binary.LittleEndian.Uint32(b.sums[page*4:]); got != want {
		reason = fmt.Sprintf("checksum %08x, want %08x", got, want)
	}
	if reason == "" {
		return nil
	}
	return &CorruptError{Block: b.Tag, Offset: int64(b.Offset + from), Reason: reason}
}

// unchanged says whether all pages that were checked are still what they were, and the checksums too.
func (b *Block) unchanged() bool {
	if b.sums == nil && b.hashes == nil { // the block of the checksums, or any of a file that Verify opened
		return b.Intact()
	}
	for page := uint64(0); page<<b.shift < b.Length; page++ {
		if b.checked(page) && b.compare(page) != nil {
			return false
		}
	}
	return true
}

// bring is check for a file that lies elsewhere: it reads the pages that are missing.
func (b *Block) bring(at, n uint64) {
	for page := at >> b.shift; page <= (at+n-1)>>b.shift; page++ {
		if !b.checked(page) {
			if err := b.pages.fetch([]Span{{b, at, n}}); err != nil {
				panic(err)
			}
			return
		}
	}
}

// Remote says whether the block is of a file that lies elsewhere.
func (b *Block) Remote() bool { return b.pages != nil }

// checked says whether a page is there and has its checksum, or its hash if the file lies elsewhere.
func (b *Block) checked(page uint64) bool { return b.seen[page/32].Load()&(1<<(page%32)) != 0 }

// mark says that a page was checked.
func (b *Block) mark(page uint64) { b.seen[page/32].Or(1 << (page % 32)) }

// forget marks all pages as unseen.
func (b *Block) forget() {
	n := uint64(1)
	if b.shift != wholeShift {
		n = (b.Length + 1<<b.shift - 1) >> b.shift
	}
	b.seen = make([]atomic.Uint32, (n+31)/32)
}

// Bare returns a block of bytes that belong to no file and need no check.
func Bare(tag Tag, data []byte) *Block {
	b := &Block{Entry: Entry{Tag: tag, Length: uint64(len(data))}, data: data}
	b.trust()
	return b
}

// trust marks all pages as checked: Verify compares checksums itself and goes on with what is broken.
func (b *Block) trust() {
	b.shift = crcBits
	b.forget()
	for i := range b.seen {
		b.seen[i].Store(1<<32 - 1)
	}
}

// Intact says whether the block has the root that the directory gives it. Cost: SHA-256 of the block.
func (b *Block) Intact() bool {
	_, root := blockTree(b.All(), b.leaf)
	return root == b.Root
}

// Len returns the block's size in bytes.
func (b *Block) Len() uint64 { return uint64(len(b.data)) }
