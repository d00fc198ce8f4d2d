package index

import (
	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// Columns of the tables of upper levels, FORMAT.md §11.
const (
	topData = iota // where the groups of the dictionary begin
	topRows        // posting lists of earlier terms, or name nodes of earlier names
)

// topLevel is the upper level of a dictionary: with it a look-up reads one page of a large dictionary, and of the tables
// beside it, in one round.
type topLevel struct {
	block, tag, places format.Tag // of the dictionary, of the upper level, and of its table
	of, first          *dict.Dict
	columns            []table.Column
	each               int // strings that a row stands for
	// rows returns a function that gives what the column topRows holds of an ordinal; it is asked with rising ones. It is
	// nil for a table without that column.
	rows func() func(ordinal int) uint64
	// name returns what the upper level has of a string; nil = all of it.
	name func(key string) string
}

func (x *Index) topLevels() [3]topLevel {
	lists := func() func(int) uint64 {
		return listsBefore(func(term int) uint32 { return x.ListOf(TermID(term)) })
	}
	nodes := func() func(int) uint64 {
		return func(name int) uint64 { return x.nameStarts[0].At(uint32(name)) }
	}
	return [...]topLevel{
		{tagTerms, tagTermTop, tagTermTopPlace, &x.terms, &x.firstTerms, x.termTops, dict.TopStrings, lists, nil},
		{tagNames, tagNameTop, tagNameTopPlace, &x.names, &x.firstNames, x.nameTops, dict.TopStrings, nodes, nil},
		{TagPieces, tagPieceTop, tagPieceTopPlace, &x.pieces, &x.firstPieces, x.pieceTops, pieceStrings, nil, pieceOf},
	}
}

// top encodes the upper level of a dictionary that is too large to be read whole. rows(i) is the second column's number
// of the key i, and of the end.
func (e *encoder) top(tag, places format.Tag, keys []string, encoded []byte, rows func(key int) uint64) {
	if len(encoded) <= wholeBytes {
		return
	}
	first, at := dict.Top(keys, encoded, dict.TopStrings)
	t := table.New(len(at))
	t.Rising(func(i int) uint64 { return at[i] })
	t.Rising(func(i int) uint64 { return rows(min(i*dict.TopStrings, len(keys))) })
	e.blocks = append(e.blocks,
		format.RawBlock{Tag: tag, Rows: uint64(len(first)), Data: dict.Encode(first)},
		format.RawBlock{Tag: places, Rows: uint64(len(first)), Data: t.Bytes()})
}

// tops gives the dictionaries their upper levels.
func (l *loader) tops() error {
	for _, t := range l.topLevels() {
		strings, rows := uint64(t.first.Len()), t.columns[topData].Rows
		if strings == 0 && rows == 0 {
			continue
		}
		each := uint64(t.each)
		if want := (uint64(t.of.Len()) + each - 1) / each; strings != want || rows != want+1 {
			err := format.Corrupt(t.tag, "%d strings with %d places, want %d and one more", strings, rows, want)
			if err := l.handle(t.tag, err); err != nil {
				return err
			}
			continue
		}
		at := &t.columns[topData]
		t.of.SetTop(t.first, at.At, t.each)
	}
	return nil
}

// tops compares the upper levels with the dictionaries.
func (v *verifier) tops() {
	x := v.x
	for _, t := range x.topLevels() {
		v.check(t.tag, []format.Tag{t.places, t.block, tagTermLists, tagNameStarts}, func() {
			rows := func(int) uint64 { return 0 }
			if t.rows != nil {
				rows = t.rows()
			}
			place := func(i uint32, at uint64, before int) bool { // before: strings of the dictionary
				if got := t.columns[topData].At(i); got != at {
					v.Add(t.places, "row %d: the groups begin at %d, not %d", i, at, got)
					return false
				}
				if t.rows == nil {
					return true
				}
				got, want := t.columns[topRows].At(i), rows(before)
				if got != want {
					v.Add(t.places, "row %d: %d rows before, want %d", i, got, want)
				}
				return got == want
			}
			for i, key := range t.of.From("") {
				if i%uint32(t.each) != 0 {
					continue
				}
				row, want := i/uint32(t.each), string(key)
				if t.name != nil {
					want = t.name(want)
				}
				if got := t.first.At(row); got != want {
					v.Add(t.tag, "string %d is %q, the dictionary has %q", row, got, want)
					return
				}
				if !place(row, t.of.PlaceOf(i), int(i)) {
					return
				}
			}
			place(uint32(t.first.Len()), t.of.Bytes(), t.of.Len())
		})
	}
}

// listsBefore returns a function that says how many posting lists the terms before an ordinal have, of which list gives
// each one's; it is asked with ordinals that rise.
func listsBefore(list func(term int) uint32) func(ordinal int) uint64 {
	next, lists := 0, uint64(0)
	return func(ordinal int) uint64 {
		for ; next < ordinal; next++ {
			lists = max(lists, uint64(list(next))+1)
		}
		return lists
	}
}
