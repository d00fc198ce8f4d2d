package index

import (
	"fmt"
	"strings"
	"testing"

	"kdd/format"
)

// withIncludes is a document of 8 lines, of which lines 3 to 5 and 7 are of other files and a part of line 8 is, too.
func withIncludes(t *testing.T) []byte {
	t.Helper()
	c := generate(3, 40)
	d := DocID(0)
	for int(d) < len(c.Docs) && c.Docs[d].Lines < 8 {
		d++
	}
	if int(d) == len(c.Docs) {
		t.Fatal("no document has 8 lines")
	}
	c.Included = []Included{{Path: "a.rs", Size: 70, SHA256: [32]byte{1}}, {Path: "b.md", Size: 9, SHA256: [32]byte{2}}}
	c.Origins = []Origin{
		{Doc: d, Line: 3, Lines: 2, File: 0, First: 20}, {Doc: d, Line: 5, Lines: 1, File: None},
		{Doc: d, Line: 7, Lines: 1, File: 1, First: 1}, {Doc: d, Line: 8, File: 1, First: 4},
	}
	return image(t, c)
}

func TestIncludes(t *testing.T) {
	x := open(t, withIncludes(t))
	d := x.origin(0).Doc
	if x.Includes() != 2 || x.IncludedPath(1) != "b.md" || x.IncludedSize(0) != 70 || x.IncludedSHA256(1) != [32]byte{2} || x.IncludedRoot(0) != 0 {
		t.Errorf("%d files, %s, %d bytes", x.Includes(), x.IncludedPath(1), x.IncludedSize(0))
	}
	for line, want := range map[uint32]uint32{1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4} {
		if got := x.OwnLine(d, line); got != want {
			t.Errorf("OwnLine(%d) = %d, want %d", line, got, want)
		}
	}
	for own, want := range map[uint32]uint32{1: 1, 2: 2, 3: 6, 4: 8, 5: 9} {
		if got := x.TextLine(d, own); got != want {
			t.Errorf("TextLine(%d) = %d, want %d", own, got, want)
		}
	}
	for _, tt := range []struct {
		first, last uint32
		want        string
	}{
		{1, 2, ""}, {1, 3, "0:20-20"}, {4, 6, "0:21-21"}, {1, 9, "0:20-21 1:1-1 1:4-4"}, {8, 8, "1:4-4"}, {5, 6, ""}, {9, 9, ""},
	} {
		var got []string
		x.EachOrigin(d, tt.first, tt.last, func(file, from, to uint32) bool {
			got = append(got, fmt.Sprintf("%d:%d-%d", file, from, to))
			return true
		})
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("EachOrigin(%d, %d) = %s, want %s", tt.first, tt.last, s, tt.want)
		}
	}
	other := open(t, image(t, generate(3, 40)))
	if other.Includes() != 0 || other.OwnLine(0, 7) != 7 || other.TextLine(0, 7) != 7 || other.File.Block(tagIncluded) != nil {
		t.Error("a file without includes has some")
	}
}

func TestVerifyIncludes(t *testing.T) {
	data := withIncludes(t)
	d := uint64(open(t, data).origin(0).Doc)
	docs := []uint64{d, d}
	tests := []struct {
		name, block string
		tag         format.Tag
		edit        func(b *format.RawBlock)
		want        string
	}{
		{"right", "", tagOrigins, rowsOf(docs, []uint64{3, 7}, []uint64{2, 1}, []uint64{2, 4}, []uint64{1, 2}, []uint64{5, 1}), ""},
		{"overlap", "INCL", tagOrigins, rowsOf(docs, []uint64{3, 4}, []uint64{2, 1}, []uint64{2, 1}, []uint64{1, 2}, []uint64{5, 1}), "the row before"},
		{"own", "INCL", tagOrigins, rowsOf(docs, []uint64{3, 7}, []uint64{2, 1}, []uint64{2, 3}, []uint64{1, 2}, []uint64{5, 1}), "stands for line 3, want 4"},
		{"first line", "INCL", tagOrigins, rowsOf(docs, []uint64{1, 7}, []uint64{2, 1}, []uint64{0, 4}, []uint64{1, 2}, []uint64{5, 1}), "before its first line"},
		{"beyond the end", "INCL", tagOrigins, rowsOf(docs, []uint64{3, 7}, []uint64{2, 1 << 30}, []uint64{2, 4}, []uint64{1, 2}, []uint64{5, 1}), "which has"},
		{"no such file", "INCL", tagOrigins, rowsOf(docs, []uint64{3, 7}, []uint64{2, 1}, []uint64{2, 4}, []uint64{1, 9}, []uint64{5, 1}), "out of range"},
		{"line of no file", "INCL", tagOrigins, rowsOf(docs, []uint64{3, 7}, []uint64{2, 1}, []uint64{2, 4}, []uint64{1, 0}, []uint64{5, 1}), "lines from line"},
		{"documents", "INCL", tagOrigins, rowsOf([]uint64{d + 1, d}, []uint64{3, 7}, []uint64{1, 1}, []uint64{2, 6}, []uint64{1, 2}, []uint64{5, 1}), "below"},
		{"hashes", "INCH", tagIncludedHashes, func(b *format.RawBlock) { b.Data = b.Data[:32] }, "hashes"},
		{"cut off", "INCL", tagOrigins, func(b *format.RawBlock) { b.Data = b.Data[:20] }, "column headers"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := changed(t, data, tt.tag, tt.edit)
			verifyTells(t, bad, tt.block, tt.want)
			// Whatever it says, looking at lines ends, in an error or in lines.
			f, err := format.OpenBytes(bad)
			if err != nil {
				t.Fatal(err)
			}
			_ = format.Guard(func() error {
				x, err := New(f)
				if err != nil {
					return err
				}
				for line := range uint32(20) {
					x.OwnLine(DocID(d), line)
					x.TextLine(DocID(d), line)
					x.EachOrigin(DocID(d), line, line+3, func(_, _, _ uint32) bool { return true })
				}
				return nil
			})
		})
	}
}
