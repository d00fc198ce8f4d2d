package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
)

// TestVerifyContainer checks that what is wrong with header, directory, checksums, padding and trailers is reported, at
// its place, and that nothing else is.
func TestVerifyContainer(t *testing.T) {
	data := demoTrailers(demo(t))
	f, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	place := func(tag string) int { return int(f.Block(Tag([]byte(tag))).Offset) }
	length := int(le.Uint64(data[16:]))
	tests := []struct {
		name   string
		edit   func(b []byte) []byte
		block  string // "": no problem
		offset int
		text   string
	}{
		{"intact", func(b []byte) []byte { return b }, "", 0, ""},
		{"reserved bytes", func(b []byte) []byte { b[100] = 1; return b }, "header", 96, "reserved"},
		{"root hash", func(b []byte) []byte { b[rootHashAt] ^= 1; return b }, "header", rootHashAt, "root hash"},
		{"directory elsewhere", func(b []byte) []byte { b[24]++; return b }, "header", 24, "directory at byte 129"},
		{"flags", func(b []byte) []byte { b[headerSize+4] |= 8; return resealed(b) }, "directory", headerSize + 4, "flags"},
		{"a block off the file", func(b []byte) []byte { le.PutUint64(b[headerSize+entrySize+16:], 1<<40); return resealed(b) },
			"directory", headerSize + entrySize + 8, "does not fit"},
		{"a short block", func(b []byte) []byte { b[place("DEMO")] ^= 1; return b }, "DEMO", place("DEMO"), "page 0"},
		{"the second page", func(b []byte) []byte { b[place("LONG")+crcPage+5] ^= 1; return b }, "LONG",
			place("LONG") + crcPage, "page 1 and SHA-256"},
		{"checksums", func(b []byte) []byte { b[place("CRCS")] ^= 1; return b }, "CRCS", place("CRCS"), "SHA-256"},
		{"padding", func(b []byte) []byte { b[place("DEMO")+3] = 7; return b }, "padding", place("DEMO") + 3, "0x07"},
		{"a trailer", func(b []byte) []byte { b[length+50] ^= 1; return b }, "trailer", length, "hash"},
		{"cut off", func(b []byte) []byte { return b[:length-1] }, "header", 16, "cut off"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := VerifyBytes(tt.edit(bytes.Clone(data)))
			if err != nil {
				t.Fatalf("VerifyBytes = %v", err)
			}
			if tt.block == "" {
				if len(r.Problems) != 0 || len(r.File.Trailers()) != 2 {
					t.Errorf("VerifyBytes of the intact file = %v, %d trailers", r.Problems, len(r.File.Trailers()))
				}
				return
			}
			if len(r.Problems) == 0 {
				t.Fatal("VerifyBytes reports nothing")
			}
			p := r.Problems[0]
			if p.Block != tt.block || p.Offset != int64(tt.offset) || !strings.Contains(p.Text, tt.text) {
				t.Errorf("VerifyBytes reports %v, want %s at byte %d and %q", p, tt.block, tt.offset, tt.text)
			}
			if tag := []byte(tt.block); len(tag) == 4 && !r.Broken(Tag(tag)) {
				t.Errorf("Broken does not agree with %v", r.Problems)
			}
		})
	}
}

// TestVerifyNothing checks the errors of files that there is nothing to check in.
func TestVerifyNothing(t *testing.T) {
	newer := demo(t)
	newer[8] = 9
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{
		"foreign": {[]byte("# A text"), ErrNotKddx}, "newer": {newer, ErrVersion}, "header cut": {newer[:100], ErrCorrupt},
	} {
		if r, err := Verify(saved(t, tt.data)); r != nil || !errors.Is(err, tt.want) {
			t.Errorf("Verify of a %s file = %v, %v, want %v", name, r, err, tt.want)
		}
	}
	if _, err := Verify(t.TempDir() + "/none.kddx"); !os.IsNotExist(err) {
		t.Errorf("Verify of no file = %v, want not found", err)
	}
}

// TestReport checks that a report goes on with what others find: of one block at most maxProblems.
func TestReport(t *testing.T) {
	path := saved(t, demo(t))
	r, err := Verify(path)
	if err != nil || len(r.Problems) != 0 {
		t.Fatalf("Verify = %v, %v", r, err)
	}
	defer r.File.Close()
	if r.File.Path != path || r.File.Changed() != Same {
		t.Errorf("the report's file is %q, changed %d", r.File.Path, r.File.Changed())
	}
	tag := Tag{'D', 'E', 'M', 'O'}
	for range maxProblems + 3 {
		r.Add(tag, "row %d", 7)
	}
	last := r.Problems[len(r.Problems)-1]
	if len(r.Problems) != maxProblems || !strings.HasSuffix(last.Text, "further ones are left out") || !r.Broken(tag) {
		t.Errorf("after %d problems there are %d, the last %v", maxProblems+3, len(r.Problems), last)
	}
	r.AddError(Tag{'L', 'O', 'N', 'G'}, Corrupt(tag, "told"))
	r.AddError(Tag{'N', 'O', 'N', 'E'}, Corrupt(Tag{'N', 'O', 'N', 'E'}, "its own"))
	r.AddError(Tag{}, errors.New("all of it"))
	var got []string
	for _, p := range r.Problems[maxProblems:] {
		got = append(got, p.Block+": "+p.Text)
	}
	if want := "LONG: DEMO: told, NONE: its own, header: all of it"; strings.Join(got, ", ") != want {
		t.Errorf("AddError reports %q, want %q", got, want)
	}
}

// FuzzVerify checks that any file gives a report or a sentinel.
func FuzzVerify(f *testing.F) {
	data := demoTrailers(demo(f))
	f.Add(uint32(0), []byte{})
	f.Add(uint32(headerSize+8), []byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(uint32(32), []byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		b := bytes.Clone(data)
		copy(b[int(at)%len(b):], patch)
		r, err := VerifyBytes(b)
		if err != nil {
			if !isSentinel(err) {
				t.Fatalf("VerifyBytes = %v, which is no sentinel", err)
			}
			return
		}
		if len(r.Problems) == 0 && !bytes.Equal(b, data) {
			t.Fatalf("VerifyBytes reports nothing with %x at byte %d", patch, int(at)%len(b))
		}
		var out bytes.Buffer
		name := func(Tag) string { return "a block" }
		if err := Dump(&out, r, DumpOptions{Rows: 2}, name, func(*Dumper, *Block) error { return nil }); err != nil {
			t.Fatalf("Dump = %v", err)
		}
	})
}
