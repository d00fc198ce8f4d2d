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
	data := demo(t)
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
		{"pages of 2^63 bytes", func(b []byte) []byte { b[entry(1)+5] = 63; return b }, ErrCorrupt, "pages of 2^63"},
		{"pages of checksums", func(b []byte) []byte { b[entry(0)+5] = 12; return b }, ErrCorrupt, "pages of 2^12"},
		{"tags out of order", func(b []byte) []byte { b[entry(1)] = 'A'; return b }, ErrCorrupt, "not sorted"},
		{"a tag twice", func(b []byte) []byte { copy(b[entry(1):], b[entry(0):entry(0)+4]); return b }, ErrCorrupt, "not sorted"},
		{"a tag of control characters", func(b []byte) []byte { b[entry(0)] = 1; return b }, ErrCorrupt, "printable"},
		{"offset off the page", func(b []byte) []byte { b[entry(0)+8]++; return b }, ErrCorrupt, "multiple"},
		{"offset in the directory", func(b []byte) []byte { le.PutUint64(b[entry(0)+8:], 0); return b }, ErrCorrupt, "does not fit"},
		{"offset behind the end", func(b []byte) []byte { le.PutUint64(b[entry(0)+8:], 1<<40); return b }, ErrCorrupt, "does not fit"},
		{"length behind the end", func(b []byte) []byte { le.PutUint64(b[entry(0)+16:], 1<<64-1); return b }, ErrCorrupt, "does not fit"},
		{"overlap", func(b []byte) []byte { copy(b[entry(1)+8:], b[entry(0)+8:entry(0)+16]); return b }, ErrCorrupt, "overlap"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := tt.edit(bytes.Clone(data))
			_, err := OpenBytes(resealed(bytes.Clone(bad)))
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("OpenBytes = %v, want %v and %q", err, tt.want, tt.text)
			}
			if _, err := OpenBytes(bad); err == nil || !isSentinel(err) {
				t.Errorf("OpenBytes without the right root hash = %v, want a sentinel", err)
			}
		})
	}
}

func TestTrailers(t *testing.T) {
	data := demoTrailers(demo(t))
	f, err := OpenBytes(data)
	if err != nil || len(f.Trailers()) != 2 || f.Trailers()[0].Tag != TagProvenance || string(f.Trailers()[1].Payload) != "signed" {
		t.Fatalf("OpenBytes = %v, %v, want two trailers", f, err)
	}
	once := AppendTrailer(data[:f.head.length:f.head.length], Tag{'S', 'I', 'G', 'N'}, []byte("signed"))
	if _, err := OpenBytes(AppendTrailer(once, Tag{'S', 'I', 'G', 'N'}, []byte("signed"))); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "there twice") {
		t.Errorf("a trailer that is there twice = %v, want an error", err)
	}
	id := f.ID()
	if f, err = OpenBytes(data[:f.head.length]); err != nil || f.ID() != id || len(f.Trailers()) != 0 {
		t.Errorf("without trailers: %v, id %s, want %s", err, f.ID(), id)
	}
	tests := []struct {
		name string
		data []byte
	}{
		{"three", AppendTrailer(bytes.Clone(data), Tag{'S', 'I', 'G', 'N'}, nil)},
		{"cut", data[:len(data)-1]},
		{"a byte more", append(bytes.Clone(data), 0)},
		{"too long", AppendTrailer(data[:f.head.length:f.head.length], Tag{'S', 'I', 'G', 'N'}, make([]byte, maxTrailer+1))},
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
	data := demo(f)
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
			if !isSentinel(err) {
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
