package index

import "kdd/format/internal/table"

// Columns of the findings table and of the front-matter tables, FORMAT.md §10.9 and §10.10.
const (
	findPath = iota
	findRule
	findCode
	findText
	findHint
	findSeverity
	findLine
	findCol
)

const (
	fieldName = iota
	fieldValue
	fieldType // type·2 + (1 if it was written in a list)
	fieldLine
)

func (e *encoder) findings() {
	c := e.content
	t := table.New(len(c.Findings))
	t.Plain(func(i int) uint64 { return e.str(c.Findings[i].Path) })
	t.Plain(func(i int) uint64 { return e.str(c.Findings[i].Rule) })
	t.Plain(func(i int) uint64 { return e.str(c.Findings[i].Code) })
	t.Plain(func(i int) uint64 { return e.str(c.Findings[i].Text) })
	t.Plain(func(i int) uint64 { return e.str(c.Findings[i].Hint) })
	t.Plain(func(i int) uint64 { return uint64(c.Findings[i].Severity) })
	t.Plain(func(i int) uint64 { return uint64(c.Findings[i].Line) })
	t.Plain(func(i int) uint64 { return uint64(c.Findings[i].Col) })
	e.block(tagFindings, uint64(len(c.Findings)), t.Bytes())

	starts := make([]uint64, len(c.Docs)+1)
	for _, f := range c.Fields {
		starts[f.Doc+1]++
	}
	for i := range c.Docs {
		starts[i+1] += starts[i]
	}
	s := table.New(len(starts))
	s.Rising(func(i int) uint64 { return starts[i] })
	e.block(tagFieldStart, uint64(len(c.Docs)), s.Bytes())
	f := table.New(len(c.Fields))
	f.Plain(func(i int) uint64 { return e.str(c.Fields[i].Name) })
	f.Plain(func(i int) uint64 { return e.str(c.Fields[i].Value) })
	f.Plain(func(i int) uint64 {
		if c.Fields[i].List {
			return uint64(c.Fields[i].Type)<<1 | 1
		}
		return uint64(c.Fields[i].Type) << 1
	})
	f.Plain(func(i int) uint64 { return uint64(c.Fields[i].Line) })
	e.block(tagFields, uint64(len(c.Fields)), f.Bytes())
}

// Findings returns the number of findings.
func (x *Index) Findings() int { return int(x.finds[0].Rows) }

// Finding returns one finding.
func (x *Index) Finding(i uint32) Finding {
	str := func(column int) string { return x.strs.At(x.finds[column].U32(i)) }
	f := Finding{Path: str(findPath), Rule: str(findRule), Code: str(findCode), Text: str(findText),
		Hint: str(findHint)}
	f.Severity = x.finds[findSeverity].U8(i)
	f.Line, f.Col = x.finds[findLine].U32(i), x.finds[findCol].U32(i)
	x.word("severity", x.Meta.Severities, uint64(f.Severity))
	return f
}

// FrontMatter returns the front matter of a document, in source order.
func (x *Index) FrontMatter(d DocID) []Field {
	x.checkDoc(d)
	from, to := x.fieldStarts[0].Pair(uint32(d), x.fields[0].Rows)
	list := make([]Field, 0, min(to-from, 64))
	for i := from; i < to; i++ {
		row := uint32(i)
		kind := x.fields[fieldType].U8(row)
		list = append(list, Field{
			Doc: d, Name: x.strs.At(x.fields[fieldName].U32(row)), Value: x.strs.At(x.fields[fieldValue].U32(row)),
			Type: kind >> 1, List: kind&1 == 1, Line: x.fields[fieldLine].U32(row),
		})
	}
	return list
}

// fields checks that front matter stands on lines of its document.
func (v *verifier) fields() {
	x := v.x
	for d := range DocID(x.docN) {
		for _, f := range x.FrontMatter(d) {
			if f.Line > x.docLines(d) {
				v.Add(tagFields, "document %d: field %q is on line %d of %d", d, f.Name, f.Line, x.docLines(d))
			}
		}
	}
}
