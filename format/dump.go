package format

import (
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

// Dumper prints the lines of a dump. After the first error of its writer it prints nothing any more.
type Dumper struct {
	w      io.Writer
	report *Report
	o      DumpOptions
	name   func(Tag) string
	digits int
	err    error // the first one of w
}

// Dump prints the structure of a file to w, for people who read it beside FORMAT.md: each line has a range of bytes,
// the bytes, and what they mean. A broken file is printed as far as it goes. name describes a block in a word or two,
// and block prints what is in one.
//
// The error is w's, or says that the file does not have the block that was asked for.
func Dump(w io.Writer, r *Report, o DumpOptions, name func(Tag) string, block func(*Dumper, *Block) error) error {
	d := &Dumper{w: w, report: r, o: o, name: name, digits: len(fmt.Sprint(len(r.File.whole)))}
	return Guard(func() error {
		if o.Block == "" {
			d.frame()
		}
		found := o.Block == ""
		for i := range r.File.blocks {
			if b := &r.File.blocks[i]; o.Block == "" || b.Tag.String() == o.Block {
				found = true
				d.block(b, block)
			}
		}
		if o.Block == "" {
			d.trailers()
		}
		switch {
		case d.err != nil:
			return d.err
		case !found:
			return fmt.Errorf("there is no block %q; the blocks are %s", o.Block, r.File.tags())
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

// block prints one block, as far as it can be read.
func (d *Dumper) block(b *Block, content func(*Dumper, *Block) error) {
	d.head(b.Tag.String(), fmt.Sprintf("%s, %d bytes, %d rows", d.name(b.Tag), b.Length, b.Rows))
	err := Guard(func() error {
		switch b.Tag {
		case TagSums:
			d.Fixed(b, 4, "CRC-32C of a page of 16 KiB")
			return nil
		case TagTree:
			d.Fixed(b, hashBytes, "SHA-256 of a page or of 128 rows")
			return nil
		}
		return content(d, b)
	})
	if err != nil {
		d.Printf("# broken: %v\n", err)
	}
}

// Printf prints to the dump.
func (d *Dumper) Printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

// head begins a part; the problems of the report that are in it follow.
func (d *Dumper) head(where, text string) {
	d.Printf("\n# %s\n", strings.TrimSpace(where+" "+text))
	for _, p := range d.report.Problems {
		if p.Block == where {
			d.Printf("# broken: byte %d: %s\n", p.Offset, p.Text)
		}
	}
}

// Bytes on a line: of a field that is longer only the first ones are shown, or all on lines of their own.
const (
	dumpShort = 16
	dumpFirst = 8
	dumpLine  = 32
)

// Line prints bytes [from, to) of the file and what they mean.
func (d *Dumper) Line(from, to uint64, meaning string, args ...any) {
	text := fmt.Sprintf(meaning, args...)
	b := d.report.File.whole[min(from, uint64(len(d.report.File.whole))):min(to, uint64(len(d.report.File.whole)))]
	switch {
	case len(b) <= dumpShort:
		d.Printf("%0*d-%0*d: x %x # %s\n", d.digits, from, d.digits, to, b, text)
	case !d.o.Hex:
		d.Printf("%0*d-%0*d: x %x… # %s\n", d.digits, from, d.digits, to, b[:dumpFirst], text)
	default:
		d.Printf("%0*d-%0*d: # %s\n", d.digits, from, d.digits, to, text)
		for at := 0; at < len(b); at += dumpLine {
			part := b[at:min(at+dumpLine, len(b))]
			d.Printf("%0*d-%0*d: x %x\n", d.digits, from+uint64(at), d.digits, from+uint64(at+len(part)), part)
		}
	}
}

// Rows returns how many of n rows are to be printed.
func (d *Dumper) Rows(n int) int {
	if d.o.Rows > 0 {
		return min(n, d.o.Rows)
	}
	return n
}

// Left says how many rows were not printed.
func (d *Dumper) Left(shown, n int, what string) {
	if shown < n {
		d.Printf("# %d more %s\n", n-shown, what)
	}
}

// frame prints header and directory.
func (d *Dumper) frame() {
	f := d.report.File
	d.Printf("# %d bytes, index %s\n", len(d.report.File.whole), f.ID())
	d.head("header", "")
	h := &f.head
	d.Line(0, 8, "magic")
	d.Line(8, 12, "format version %d", h.version)
	d.Line(12, 16, "least version of a reader %d", h.minReader)
	d.Line(16, 24, "file length without trailers %d", h.length)
	d.Line(24, 32, "directory at byte %d", h.dirOffset)
	d.Line(32, 36, "%d entries", h.dirEntries)
	d.Line(36, 40, "hash kind")
	d.Line(40, 64, "zero")
	d.Line(64, 96, "root hash %x", h.rootHash)
	d.Line(96, 128, "zero")
	d.head("directory", "")
	for i := range uint64(min(h.dirEntries, maxEntries)) {
		at := h.dirOffset + i*entrySize
		if at > uint64(len(d.report.File.whole)) || uint64(len(d.report.File.whole))-at < entrySize {
			d.Printf("# broken: the file ends in the directory\n")
			return
		}
		e := parseEntry(d.report.File.whole[at : at+entrySize])
		kind := "optional"
		if e.Critical {
			kind = "critical"
		}
		if e.leaf > 0 {
			kind += fmt.Sprintf(", hashed by pages of %d KiB", 1<<e.leaf>>10)
		}
		d.Line(at, at+8, "%s (%s), %s", e.Tag, d.name(e.Tag), kind)
		d.Line(at+8, at+16, "  at byte %d", e.Offset)
		d.Line(at+16, at+24, "  %d bytes", e.Length)
		d.Line(at+24, at+32, "  %d rows", e.Rows)
		d.Line(at+32, at+64, "  root of its pages' SHA-256 %x", e.Root)
	}
}

func (d *Dumper) trailers() {
	d.head("trailer", "")
	at := d.report.File.head.length
	for _, t := range d.report.File.trailers {
		d.Line(at, at+4, "%s", t.Tag)
		d.Line(at+4, at+8, "zero")
		d.Line(at+8, at+16, "%d bytes", len(t.Payload))
		d.Line(at+16, at+48, "SHA-256 of the 16 bytes before and of the payload")
		at += trailerHeader + uint64(len(t.Payload))
		d.Line(at-uint64(len(t.Payload)), at, "payload %q", text.Ellipsis(string(t.Payload), 120))
	}
	if n := len(d.report.File.trailers); n == 0 {
		d.Printf("# none\n")
	}
}

// Fixed prints a block of rows of equal size.
func (d *Dumper) Fixed(b *Block, size uint64, what string) {
	n := int(b.Length / size)
	shown := d.Rows(n)
	for i := range uint64(shown) {
		d.Line(b.Offset+i*size, b.Offset+(i+1)*size, "row %d: %s", i, what)
	}
	d.Left(shown, n, "rows")
}
