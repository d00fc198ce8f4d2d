package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/text"
)

// Tables are read here, as goldmark's have four faults: text in cells that have no column is lost, a header with fewer
// cells than the delimiter row makes a table (not so at GitHub), a pipe in "[[a|b]]" is a border, and short rows are
// filled up (169 MB for 10 kB).

// findTable returns the index of the header line of a table among a paragraph's lines, -1 if there is none.
func (b *builder) findTable(lines *text.Segments) int {
	for i := 1; i < lines.Len(); i++ {
		l := lines.At(i)
		columns := delimiterRow(b.body[l.Start:l.Stop])
		if columns == 0 {
			continue
		}
		head := lines.At(i - 1)
		if len(splitRow(b.body[head.Start:head.Stop])) == columns {
			return i - 1
		}
	}
	return -1
}

// delimiterRow returns the number of columns of a row such as |---|:-:|, 0 if it is none.
func delimiterRow(line []byte) int {
	for _, c := range line {
		if c != '-' && c != '|' && c != ':' && !isBlank(c) {
			return 0
		}
	}
	line = bytes.TrimSpace(line)
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, ':') < 0 {
		return 0
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	columns := 0
	for {
		cell, rest, more := bytes.Cut(line, []byte("|"))
		cell = bytes.TrimSpace(cell)
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
		columns++
		if !more {
			return columns
		}
		line = rest
	}
}

// splitRow returns the cells of a table row as ranges of line, without the white space around them. A pipe is a border
// unless a backslash stands before it or it stands inside a wiki link.
func splitRow(line []byte) []span {
	row := trimSpan(line, span{0, len(line)})
	start, end := row.start, row.end
	if start < end && line[start] == '|' {
		start++
	}
	if end > start && line[end-1] == '|' && (end < 2 || line[end-2] != '\\') {
		end--
	}
	var cells []span
	for from, i := start, start; i <= end; i++ {
		if i < end && line[i] == '\\' {
			i++
			continue
		}
		if i+1 < end && line[i] == '[' && line[i+1] == '[' {
			if n := bytes.IndexAny(line[i+2:min(end, i+maxWiki)], "[]"); n >= 0 && i+3+n < end && line[i+2+n] == ']' && line[i+3+n] == ']' {
				i += n + 3
				continue
			}
		}
		if i < end && line[i] != '|' {
			continue
		}
		cells = append(cells, trimSpan(line, span{from, min(i, end)}))
		from = i + 1
	}
	return cells
}

func trimSpan(line []byte, s span) span {
	for s.start < s.end && isBlank(line[s.start]) {
		s.start++
	}
	for s.end > s.start && isBlank(line[s.end-1]) {
		s.end--
	}
	return s
}

// table makes a block of a header line, the delimiter row after it and the rows after that.
func (b *builder) table(lines *text.Segments, head int) {
	b.settleIDs()
	var blk Block
	blk.Kind = Table
	last := lines.At(lines.Len() - 1)
	blk.Start, blk.End = b.widen(lines.At(head).Start, max(lines.At(head).Start, last.Stop-1))
	var out plain
	var found []tableCell
	for i := head; i < lines.Len(); i++ {
		if i == head+1 {
			continue
		}
		l := lines.At(i)
		if i > head {
			out.put("\n", max(0, l.Start-1))
		}
		cells := b.row(&out, &found, b.body[l.Start:l.Stop], l.Start, markdownText)
		if i == head {
			blk.Header = cells
			continue
		}
		blk.Rows = append(blk.Rows, Row{b.lines.line(l.Start), blk.within(cells)})
	}
	added := b.add(blk, out)
	for i := range found {
		found[i].shift()
		b.record(&found[i].inline, added.Text)
	}
	b.settleIDs()
}

// within cuts off the cells that have no column. Cells that are lacking stay so: a wide header over many short rows
// would take their product in memory.
func (blk *Block) within(cells []string) []string {
	n := min(len(cells), len(blk.Header))
	return cells[:n:n]
}

// tableCell is what was found in a cell whose text begins at offset at of the table's text.
type tableCell struct {
	inline
	at int
}

// shift makes the cell's offsets those of the table's text.
func (c *tableCell) shift() {
	for i := range c.links {
		c.links[i].from += c.at
		c.links[i].to += c.at
	}
	for i := range c.runs {
		c.runs[i].from += c.at
		c.runs[i].to += c.at
	}
}

// row appends the text of a row to out and returns its cells.
func (b *builder) row(out *plain, found *[]tableCell, line []byte, at int, mode scanMode) []string {
	var cells []string
	for i, c := range splitRow(line) {
		if i > 0 {
			out.put(" | ", at+max(0, c.start-1))
		}
		raw, marks := line[c.start:c.end], []Place{{0, at + c.start}}
		if bytes.Contains(raw, []byte(`\|`)) {
			var p plain
			for k := 0; k < len(raw); k++ {
				if raw[k] == '\\' && k+1 < len(raw) && raw[k+1] == '|' {
					k++
				}
				p.mark(at + c.start + k)
				p.buf = append(p.buf, raw[k])
			}
			raw, marks = p.buf, p.marks
		}
		in := b.scan.scan(raw, marks, mode)
		for k, c := range in.text.buf {
			if c == '\n' {
				in.text.buf[k] = ' '
			}
		}
		begin := len(out.buf)
		out.join(&in.text)
		cells = append(cells, string(out.buf[begin:]))
		if len(in.links) > 0 || len(in.runs) > 0 || len(in.anchors) > 0 {
			*found = append(*found, tableCell{in, begin})
		}
	}
	return cells
}

// join appends another text with its places.
func (p *plain) join(q *plain) {
	for i, m := range q.marks {
		end := len(q.buf)
		if i+1 < len(q.marks) {
			end = q.marks[i+1].Text
		}
		if m.Text < end {
			p.mark(m.Source)
			p.buf = append(p.buf, q.buf[m.Text:end]...)
		}
	}
}
