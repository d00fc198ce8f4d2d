package answer

import "kdd/format/index"

// Kind is what a unit is.
type Kind = index.UnitKind

// The kinds of units that stand in an answer.
const (
	Sentence = index.SentenceUnit
	Item     = index.ItemUnit
	Step     = index.StepUnit
	Code     = index.CodeUnit
	Row      = index.RowUnit
)

// Unit is a part of a passage that can stand in an answer, as the build has cut it.
type Unit struct {
	Kind       Kind
	Start, End int // bytes of the passage's text; it begins and ends with what is no space
	Block      int // units of one paragraph, list or table have the same number; blocks are numbered in order
	Number     int // which sentence of its paragraph it is, or the item or row that it is of, from 0
	Indent     int // of items: how deep they stand
	Subject    int // words that it says the meaning of
	First      bool
	Header     string // of rows: the table's header, with the line below it if it has one

	marks index.UnitMark
}

// is says that a unit has a mark.
func (u *Unit) is(m index.UnitMark) bool { return u.marks&m == m }

// scenario says that a unit is a step of a scenario.
func (u *Unit) scenario() bool { return u.is(index.ScenarioStep) }

// Place returns the units of a document, in order, that lie in [begin, end), as units of the passage that this is.
// header returns the text of a table's header. Cost: one pass.
func Place(list []index.Unit, begin, end uint64, header func(from, to uint64) string) []Unit {
	units := make([]Unit, 0, len(list))
	block, number, head := 0, -1, ""
	at := begin // where the unit before ends: a damaged file may have one before it
	for i := range list {
		u := &list[i]
		if u.Has(index.BeginsBlock) {
			block, number = block+1, -1
		} else if i == 0 {
			number = 0 // what it goes on with is not here
		}
		if u.Kind == index.HeadUnit {
			head = header(u.Start, u.End)
			continue
		}
		first := u.Has(index.BeginsItem)
		if first || u.Kind != Item && u.Kind != Step {
			number++
		}
		if u.Start < at || u.End > end || u.Kind == Row && head == "" {
			continue
		}
		at = u.End
		own := Unit{Kind: u.Kind, Start: int(u.Start - begin), End: int(u.End - begin), Block: block, Number: number,
			Indent: int(u.Depth), Subject: int(u.Subject), First: first, marks: u.Marks}
		if u.Kind == Row {
			own.Header = head
		}
		units = append(units, own)
	}
	return units
}
