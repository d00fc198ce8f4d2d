package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"kdd/format"
)

// memoryBlock is a block of its own, with its checksums.
func memoryBlock(t testing.TB, tag format.Tag, data []byte) *format.Block {
	t.Helper()
	im, err := format.Lay([]format.RawBlock{{Tag: tag, Data: data}})
	if err != nil {
		t.Fatalf("Lay = %v", err)
	}
	f, err := format.OpenBytes(written(t, im))
	if err != nil {
		t.Fatalf("OpenBytes = %v", err)
	}
	return f.Block(tag)
}

func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, sizes := range [][]int{{}, {0}, {1}, {0, 5, 0}, {textFrame - 1}, {textFrame}, {textFrame + 1}, {100, 3 * textFrame, 7}} {
		t.Run(fmt.Sprint(sizes), func(t *testing.T) {
			var texts [][]byte
			for _, n := range sizes {
				b := make([]byte, n)
				for i := range b {
					b[i] = "abcd \n"[r.IntN(6)]
				}
				texts = append(texts, b)
			}
			all := bytes.Join(texts, nil)
			text, err := parseText(memoryBlock(t, tagText, PackTexts(texts).block))
			if err != nil || text.size() != uint64(len(all)) {
				t.Fatalf("parseText = %d bytes, %v, want %d", text.size(), err, len(all))
			}
			reader := text.Reader()
			for range 50 {
				from := r.IntN(len(all) + 1)
				to := from + r.IntN(len(all)-from+1)
				if got := reader.read([]byte("x"), uint64(from), uint64(to-from)); string(got) != "x"+string(all[from:to]) {
					t.Fatalf("Append(%d, %d) differs", from, to-from)
				}
			}
			for _, at := range [][2]uint64{{0, uint64(len(all)) + 1}, {uint64(len(all)) + 1, 0}, {1 << 63, 1 << 63}, {0, 1<<64 - 1}} {
				if err := format.Guard(func() error { reader.read(nil, at[0], at[1]); return nil }); !errors.Is(err, format.ErrCorrupt) {
					t.Errorf("Append(%d, %d) = %v, want a corrupt index", at[0], at[1], err)
				}
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "hello hello hello", string(bytes.Repeat([]byte("x"), textFrame+1))} {
		f.Add(PackTexts([][]byte{[]byte(s)}).block)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// The frames' checksums are made right, so that the decoder sees what the fuzzer made.
		if len(data) >= textHeader {
			n := int64(binary.LittleEndian.Uint32(data[12:]))
			if at := textHeader + n*textEntry; at <= int64(len(data)) {
				for i := range n {
					e := data[textHeader+i*textEntry:]
					size := int64(binary.LittleEndian.Uint32(e))
					if size > int64(len(data))-at {
						break
					}
					binary.LittleEndian.PutUint32(e[8:], crc32.Checksum(data[at:at+size], frameSums))
					at += size
				}
			}
		}
		text, err := parseText(memoryBlock(t, tagText, data))
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("parseText = %v, want a corrupt index", err)
			}
			return
		}
		err = format.Guard(func() error {
			reader := text.Reader()
			for _, f := range text.frames[:min(4, len(text.frames))] {
				reader.read(nil, f.start, min(100, text.total-f.start))
			}
			return nil
		})
		var corrupt *format.CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block != tagText) {
			t.Fatalf("Append = %v, want a CorruptError of the text", err)
		}
	})
}
