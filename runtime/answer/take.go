package answer

import "strings"

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
