package index

import (
	"bytes"
	"encoding/json"
	"io"

	"kdd/format"
	"kdd/format/text"
)

// Dump prints the structure of the file at path to w, for people who read it beside FORMAT.md; see format.Dump.
//
// The error is a ForeignError, VersionError or CorruptError if there is no header to read, or is w's or the operating
// system's. A block that the file does not have is an error too.
func Dump(w io.Writer, path string, o format.DumpOptions) error {
	r, err := format.Verify(path)
	if err != nil {
		return err
	}
	defer r.File.Close()
	return dumpReport(w, r, o)
}

// dumpReport is Dump for a file that was opened before.
func dumpReport(w io.Writer, r *format.Report, o format.DumpOptions) error {
	var x *Index
	if err := format.Guard(func() error { x = newVerifier(r).x; return nil }); err != nil {
		return err
	}
	return format.Dump(w, r, o, BlockName,
		func(d *format.Dumper, b *format.Block) error { return (&dumper{d, x}).block(b) })
}

// dumper prints the contents of blocks.
type dumper struct {
	*format.Dumper
	x *Index
}

// block prints what is in a block.
func (d *dumper) block(b *format.Block) error {
	for i := range tableSpecs {
		if tableSpecs[i].tag == b.Tag {
			d.table(b, &tableSpecs[i])
			return nil
		}
	}
	for _, view := range d.x.dicts() {
		if view.tag == b.Tag {
			view.dict.Dump(d.Dumper, b.Offset)
			return nil
		}
	}
	switch b.Tag {
	case tagMeta:
		var out bytes.Buffer
		if err := json.Indent(&out, b.All(), "", "  "); err != nil {
			return err
		}
		d.Line(b.Offset, b.Offset+b.Length, "JSON")
		d.Printf("%s\n", out.Bytes())
	case tagDocHashes:
		d.Fixed(b, 32, "SHA-256 of a document's file")
	case tagChunkHash:
		d.Fixed(b, 32, "SHA-256 of a chunk's embedded text")
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
		d.Line(b.Offset, b.Offset+b.Length, "not decoded here")
	}
	return nil
}

// clip shortens a string for a line.
func clip(s string) string { return text.Ellipsis(s, 120) }
