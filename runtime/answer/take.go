package answer

import (
	"strings"

	"kdd/format/index"
)

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
	if lead := p.lead(i); lead == i-1 && lead >= 0 && u.is(index.IsCommand) {
		p.take(lead)
	}
	if !p.take(i) {
		return false
	}
	p.before(i)
	p.takeAnnounced(i)
	return true
}

// takeAnnounced takes what a sentence that ends with a colon announces.
func (p *picker) takeAnnounced(i int) {
	u := &p.units[i]
	if i+1 >= len(p.units) {
		return
	}
	next := &p.units[i+1]
	if next.Passage != u.Passage || next.Block == u.Block ||
		!quotedTogether(p.passages[u.Passage].Text, u.Unit, next.Unit) {
		return
	}
	if !u.is(index.Announces) {
		if (p.q.Form == HowTo || p.q.Form == Example) && next.Kind == Code && next.Block == u.Block+1 {
			p.take(i + 1)
		}
		return
	}
	switch next.Kind {
	case Code, Sentence:
		p.take(i + 1)
	case Item, Step:
		// a word of each item, then more of those for which there is room
		for _, first := range [...]bool{true, false} {
			for j := i + 1; j < len(p.units) && p.units[j].sameBlock(&next.Picked); j++ {
				if p.units[j].First == first && !p.take(j) {
					break
				}
			}
		}
	case Row:
		p.takeRows(i + 1)
	}
}

// goOn lengthens a short answer of sentences by what follows the best unit in its section, of whatever kind: what
// answers the question often stands behind what repeats it. Behind code, a list or a table the answer is whole; a
// scenario goes on to its end.
func (p *picker) goOn(i int) {
	if p.units[i].scenario() {
		p.because(-1, WithBest, WithBest)
		for j := i + 1; j < len(p.units) && p.units[j].Passage == p.units[i].Passage &&
			(p.units[j].scenario() || p.units[j].Kind == Row) && p.take(j); j++ {
		}
		return
	}
	for j := range p.taken {
		if u := &p.units[j]; u.Kind != Sentence || u.is(index.IsCommand) {
			return
		}
	}
	p.because(-1, GoesOn, GoesOn)
	for j := i + 1; p.words < fewWords && j < len(p.units); j++ {
		next := &p.units[j]
		switch {
		case next.Passage != p.units[i].Passage:
			return
		case p.taken[j], next.Kind == Sentence && (next.is(index.PointsAway) || next.is(index.HeadsOther)):
			continue
		}
		if !p.take(j) {
			return
		}
	}
}

// before takes the sentence to which a unit refers back.
func (p *picker) before(i int) {
	if u := &p.units[i]; i > 0 && u.Kind == Sentence && u.Number > 0 && u.is(index.LeansBack) {
		if last := &p.units[i-1]; last.sameBlock(&u.Picked) && last.Number == u.Number-1 && !last.is(index.PointsAway) &&
			!last.is(index.HeadsOther) {
			p.take(i - 1)
		}
	}
}

// enumerate takes a whole list for a question that asks for one, if the best unit is a sentence: the list below a
// heading that has the words of the question.
func (p *picker) enumerate(best int) {
	if u := &p.units[best]; p.q.Form != Listing || u.Kind != Sentence || u.is(index.Announces) {
		return
	}
	list, under := -1, -1 // the best item, and the passage of the last heading that was looked at
	below := false
	for i := range p.units {
		u := &p.units[i]
		if u.Kind != Item && u.Kind != Row || p.taken[i] {
			continue
		}
		if u.Passage != under {
			under, below = u.Passage, p.headingNames(u.Passage)
		}
		if below && p.asGood(i, best, limitListBeside) && (list < 0 || u.Score > p.units[list].Score) {
			list = i
		}
	}
	if list < 0 {
		return
	}
	p.because(list, IsList, IsList)
	if p.units[list].Kind == Row {
		p.takeRows(list)
	} else {
		p.takeList(list, true)
	}
}

// headingNames says that the headings above a passage have most of the question's words.
func (p *picker) headingNames(passage int) bool {
	weight := 0.0
	for _, i := range p.q.WordsIn(passage, p.passages[passage].Heading) {
		weight += p.q.Words[i].Weight
	}
	return weight >= limitWordsOfHeading.of(p.total)
}

// lead returns the index of the sentence that introduces a unit's block, or -1.
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
		if before.Kind == Sentence && before.is(index.Announces) {
			return j
		}
		return -1
	}
	return -1
}

// takeList takes an item, the sentence that introduces its list, and other items: if all is set, as many as fit, else
// only those that are about as good.
func (p *picker) takeList(i int, all bool) bool {
	u := p.units[i]
	all = all || u.scenario()
	from, to := i, i+1
	for from > 0 && p.units[from-1].sameBlock(&u.Picked) {
		from--
	}
	for to < len(p.units) && p.units[to].sameBlock(&u.Picked) {
		to++
	}
	whole := 0
	for j := from; j < to; j++ {
		whole += p.units[j].words
	}
	if u.scenario() && !p.fits(whole) {
		return false
	}
	if lead := p.lead(i); lead >= 0 && !p.taken[lead] && p.fits(p.units[lead].words+u.words) &&
		!p.units[lead].is(index.RefersBack) {
		p.take(lead)
	}
	if !p.takeItem(i) {
		return false
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
		if !other.First && other.is(index.PointsAway) {
			continue
		}
		if all && other.Indent <= u.Indent && other.First || other.Number == u.Number && other.Kind == u.Kind ||
			p.asGood(j, i, limitItemBeside) {
			if p.takeItem(j) && other.scenario() && other.is(index.Announces) {
				p.takeAnnounced(j)
			}
		}
	}
	return true
}

// takeItem takes an item, and before it the item that it is nested in.
func (p *picker) takeItem(i int) bool {
	u := &p.units[i]
	for j := i - 1; j >= 0 && u.Indent > 0 && p.units[j].sameBlock(&u.Picked); j-- {
		if above := &p.units[j]; above.First && above.Indent < u.Indent {
			if !p.taken[i] && p.fits(above.words+u.words) {
				p.take(j)
			}
			break
		}
	}
	if i > 0 && !u.First && u.is(index.LeansBack) && p.units[i-1].sameBlock(&u.Picked) && p.units[i-1].Number == u.Number &&
		p.fits(p.units[i-1].words+u.words) {
		p.take(i - 1)
	}
	return p.take(i)
}

// takeRows takes a row, and the other rows of its table if all of them fit; if not, those that are about as good, or as
// many as fit if a list is asked for.
func (p *picker) takeRows(i int) bool {
	u := p.units[i]
	if !p.take(i) {
		return false
	}
	rest := 0
	for j := range p.units {
		if other := &p.units[j]; other.sameBlock(&u.Picked) && !p.taken[j] {
			rest += other.words
		}
	}
	whole := p.fits(rest)
	for j := range p.units {
		if other := &p.units[j]; other.sameBlock(&u.Picked) &&
			(whole || p.asGood(j, i, limitRowBeside) || p.q.Form == Listing) {
			p.take(j)
		}
	}
	return true
}

// fits says that the answer has room for that many more words.
func (p *picker) fits(words int) bool { return p.words+words <= p.maxWords }

// take adds a unit to the answer if it fits and does not repeat what the answer says.
func (p *picker) take(i int) bool {
	u := &p.units[i]
	if p.taken[i] {
		return true
	}
	words := u.words
	if u.Kind == Row && !p.hasTable(u) {
		words += wordCount(u.Header)
	}
	if p.keys[u.key] || !p.fits(words) || len(p.taken) >= maxPicked {
		return false
	}
	p.taken[i], p.keys[u.key] = true, true
	if u.Reason = p.along; i == p.seed {
		u.Reason = p.own
	}
	p.words += words
	return true
}

// hasTable says that another row of the table is taken, so that the header is counted already.
func (p *picker) hasTable(u *candidate) bool {
	for i := range p.taken {
		if t := &p.units[i]; t.Kind == Row && t.sameBlock(&u.Picked) {
			return true
		}
	}
	return false
}

// repeats says that most words of a unit are in one unit of the answer.
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
		if float64(both) >= limitRepeatedWords.of(float64(min(len(mine), len(have)))) {
			return true
		}
	}
	return false
}
