package dict

import (
	"kdd/format"
	"kdd/format/text"
)

// Dump prints a dictionary that lies at byte at of the file.
func (d *Dict) Dump(to *format.Dumper, at uint64) {
	data := at + dictHeader + uint64(len(d.index))
	to.Line(at, at+4, "%d strings", d.n)
	to.Line(at+4, at+8, "%d groups of 16", d.groups)
	to.Line(at+8, data, "where each group begins")
	shown := to.Rows(d.Len())
	c := dictCursor{d: d}
	for c.next < uint32(shown) {
		if c.next%dictGroup == 0 {
			c.rest = d.group(c.next / dictGroup).rest
		}
		from := data + uint64(len(d.data)-len(c.rest))
		c.step()
		to.Line(from, data+uint64(len(d.data)-len(c.rest)), "%d: %q", c.next-1, text.Ellipsis(string(c.key), 120))
	}
	to.Left(shown, d.Len(), "strings")
}
