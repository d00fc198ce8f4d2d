package answer

import (
	"cmp"
	"slices"

	"kdd/format/index"
)

// MaxWords is the greatest length of an extractive answer.
const MaxWords = 120

// The bounds of an answer, besides its words.
const (
	maxMore      = 2    // sentences besides the best unit and what it belongs to
	maxPicked    = 16   // units
	fewWords     = 60   // an answer of fewer goes on with what is said next
	maxCodeLines = 24   // of a block of code, its fences among them
	maxCodeBytes = 1200 // of a block of code
	maxUnitWords = 60   // of one sentence, item or row
	maxUnitBytes = 800  // of one sentence, item or row
)

// Picked is one unit of an answer.
type Picked struct {
	Unit
	Passage int
	Score   float64
	Text    string // as it stands in the answer, without marks of items
	Reason  Reason
	Parts   []Part // the terms of Score, if Pick was asked to explain
	Left    int    // of the last row that is taken of a table: how many others it has that are not
	words   int

	features sentenceFeatures // of Score
}

// Reason is why a unit was picked.
type Reason string

// The reasons.
const (
	IsBest Reason = "best" // it has the highest score
	// it belongs to that: introduces it, is announced by it, is of the same list or table
	WithBest   Reason = "with the best"
	IsList     Reason = "list"        // it is of a list below a heading with the question's words
	NearlyBest Reason = "nearly best" // it is nearly as good, and says something else
	WithNearly Reason = "with that"   // it belongs to one that is nearly as good
	GoesOn     Reason = "goes on"     // it stands behind the best, which is short
)

// candidate is a unit that may be picked.
type candidate struct {
	Picked
	has      []int // words of the question
	eligible bool  // it has something to do with the question
	key      string
}

// sameBlock says that two units stand in one paragraph, list or table.
func (u *Picked) sameBlock(as *Picked) bool { return u.Passage == as.Passage && u.Block == as.Block }

// picker picks from all passages.
type picker struct {
	q        *Question
	passages []Passage
	explain  bool
	units    []candidate // of all passages, in their order
	total    float64     // weight of all words
	figure   bool        // a number is asked for
	words    int         // of what is picked
	maxWords int
	taken    map[int]bool
	keys     map[string]bool

	seed       int    // the unit that is picked for its own sake, and why; others come with it
	own, along Reason // of the seed, and of what comes with it
}

// because sets the reasons of the units that are taken next: own for the unit picked for its own sake, along for those
// that come with it.
func (p *picker) because(seed int, own, along Reason) { p.seed, p.own, p.along = seed, own, along }

// newPicker scores the units of passages.
func newPicker(q *Question, passages []Passage, maxWords int, explain bool) *picker {
	p := &picker{
		q: q, passages: passages, explain: explain, maxWords: cmp.Or(maxWords, MaxWords),
		total: q.weight(), figure: q.asksFigure(), taken: map[int]bool{}, keys: map[string]bool{},
	}
	p.score()
	return p
}

// begin takes a unit as the best, with what belongs to it and what it goes on with.
func (p *picker) begin(i int) bool {
	p.because(i, IsBest, WithBest)
	if !p.takeWith(i) {
		return false
	}
	p.enumerate(i)
	p.goOn(i)
	return true
}

// Candidate is a unit that an answer could begin with.
type Candidate struct {
	Features []float64 // as SentenceNames names them
	Answer   []Picked  // that begins with it, but for what is nearly as good; none if it may not
	Best     bool      // it is that of the highest score
}

// Candidates returns all units that an answer could begin with, for those who learn or measure which one should. Cost:
// an answer for each.
func Candidates(q *Question, passages []Passage) []Candidate {
	p := newPicker(q, passages, 0, false)
	list := make([]Candidate, len(p.units))
	best := -1
	for i := range p.units {
		list[i].Features = p.units[i].features[:]
		own := *p
		own.taken, own.keys, own.units = map[int]bool{}, map[string]bool{}, slices.Clone(p.units)
		if p.units[i].eligible && own.begin(i) {
			list[i].Answer = own.picked()
			if best < 0 || p.units[i].Score > p.units[best].Score {
				best = i
			}
		}
	}
	if best >= 0 {
		list[best].Best = true
	}
	return list
}

// Pick returns the units that answer a question, in reading order and at most maxWords words of them; 0 is MaxWords. It
// takes the best unit with what belongs to it (the sentence that introduces its list, the steps beside it, the code
// that it announces), then those of the rest that are nearly as good and say something else. It returns none if no unit
// has a word of the question or its meaning. With explain the units have the terms of their scores.
func Pick(q *Question, passages []Passage, maxWords int, explain bool) []Picked {
	p := newPicker(q, passages, maxWords, explain)
	ranked := make([]int, len(p.units))
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(p.units[b].Score, p.units[a].Score) })
	best, more := -1, 0
	for _, i := range ranked {
		if best >= 0 && (more == maxMore || p.enough(best, i)) {
			break
		}
		switch {
		case !p.units[i].eligible:
		case best < 0:
			if p.begin(i) {
				best = i
				if p.units[i].is(index.PointsAway) { // what else there is has less to do with the question
					more = maxMore
				}
			}
		case p.takeBeside(best, i):
			more++
		}
	}
	return p.picked()
}

// asGood says that a unit is about as good as another one, within a limit.
func (p *picker) asGood(i, as int, within limit) bool {
	return p.units[i].Score >= p.units[as].Score-within.value()
}

// enough says that an answer with the best unit does not need unit i, because that unit is much worse or hardly any
// room is left.
func (p *picker) enough(best, i int) bool {
	return !p.asGood(i, best, limitNearlyBest) ||
		p.words >= int(limitFullEnough.of(float64(p.maxWords)))
}

// takeBeside takes a unit that is nearly as good as the best, if the two go together. It returns whether the unit
// counts as a further one; entries of the list that holds the best unit do not count.
func (p *picker) takeBeside(best, i int) bool {
	u, lead := &p.units[i], &p.units[best]
	p.because(i, NearlyBest, WithNearly)
	listing := p.q.Form == Listing
	switch {
	case p.taken[i], p.aboutAnother(u) && !p.aboutAnother(lead):
		return false
	case u.scenario() && p.takeList(i, true):
		return true
	case listing && u.Kind == Item && lead.Kind == Item && u.Passage == lead.Passage && p.takeList(i, true):
		return false // the list goes on
	case listing && u.Kind == Sentence && lead.Kind != Sentence && u.Passage != lead.Passage:
		return false // the list is the answer
	}
	return u.Kind == Sentence && !u.is(index.OpenEnded) && !u.is(index.LeansBack) &&
		!u.is(index.PointsAway) && !p.repeats(i) && p.take(i)
}

// countLeft sets how many rows are not taken of each table.
func (p *picker) countLeft(list []Picked) {
	for i := range list {
		u := &list[i]
		if u.Kind != Row || i+1 < len(list) && list[i+1].sameBlock(u) {
			continue
		}
		for j := range p.units {
			if p.units[j].sameBlock(u) && !p.taken[j] {
				u.Left++
			}
		}
	}
}

// picked returns the taken units in reading order: documents in the order in which they were found, and units by their
// place in the document.
func (p *picker) picked() []Picked {
	var list []Picked
	for i := range p.units {
		if p.taken[i] {
			list = append(list, p.units[i].Picked)
		}
	}
	p.countLeft(list)
	first := map[uint64]int{} // document → first passage that is quoted
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
