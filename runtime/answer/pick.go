package answer

import (
	"cmp"
	"slices"
)

// MaxWords is the length of an extractive answer at most.
const MaxWords = 120

// The bounds of an answer, besides its words.
const (
	maxMore      = 2    // sentences besides the best unit and what it belongs to
	maxPicked    = 16   // units
	fewWords     = 30   // an answer of fewer goes on with what is said next
	maxCodeLines = 24   // of a block of code, its fences among them
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
	Last  string // what of Text was asked last, where it goes on with a question before; "" = all of it
	Form  Form
	Words []Word // those with a meaning of their own; none twice

	// Find returns, for a text of a passage, which of Words it has.
	Find func(passage int, text string) []int
	// Near is the likeness in meaning of a text and the question, a cosine; nil if it is not known.
	Near func(passage int, text string) float64
	// Skip says that a text may not be quoted; nil: any may.
	Skip func(text string) bool
}

// weight is that of all words.
func (q *Question) weight() (total float64) {
	for _, w := range q.Words {
		total += w.Weight
	}
	return total
}

// share is the weight of some of the words, of those that the documents know.
func (q *Question) share(has []int) float64 {
	known, own := 0.0, 0.0
	for i, w := range q.Words {
		if slices.Contains(has, i) {
			own += w.Weight
		}
		if w.Known > 0 || slices.Contains(has, i) {
			known += w.Weight
		}
	}
	if own == 0 {
		return 0
	}
	return own / known
}

// Names says that a title, which has the words of the question that has names, is what the question asks for and nothing else.
func (q *Question) Names(has []int, title string) bool {
	return q.share(has) >= 0.5 && len(has) >= wordCount(title)
}

// Passage is a run of text that a search found, best passages first. Pick and Gather cut its text into units, and keep them in it:
// one goroutine uses a passage at a time.
type Passage struct {
	Text    string
	Heading string // the title and headings that it stands below
	Doc     int    // passages of one document have the same number
	At      int    // where it begins in its document
	Focus   [2]int // bytes of Text that the search found best
	Begins  bool   // it begins where its section does
	InCode  bool   // it begins inside a block of code
	Opens   bool   // it is the beginning of the document that is called what the question asks for

	cut   bool
	units []Unit // of Text, once it is cut
}

// parts returns the units of a passage's text, which is cut at the first call.
func (p *Passage) parts() []Unit {
	if !p.cut {
		p.cut, p.units = true, split(p.Text, p.InCode)
	}
	return p.units
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
	has   []int
	other bool // it is about something else than what the question names
	key   string
}

// sameBlock says that two units stand in one paragraph, list or table.
func (u *Picked) sameBlock(as *Picked) bool { return u.Passage == as.Passage && u.Block == as.Block }

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

// Pick returns the units that answer a question, in reading order and at most mostWords words of them. It takes the best unit with
// what belongs to it (the sentence that introduces its list, the steps beside it, the code that it announces), then those of the
// rest that are nearly as good and say something else. It returns none if no unit has a word of the question or its meaning.
func Pick(q *Question, passages []Passage, mostWords int) []Picked {
	p := &picker{q: q, passages: passages, most: cmp.Or(mostWords, MaxWords), total: q.weight(), taken: map[int]bool{}, keys: map[string]bool{}}
	p.score()
	ranked := make([]int, len(p.units))
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(p.units[b].Score, p.units[a].Score) })
	best, more := 0.0, 0
	lead := -1 // the best
	for _, i := range ranked {
		u := &p.units[i]
		if u.Score <= 0.05 || best > 0 && (u.Score < 0.82*best || more == maxMore || p.words >= p.most*3/5) {
			break
		}
		switch {
		case best == 0:
			if p.takeWith(i) {
				best, lead = u.Score, i
				p.enumerate(i)
				if points(u.Text) { // what else there is has less to do with the question
					more = maxMore
				}
			}
		case p.taken[i], u.other && !p.units[lead].other:
		case u.Scenario && p.takeList(i, true):
			more++
		case q.Form == Listing && u.Kind == Item && p.units[lead].Kind == Item && u.Passage == p.units[lead].Passage && p.takeList(i, true): // the list goes on
		case u.Kind == Sentence && q.Form == Listing && p.units[lead].Kind != Sentence && u.Passage != p.units[lead].Passage: // the list is the answer
		case u.Kind == Sentence && ends(u.Text) && !leans(u.Text) && !points(u.Text) && !p.repeats(i) && p.take(i):
			more++
		}
	}
	if lead >= 0 {
		p.goOn(lead)
	}
	return p.picked()
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
