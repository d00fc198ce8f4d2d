package units

import (
	"strings"

	"kdd/format/index"
)

// scenario reads a scenario that begins at line i: its steps, each of which becomes an item, with the tables and texts
// below them. It returns the line behind the scenario, or i if none begins there. A scenario has at least two lines up
// to a blank one, all of which are steps or belong to one; so a sentence that happens to begin with "Given" or "When"
// is not taken for a step.
func (s *splitter) scenario(i int) int {
	if !lexicon().openingStep().MatchString(s.at(i)) {
		return i
	}
	steps, end := 0, i
	for ; end < len(s.lines) && !blank(s.at(end)); end++ {
		switch t := s.at(end); {
		case lexicon().step().MatchString(t):
			steps++
		case !cells(t):
			return i
		}
	}
	if end-i < 2 || steps == 0 {
		return i
	}
	for j := i; j < end; {
		if !cells(s.at(j)) {
			s.add(part{kind: index.ItemUnit, start: s.lines[j].start, end: s.lines[j].end, first: true, scenario: true})
			j++
			continue
		}
		head := j
		s.block++
		for j++; j < end && cells(s.at(j)); j++ {
			s.add(part{kind: index.RowUnit, start: s.lines[j].start, end: s.lines[j].end,
				head: [2]int{s.lines[head].start, s.lines[head].end}})
		}
		s.block++
	}
	s.block++
	return end
}

// cells says that a line is a row of a table.
func cells(t string) bool {
	t = strings.TrimSpace(t)
	return len(t) > 1 && t[0] == '|' && t[len(t)-1] == '|'
}
