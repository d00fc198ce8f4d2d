package format

import (
	"bytes"
	"os"
	"slices"
	"testing"
)

// versions are two versions of remoteFile: bytes are inserted into the second, and some are changed.
func versions(t *testing.T) (before, after []byte) {
	t.Helper()
	before = remoteFile(t)
	f, err := OpenBytes(before)
	if err != nil {
		t.Fatal(err)
	}
	blocks := f.Raw()
	edit := func(tag string, change func(data []byte) []byte) {
		i := slices.IndexFunc(blocks, func(b RawBlock) bool { return b.Tag.String() == tag })
		blocks[i].Data = change(blocks[i].Data)
	}
	edit("HOT ", func(b []byte) []byte { b[2<<16] ^= 1; return b })
	edit("LONG", func(b []byte) []byte {
		b = slices.Insert(b, 200*4096+11, []byte("a second edit moves the rest again")...)
		return slices.Insert(b, 100*4096+5, []byte("an edit")...)
	})
	edit("ROWS", func(b []byte) []byte { return slices.Insert(b, 3*4096, make([]byte, 5000)...) })
	return before, AppendTrailer(laid(t, blocks), TagProvenance, []byte(`{"source_commit":"2"}`))
}

// TestAdopt reads a new version of a file beside an old one, which is whole, damaged or something else: the bytes are
// those of the new version, and of the host no more are asked than wanted.
func TestAdopt(t *testing.T) {
	before, after := versions(t)
	tests := []struct {
		name string
		old  []byte
		most float64 // share of the new file that is asked of the host
	}{
		{"the version before", before, .12},
		{"the same version", after, .08},
		{"cut in the middle", before[:len(before)/2], 1.1},
		{"cut in its directory", before[:200], 1.1},
		{"nothing", nil, 1.1},
		{"something else", []byte("# A document\n"), 1.1},
		{"every 50th byte is wrong", func() []byte {
			b := bytes.Clone(before)
			for i := 1 << 12; i < len(b); i += 50 {
				b[i] ^= 0x40
			}
			return b
		}(), 1.1},
		{"of holes", append(bytes.Clone(before[:1<<16]), make([]byte, len(before)-1<<16)...), 1.1},
	}
	for _, tt := range tests {
		for _, cached := range []bool{false, true} {
			h := &host{data: after}
			r := h.remote()
			if cached {
				_, r.Cache = cacheFile(t, os.O_RDWR)
			}
			f, err := OpenRemote(r)
			if err != nil {
				t.Fatal(err)
			}
			taken, err := f.Adopt(bytes.NewReader(tt.old), int64(len(tt.old)), 1<<16)
			if err != nil {
				t.Fatalf("%s: Adopt = %v", tt.name, err)
			}
			for _, raw := range f.Raw() {
				whole, err := OpenBytes(after)
				if err != nil {
					t.Fatal(err)
				}
				if want := whole.Block(raw.Tag).All(); !bytes.Equal(raw.Data, want) {
					t.Errorf("%s: block %s is not that of the new version", tt.name, raw.Tag)
				}
			}
			if asked := float64(h.bytes.Load()) / float64(len(after)); asked > tt.most {
				t.Errorf("%s: %.3f of the file was asked of the host, want at most %.3f; %d bytes were taken",
					tt.name, asked, tt.most, taken)
			}
			f.Close()
		}
	}
}

// TestAdoptBesideChanged has a block of which every page is another one: it leaves the others what they need.
func TestAdoptBesideChanged(t *testing.T) {
	before := remoteFile(t)
	f, err := OpenBytes(before)
	if err != nil {
		t.Fatal(err)
	}
	blocks := f.Raw()
	rows := 0
	for i, b := range blocks {
		switch b.Tag.String() {
		case "LONG":
			blocks[i].Data = bytes.Clone(b.Data)
			for at := 0; at < len(b.Data); at += 1 << 10 {
				blocks[i].Data[at] ^= 1
			}
		case "ROWS":
			blocks[i].Data = slices.Insert(bytes.Clone(b.Data), 3<<12, make([]byte, 5000)...)
			rows = len(b.Data)
		}
	}
	h := &host{data: laid(t, blocks)}
	remote, err := OpenRemote(h.remote())
	if err != nil {
		t.Fatal(err)
	}
	defer remote.Close()
	if _, err := remote.Adopt(bytes.NewReader(before), int64(len(before)), 1<<14); err != nil {
		t.Fatal(err)
	}
	asked := h.bytes.Load()
	remote.Block(Tag([]byte("ROWS"))).All()
	if asked = h.bytes.Load() - asked; asked > 4<<12 || rows <= 8<<12 {
		t.Errorf("of ROWS, which had %d bytes, %d were asked of the host, want at most 4 pages", rows, asked)
	}
}
