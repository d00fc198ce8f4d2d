package index

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"kdd/format"
	"kdd/format/internal/table"
)

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

// maxFacts is how many bytes of names and values the front matter of a document has, and of tags and aliases, with
// factBytes for each: many rows may name one string, so rows do not bound what they are read into.
const (
	maxFacts  = 1 << 24
	factBytes = 16
)

// FrontMatter returns the front matter of a document, in source order.
func (x *Index) FrontMatter(d DocID) []Field {
	x.checkDoc(d)
	from, to := x.fieldStarts[0].Pair(uint32(d), x.fields[0].Rows)
	list := make([]Field, 0, min(to-from, 64))
	size := 0
	for i := from; i < to; i++ {
		f := x.field(d, uint32(i))
		if size += factBytes + len(f.Name) + len(f.Value); size > maxFacts {
			format.Fail(tagFields, "the front matter of document %d has more than %d bytes", d, maxFacts)
		}
		list = append(list, f)
	}
	return list
}

// field returns a row of the front matter of document d.
func (x *Index) field(d DocID, row uint32) Field {
	kind := x.fields[fieldType].U8(row)
	return Field{
		Doc: d, Name: x.strs.At(x.fields[fieldName].U32(row)), Value: x.strs.At(x.fields[fieldValue].U32(row)),
		Type: kind >> 1, List: kind&1 == 1, Line: x.fields[fieldLine].U32(row),
	}
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

// movingNumbers finds what changes in a text when lines move: "line 12", "lines 3-4", "column 7", "a.md:12:3".
var movingNumbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(lines?|columns?) \d+(?:(?:-| to | and )\d+)?|(\.[a-zA-Z]+):\d+(?::\d+)?`)
})

// namedThings finds what the text of a finding names: quoted, or as a wiki link.
var namedThings = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\[\[.*?\]\]`) })

// subjects is how many of the names in a finding's text are its own, for rules whose texts go on to other documents,
// which change without this one, or to a list that grows and shrinks; all, where the rule is not here.
var subjects = map[string]int{
	"duplicate-id": 1, "id-case": 1, "duplicate-title": 1, "ambiguous-target": 1, "moved-link": 1,
	"coverage-hole": 0,
}

// Fingerprint names the finding across edits: the first 16 hex digits of SHA-256 over rule, path and the names that the
// text quotes.
//
// Places and wording are left out, so it stays when lines move and when a rule is worded anew; so is what the text says
// of other documents, which change without this one. A text that names nothing counts as it is, without line and column
// numbers. Two findings of one rule with the same names in one file share a fingerprint. It is here since builds and
// queries must agree on it.
func (f *Finding) Fingerprint() string {
	own, limited := subjects[f.Rule]
	if !limited {
		own = -1
	}
	subject := strings.Join(namedThings().FindAllString(f.Text, own), "\x00")
	if subject == "" && !limited {
		subject = movingNumbers().ReplaceAllString(f.Text, "$1$2")
	}
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Path + "\x00" + subject))
	return hex.EncodeToString(sum[:8])
}
