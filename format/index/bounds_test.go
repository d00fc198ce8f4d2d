package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/internal/table"

	"github.com/klauspost/compress/zstd"
)

// edited encodes a table anew, with what edit makes of its cells.
func edited(x *Index, tag format.Tag, edit func(column, row int, value uint64) uint64) []byte {
	columns := *x.tables()[tag]
	t := table.New(int(columns[0].Rows))
	for i := range columns {
		add := t.Plain
		for _, spec := range tableSpecs {
			if spec.tag == tag && spec.columns[i].Rising {
				add = t.Rising
			}
		}
		add(func(row int) uint64 { return edit(i, row, columns[i].At(uint32(row))) })
	}
	return t.Bytes()
}

// swollen returns a sealed file whose last document has frames more frames of 64 KiB, each packed into a few bytes.
func swollen(t *testing.T, frames int) []byte {
	t.Helper()
	data := image(t, generate(3, 4))
	x := open(t, data)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithWindowSize(textFrame))
	if err != nil {
		t.Fatal(err)
	}
	filler := enc.EncodeAll(bytes.Repeat([]byte{' '}, textFrame), nil)
	data = changed(t, data, tagText, func(b *format.RawBlock) {
		le := binary.LittleEndian
		n := int(le.Uint32(b.Data[12:]))
		split := textHeader + n*textEntry
		block := bytes.Clone(b.Data[:split])
		le.PutUint64(block, le.Uint64(block)+uint64(frames)*textFrame)
		le.PutUint32(block[12:], uint32(n+frames))
		for range frames {
			block = le.AppendUint32(block, textFrame)
			block = le.AppendUint32(block, uint32(len(filler)))
			block = le.AppendUint32(block, crc32.Checksum(filler, frameSums))
		}
		block = append(block, b.Data[split:]...)
		b.Data = append(block, bytes.Repeat(filler, frames)...)
	})
	return changed(t, data, tagDocs, func(b *format.RawBlock) {
		b.Data = edited(x, tagDocs, func(column, row int, value uint64) uint64 {
			if column == docText && row == x.docN {
				value += uint64(frames) * textFrame
			}
			return value
		})
	})
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestDocumentBound(t *testing.T) {
	const most = 32 << 20 // bytes that are allocated
	for _, tt := range []struct {
		name   string
		frames int
		want   string // of a problem
	}{
		{"as long as it may be", MaxDocumentBytes/textFrame - 1, "not in one frame, or in frames of their own"},
		{"2 GB of one document", 1 << 15, "bytes of text, at most 67108864"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := swollen(t, tt.frames)
			if len(data) > 1<<20 {
				t.Fatalf("the file has %d bytes", len(data))
			}
			var problems []format.Problem
			var err error
			if got := allocated(func() { problems, err = verifyBytes(data) }); got > most {
				t.Errorf("Verify allocates %d bytes, want at most %d", got, most)
			}
			if err != nil || !strings.Contains(texts(problems), tt.want) {
				t.Errorf("Verify = %v, %v, want %q", problems, err, tt.want)
			}
			x := open(t, data)
			last := DocID(x.docN - 1)
			err = format.Guard(func() error { x.AppendText(nil, x.Text.Reader(), last, 0, 1); return nil })
			if (err != nil) != (tt.frames > MaxDocumentBytes/textFrame) || err != nil && !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("AppendText = %v", err)
			}
		})
	}
}

func texts(problems []format.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.String() + "\n")
	}
	return b.String()
}

// Encode writes no document that a reader refuses.
func TestEncodeRefusesLongDocument(t *testing.T) {
	c := generate(3, 1)
	c.Texts = &Texts{starts: []uint64{0, MaxDocumentBytes + 1}}
	_, err := Encode(c)
	want := c.Docs[0].Path + " has 67108865 bytes of text, at most 67108864"
	if !errors.Is(err, format.ErrTooBig) || !strings.Contains(err.Error(), want) {
		t.Errorf("Encode = %v", err)
	}
}

func TestPlacesAreBoundedAtOpen(t *testing.T) {
	data := image(t, generate(3, 4))
	x := open(t, data)
	for _, tt := range []struct {
		tag    format.Tag
		column int
	}{{tagSections, secStart}, {tagSections, secLength}, {tagChunks, chunkStart}, {tagChunks, chunkLength}} {
		for _, value := range []uint64{MaxDocumentBytes, 1 << 40} {
			hostile := changed(t, data, tt.tag, func(b *format.RawBlock) {
				b.Data = edited(x, tt.tag, func(column, row int, old uint64) uint64 {
					if column == tt.column && row == 0 {
						return value
					}
					return old
				})
			})
			f, err := format.OpenBytes(hostile)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = New(f); (err != nil) != (value > maxPlace) || err != nil && !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("New with %d in %s, column %d: %v", value, tt.tag, tt.column, err)
			}
		}
	}
}

// A reader whose context has ended unpacks nothing, and a verification ends.
func TestReadEnds(t *testing.T) {
	data := image(t, generate(3, 4))
	x := open(t, data)
	ctx, cancel := context.WithCancelCause(t.Context())
	r := x.Text.ReaderWithin(ctx)
	read := func() error {
		return format.Guard(func() error { x.AppendText(nil, r, 0, 0, 1); return nil })
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("the client is gone")
	cancel(cause)
	if err := read(); !errors.Is(err, cause) {
		t.Errorf("a read after the end = %v", err)
	}
	if problems, err := VerifyWithin(ctx, writeFile(t, "a.kddx", data)); !errors.Is(err, cause) || problems != nil {
		t.Errorf("VerifyWithin = %v, %v", problems, err)
	}
}

// Tables and dictionaries are compared with what the writer makes, without a second one in memory: rows of no bytes are
// many.
func TestVerifyNeedsLittleForManyRows(t *testing.T) {
	data := image(t, generate(3, 4))
	x := open(t, data)
	const rows = 1 << 20
	hostile := changed(t, data, tagFindings, func(b *format.RawBlock) {
		made := table.New(rows)
		for range *x.tables()[tagFindings] {
			made.Plain(func(int) uint64 { return 0 })
		}
		b.Data, b.Rows = made.Bytes(), rows
	})
	var err error
	if got := allocated(func() { _, err = verifyBytes(hostile) }); got > 16<<20 || err != nil {
		t.Errorf("Verify of %d bytes allocates %d, %v", len(hostile), got, err)
	}
}

// Many rows of front matter, or of tags, may name one long string: what they are read into is bounded.
func TestFrontMatterBound(t *testing.T) {
	const rows = 1 << 20
	c := generate(3, 4)
	c.Docs[0].Title = strings.Repeat("x", 16_000)
	data := image(t, c)
	x := open(t, data)
	long := uint64(x.docs[docTitle].U32(0))
	all := func(column, row int, value uint64) uint64 { // of the first document
		if row > 0 {
			return rows
		}
		return value
	}
	made := func(columns int, named uint64) []byte {
		b := table.New(rows)
		for column := range columns {
			b.Plain(func(int) uint64 { return map[int]uint64{1: named}[column] })
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		tag, places format.Tag
		columns     int
		read        func(x *Index)
	}{
		{tagFields, tagFieldStart, 4, func(x *Index) { x.FrontMatter(0) }},
		{tagDocLists, tagDocs, 2, func(x *Index) { x.DocTags(0) }},
	} {
		hostile := changed(t, data, tt.tag, func(b *format.RawBlock) { b.Data, b.Rows = made(tt.columns, long), rows })
		hostile = changed(t, hostile, tt.places, func(b *format.RawBlock) {
			b.Data = edited(x, tt.places, func(column, row int, value uint64) uint64 {
				if tt.places == tagDocs && column != docLists {
					return value
				}
				return all(column, row, value)
			})
		})
		h := open(t, hostile)
		var err error
		got := allocated(func() { err = format.Guard(func() error { tt.read(h); return nil }) })
		if !errors.Is(err, format.ErrCorrupt) || got > 64<<20 {
			t.Errorf("%s: %v, %d bytes are allocated", tt.tag, err, got)
		}
		var problems []format.Problem
		got = allocated(func() { problems, _ = verifyBytes(hostile) })
		if !strings.Contains(texts(problems), "more than 16777216 bytes") || got > 128<<20 {
			t.Errorf("%s: Verify = %v, %d bytes are allocated", tt.tag, problems, got)
		}
	}
	c.Docs[1].Tags = slices.Repeat([]string{strings.Repeat("y", 16_000)}, 2000)
	if _, err := Encode(c); !errors.Is(err, format.ErrTooBig) || !strings.Contains(err.Error(), c.Docs[1].Path) {
		t.Errorf("Encode = %v", err)
	}
}
