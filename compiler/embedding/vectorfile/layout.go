package vectorfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
)

// Extension is what names of parts end in.
const Extension = ".kddv"

const (
	magic       = "KDDVEC3\n"
	endMagic    = "KDDVEND\n"
	family      = "KDDVEC" // what the magic of every version begins with
	maxHead     = 256 << 10
	maxDim      = 1 << 16
	entryBytes  = sha256.Size + 16
	footerBytes = 8 + sha256.Size + len(endMagic)
)

// Key is the SHA-256 of a text.
type Key = [sha256.Size]byte

// Head says what the vectors of a file are.
type Head struct {
	Recipe embedding.Recipe `json:"recipe"`
	Dim    int              `json:"dim"`              // numbers of a vector
	Shard  int              `json:"shard"`            // 0 to Shards-1
	Shards int              `json:"shards,omitempty"` // 0: the file is no part
	Texts  int              `json:"texts,omitempty"`  // rows that the part is to have
}

// Begins says whether head, the first bytes of a file, may be those of a file of vectors, of any version.
func Begins(head []byte) bool {
	n := min(len(head), len(family))
	return string(head[:n]) == family[:n]
}

// recordBytes is the size of a row with its key and check.
func (h *Head) recordBytes() int64 { return int64(sha256.Size + 8 + 4*h.Dim) }

// FixedBytes is the size of a file without rows, and RowBytes what each adds.
func (h *Head) FixedBytes() int64 { return int64(len(h.encode()) + footerBytes) }

// RowBytes is what a row adds to a file.
func (h *Head) RowBytes() int64 { return h.recordBytes() + entryBytes }

// encode returns the beginning of a file.
func (h *Head) encode() []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // plain strings and numbers
	}
	return append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text))), text...)
}

// cut is the cure of a file that lacks its end.
const cut = `make it again with "kdd embed", or go on with --resume`

// readHead reads the beginning of a file and returns it as it is there.
func readHead(r io.Reader) (*Head, []byte, error) {
	start := make([]byte, len(magic)+4)
	n, err := io.ReadFull(r, start)
	switch {
	case n >= len(magic) && string(start[:len(magic)]) == magic:
	case n >= len(magic) && string(start[:len(family)]) == family:
		return nil, nil, diag.Cure(`make it again with this kdd's "kdd embed"`,
			"vectors in the format %q of another version of kdd, want %q", start[:len(magic)-1], magic[:len(magic)-1])
	default:
		return nil, nil, diag.Cure(`want what "kdd embed" makes`, "no file of vectors")
	}
	if err != nil {
		return nil, nil, diag.Cure(cut, "cut short after %d bytes", n)
	}
	size := binary.LittleEndian.Uint32(start[len(magic):])
	if size > maxHead {
		return nil, nil, diag.Cure(`make it again with "kdd embed"`, "damaged: a head of %d bytes, want at most %d", size, maxHead)
	}
	text := make([]byte, size)
	if n, err := io.ReadFull(r, text); err != nil {
		return nil, nil, diag.Cure(cut, "cut short after %d bytes", len(start)+n)
	}
	h := &Head{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, nil, diag.Cure(`make it again with "kdd embed"`, "damaged: its head is no JSON: %v", err)
	}
	if h.Dim < 1 || h.Dim > maxDim || h.Shards < 0 || h.Shard < 0 || h.Shards > 0 && h.Shard >= h.Shards || h.Texts < 0 {
		return nil, nil, diag.Cure(`make it again with "kdd embed"`, "damaged: a head with dim %d, shard %d of %d and %d texts",
			h.Dim, h.Shard, h.Shards, h.Texts)
	}
	return h, append(start, text...), nil
}

// ReadHead returns the beginning of a file, which may be one that a run has left unfinished. Errors: of reading, and
// where it is none.
func ReadHead(path string) (*Head, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, _, err := readHead(f)
	return h, err
}

// Entry is what the table says of a row.
type Entry struct {
	Key   Key
	check [8]byte
	Age   uint32
}

func (e *Entry) append(b []byte) []byte {
	b = append(append(b, e.Key[:]...), e.check[:]...)
	b = binary.LittleEndian.AppendUint32(b, e.Age)
	return binary.LittleEndian.AppendUint32(b, 0)
}

func readEntry(b []byte) Entry {
	return Entry{Key: Key(b), check: [8]byte(b[sha256.Size:]), Age: binary.LittleEndian.Uint32(b[sha256.Size+8:])}
}

// checkOf returns the check of a row, which is given as it is stored.
func checkOf(key *Key, row []byte) [8]byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(row)
	return [8]byte(h.Sum(nil)[:8])
}

// appendRow appends a row as it is stored.
func appendRow(b []byte, row []float32) []byte {
	for _, x := range row {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// lengthSlack is by how much the length of a vector may differ from 1: what rounding of 2^16 numbers can do.
const lengthSlack = 1e-2

// decodeRow reads a row of unit length, or of zeros.
func decodeRow(dst []float32, row []byte) error {
	var sum float64
	for k := range dst {
		dst[k] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*k:]))
		sum += float64(dst[k]) * float64(dst[k])
	}
	if length := math.Sqrt(sum); length != 0 && !(math.Abs(length-1) <= lengthSlack) { // NaN too
		return fmt.Errorf("a vector of length %g, want 1", length)
	}
	return nil
}

// compareKeys orders keys.
func compareKeys(a, b *Key) int { return bytes.Compare(a[:], b[:]) }

// prefixOf is the beginning of a key; prefixes are ordered as keys are.
func prefixOf(key *Key) uint64 { return binary.BigEndian.Uint64(key[:]) }
