package table

import "kdd/format"

// Dump prints the header of a table that lies at byte at of the file, and where its columns lie; extra is the
// number of rows beyond the last one.
func Dump(to *format.Dumper, at uint64, columns []Column, specs []Spec, extra uint64) {
	to.Line(at, at+4, "%d columns", len(columns))
	to.Line(at+4, at+8, "zero")
	to.Line(at+8, at+16, "%d rows, of these %d beyond the last", columns[0].Rows, extra)
	at += tableHeader
	for i := range columns {
		c := &columns[i]
		kind := "plain"
		if c.anchors != nil {
			kind = "rising"
		}
		to.Line(at, at+columnHeader, "column %d, %s: %s, %d bits, base %d", i, specs[i].Name, kind, c.width, c.base)
		at += columnHeader
	}
	for i := range columns {
		c := &columns[i]
		if n := uint64(len(c.anchors)); n > 0 {
			to.Line(at, at+n, "%s: anchors", specs[i].Name)
			at += n
		}
		to.Line(at, at+uint64(len(c.packed)), "%s: cells", specs[i].Name)
		at += uint64(len(c.packed))
	}
}
