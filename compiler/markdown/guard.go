package markdown

import (
	"bytes"

	"kdd/compiler/diag"
)

// guard removes lines from the body on which the block parser would take more than linear time: lines with very many
// quote or list marks, or with marks after very much white space. Their text is kept as it is.
func (b *builder) guard() {
	count, first := 0, 0
	for n := 1; n <= len(b.lines.starts); n++ {
		start, end := b.lines.start(n), b.lines.end(n)
		if end-start <= maxDepth || !nestsTooDeep(b.body[start:end]) {
			continue
		}
		if count++; count == 1 {
			first = start
		}
		if k := len(b.plain); k > 0 && b.plain[k-1].end == start {
			b.plain[k-1].end = end
		} else {
			b.plain = append(b.plain, span{start, end})
		}
		b.blank(span{start, end})
	}
	b.joinBlankLines()
	if count > 0 {
		b.report(diag.NestedTooDeep, first, "%d lines nest quotes or lists more than %d deep, want fewer; their text is kept as it is",
			count, maxDepth)
	}
}

// joinBlankLines makes one of three or more blank lines that follow one another: the block parser keeps a record for
// each line and each container that is open.
func (b *builder) joinBlankLines() {
	run := 0 // blank lines in a row before line n
	for n := 1; n <= len(b.lines.starts); n++ {
		start, end := b.lines.start(n), b.lines.end(n)
		blank := end-start <= maxTarget
		for i := start; i < end && blank; i++ {
			blank = isBlank(b.body[i])
		}
		if !blank {
			run = 0
			continue
		}
		if run++; run > 2 {
			b.ownBody()
			b.body[start-1] = ' '
		}
	}
}

// maxIndent is the column up to which a mark may begin a list item.
const maxIndent = 96

// nestsTooDeep reports whether a line opens more than maxDepth containers, or one beyond maxIndent.
func nestsTooDeep(line []byte) bool {
	marks, columns := 0, 0
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ':
			columns++
			i++
		case c == '\t':
			columns += 4
			i++
		case c == '>':
			marks++
			i++
		case c == '-' || c == '+' || c == '*':
			if i+1 < len(line) && !isBlank(line[i+1]) {
				return marks > maxDepth
			}
			marks++
			i++
		case isDigit(c):
			j := i
			for j < len(line) && j-i < 10 && isDigit(line[j]) {
				j++
			}
			if j >= len(line) || line[j] != '.' && line[j] != ')' {
				return marks > maxDepth
			}
			marks++
			i = j + 1
		default:
			return marks > maxDepth
		}
		if marks > maxDepth || marks > 0 && columns > maxIndent {
			return true
		}
	}
	return marks > maxDepth
}

// flushPlain makes blocks of the plain parts before offset.
func (b *builder) flushPlain(offset int) {
	for len(b.plain) > 0 && b.plain[0].start < offset {
		s := b.plain[0]
		b.plain = b.plain[1:]
		var p plain
		for at := s.start; at < s.end; {
			n := bytes.IndexByte(b.seen[at:s.end], '\n') + 1
			if n == 0 {
				n = s.end - at
			}
			line := b.seen[at : at+n]
			left := bytes.TrimLeft(line, " \t\r\n")
			p.copy(bytes.TrimRight(left, " \t\r\n"), at+len(line)-len(left))
			p.put("\n", at+n-1)
			at += n
		}
		p.trim()
		b.add(Block{Kind: Paragraph, Start: s.start, End: s.end}, p)
	}
}

// claim puts the plain parts in [start, end) back into the body: they belong to the block of code or HTML around them.
func (b *builder) claim(start, end int) {
	for len(b.plain) > 0 && b.plain[0].start < end {
		s := &b.plain[0]
		from, to := max(s.start, start), min(s.end, end)
		if from < to {
			copy(b.body[from:to], b.seen[from:to])
		}
		if s.end > end {
			s.start = end
			return
		}
		b.plain = b.plain[1:]
	}
}
