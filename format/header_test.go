package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// resealed makes the root hash of a file right again.
func resealed(data []byte) []byte {
	n := binary.LittleEndian.Uint32(data[32:])
	end := min(uint64(len(data)), headerSize+uint64(n)*entrySize)
	sum := rootHash(data[:headerSize], data[headerSize:end])
	copy(data[rootHashAt:], sum[:])
	return data
}

func TestHeaderRejects(t *testing.T) {
	data := image(t, generate(1, 2))
	le := binary.LittleEndian
	entry := func(i int) int { return headerSize + i*entrySize }
	tests := []struct {
		name string
		edit func(b []byte) []byte
		want error
		text string
	}{
		{"newer version", func(b []byte) []byte { b[8] = 9; return b }, ErrVersion, "format 9"},
		{"newer reader", func(b []byte) []byte { b[12] = 9; return b }, ErrVersion, "reader 9"},
		{"hash kind", func(b []byte) []byte { b[36] = 2; return b }, ErrCorrupt, "hash kind 2"},
		{"reserved before the hash", func(b []byte) []byte { b[50] = 1; return b }, ErrCorrupt, "reserved"},
		{"reserved after the hash", func(b []byte) []byte { b[127] = 1; return b }, ErrCorrupt, "reserved"},
		{"length over the file", func(b []byte) []byte { le.PutUint64(b[16:], uint64(len(b))+1); return b }, ErrCorrupt, "cut off"},
		{"length 2^64-1", func(b []byte) []byte { le.PutUint64(b[16:], 1<<64-1); return b }, ErrCorrupt, "cut off"},
		{"length in the directory", func(b []byte) []byte { le.PutUint64(b[16:], 200); return b }, ErrCorrupt, "ends inside"},
		{"directory elsewhere", func(b []byte) []byte { b[24]++; return b }, ErrCorrupt, "directory at"},
		{"no entries", func(b []byte) []byte { le.PutUint32(b[32:], 0); return b }, ErrCorrupt, "entries"},
		{"255 entries", func(b []byte) []byte { le.PutUint32(b[32:], maxEntries+1); return b }, ErrCorrupt, "entries"},
		{"2^32-1 entries", func(b []byte) []byte { le.PutUint32(b[32:], 1<<32-1); return b }, ErrCorrupt, "entries"},
		{"flags", func(b []byte) []byte { b[entry(0)+4] |= 2; return b }, ErrCorrupt, "unknown flags"},
		{"tags out of order", func(b []byte) []byte { b[entry(0)] = 'Z'; return b }, ErrCorrupt, "not sorted"},
		{"a tag twice", func(b []byte) []byte { copy(b[entry(1):], b[entry(0):entry(0)+4]); return b }, ErrCorrupt, "not sorted"},
		{"a tag of control characters", func(b []byte) []byte { b[entry(0)] = 1; return b }, ErrCorrupt, "printable"},
		{"offset off the page", func(b []byte) []byte { b[entry(0)+8]++; return b }, ErrCorrupt, "multiple"},
		{"offset in the directory", func(b []byte) []byte { le.PutUint64(b[entry(0)+8:], 0); return b }, ErrCorrupt, "does not fit"},
		{"offset behind the end", func(b []byte) []byte { le.PutUint64(b[entry(0)+8:], 1<<40); return b }, ErrCorrupt, "does not fit"},
		{"length behind the end", func(b []byte) []byte { le.PutUint64(b[entry(0)+16:], 1<<64-1); return b }, ErrCorrupt, "does not fit"},
		{"overlap", func(b []byte) []byte { copy(b[entry(1)+8:], b[entry(0)+8:entry(0)+16]); return b }, ErrCorrupt, "overlap"},
		{"an unknown critical block", func(b []byte) []byte { copy(b[entry(0):], "AAAA"); return b }, ErrVersion, "block AAAA"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := tt.edit(bytes.Clone(data))
			_, err := OpenBytes(resealed(bytes.Clone(bad)))
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("OpenBytes = %v, want %v and %q", err, tt.want, tt.text)
			}
			if _, err := OpenBytes(bad); err == nil || !sentinel(err) {
				t.Errorf("OpenBytes without the right root hash = %v, want a sentinel", err)
			}
		})
	}
}

func TestTrailers(t *testing.T) {
	data := withTrailers(image(t, generate(1, 2)))
	f, err := OpenBytes(data)
	if err != nil || len(f.Trailers) != 2 || f.Trailers[0].Tag != TagProvenance || string(f.Trailers[1].Payload) != "signed" {
		t.Fatalf("OpenBytes = %v, %v, want two trailers", f, err)
	}
	id := f.ID()
	if f, err = OpenBytes(data[:f.head.length]); err != nil || f.ID() != id || len(f.Trailers) != 0 {
		t.Errorf("without trailers: %v, id %s, want %s", err, f.ID(), id)
	}
	tests := []struct {
		name string
		data []byte
	}{
		{"three", AppendTrailer(bytes.Clone(data), TagSignature, nil)},
		{"cut", data[:len(data)-1]},
		{"a byte more", append(bytes.Clone(data), 0)},
		{"too long", AppendTrailer(data[:f.head.length:f.head.length], TagSignature, make([]byte, maxTrailer+1))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := OpenBytes(tt.data); !errors.Is(err, ErrCorrupt) {
				t.Errorf("OpenBytes = %v, want a corrupt index", err)
			}
		})
	}
}

func FuzzHeader(f *testing.F) {
	c := generate(1, 0)
	data := image(f, c)
	f.Add(data[:headerSize+2*entrySize])
	f.Add(data[:headerSize])
	f.Fuzz(func(t *testing.T, head []byte) {
		// What follows the header and directory is the valid file's; the root hash is made right.
		b := bytes.Clone(data)
		copy(b, head)
		if n := binary.LittleEndian.Uint32(b[32:]); n <= maxEntries {
			b = resealed(b)
		}
		file, err := OpenBytes(b)
		if err != nil {
			if !sentinel(err) {
				t.Fatalf("OpenBytes = %v, which is no sentinel", err)
			}
			return
		}
		var dir []byte
		for i := range file.entries {
			dir = appendEntry(dir, &file.entries[i])
		}
		if again := append(file.head.append(nil), dir...); !bytes.Equal(again, b[:len(again)]) {
			t.Fatalf("header and directory %x, encoded again %x", b[:len(again)], again)
		}
	})
}

func FuzzTable(f *testing.F) {
	for _, rows := range []int{0, 1, 65, 100} {
		b := newTable(rows)
		b.plain(func(i int) uint64 { return uint64(i * i) })
		b.rising(func(i int) uint64 { return uint64(i * 3) })
		f.Add(b.bytes())
	}
	spec := []columnSpec{{"a", numberCell, false}, {"b", numberCell, true}}
	f.Fuzz(func(t *testing.T, b []byte) {
		columns, err := parseTable(tagDocs, b, spec)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("parseTable = %v, want a corrupt index", err)
			}
			return
		}
		if columns[0].rows > 8*uint64(len(b)) {
			t.Fatalf("%d rows in %d bytes", columns[0].rows, len(b))
		}
		err = Guard(func() error {
			for row := range uint32(columns[0].rows) {
				columns[0].at(row)
				columns[1].at(row)
			}
			columns[1].search(columns[0].base)
			columns[1].pair(0, 1<<63)
			return nil
		})
		var corrupt *CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block != tagDocs) {
			t.Fatalf("at = %v, want a CorruptError of the table", err)
		}
	})
}

func FuzzDict(f *testing.F) {
	f.Add(encodeDict(nil), "a")
	f.Add(encodeDict([]string{"", "a", "ab", "abc", "b"}), "ab")
	var keys []string
	for c := 'a'; c <= 'z'; c++ {
		keys = append(keys, "key "+string(c))
	}
	f.Add(encodeDict(keys), "key m")
	f.Fuzz(func(t *testing.T, b []byte, key string) {
		d, err := parseDict(tagTerms, b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("parseDict = %v, want a corrupt index", err)
			}
			return
		}
		n := 0
		err = Guard(func() error {
			d.Find(key)
			for range d.Prefix(key) {
			}
			for i := range d.From("") {
				d.At(i)
				n++
			}
			return nil
		})
		var corrupt *CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block != tagTerms) {
			t.Fatalf("walk = %v, want a CorruptError of the dictionary", err)
		}
		if n > d.Len() {
			t.Fatalf("walked over %d strings of %d", n, d.Len())
		}
	})
}

// FuzzFile changes bytes of a whole file, with and without making its hashes right again.
func FuzzFile(f *testing.F) {
	data := image(f, generate(11, 4))
	intact := walk(open(f, data))
	list := rawBlocks(f, data)
	f.Add(uint32(100), byte(1), uint8(0), []byte{})
	f.Add(uint32(9000), byte(0x80), uint8(3), []byte{1, 2, 3})
	f.Add(uint32(20), byte(0xff), uint8(20), []byte("text"))
	f.Fuzz(func(t *testing.T, at uint32, flip byte, block uint8, patch []byte) {
		if flip != 0 {
			bad := bytes.Clone(data)
			bad[int(at)%len(bad)] ^= flip
			if !named(t, bad) {
				t.Fatalf("Verify names nothing with byte %d changed", int(at)%len(bad))
			}
			sameOrCorrupt(t, "flip", intact, bad)
		}
		sealed := append([]RawBlock(nil), list...)
		b := &sealed[int(block)%len(sealed)]
		if len(b.Data) == 0 || len(patch) == 0 {
			return
		}
		b.Data = bytes.Clone(b.Data)
		copy(b.Data[int(at)%len(b.Data):], patch)
		im, err := Lay(sealed)
		if err != nil {
			t.Fatal(err)
		}
		bad := written(t, im)
		named(t, bad)
		soundOrCorrupt(t, "sealed block "+b.Tag.String(), bad)
	})
}
