package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"kdd/format/text"
)

// DumpOptions says how much Dump prints.
type DumpOptions struct {
	Block string // tag of the only block to print; "" = header, directory and all blocks
	Rows  int    // rows of each block at most; 0 = all
	Hex   bool   // all bytes of what is printed, not only of short fields
}

// DumpFile prints the structure of the file at path to w, for people who read it beside FORMAT.md: each line has a
// range of bytes, the bytes, and what they mean. A broken file is printed as far as it goes.
//
// The error is a ForeignError, VersionError or CorruptError if there is no header to read, or is w's or the operating
// system's. A block that the file does not have is an error too.
func DumpFile(w io.Writer, path string, o DumpOptions) error {
	data, _, release, err := mapFile(path)
	if err != nil {
		return err
	}
	defer release()
	return Dump(w, data, o)
}

// Dump is DumpFile for a file that lies in memory.
func Dump(w io.Writer, data []byte, o DumpOptions) error {
	return Guard(func() error {
		v, err := inspect(data)
		if err != nil {
			return err
		}
		d := &dumper{w: w, v: v, x: v.x, o: o, digits: len(fmt.Sprint(len(data)))}
		if o.Block == "" {
			d.frame()
		}
		found := o.Block == ""
		for i := range v.file.blocks {
			if b := &v.file.blocks[i]; o.Block == "" || b.Tag.String() == o.Block {
				found = true
				d.block(b)
			}
		}
		if o.Block == "" {
			d.trailers()
		}
		switch {
		case d.err != nil:
			return d.err
		case !found:
			return fmt.Errorf("there is no block %q; the blocks are %s", o.Block, v.file.tags())
		}
		return nil
	})
}

func (f *File) tags() string {
	list := make([]string, len(f.entries))
	for i, e := range f.entries {
		list[i] = e.Tag.String()
	}
	return strings.Join(list, ", ")
}

type dumper struct {
	w      io.Writer
	v      *verifier
	x      *Index
	o      DumpOptions
	digits int
	err    error // the first one of w
}

func (d *dumper) print(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

// head begins a part; problems that Verify's first look found in it follow.
func (d *dumper) head(where, text string) {
	d.print("\n# %s\n", strings.TrimSpace(where+" "+text))
	for _, p := range d.v.problems {
		if p.Block == where {
			d.print("# broken: byte %d: %s\n", p.Offset, p.Text)
		}
	}
}

// Bytes on a line: of a field that is longer only the first ones are shown, or all on lines of their own.
const (
	dumpShort = 16
	dumpFirst = 8
	dumpLine  = 32
)

// line prints bytes [from, to) of the file and what they mean.
func (d *dumper) line(from, to uint64, meaning string, args ...any) {
	text := fmt.Sprintf(meaning, args...)
	b := d.v.data[min(from, uint64(len(d.v.data))):min(to, uint64(len(d.v.data)))]
	switch {
	case len(b) <= dumpShort:
		d.print("%0*d-%0*d: x %x # %s\n", d.digits, from, d.digits, to, b, text)
	case !d.o.Hex:
		d.print("%0*d-%0*d: x %x… # %s\n", d.digits, from, d.digits, to, b[:dumpFirst], text)
	default:
		d.print("%0*d-%0*d: # %s\n", d.digits, from, d.digits, to, text)
		for at := 0; at < len(b); at += dumpLine {
			part := b[at:min(at+dumpLine, len(b))]
			d.print("%0*d-%0*d: x %x\n", d.digits, from+uint64(at), d.digits, from+uint64(at+len(part)), part)
		}
	}
}

// rows returns how many of n rows are printed.
func (d *dumper) rows(n int) int {
	if d.o.Rows > 0 {
		return min(n, d.o.Rows)
	}
	return n
}

// left says how many rows were not printed.
func (d *dumper) left(shown, n int, what string) {
	if shown < n {
		d.print("# %d more %s\n", n-shown, what)
	}
}

// frame prints header and directory.
func (d *dumper) frame() {
	f := d.v.file
	d.print("# %d bytes, index %s\n", len(d.v.data), f.ID())
	d.head("header", "")
	h := &f.head
	d.line(0, 8, "magic")
	d.line(8, 12, "format version %d", h.version)
	d.line(12, 16, "least version of a reader %d", h.minReader)
	d.line(16, 24, "file length without trailers %d", h.length)
	d.line(24, 32, "directory at byte %d", h.dirOffset)
	d.line(32, 36, "%d entries", h.dirEntries)
	d.line(36, 40, "hash kind")
	d.line(40, 64, "zero")
	d.line(64, 96, "root hash %x", h.rootHash)
	d.line(96, 128, "zero")
	d.head("directory", "")
	for i := range uint64(min(h.dirEntries, maxEntries)) {
		at := h.dirOffset + i*entrySize
		if at > uint64(len(d.v.data)) || uint64(len(d.v.data))-at < entrySize {
			d.print("# broken: the file ends in the directory\n")
			return
		}
		e := parseEntry(d.v.data[at : at+entrySize])
		kind := "optional"
		if e.Critical {
			kind = "critical"
		}
		d.line(at, at+8, "%s (%s), %s", e.Tag, e.Tag.Name(), kind)
		d.line(at+8, at+16, "  at byte %d", e.Offset)
		d.line(at+16, at+24, "  %d bytes", e.Length)
		d.line(at+24, at+32, "  %d rows", e.Rows)
		d.line(at+32, at+64, "  SHA-256 %x", e.SHA256)
	}
}

func (d *dumper) trailers() {
	d.head("trailer", "")
	at := d.v.file.head.length
	for _, t := range d.v.file.Trailers {
		d.line(at, at+4, "%s", t.Tag)
		d.line(at+4, at+8, "zero")
		d.line(at+8, at+16, "%d bytes", len(t.Payload))
		d.line(at+16, at+48, "SHA-256 of the 16 bytes before and of the payload")
		at += trailerHeader + uint64(len(t.Payload))
		d.line(at-uint64(len(t.Payload)), at, "payload %q", clip(string(t.Payload)))
	}
	if n := len(d.v.file.Trailers); n == 0 {
		d.print("# none\n")
	}
}

// block prints one block, as far as it can be read.
func (d *dumper) block(b *Block) {
	d.head(b.Tag.String(), fmt.Sprintf("%s, %d bytes, %d rows", b.Tag.Name(), b.Length, b.Rows))
	err := Guard(func() error {
		for i := range tableSpecs {
			if tableSpecs[i].tag == b.Tag {
				d.table(b, &tableSpecs[i])
				return nil
			}
		}
		for _, view := range d.x.dicts() {
			if view.tag == b.Tag {
				d.dict(b, view.dict)
				return nil
			}
		}
		switch b.Tag {
		case tagMeta:
			var out bytes.Buffer
			if err := json.Indent(&out, b.data, "", "  "); err != nil {
				return err
			}
			d.line(b.Offset, b.Offset+b.Length, "JSON")
			d.print("%s\n", out.Bytes())
		case tagSums:
			d.fixed(b, 4, "CRC-32C of a page of 64 KiB")
		case tagDocHashes:
			d.fixed(b, 32, "SHA-256 of a document's file")
		case tagChunkHash:
			d.fixed(b, 32, "SHA-256 of a chunk's embedded text")
		case tagText:
			d.text(b)
		case tagPostings:
			d.postings(b)
		case tagPositions:
			d.positions(b)
		case tagBitmaps:
			d.bitmaps(b)
		case TagGolden:
			return d.golden(b)
		default:
			d.line(b.Offset, b.Offset+b.Length, "not decoded here")
		}
		return nil
	})
	if err != nil {
		d.print("# broken: %v\n", err)
	}
}

// clip shortens a string for a line.
func clip(s string) string { return text.Ellipsis(s, 120) }
