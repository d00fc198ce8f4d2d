package index

import (
	"sort"

	"kdd/format"
	"kdd/format/internal/table"
)

// Columns of the tables of included files and of the lines that come from them, FORMAT.md §11.
const (
	incPath = iota
	incRoot
	incSize
)

const (
	originDoc = iota
	originLine
	originLines
	originOwn
	originFile // file + 1; 0 for lines that stand in no file
	originFirst
)

// Included is a file whose text documents include.
type Included struct {
	Path   string // as documents' are
	Root   uint8  // index into Meta.Roots
	Size   uint64 // of the file on disk
	SHA256 [32]byte
}

// Origin says that lines [Line, Line+Lines) of a document's text are those of a file from First on; that they stand in
// no file, where File is None; or, where Lines is 0, that a part of line Line comes from line First of the file, or of
// the lines that follow it.
type Origin struct {
	Doc         DocID
	Line, Lines uint32
	File        uint32 // index into Content.Included
	First       uint32
}

// includes encodes included files and where their lines are; no block if there is none.
func (e *encoder) includes() {
	c := e.content
	if len(c.Included) == 0 {
		return
	}
	files := table.New(len(c.Included))
	files.Plain(func(i int) uint64 { return e.str(c.Included[i].Path) })
	files.Plain(func(i int) uint64 { return uint64(c.Included[i].Root) })
	files.Plain(func(i int) uint64 { return c.Included[i].Size })
	hashes := make([]byte, 0, 32*len(c.Included))
	for i := range c.Included {
		hashes = append(hashes, c.Included[i].SHA256[:]...)
	}
	own := make([]uint64, len(c.Origins))
	for i, before := 0, uint32(0); i < len(own); i++ {
		o := &c.Origins[i]
		if i > 0 && c.Origins[i-1].Doc != o.Doc {
			before = 0
		}
		own[i] = uint64(ownLine(o, before))
		before += o.Lines
	}
	rows := table.New(len(c.Origins))
	rows.Plain(func(i int) uint64 { return uint64(c.Origins[i].Doc) })
	rows.Plain(func(i int) uint64 { return uint64(c.Origins[i].Line) })
	rows.Plain(func(i int) uint64 { return uint64(c.Origins[i].Lines) })
	rows.Plain(func(i int) uint64 { return own[i] })
	rows.Plain(func(i int) uint64 { return uint64(c.Origins[i].File + 1) }) // None becomes 0
	rows.Plain(func(i int) uint64 { return uint64(c.Origins[i].First) })
	n := uint64(len(c.Included))
	e.blocks = append(e.blocks,
		format.RawBlock{Tag: tagIncluded, Rows: n, Data: files.Bytes()},
		format.RawBlock{Tag: tagIncludedHashes, Rows: n, Data: hashes},
		format.RawBlock{Tag: tagOrigins, Rows: uint64(len(c.Origins)), Data: rows.Bytes()})
}

// end is the last line of a row, or the line that it has a part of.
func (o *Origin) end() uint32 {
	if o.Lines == 0 {
		return o.Line
	}
	return o.Line + o.Lines - 1
}

// ownLine is the line of the document's own file that a row stands for, if so many lines before it are of other files.
func ownLine(o *Origin, before uint32) uint32 {
	if o.Lines == 0 {
		return o.Line - before
	}
	return o.Line - before - 1
}

// Includes returns the number of files whose text documents include.
func (x *Index) Includes() int { return int(x.included[incPath].Rows) }

// IncludedPath returns the path of an included file: as documents' are.
func (x *Index) IncludedPath(i uint32) string {
	return x.rowString(tagIncluded, x.included, i, incPath)
}

// IncludedRoot returns which of Meta.Roots an included file is below.
func (x *Index) IncludedRoot(i uint32) int {
	r := x.included[incRoot].At(i)
	if r >= uint64(len(x.Meta.Roots)) {
		format.Fail(tagIncluded, "source folder %d of %d", r, len(x.Meta.Roots))
	}
	return int(r)
}

// IncludedSize returns the size in bytes of an included file when it was compiled.
func (x *Index) IncludedSize(i uint32) uint64 { return x.included[incSize].At(i) }

// IncludedSHA256 returns the hash of an included file as it was compiled.
func (x *Index) IncludedSHA256(i uint32) (sum [32]byte) {
	copy(sum[:], x.includedHashes.Range(uint64(i)*32, 32))
	return sum
}

// originRows returns the rows [from, to) of a document. Cost: two binary searches.
func (x *Index) originRows(d DocID) (from, to uint32) {
	docs := &x.origins[originDoc]
	n := int(docs.Rows)
	at := func(d uint64) uint32 {
		return uint32(sort.Search(n, func(i int) bool { return docs.At(uint32(i)) >= d }))
	}
	return at(uint64(d)), at(uint64(d) + 1)
}

// origin returns a row.
func (x *Index) origin(row uint32) Origin {
	o := Origin{Doc: DocID(x.origins[originDoc].U32(row)), Line: x.origins[originLine].U32(row),
		Lines: x.origins[originLines].U32(row), File: x.origins[originFile].U32(row) - 1,
		First: x.origins[originFirst].U32(row)}
	if o.File != None && int(o.File) >= x.Includes() {
		format.Fail(tagOrigins, "row %d names file %d of %d", row, o.File, x.Includes())
	}
	return o
}

// before returns the last row of a document that begins at a line or above it; false if there is none.
func (x *Index) before(d DocID, line uint32) (row uint32, ok bool) {
	if x.origins[originDoc].Rows == 0 {
		return 0, false
	}
	from, to := x.originRows(d)
	n := sort.Search(int(to-from), func(i int) bool { return x.origins[originLine].U32(from+uint32(i)) > line })
	return from + uint32(n) - 1, n > 0
}

// OwnLine returns the line of a document's own file that a line of its text stands for: that line itself, or the one
// that includes it. Cost: a binary search.
func (x *Index) OwnLine(d DocID, line uint32) uint32 {
	row, ok := x.before(d, line)
	if !ok {
		return line
	}
	o, own := x.origin(row), x.origins[originOwn].U32(row)
	if line-o.Line < o.Lines {
		return own
	}
	return own + line - o.end()
}

// TextLine returns the line of a document's text that a line of its own file is. Cost: a binary search.
func (x *Index) TextLine(d DocID, own uint32) uint32 {
	if x.origins[originDoc].Rows == 0 {
		return own
	}
	from, to := x.originRows(d)
	n := sort.Search(int(to-from), func(i int) bool { return x.origins[originOwn].U32(from+uint32(i)) >= own })
	if n == 0 {
		return own
	}
	row := from + uint32(n) - 1
	o := x.origin(row)
	return o.end() + own - x.origins[originOwn].U32(row)
}

// LineOrigin returns the file that a line of a document's text comes from and its line there; ok is false for a line of
// the document's own and for one that stands in no file. Cost: a binary search.
func (x *Index) LineOrigin(d DocID, line uint32) (file, at uint32, ok bool) {
	row, found := x.before(d, line)
	if !found {
		return 0, 0, false
	}
	o := x.origin(row)
	return o.File, o.First + line - o.Line, line-o.Line < o.Lines && o.File != None
}

// EachOrigin yields the lines, from and to, of each file that lines [first, last] of a document's text come from, in
// their order. Cost: two binary searches, and a look at each row between.
func (x *Index) EachOrigin(d DocID, first, last uint32, yield func(file, from, to uint32) bool) {
	row, ok := x.before(d, first)
	if x.origins[originDoc].Rows == 0 {
		return
	}
	begin, end := x.originRows(d)
	if !ok {
		row = begin
	}
	for ; row > begin && x.origins[originLine].U32(row-1) == first; row-- { // parts of one line
	}
	for ; row < end; row++ {
		o := x.origin(row)
		if o.Line > last {
			return
		}
		if o.File == None || o.end() < first {
			continue
		}
		from, to := max(first, o.Line), min(last, o.end())
		if !yield(o.File, o.First+from-o.Line, o.First+to-o.Line) {
			return
		}
	}
}

// includes checks that the files ascend by path. A file may give no line: one that lacks the part that was asked for.
func (v *verifier) includes() {
	x, before := v.x, ""
	for i := range uint32(x.Includes()) {
		path := x.IncludedPath(i)
		if i > 0 && path <= before {
			v.Add(tagIncluded, "file %d, %q, is not sorted after %q", i, path, before)
			return
		}
		before = path
	}
}

// origins checks that rows ascend by document and line and have no line in common, that they are in the document's
// text, and what line of its own file each stands for.
func (v *verifier) origins() {
	x := v.x
	var last Origin
	before := uint32(0) // lines of other files above
	for row := range uint32(x.origins[originDoc].Rows) {
		o := x.origin(row)
		if row > 0 && o.Doc < last.Doc {
			v.Add(tagOrigins, "row %d: document %d is below the one before", row, o.Doc)
			return
		}
		if row == 0 || o.Doc != last.Doc {
			last, before = Origin{Doc: o.Doc, Line: 1}, 0
		}
		lines := uint64(x.docLines(o.Doc))
		switch {
		case o.Line < 1 || uint64(o.Line) < uint64(last.Line)+uint64(last.Lines),
			uint64(o.Line)+uint64(max(o.Lines, 1)) > lines+1:
			v.Add(tagOrigins, "row %d: lines %d to %d of document %d, which has %d; the row before begins at %d and has %d",
				row, o.Line, uint64(o.Line)+uint64(o.Lines)-1, o.Doc, lines, last.Line, last.Lines)
			return
		case o.Line <= before || o.Lines > 0 && o.Line == before+1:
			v.Add(tagOrigins, "row %d: line %d of document %d is included before its first line", row, o.Line, o.Doc)
			return
		case o.File == None && (o.First != 0 || o.Lines == 0),
			o.File != None && o.Lines > 0 && (o.First == 0 || uint64(o.First)+uint64(o.Lines) > 1<<32):
			v.Add(tagOrigins, "row %d: %d lines from line %d of file %d", row, o.Lines, o.First, int64(o.File))
			return
		}
		if own := x.origins[originOwn].U32(row); own != ownLine(&o, before) {
			v.Add(tagOrigins, "row %d stands for line %d, want %d", row, own, ownLine(&o, before))
			return
		}
		last, before = o, before+o.Lines
	}
}
