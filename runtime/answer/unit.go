package answer

import (
	"strings"
)

// Kind is what a unit is.
type Kind uint8

// The kinds of units.
const (
	Sentence Kind = iota // of a paragraph
	Item                 // of a list with bullets
	Step                 // of a numbered list
	Code                 // a whole fenced block
	Row                  // of a table, but its header and the line below that
)

// Unit is a part of a markdown text that can stand in an answer.
type Unit struct {
	Kind       Kind
	Start, End int    // bytes of the text; it begins and ends with what is no space
	Block      int    // units of one paragraph, list or table have the same number; blocks are numbered in order
	Number     int    // which unit of its block it is, from 0
	Head       [2]int // of rows: the bytes of the table's header and the line below it
	Indent     int    // of items: how deep they stand
	First      bool   // of items and steps: the beginning of one, not a sentence further on in it
	Quoted     bool   // stands in a block quote
	Scenario   bool   // of items: a step of a scenario, which says little without the others
}

// maxUnits bounds the units of one text.
const maxUnits = 2000

var (
	itemMark  = lazy(`^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+`)
	fenceMark = lazy("^[ \t]*(?:[-*+][ \t]+|>[ \t]*)*(```+|~~~+)")
	tagLine   = lazy(`^[ \t]*(?:</?[A-Za-z][^>]*>[ \t]*)+$|^[ \t]*\{/\*.*\*/\}[ \t]*$|^[ \t]*<!--.*-->[ \t]*$`)
	ruleLine  = lazy(`^[ \t]*(?:-[ \t]*){3,}$|^[ \t]*(?:\*[ \t]*){3,}$|^[ \t]*(?:_[ \t]*){3,}$|^[ \t]*=+[ \t]*$`)
	tableRule = lazy(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
)

// Bare says that a text has nothing to quote: only headings.
func Bare(text string) bool { return len(split(text, false)) == 0 }

// line is a line of a text, without its end.
type line struct{ start, end int }

// splitter cuts one text.
type splitter struct {
	text  string
	lines []line
	units []Unit
	block int
}

// split cuts markdown into units, in order. The text may begin inside a block of code. Headings, rules, comments and
// lines that hold only tags are not units. Cost: a few passes.
func split(text string, inCode bool) []Unit {
	s := &splitter{text: text}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		next := len(text)
		if end < 0 {
			end = len(text)
		} else {
			next = at + end + 1
			end += at
		}
		stop := end
		if stop > at && text[stop-1] == '\r' {
			stop--
		}
		s.lines = append(s.lines, line{at, stop})
		at = next
	}
	begin := s.front()
	for ; inCode && begin < len(s.lines); begin++ {
		inCode = !fenceMark().MatchString(s.at(begin))
	}
	for i := begin; i < len(s.lines) && len(s.units) < maxUnits; {
		i = s.take(i)
	}
	return s.units
}

func (s *splitter) at(i int) string { return s.text[s.lines[i].start:s.lines[i].end] }

// front returns the index of the line after the front matter.
func (s *splitter) front() int {
	if len(s.lines) == 0 || s.at(0) != "---" {
		return 0
	}
	for i := 1; i < len(s.lines); i++ {
		if t := s.at(i); t == "---" || t == "..." {
			return i + 1
		}
	}
	return 0
}

// take reads the block that begins at line i and returns the index of the line after it.
func (s *splitter) take(i int) int {
	t := s.at(i)
	switch {
	case blank(t), heading(t), tagLine().MatchString(t), ruleLine().MatchString(t):
		return i + 1
	case fenceMark().MatchString(t):
		return s.code(i)
	case strings.HasPrefix(strings.TrimSpace(t), "<!--"):
		return s.until(i, "-->")
	case strings.HasPrefix(strings.TrimSpace(t), "{/*"):
		return s.until(i, "*/}")
	case strings.Contains(t, "|") && i+1 < len(s.lines) && strings.Contains(s.at(i+1), "|") &&
		tableRule().MatchString(s.at(i+1)):
		return s.table(i)
	case itemMark().MatchString(t):
		return s.list(i)
	}
	if end := s.scenario(i); end > i {
		return end
	}
	return s.paragraph(i)
}

func blank(t string) bool { return strings.TrimSpace(t) == "" }

func heading(t string) bool {
	rest := strings.TrimLeft(t, "#")
	n := len(t) - len(rest)
	return n > 0 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// until returns the index of the line after the one that holds mark.
func (s *splitter) until(i int, mark string) int {
	for ; i < len(s.lines); i++ {
		if strings.Contains(s.at(i), mark) {
			return i + 1
		}
	}
	return i
}

// code reads a fenced block.
func (s *splitter) code(i int) int {
	mark := fenceMark().FindStringSubmatch(s.at(i))[1]
	for j := i + 1; j < len(s.lines); j++ {
		t := strings.TrimLeft(s.at(j), " \t>")
		if strings.HasPrefix(t, mark) && strings.Trim(t, mark[:1]+" \t") == "" {
			if j > i+1 {
				s.add(Unit{Kind: Code, Start: s.lines[i].start, End: s.lines[j].end})
				s.block++
			}
			return j + 1
		}
	}
	return len(s.lines) // a block that the text cuts off is no answer
}

// table reads the rows of a table.
func (s *splitter) table(i int) int {
	head := [2]int{s.lines[i].start, s.lines[i+1].end}
	j := i + 2
	for ; j < len(s.lines) && !blank(s.at(j)) && strings.Contains(s.at(j), "|"); j++ {
		s.add(Unit{Kind: Row, Start: s.lines[j].start, End: s.lines[j].end, Head: head, Number: j - i - 2})
	}
	s.block++
	return j
}

// list reads the items of a list and of the lists inside it. Blank lines between items are allowed. Code inside an item
// is its own unit.
func (s *splitter) list(i int) int {
	number := 0
	for i < len(s.lines) {
		t := s.at(i)
		if blank(t) {
			j := i
			for j < len(s.lines) && blank(s.at(j)) {
				j++
			}
			if j == len(s.lines) || !itemMark().MatchString(s.at(j)) && !indented(s.at(j)) || ruleLine().MatchString(s.at(j)) {
				break
			}
			i = j
			continue
		}
		if fenceMark().MatchString(t) {
			i = s.code(i)
			continue
		}
		m := itemMark().FindStringSubmatch(t)
		if m == nil {
			if !indented(t) || tagLine().MatchString(t) {
				break
			}
			i++ // a further paragraph of an item
			continue
		}
		kind := Item
		if m[3] != "" {
			kind = Step
		}
		from, end := s.lines[i].start+len(m[0]), s.lines[i].end
		for i++; i < len(s.lines); i++ {
			t := s.at(i)
			if blank(t) || itemMark().MatchString(t) || fenceMark().MatchString(t) || heading(t) || tagLine().MatchString(t) {
				break
			}
			end = s.lines[i].end
		}
		indent := len(strings.ReplaceAll(m[1], "\t", "    "))
		for k, part := range sentences(s.text, from, end) {
			s.add(Unit{Kind: kind, Start: part[0], End: part[1], Number: number, Indent: indent, First: k == 0})
		}
		number++
	}
	s.block++
	return i
}

func indented(t string) bool { return strings.HasPrefix(t, "  ") || strings.HasPrefix(t, "\t") }

// paragraph reads the sentences of a paragraph.
func (s *splitter) paragraph(i int) int {
	from, end := s.lines[i].start, s.lines[i].end
	quoted := strings.HasPrefix(strings.TrimSpace(s.at(i)), ">")
	for i++; i < len(s.lines); i++ {
		t := s.at(i)
		if blank(t) || heading(t) || itemMark().MatchString(t) || fenceMark().MatchString(t) ||
			tagLine().MatchString(t) || ruleLine().MatchString(t) {
			break
		}
		end = s.lines[i].end
	}
	for k, part := range sentences(s.text, from, end) {
		s.add(Unit{Kind: Sentence, Start: part[0], End: part[1], Number: k, Quoted: quoted})
	}
	s.block++
	return i
}

// add appends a unit without the spaces and quote marks around it.
func (s *splitter) add(u Unit) {
	if u.Kind != Code {
		for u.Start < u.End && strings.IndexByte(" \t>\r\n", s.text[u.Start]) >= 0 {
			u.Start++
		}
	}
	for u.End > u.Start && strings.IndexByte(" \t\r\n", s.text[u.End-1]) >= 0 {
		u.End--
	}
	if u.Start < u.End && len(s.units) < maxUnits {
		u.Block = s.block
		s.units = append(s.units, u)
	}
}
