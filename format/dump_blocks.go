package format

import (
	"fmt"
	"strings"
)

func (d *dumper) text(b *Block) {
	t := &d.x.Text
	d.line(b.Offset, b.Offset+8, "%d bytes of text", t.total)
	d.line(b.Offset+8, b.Offset+12, "%d bytes in a frame", t.frame)
	d.line(b.Offset+12, b.Offset+16, "%d frames", len(t.frames))
	shown := d.rows(len(t.frames))
	for i, f := range t.frames[:shown] {
		at := b.Offset + textHeader + uint64(i)*textEntry
		d.line(at, at+textEntry, "frame %d: %d bytes, CRC-32C %08x", i, f.size, f.sum)
	}
	for i, f := range t.frames[:shown] {
		d.line(b.Offset+f.at, b.Offset+f.at+uint64(f.size), "frame %d: zstd", i)
	}
	d.left(shown, len(t.frames), "frames")
}

// fieldNames are the names of a record's fields.
var fieldNames = [FieldCount]string{"title", "path", "body", "link"}

func (d *dumper) postings(b *Block) {
	x := d.x
	n := int(x.limit(listCell))
	shown := d.rows(n)
	// The first term of each list that is printed.
	names := make([]string, shown)
	for t := range uint32(x.termLists[0].rows) {
		if list := x.ListOf(TermID(t)); int(list) < shown && names[list] == "" {
			names[list] = fmt.Sprintf("%q", x.terms.At(t))
		}
	}
	for i := range uint32(shown) {
		from, to := x.places[placePost].pair(i, x.post.Len())
		d.line(b.Offset+from, b.Offset+to, "list %d, %s", i, names[i])
		rec := x.record(i)
		d.print("  in %d chunks\n", rec.Chunks)
		for f := range rec.Fields {
			d.field(fieldNames[f], &rec.Fields[f])
		}
	}
	d.left(shown, n, "lists")
}

// field prints the blocks and postings of one field of a list.
func (d *dumper) field(name string, p *Postings) {
	if p.N == 0 {
		return
	}
	d.print("  %s: %d postings in %d blocks, %d bytes\n", name, p.N, p.Blocks(), len(p.list))
	var rows, freqs [blockPostings]uint32
	left := d.rows(int(p.N))
	for i := 0; i < p.Blocks() && left > 0; i++ {
		k := p.Decode(i, rows[:], freqs[:])
		if p.N > blockPostings {
			last, impact := p.Block(i)
			d.print("    block %d: last row %d, impact %d\n", i, last, impact)
		}
		var line []string
		for j := range min(k, left) {
			line = append(line, fmt.Sprintf("%d×%d", rows[j], freqs[j]))
		}
		left -= len(line)
		d.print("    %s\n", strings.Join(line, " "))
	}
	d.left(d.rows(int(p.N)), int(p.N), "postings")
}

func (d *dumper) positions(b *Block) {
	x := d.x
	n := int(x.limit(listCell))
	shown := d.rows(n)
	for i := range uint32(shown) {
		from, to := x.places[placePos].pair(i, x.pos.Len())
		d.line(b.Offset+from, b.Offset+to, "list %d", i)
		rec := x.record(i)
		for f := range rec.Fields {
			p := &rec.Fields[f]
			if p.N == 0 || !p.Placed() {
				continue
			}
			var rows, freqs [blockPostings]uint32
			k := p.Decode(0, rows[:], freqs[:])
			at := p.Positions(nil, 0, freqs[:k])
			d.print("  %s: %d\n", fieldNames[f], at[:d.rows(len(at))])
		}
	}
	d.left(shown, n, "lists")
}

func (d *dumper) bitmaps(b *Block) {
	x := d.x
	n := x.facets.Len()
	shown := d.rows(n)
	for i := range uint32(shown) {
		from, to := x.facetPlace[0].pair(i, x.bitmaps.Len())
		d.line(b.Offset+from, b.Offset+to, "facet %d, %q", i, clip(x.facets.At(i)))
		ids := x.facetAt(i).ToArray()
		d.print("  %d documents: %d\n", len(ids), ids[:d.rows(len(ids))])
	}
	d.left(shown, n, "bitmaps")
}
