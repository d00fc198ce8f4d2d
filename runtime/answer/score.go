package answer

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// score gives each unit of each passage its score.
func (p *picker) score() {
	for n := range p.passages {
		passage := &p.passages[n]
		inHeading := p.q.Find(n, passage.Heading)
		first := true
		all := finer(passage.Text, passage.parts())
		for at, u := range all {
			raw := passage.Text[u.Start:u.End]
			s := scored{Picked: Picked{Unit: u, Passage: n, Text: raw}}
			if u.Kind != Code {
				s.Text = strings.TrimPrefix(strings.TrimPrefix(plain(raw), "[ ] "), "[x] ")
				s.words = wordCount(s.Text)
			} else if !tooMuch(raw) {
				s.words = len(strings.Fields(raw))
			}
			if s.words == 0 || u.Kind != Code && (s.words > maxUnitWords || len(raw) > maxUnitBytes || !says(s.Text)) || p.q.Skip != nil && p.q.Skip(raw) {
				continue
			}
			s.key = key(s.Text)
			s.has = p.q.Find(n, raw)
			above := inHeading
			if u.Kind == Row {
				above = append(p.q.Find(n, passage.Text[u.Head[0]:u.Head[1]]), inHeading...)
			}
			s.Score = p.value(&s, above, passage, first)
			if announces(s.Text) && (at+1 == len(all) || !announced(passage.Text, u, all[at+1])) {
				s.Score -= 0.25 // what it announces is not to be had
			}
			if s.other = p.ofAnother(s.has, above); s.other { // but it may stay the best that there is
				s.Score = max(s.Score-0.3, min(s.Score, 0.06))
			}
			if u.Kind == Sentence {
				first = false
			}
			p.units = append(p.units, s)
		}
	}
}

// ofAnother says that a question has identifiers that the documents know, and neither a unit nor what stands above it has one.
func (p *picker) ofAnother(has, above []int) (other bool) {
	for i, w := range p.q.Words {
		if w.Name && w.Known > 0 {
			if slices.Contains(has, i) || slices.Contains(above, i) {
				return false
			}
			other = true
		}
	}
	return other
}

// value is how well a unit answers, about 0 to 2.
func (p *picker) value(s *scored, inHeading []int, passage *Passage, first bool) float64 {
	lists := p.q.Form == Listing && (s.Kind == Item || s.Kind == Step || s.Kind == Row)
	covered := 0.0
	for i, w := range p.q.Words {
		switch {
		case slices.Contains(s.has, i):
			covered += w.Weight
		case slices.Contains(inHeading, i):
			if lists || passage.Opens && first { // the heading says what of, an item need not say it again
				covered += 0.9 * w.Weight
			} else {
				covered += 0.6 * w.Weight
			}
		}
	}
	if p.total > 0 {
		covered /= p.total
	}
	value := covered
	if p.q.Near != nil && s.Kind != Code {
		value += max(0, p.q.Near(s.Passage, plain(passage.Heading)+": "+s.Text))
	}
	if len(s.has) == 0 && !lists {
		value -= 0.15
	}
	if !passage.Opens {
		value -= 0.07 * float64(min(s.Passage, 6))
	}
	if s.Start >= passage.Focus[0] && s.End <= passage.Focus[1] {
		value += 0.06
	}
	if first && s.Kind == Sentence && passage.Begins {
		value += 0.08 // what a section begins with says what it is about
	}
	switch {
	case s.Kind == Sentence && s.words < 4, questions(s.Text), s.Kind != Code && s.Kind != Row && asks(s.Text):
		value -= 0.3
	case s.Kind == Code && p.q.Form != Example:
		value -= 0.3
	}
	if s.Kind != Code && s.Kind != Row && points(s.Text) {
		value -= 0.4
	}
	if s.Kind == Sentence && lacks(s.Text) && !p.q.asksForParts() {
		value -= 0.25
	}
	if s.Kind == Sentence && supposes(s.Text) {
		value -= 0.2
	}
	if s.Kind == Sentence && leans(s.Text) {
		if value -= 0.06; s.Number == 0 && !reasons(s.Text) { // on another paragraph
			value -= 0.06
		}
	}
	if s.Scenario && p.q.Form != Example {
		value -= 0.12 // it says what is checked, not how it is
		if wishes(s.Text) {
			value -= 0.15 // or what someone wants
		}
	}
	switch p.q.Form {
	case Definition:
		if s.Kind == Sentence && defines(s.Text) {
			value += 0.12
		}
		switch {
		case s.Kind == Row && !p.q.asksForParts() && len(p.q.Find(s.Passage, firstCell(s.Text))) == 0, s.Scenario: // what something is stands in sentences
			value -= 0.3
		case s.Kind == Item && s.First, s.Kind == Sentence && (p.q.asksForParts() || !lacks(s.Text)):
			head := subject(s.Text)
			if has := p.q.Find(s.Passage, head); len(strings.Fields(head)) <= len(has)+2 && p.q.share(has) >= 0.5 {
				value += 0.3 * p.q.share(has)
			}
		}
	case HowTo:
		if s.Kind == Step || strings.HasSuffix(s.Text, ":") || strings.HasSuffix(s.Text, "：") {
			value += 0.08
		}
	case Listing:
		if s.Kind == Item || s.Kind == Row || s.Kind == Step {
			value += 0.06
		}
	case Example:
		if s.Kind == Code {
			value += 0.2
		}
	}
	// A long unit has many words by chance.
	return value - 0.05*math.Max(0, float64(s.words)/30-1)
}

// firstCell returns the first cell of a table's row.
func firstCell(row string) string {
	cell, _, _ := strings.Cut(strings.TrimLeft(row, "| "), "|")
	return cell
}

// announced says that a block can be quoted with the sentence that leads to it: code has to stand right below, not inside of
// something that shows more, and to be short. Of sentences only a command can, which may stand between tags or indented.
func announced(text string, u, next Unit) bool {
	own, between := text[next.Start:next.End], strings.TrimSpace(text[u.End:next.Start])
	switch next.Kind {
	case Code:
		return between == "" && !tooMuch(own)
	case Sentence:
		return next.Number == 0 && !strings.Contains(between, "#") && command(own)
	}
	return true
}

// says says that a text is made of words, not of lines and boxes.
func says(s string) bool {
	letters, others := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			letters++
		case r != ' ':
			others++
		}
	}
	return letters > others
}

// tooMuch says that a block of code is too long for an answer.
func tooMuch(code string) bool {
	return strings.Count(code, "\n")+1 > maxCodeLines || len(code) > maxCodeBytes
}
