package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"kdd/format"
	"kdd/format/index"
)

// Damages that no change of single bytes makes: those behind a compression or a hash of their own (FORMAT.md §2, §3,
// §8).

const (
	textHeader, textEntry   = 16, 8
	headerBytes, entryBytes = 128, 64
	rootAt                  = 64
)

var (
	pack, _   = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	unpack, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
)

// retext damages a frame of the text block, packed or unpacked, and gives it the checksum that it then has. It says
// nothing if the block's index is damaged already.
func retext(r *rand.Rand, b *format.RawBlock) string {
	le := binary.LittleEndian
	if len(b.Data) < textHeader {
		return ""
	}
	n := int(le.Uint32(b.Data[12:]))
	if n == 0 || n > (len(b.Data)-textHeader)/textEntry {
		return ""
	}
	i := r.IntN(n)
	from := textHeader + n*textEntry
	for k := range i {
		from += int(le.Uint32(b.Data[textHeader+k*textEntry:]))
	}
	entry := b.Data[textHeader+i*textEntry:]
	to := from + int(le.Uint32(entry))
	if to > len(b.Data) || to < from {
		return ""
	}
	frame, what := bytes.Clone(b.Data[from:to]), ""
	switch r.IntN(4) {
	case 0:
		for range 1 + r.IntN(3) {
			if len(frame) > 0 {
				frame[r.IntN(len(frame))] ^= 1 << r.IntN(8)
			}
		}
		what = "packed bytes flipped"
	case 1:
		size := 1 << (16 + r.IntN(12))
		frame = pack.EncodeAll(make([]byte, size), nil)
		what = fmt.Sprintf("%d bytes of zeros", size)
	default:
		raw, err := unpack.DecodeAll(frame, nil)
		if err != nil || len(raw) == 0 {
			return ""
		}
		part := strange[r.IntN(len(strange))]
		at := r.IntN(len(raw))
		if r.IntN(2) == 0 {
			at = 0
		}
		end := len(raw)
		if r.IntN(2) == 0 {
			end = min(end, at+len(part)*(1+r.IntN(100)))
		}
		copy(raw[at:end], strings.Repeat(part, (end-at)/len(part)+1))
		frame = pack.EncodeAll(raw, nil)
		what = fmt.Sprintf("[%d, %d) of the text is %.20q", at, end, part)
	}
	le.PutUint32(entry, uint32(len(frame)))
	le.PutUint32(entry[4:], crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
	b.Data = bytes.Join([][]byte{b.Data[:from], frame, b.Data[to:]}, nil)
	return fmt.Sprintf("TEXT: frame %d: %s", i, what)
}

// strange are texts that readers of text stumble over.
var strange = []string{
	"\xff", "\x00", "\n", "\r", "\r\n", " ", "`", "```\n", "[", "](", "<", "<!--", "*", "_", "#", "# a\n", "- ", "> ", "|", "|-", "\x1b[31m", "\u202e", "e\u0301", "\u0301",
	"a", "ab ", "9", "9.9.", "(", "\"", "\\", "---\n", "\xed\xa0\x80", "\U0010ffff", "日本", "{{", "://", "a.b.", "$", "Z\u200d",
}

// redirect damages a number of the directory or of the checksums, and makes the root hash right again.
func redirect(r *rand.Rand, data []byte) string {
	le := binary.LittleEndian
	n := int(le.Uint32(data[32:]))
	row := data[headerBytes+r.IntN(n)*entryBytes:][:entryBytes]
	tag, what := string(row[:4]), ""
	at, length := le.Uint64(row[8:]), le.Uint64(row[16:])
	switch field := r.IntN(5); {
	case field == 0:
		copy(row[r.IntN(4):], []byte{byte(0x20 + r.IntN(0x5f))})
		what = "another tag"
	case field == 4 && length > 0 && at+length <= uint64(len(data)):
		block := data[at : at+length]
		block[r.IntN(len(block))] ^= 1 << r.IntN(8)
		sum := sha256.Sum256(block)
		copy(row[32:], sum[:])
		what = "a bit behind its checksum"
	default:
		v := hostile[r.IntN(len(hostile))]
		if r.IntN(2) == 0 { // another block's
			other := data[headerBytes+r.IntN(n)*entryBytes:]
			v = le.Uint64(other[8*(1+r.IntN(3)):])
		}
		field = max(1, field%4)
		le.PutUint64(row[8*field:], v)
		what = fmt.Sprintf("number %d is %#x", field, v)
	}
	h := sha256.New()
	h.Write(data[:rootAt])
	h.Write(make([]byte, 32))
	h.Write(data[rootAt+32 : headerBytes+n*entryBytes])
	h.Sum(data[rootAt:rootAt])
	return "directory: " + tag + ": " + what
}

// trail puts trailers behind a file whose hashes are right and whose payload is not what a reader expects.
func trail(r *rand.Rand, data []byte) []byte {
	payloads := []string{
		"", "{", "null", "[]", "\xff", `{"source_commit":1}`, `{"source_commit":"\u001b[31m\u202e\n","source_date":"9999999-99-99","dirty":true}`, strings.Repeat("[", 1<<20),
		`{"source_commit":"` + strings.Repeat("a", 1<<19) + `"}`, `{"source_date":{"a":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9001) + "}",
	}
	tags := []format.Tag{format.TagProvenance, {'S', 'I', 'G', 'N'}, {0x1b, '[', 'm', 0}}
	data = bytes.Clone(data)
	for range 1 + r.IntN(3) {
		data = format.AppendTrailer(data, tags[r.IntN(len(tags))], []byte(payloads[r.IntN(len(payloads))]))
	}
	return data
}

// dumped prints a file's structure to nowhere, within the bounds of an answer.
func dumped(path string) error {
	start := time.Now()
	err := index.Dump(io.Discard, path, format.DumpOptions{Rows: 1000})
	if took := time.Since(start); took > maxTime {
		return fmt.Errorf("dump takes %s", took)
	}
	if err != nil && !sentinel(err) {
		return fmt.Errorf("dump: %w, which is no sentinel", err)
	}
	return nil
}
