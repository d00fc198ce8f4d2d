package units

import (
	"regexp"
	"strings"

	"kdd/format/index"
	"kdd/format/phrases"
)

// part is a unit on its way.
type part struct {
	kind       index.UnitKind
	start, end int    // bytes of the text
	block      int    // parts of one paragraph, list or table have the same number
	head       [2]int // of rows: the bytes of the table's header and the line below it
	indent     int    // of items: how deep they stand
	first      bool   // of items: the beginning of one, not a sentence further on in it
	scenario   bool
}

// lineMark tells a line by a pattern. Few lines begin with what the pattern begins with, and the others need no match.
type lineMark struct {
	begins  string // the bytes that may stand first after the spaces
	pattern func() *regexp.Regexp
}

func (m *lineMark) begin(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && strings.IndexByte(m.begins, line[0]) >= 0
}

func (m *lineMark) of(line string) bool { return m.begin(line) && m.pattern().MatchString(line) }

// groups returns what the groups of the pattern hold; nil if the line has no such mark.
func (m *lineMark) groups(line string) []string {
	if !m.begin(line) {
		return nil
	}
	return m.pattern().FindStringSubmatch(line)
}

var (
	itemMark  = lineMark{"-*+0123456789", phrases.Lazy(`^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+`)}
	fenceMark = lineMark{"`~-*+>", phrases.Lazy("^[ \t]*(?:[-*+][ \t]+|>[ \t]*)*(```+|~~~+)")}
	tagLine   = lineMark{"<{", phrases.Lazy(`^[ \t]*(?:</?[A-Za-z][^>]*>[ \t]*)+$|^[ \t]*\{/\*.*\*/\}[ \t]*$|` +
		`^[ \t]*<!--.*-->[ \t]*$`)}
	ruleLine = lineMark{"-*_=", phrases.Lazy(`^[ \t]*(?:-[ \t]*){3,}$|^[ \t]*(?:\*[ \t]*){3,}$|^[ \t]*(?:_[ \t]*){3,}$|` +
		`^[ \t]*=+[ \t]*$`)}
	tableRule = lineMark{"|:-", phrases.Lazy(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)}
)

// line is a line of a text, without its end.
type line struct{ start, end int }

// splitter cuts one text.
type splitter struct {
	text  string
	lines []line
	parts []part
	block int
}

// split cuts markdown into parts, in order. Headings, rules, comments and lines that hold only tags are none. Cost: a few
// passes.
func split(text string) []part {
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
	for i := 0; i < len(s.lines); {
		i = s.take(i)
	}
	return finer(text, s.parts)
}

func (s *splitter) at(i int) string { return s.text[s.lines[i].start:s.lines[i].end] }

// take reads the block that begins at line i and returns the index of the line after it.
func (s *splitter) take(i int) int {
	t := s.at(i)
	switch {
	case blank(t), heading(t), tagLine.of(t), ruleLine.of(t):
		return i + 1
	case fenceMark.of(t):
		return s.code(i)
	case strings.HasPrefix(strings.TrimSpace(t), "<!--"):
		return s.until(i, "-->")
	case strings.HasPrefix(strings.TrimSpace(t), "{/*"):
		return s.until(i, "*/}")
	case strings.Contains(t, "|") && i+1 < len(s.lines) && strings.Contains(s.at(i+1), "|") &&
		tableRule.of(s.at(i+1)):
		return s.table(i)
	case itemMark.of(t):
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
	mark := fenceMark.groups(s.at(i))[1]
	for j := i + 1; j < len(s.lines); j++ {
		t := strings.TrimLeft(s.at(j), " \t>")
		if strings.HasPrefix(t, mark) && strings.Trim(t, mark[:1]+" \t") == "" {
			if j > i+1 {
				s.add(part{kind: index.CodeUnit, start: s.lines[i].start, end: s.lines[j].end})
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
		s.add(part{kind: index.RowUnit, start: s.lines[j].start, end: s.lines[j].end, head: head})
	}
	s.block++
	return j
}

// list reads the items of a list and of the lists inside it. Blank lines between items are allowed. Code inside an item
// is its own unit.
func (s *splitter) list(i int) int {
	for i < len(s.lines) {
		t := s.at(i)
		if blank(t) {
			j := i
			for j < len(s.lines) && blank(s.at(j)) {
				j++
			}
			if j == len(s.lines) || !itemMark.of(s.at(j)) && !indented(s.at(j)) || ruleLine.of(s.at(j)) {
				break
			}
			i = j
			continue
		}
		if fenceMark.of(t) {
			i = s.code(i)
			continue
		}
		m := itemMark.groups(t)
		if m == nil {
			if !indented(t) || tagLine.of(t) {
				break
			}
			i++ // a further paragraph of an item
			continue
		}
		kind := index.ItemUnit
		if m[3] != "" {
			kind = index.StepUnit
		}
		from, end := s.lines[i].start+len(m[0]), s.lines[i].end
		for i++; i < len(s.lines); i++ {
			t := s.at(i)
			if blank(t) || itemMark.of(t) || fenceMark.of(t) || heading(t) || tagLine.of(t) {
				break
			}
			end = s.lines[i].end
		}
		indent := len(strings.ReplaceAll(m[1], "\t", "    "))
		for k, at := range sentences(s.text, from, end) {
			s.add(part{kind: kind, start: at[0], end: at[1], indent: indent, first: k == 0})
		}
	}
	s.block++
	return i
}

func indented(t string) bool { return strings.HasPrefix(t, "  ") || strings.HasPrefix(t, "\t") }

// paragraph reads the sentences of a paragraph.
func (s *splitter) paragraph(i int) int {
	from, end := s.lines[i].start, s.lines[i].end
	for i++; i < len(s.lines); i++ {
		t := s.at(i)
		if blank(t) || heading(t) || itemMark.of(t) || fenceMark.of(t) ||
			tagLine.of(t) || ruleLine.of(t) {
			break
		}
		end = s.lines[i].end
	}
	for _, at := range sentences(s.text, from, end) {
		s.add(part{kind: index.SentenceUnit, start: at[0], end: at[1]})
	}
	s.block++
	return i
}

// add appends a part without the spaces and quote marks around it.
func (s *splitter) add(p part) {
	if p.kind != index.CodeUnit {
		for p.start < p.end && strings.IndexByte(" \t>\r\n", s.text[p.start]) >= 0 {
			p.start++
		}
	}
	for p.end > p.start && strings.IndexByte(" \t\r\n", s.text[p.end-1]) >= 0 {
		p.end--
	}
	if p.start < p.end {
		p.block = s.block
		s.parts = append(s.parts, p)
	}
}
