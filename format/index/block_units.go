package index

import (
	"encoding/binary"
	"fmt"
	"strings"

	"kdd/format"
	"kdd/format/internal/table"
)

// UnitKind is what a unit is, FORMAT.md §10.11.
type UnitKind uint8

// The kinds of units.
const (
	SentenceUnit UnitKind = iota // of a paragraph
	ItemUnit                     // of a list with bullets, or a step of a scenario
	StepUnit                     // of a numbered list
	CodeUnit                     // a whole fenced block
	RowUnit                      // of a table
	HeadUnit                     // the header of a table and the line below that: of the rows that follow
	unitKinds
)

// unitKindNames are how a dump names the kinds.
var unitKindNames = [unitKinds]string{"sentence", "item", "step", "code", "row", "head"}

// UnitMark is a bit that says something of a unit by its text alone, FORMAT.md §10.11.
type UnitMark uint16

// The marks of units, the frequent ones first.
const (
	BeginsBlock   UnitMark = 1 << iota // it is the first of its paragraph, list, table or block of code
	BeginsItem                         // of items and steps: it is the first sentence of one
	HasNumber                          // it has a number, in figures or words
	OpenEnded                          // it does not end as a sentence does
	LeansBack                          // it begins with a word that refers to the text before it
	Announces                          // it leads to what stands below it
	PointsAway                         // it only tells where to read about something
	HeadsOther                         // it is a heading whose subject is explained elsewhere: "How to ..."
	IsCommand                          // it is most likely one line to type
	RefersBack                         // its first word stands for its subject, as "it" does
	ScenarioStep                       // it is a step of a scenario, which says little without the others
	unitMarkCount = iota
)

// unitMarkNames are how a dump names the marks.
var unitMarkNames = [unitMarkCount]string{"begins-block", "begins-item", "number", "open", "leans", "announces",
	"points", "heading", "command", "refers", "scenario"}

// The limits of what a unit says.
const (
	MaxUnitDepth   = 63 // of an item
	MaxUnitSubject = 8  // words
)

// Unit is a part of a document's text that can stand in an answer. Start and End are bytes of the document's text; it
// begins and ends with what is no space.
type Unit struct {
	Kind       UnitKind
	Marks      UnitMark
	Depth      uint8 // of items and steps: how far they are indented
	Subject    uint8 // words, as a reader sees them, that it says the meaning of: "A ref is ..." has 2; 0 = none
	Start, End uint64
}

// Has says that a unit has all of the marks.
func (u *Unit) Has(m UnitMark) bool { return u.Marks&m == m }

// listed says that units of a kind have a depth.
func (k UnitKind) listed() bool { return k == ItemUnit || k == StepUnit }

// AppendUnits encodes the units of a chunk that begins at byte start of its document, in their order.
func AppendUnits(dst []byte, start uint64, units []Unit) []byte {
	at := start
	for i := range units {
		u := &units[i]
		if i == 0 { // the header of a table that goes on, or what the chunk's first words stand in, may begin before it
			dst = binary.AppendVarint(dst, int64(u.Start-at))
		} else {
			dst = binary.AppendUvarint(dst, u.Start-at)
		}
		dst = binary.AppendUvarint(dst, u.End-u.Start)
		dst = binary.AppendUvarint(dst, uint64(u.Kind)|uint64(u.Marks)<<unitMarksAt|uint64(u.Subject)<<unitSubjectAt)
		if u.Kind.listed() {
			dst = binary.AppendUvarint(dst, uint64(u.Depth))
		}
		at = u.End
	}
	return dst
}

// Where the marks and the words of the subject begin in the number of a unit.
const (
	unitMarksAt   = 3
	unitSubjectAt = unitMarksAt + unitMarkCount
)

// leastUnit is the fewest bytes of a unit.
const leastUnit = 3

// parseUnits decodes the units of a chunk that begins at byte start of a text of size bytes.
func parseUnits(data []byte, start, size uint64) ([]Unit, error) {
	if len(data) == 0 {
		return nil, nil
	}
	bad := func(reason string, args ...any) ([]Unit, error) {
		return nil, format.Corrupt(tagUnits, reason, args...)
	}
	units := make([]Unit, 0, len(data)/leastUnit)
	at := start
	for len(data) > 0 {
		var gap uint64
		n := 0
		if len(units) == 0 {
			var signed int64
			signed, n = binary.Varint(data)
			gap = uint64(signed)
		} else {
			gap, n = binary.Uvarint(data)
		}
		if n <= 0 {
			return bad("unit %d is cut off", len(units))
		}
		data = data[n:]
		var numbers [3]uint64 // length, kind with marks, depth
		for i := range numbers {
			if i == 2 && !UnitKind(numbers[1]&(1<<unitMarksAt-1)).listed() {
				break
			}
			if numbers[i], n = binary.Uvarint(data); n <= 0 {
				return bad("unit %d is cut off", len(units))
			}
			data = data[n:]
		}
		u := Unit{Kind: UnitKind(numbers[1] & (1<<unitMarksAt - 1)), Start: at + gap,
			Marks: UnitMark(numbers[1] >> unitMarksAt & (1<<unitMarkCount - 1))}
		subject := numbers[1] >> unitSubjectAt
		switch {
		case u.Kind >= unitKinds:
			return bad("unit %d is of kind %d", len(units), u.Kind)
		case subject > MaxUnitSubject || numbers[2] > MaxUnitDepth:
			return bad("unit %d has a subject of %d words and depth %d", len(units), subject, numbers[2])
		case u.Start > size || numbers[0] == 0 || numbers[0] > size-u.Start:
			return bad("unit %d has %d bytes from byte %d of %d on", len(units), numbers[0], u.Start, size)
		case len(units) > 0 && u.Start < at:
			return bad("unit %d begins at byte %d, the one before ends at %d", len(units), u.Start, at)
		}
		u.Subject, u.Depth, u.End = uint8(subject), uint8(numbers[2]), u.Start+numbers[0]
		units, at = append(units, u), u.End
	}
	return units, nil
}

// units encodes the units of all chunks.
func (e *encoder) units() {
	c := e.content
	var data []byte
	places := make([]uint64, 1, len(c.Chunks)+1)
	for i := range c.Chunks {
		if i < len(c.Units) {
			data = append(data, c.Units[i]...)
		}
		places = append(places, uint64(len(data)))
	}
	t := table.New(len(places))
	t.Rising(func(i int) uint64 { return places[i] })
	e.block(tagUnitPlace, uint64(len(c.Chunks)), t.Bytes())
	e.block(tagUnits, uint64(len(c.Chunks)), data)
}

// Units returns the units of a chunk of a document, in their order. Cost: a pass over some 4 bytes for each.
func (x *Index) Units(d DocID, c ChunkID) []Unit {
	start, end := x.DocText(d)
	units, err := parseUnits(x.unitBytes(c), x.Chunk(c).Start, end-start)
	if err != nil {
		panic(err) // as a read does
	}
	return units
}

// HasUnits says that a chunk has a unit.
func (x *Index) HasUnits(c ChunkID) bool {
	from, to := x.unitPlace[0].Pair(uint32(c), x.units.Len())
	return from < to
}

// unitBytes returns the encoded units of a chunk.
func (x *Index) unitBytes(c ChunkID) []byte {
	from, to := x.unitPlace[0].Pair(uint32(c), x.units.Len())
	return x.units.Range(from, to-from)
}

// FetchUnits reads the units of ranges of chunks, [from, to) each: in one round where PlaceSpans of them are read.
func (x *Index) FetchUnits(ranges [][2]ChunkID) error {
	if !x.File.Remote() || len(ranges) == 0 {
		return nil
	}
	var spans []format.Span
	for _, r := range ranges {
		spans = append(spans, x.unitPlace[0].Spans(uint32(r[0]), uint32(r[1]-r[0])+1)...)
	}
	if err := x.File.Fetch(spans...); err != nil {
		return err
	}
	spans = spans[:0]
	for _, r := range ranges {
		from, _ := x.unitPlace[0].Pair(uint32(r[0]), x.units.Len())
		_, to := x.unitPlace[0].Pair(uint32(r[1])-1, x.units.Len())
		spans = append(spans, format.Span{Block: x.units, At: from, N: max(from, to) - from})
	}
	return x.File.Fetch(spans...)
}

// units checks that the units of each document follow each other in its text, that a header has a row, and that each
// chunk's are encoded as the writer does.
func (v *verifier) units() {
	x := v.x
	for d := range DocID(x.docN) {
		from, to := x.DocChunks(d)
		at := uint64(0)
		for c := from; c < to; c++ {
			if problem := v.unitsOf(d, c, &at); problem != "" {
				v.Add(tagUnits, "chunk %d: %s", c, problem)
			}
		}
	}
}

// unitsOf checks the units of one chunk, of which all but a header begin at or behind byte at.
func (v *verifier) unitsOf(d DocID, c ChunkID, at *uint64) (problem string) {
	list := v.x.Units(d, c)
	row := v.x.Chunk(c)
	for i := range list {
		u := &list[i]
		switch {
		case u.Kind == HeadUnit && (i+1 == len(list) || list[i+1].Kind != RowUnit):
			return fmt.Sprintf("unit %d is a header without a row", i)
		case u.Kind == HeadUnit && i == 0:
			continue // of a table that began in an earlier chunk, or here
		case u.Start < *at:
			return fmt.Sprintf("unit %d begins at byte %d, one before it ends at %d", i, u.Start, *at)
		case u.Start >= row.End || u.End <= row.Start:
			return fmt.Sprintf("unit %d, bytes [%d, %d), is none of the chunk's [%d, %d)", i, u.Start, u.End, row.Start, row.End)
		case u.Has(BeginsItem) && !u.Kind.listed():
			return fmt.Sprintf("unit %d is no item and begins one", i)
		}
		*at = u.End
	}
	if string(AppendUnits(nil, row.Start, list)) != string(v.x.unitBytes(c)) {
		return "its units are not in their shortest form"
	}
	return ""
}

// units prints the units of each chunk.
func (d *dumper) units(b *format.Block) {
	x := d.x
	shown := d.Rows(x.chunkN)
	for doc := range DocID(x.docN) {
		from, to := x.DocChunks(doc)
		for c := from; c < to && int(c) < shown; c++ {
			first, last := x.unitPlace[0].Pair(uint32(c), b.Len())
			d.Line(b.Offset+first, b.Offset+last, "chunk %d", c)
			for _, u := range x.Units(doc, c) {
				line := fmt.Sprintf("%s [%d, %d)", unitKindNames[u.Kind], u.Start, u.End)
				if u.Kind.listed() {
					line += fmt.Sprintf(" depth %d", u.Depth)
				}
				if u.Subject > 0 {
					line += fmt.Sprintf(" subject %d", u.Subject)
				}
				d.Printf("  %s\n", line+u.Marks.String())
			}
		}
	}
	d.Left(shown, x.chunkN, "chunks")
}

// String returns the names of the marks, each with a space before it.
func (m UnitMark) String() string {
	var b strings.Builder
	for i, name := range unitMarkNames {
		if m>>i&1 == 1 {
			b.WriteString(" " + name)
		}
	}
	return b.String()
}
