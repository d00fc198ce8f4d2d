package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"kdd/format"
	"kdd/format/internal/table"
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
	if err := format.Guard(func() error { x = newVerifier(context.Background(), r).x; return nil }); err != nil {
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
	case tagIncludedHashes:
		d.Fixed(b, 32, "SHA-256 of an included file")
	case tagText:
		d.text(b)
	case tagPostings:
		d.postings(b)
	case tagPositions:
		d.positions(b)
	case tagBitmaps:
		d.bitmaps(b)
	case tagUnits:
		d.units(b)
	case TagGolden:
		return d.golden(b)
	default:
		d.Line(b.Offset, b.Offset+b.Length, "not decoded here")
	}
	return nil
}

// clip shortens a string for a line.
func clip(s string) string { return text.Ellipsis(s, 120) }

// table prints a table, with names and words in place of their numbers.
func (d *dumper) table(b *format.Block, spec *tableSpec) {
	columns := *d.x.tables()[spec.tag]
	table.Dump(d.Dumper, b.Offset, columns, spec.columns, spec.extra)
	shown := d.Rows(int(columns[0].Rows))
	for row := range uint32(shown) {
		var line []string
		for i := range columns {
			if cell := d.cell(&columns[i], &spec.columns[i], row); cell != "" {
				line = append(line, spec.columns[i].Name+"="+cell)
			}
		}
		d.Printf("row %d: %s\n", row, strings.Join(line, " "))
	}
	d.Left(shown, int(columns[0].Rows), "rows")
}

// cell returns how a cell is printed, with names and words in place of their numbers; "" for an empty string.
func (d *dumper) cell(c *table.Column, spec *table.Spec, row uint32) string {
	value := c.At(row)
	word := func(words []string, i uint64) string {
		if i < uint64(len(words)) {
			return words[i]
		}
		return fmt.Sprintf("%d (broken)", i)
	}
	m := d.x.Meta
	switch spec.Of {
	case stringCell:
		if value >= uint64(d.x.strs.Len()) {
			return fmt.Sprintf("%d (broken)", value)
		}
		if s := d.x.strs.At(uint32(value)); s != "" {
			return fmt.Sprintf("%q", clip(s))
		}
		return ""
	case chunkTypeCell:
		return word(m.ChunkTypes, value)
	case foundCell:
		return word(m.FoundBy, value)
	case severityCell:
		return word(m.Severities, value)
	case edgeTypeCell:
		s := fmt.Sprintf("%d (broken)", value)
		if value/2 < uint64(len(m.EdgeTypes)) {
			s = m.EdgeTypes[value/2].Name
		}
		if value&1 == 1 {
			s += "(violation)"
		}
		return s
	case layerCell:
		if value == 0 {
			return ""
		}
		return fmt.Sprint(value - 1)
	case levelCell:
		if value&1 == 1 {
			return fmt.Sprintf("%d(explicit)", value/2)
		}
		return fmt.Sprint(value / 2)
	case floatCell:
		return fmt.Sprint(math.Float32frombits(uint32(value)))
	}
	return fmt.Sprint(value)
}

func (d *dumper) text(b *format.Block) {
	t := &d.x.Text
	d.Line(b.Offset, b.Offset+8, "%d bytes of text", t.total)
	d.Line(b.Offset+8, b.Offset+12, "at most %d bytes in a frame", t.frame)
	d.Line(b.Offset+12, b.Offset+16, "%d frames", len(t.frames))
	shown := d.Rows(len(t.frames))
	for i, f := range t.frames[:shown] {
		at := b.Offset + textHeader + uint64(i)*textEntry
		d.Line(at, at+textEntry, "frame %d: %d bytes in %d, CRC-32C %08x", i, f.raw, f.size, f.sum)
	}
	for i, f := range t.frames[:shown] {
		d.Line(b.Offset+f.at, b.Offset+f.at+uint64(f.size), "frame %d: zstd", i)
	}
	d.Left(shown, len(t.frames), "frames")
}

// fieldNames are the names of a record's fields.
var fieldNames = [FieldCount]string{"title", "path", "body", "link"}

func (d *dumper) postings(b *format.Block) {
	x := d.x
	n := int(x.limit(listCell))
	shown := d.Rows(n)
	// The first term of each list that is printed.
	names := make([]string, shown)
	for t := range uint32(x.termLists[0].Rows) {
		if list := x.ListOf(TermID(t)); int(list) < shown && names[list] == "" {
			names[list] = fmt.Sprintf("%q", x.terms.At(t))
		}
	}
	for i := range uint32(shown) {
		from, to := x.places[placePost].Pair(i, x.post.Len())
		d.Line(b.Offset+from, b.Offset+to, "list %d, %s", i, names[i])
		rec := x.record(i)
		d.Printf("  in %d chunks\n", rec.Chunks)
		for f := range rec.Fields {
			d.field(fieldNames[f], &rec.Fields[f])
		}
	}
	d.Left(shown, n, "lists")
}

// field prints the blocks and postings of one field of a list.
func (d *dumper) field(name string, p *Postings) {
	if p.N == 0 {
		return
	}
	d.Printf("  %s: %d postings in %d blocks, %d bytes\n", name, p.N, p.Blocks(), len(p.list))
	var rows, freqs [blockPostings]uint32
	left := d.Rows(int(p.N))
	for i := 0; i < p.Blocks() && left > 0; i++ {
		k := p.Decode(i, rows[:], freqs[:])
		if p.N > blockPostings {
			last, impact := p.Block(i)
			d.Printf("    block %d: last row %d, impact %d\n", i, last, impact)
		}
		var line []string
		for j := range min(k, left) {
			line = append(line, fmt.Sprintf("%d×%d", rows[j], freqs[j]))
		}
		left -= len(line)
		d.Printf("    %s\n", strings.Join(line, " "))
	}
	d.Left(d.Rows(int(p.N)), int(p.N), "postings")
}

func (d *dumper) positions(b *format.Block) {
	x := d.x
	n := int(x.limit(listCell))
	shown := d.Rows(n)
	for i := range uint32(shown) {
		from, to := x.places[placePos].Pair(i, x.pos.Len())
		d.Line(b.Offset+from, b.Offset+to, "list %d", i)
		rec := x.record(i)
		for f := range rec.Fields {
			p := &rec.Fields[f]
			if p.N == 0 || !p.Placed() {
				continue
			}
			var rows, freqs [blockPostings]uint32
			k := p.Decode(0, rows[:], freqs[:])
			at := p.Positions(nil, 0, freqs[:k])
			d.Printf("  %s: %d\n", fieldNames[f], at[:d.Rows(len(at))])
		}
	}
	d.Left(shown, n, "lists")
}

func (d *dumper) bitmaps(b *format.Block) {
	x := d.x
	n := x.facets.Len()
	shown := d.Rows(n)
	for i := range uint32(shown) {
		from, to := x.facetPlace[0].Pair(i, x.bitmaps.Len())
		d.Line(b.Offset+from, b.Offset+to, "facet %d, %q", i, clip(x.facets.At(i)))
		ids := x.facetAt(i).ToArray()
		d.Printf("  %d documents: %d\n", len(ids), ids[:d.Rows(len(ids))])
	}
	d.Left(shown, n, "bitmaps")
}
