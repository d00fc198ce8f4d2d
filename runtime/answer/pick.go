package answer

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// MaxWords is the length of an extractive answer at most.
const MaxWords = 120

// The bounds of an answer, besides its words.
const (
	maxMore      = 2    // sentences besides the best unit and what it belongs to
	maxPicked    = 16   // units
	maxCodeLines = 16   // of a block of code, its fences among them
	maxCodeBytes = 1200 // of a block of code
	maxUnitWords = 60   // of one sentence, item or row
	maxUnitBytes = 800  // of one sentence, item or row
)

// Word is one word of a question.
type Word struct {
	Text   string
	Weight float64 // idf
	Known  float64 // 1: the documents have it; less: they have something like it; 0: they do not
	Name   bool    // it is an identifier
}

// Question is what is answered.
type Question struct {
	Text  string
	Form  Form
	Words []Word // those with a meaning of their own; none twice

	// Find returns, for a text of a passage, which of Words it has.
	Find func(passage int, text string) []int
	// Near is the likeness in meaning of a text and the question, a cosine; nil if it is not known.
	Near func(passage int, text string) float64
	// Skip says that a text may not be quoted; nil: any may.
	Skip func(text string) bool
}

// Passage is a run of text that a search found, best passages first.
type Passage struct {
	Text    string
	Heading string // the title and headings that it stands below
	Doc     int    // passages of one document have the same number
	At      int    // where it begins in its document
	Focus   [2]int // bytes of Text that the search found best
	Begins  bool   // it begins where its section does
	InCode  bool   // it begins inside a block of code
}

// Picked is one unit of an answer.
type Picked struct {
	Unit
	Passage int
	Score   float64
	Text    string // as it stands in the answer, without marks of items
	words   int
}

// scored is a unit that may be picked.
type scored struct {
	Picked
	has []int
	key string
}

// picker picks from all passages.
type picker struct {
	q        *Question
	passages []Passage
	units    []scored // of all passages, in their order
	total    float64  // weight of all words
	words    int      // of what is picked
	most     int
	taken    map[int]bool
	keys     map[string]bool
}

// Pick returns the units that answer a question, in reading order, of at most mostWords words: the best one with what it
// belongs to (what introduces its list, the steps beside it, the code that it announces), then the best of the rest that
// are nearly as good and say something else. It is empty where no unit has a word of the question or its meaning.
func Pick(q *Question, passages []Passage, mostWords int) []Picked {
	p := &picker{q: q, passages: passages, most: cmp.Or(mostWords, MaxWords), taken: map[int]bool{}, keys: map[string]bool{}}
	for _, w := range q.Words {
		p.total += w.Weight
	}
	p.score()
	order := make([]int, len(p.units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.units[b].Score, p.units[a].Score) })
	best, more := 0.0, 0
	for _, i := range order {
		u := &p.units[i]
		if u.Score <= 0.05 || best > 0 && (u.Score < 0.82*best || more == maxMore || p.words >= p.most*3/5) {
			break
		}
		switch {
		case best == 0:
			if p.takeWith(i) {
				best = u.Score
			}
		case !p.taken[i] && u.Kind == Sentence && !announces(u.Text) && !leans(u.Text) && !p.repeats(i) && p.take(i):
			more++
		}
	}
	return p.picked()
}

// score gives each unit of each passage its score.
func (p *picker) score() {
	for n, passage := range p.passages {
		inHeading := p.q.Find(n, passage.Heading)
		first := true
		all := split(passage.Text, passage.InCode)
		for at, u := range all {
			raw := passage.Text[u.Start:u.End]
			s := scored{Picked: Picked{Unit: u, Passage: n, Text: raw}}
			switch u.Kind {
			case Code:
				if tooMuch(raw) {
					continue
				}
				s.words = len(strings.Fields(raw))
			case Row:
				s.Text = plain(raw)
				s.words = wordCount(s.Text)
			default:
				s.Text = plain(raw)
				s.words = wordCount(s.Text)
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
			if announces(s.Text) && (at+1 == len(all) || all[at+1].Kind == Sentence || all[at+1].Kind == Code && tooMuch(passage.Text[all[at+1].Start:all[at+1].End])) {
				s.Score -= 0.25 // what it announces is not to be had
			}
			if u.Kind == Sentence {
				first = false
			}
			p.units = append(p.units, s)
		}
	}
}

// value is how well a unit answers, about 0 to 2.
func (p *picker) value(s *scored, inHeading []int, passage Passage, first bool) float64 {
	covered := 0.0
	for i, w := range p.q.Words {
		switch {
		case slices.Contains(s.has, i):
			covered += w.Weight
		case slices.Contains(inHeading, i):
			covered += 0.6 * w.Weight
		}
	}
	if p.total > 0 {
		covered /= p.total
	}
	value := covered
	if p.q.Near != nil && s.Kind != Code {
		value += max(0, p.q.Near(s.Passage, plain(passage.Heading)+": "+s.Text))
	}
	if len(s.has) == 0 {
		value -= 0.15
	}
	value -= 0.07 * float64(min(s.Passage, 6))
	if s.Start >= passage.Focus[0] && s.End <= passage.Focus[1] {
		value += 0.06
	}
	if first && s.Kind == Sentence && passage.Begins {
		value += 0.08 // what a section begins with says what it is about
	}
	switch {
	case s.Kind == Sentence && s.words < 4, strings.HasSuffix(s.Text, "?"), s.Kind != Code && s.Kind != Row && asks(s.Text):
		value -= 0.3
	case s.Kind == Code && p.q.Form != Example:
		value -= 0.3
	}
	if s.Kind == Sentence && leans(s.Text) && s.Number > 0 {
		value -= 0.06
	}
	switch p.q.Form {
	case Definition:
		if s.Kind == Sentence && defines(s.Text) {
			value += 0.12
		}
	case HowTo:
		if s.Kind == Step || strings.HasSuffix(s.Text, ":") {
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

// announces says that a text leads to what stands below it.
func announces(s string) bool { return strings.HasSuffix(strings.TrimRight(s, "*_ "), ":") }

// tooMuch says that a block of code is too long for an answer.
func tooMuch(code string) bool {
	return strings.Count(code, "\n")+1 > maxCodeLines || len(code) > maxCodeBytes
}

// asks says that a text is a heading of what is explained elsewhere: "How to ...", "What X is".
func asks(s string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(s, "*_¿\"")), " ")
	switch word {
	case "how", "what", "why", "when", "where", "which", "cómo", "qué", "cuándo", "cuál", "dónde":
		return !strings.ContainsAny(s, ",.:;—") || strings.HasSuffix(s, "?")
	}
	return false
}

// leans says that a sentence begins with a word that stands for what was said before it.
func leans(s string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(s, "*_")), " ")
	switch strings.TrimRight(word, ",") {
	case "this", "these", "it", "they", "that", "those", "however", "but", "so", "then", "also", "and", "instead", "otherwise", "esto", "este", "esta", "estos", "estas", "además", "sin", "pero", "así":
		return true
	}
	return false
}

// defines says that a sentence says early what something is.
func defines(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words[:min(9, len(words))] {
		switch w {
		case "is", "are", "means", "lets", "returns", "represents", "refers", "describes", "contains", "es", "son", "significa", "representa", "contiene", "define", "ist", "sind":
			return i > 0
		}
	}
	return false
}

// takeWith takes a unit and what it belongs to.
func (p *picker) takeWith(i int) bool {
	u := &p.units[i]
	switch u.Kind {
	case Step:
		return p.takeList(i, true)
	case Item:
		return p.takeList(i, p.q.Form == Listing || p.q.Form == HowTo)
	case Row:
		return p.takeRows(i)
	case Code:
		if lead := p.lead(i); lead >= 0 {
			p.take(lead)
		}
		return p.take(i)
	}
	if !p.take(i) {
		return false
	}
	p.takeAnnounced(i)
	return true
}

// takeAnnounced takes what a sentence with a colon at its end announces.
func (p *picker) takeAnnounced(i int) {
	u := &p.units[i]
	if i+1 >= len(p.units) {
		return
	}
	next := &p.units[i+1]
	if next.Passage != u.Passage || next.Block == u.Block {
		return
	}
	if !announces(u.Text) {
		if p.q.Form == HowTo && next.Kind == Code && next.Block == u.Block+1 {
			p.take(i + 1)
		}
		return
	}
	switch next.Kind {
	case Code:
		p.take(i + 1)
	case Item, Step:
		for j := i + 1; j < len(p.units) && p.units[j].Passage == u.Passage && p.units[j].Block == next.Block && p.take(j); j++ {
		}
	case Row:
		p.takeRows(i + 1)
	}
}

// lead returns the sentence that introduces a unit's block, -1 if none does.
func (p *picker) lead(i int) int {
	u := &p.units[i]
	for j := i - 1; j >= 0; j-- {
		before := &p.units[j]
		if before.Passage != u.Passage {
			return -1
		}
		if before.Block == u.Block {
			continue
		}
		if before.Kind == Sentence && announces(before.Text) {
			return j
		}
		return -1
	}
	return -1
}

// takeList takes an item with its list: what introduces it, and of the other items all that there is room for, or only those that
// are about as good.
func (p *picker) takeList(i int, all bool) bool {
	u := p.units[i]
	if lead := p.lead(i); lead >= 0 && !p.taken[lead] && p.fits(p.units[lead].words+u.words) {
		p.take(lead)
	}
	if !p.take(i) {
		return false
	}
	from, to := i, i+1
	for from > 0 && p.units[from-1].Passage == u.Passage && p.units[from-1].Block == u.Block {
		from--
	}
	for to < len(p.units) && p.units[to].Passage == u.Passage && p.units[to].Block == u.Block {
		to++
	}
	whole := 0
	for j := from; j < to; j++ {
		whole += p.units[j].words
	}
	if all && !p.fits(whole-u.words) && u.Kind == Step { // from the first step on, as far as there is room
		for j := from; j < i; j++ {
			if !p.take(j) {
				break
			}
		}
	}
	for j := from; j < to; j++ {
		other := &p.units[j]
		if all && other.Indent <= u.Indent && other.First || other.Number == u.Number && other.Kind == u.Kind || other.Score >= 0.85*u.Score {
			p.take(j)
		}
	}
	return true
}

// takeRows takes a row and the others of its table that are about as good.
func (p *picker) takeRows(i int) bool {
	u := p.units[i]
	if !p.take(i) {
		return false
	}
	for j := range p.units {
		if other := &p.units[j]; other.Passage == u.Passage && other.Block == u.Block && (other.Score >= 0.9*u.Score || p.q.Form == Listing) {
			p.take(j)
		}
	}
	return true
}

func (p *picker) fits(words int) bool { return p.words+words <= p.most }

// take adds a unit to the answer if it has room and says nothing that is there already.
func (p *picker) take(i int) bool {
	u := &p.units[i]
	if p.taken[i] {
		return true
	}
	words := u.words
	if u.Kind == Row && !p.hasTable(u) {
		words += wordCount(p.passages[u.Passage].Text[u.Head[0]:u.Head[1]])
	}
	if p.keys[u.key] || !p.fits(words) || len(p.taken) >= maxPicked {
		return false
	}
	p.taken[i], p.keys[u.key] = true, true
	p.words += words
	return true
}

func (p *picker) hasTable(u *scored) bool {
	for i := range p.taken {
		if t := &p.units[i]; t.Kind == Row && t.Passage == u.Passage && t.Head == u.Head {
			return true
		}
	}
	return false
}

// repeats says that most words of a unit are in one that is picked.
func (p *picker) repeats(i int) bool {
	mine := strings.Fields(p.units[i].key)
	for j := range p.taken {
		have := map[string]bool{}
		for _, w := range strings.Fields(p.units[j].key) {
			have[w] = true
		}
		both := 0
		for _, w := range mine {
			if have[w] {
				both++
			}
		}
		if float64(both) >= 0.7*float64(min(len(mine), len(have))) {
			return true
		}
	}
	return false
}

// picked returns what was taken in reading order: documents as they were found, in each by place.
func (p *picker) picked() []Picked {
	var list []Picked
	for i := range p.units {
		if p.taken[i] {
			list = append(list, p.units[i].Picked)
		}
	}
	first := map[int]int{} // document → first passage that is quoted
	for _, u := range list {
		if _, ok := first[p.passages[u.Passage].Doc]; !ok {
			first[p.passages[u.Passage].Doc] = u.Passage
		}
	}
	slices.SortStableFunc(list, func(a, b Picked) int {
		x, y := p.passages[a.Passage], p.passages[b.Passage]
		return cmp.Or(cmp.Compare(first[x.Doc], first[y.Doc]), cmp.Compare(x.At+a.Start, y.At+b.Start))
	})
	return list
}
