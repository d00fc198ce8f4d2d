package answer

import (
	"slices"
	"strings"
	"unicode"

	"kdd/format/index"
)

// score makes a candidate of each unit of each passage that could be quoted, and scores it.
func (p *picker) score() {
	for n := range p.passages {
		for _, u := range p.passages[n].Units {
			if c, ok := p.candidate(n, u); ok {
				p.units = append(p.units, c)
			}
		}
	}
	for i := range p.units {
		c := &p.units[i]
		f := &c.features
		p.features(f, i)
		for k, x := range f {
			c.Score += float64(p.q.sentenceWeight(k).weight * x)
		}
		c.eligible = f[sentenceCoverage] > 0 || f[sentenceLikeness] > leastLikeness
		if p.explain {
			c.Parts = f.parts(p.q)
		}
	}
}

// candidate returns a unit of a passage with its words, or false if it may not be quoted.
func (p *picker) candidate(passage int, u Unit) (candidate, bool) {
	raw := p.passages[passage].Text[u.Start:u.End]
	c := candidate{Picked: Picked{Unit: u, Passage: passage, Text: raw}}
	if u.Kind != Code {
		c.Text = reads(u.Kind, raw)
		c.words = wordCount(c.Text)
		if c.words > maxUnitWords || len(raw) > maxUnitBytes || !hasWords(c.Text) {
			return c, false
		}
	} else if !tooMuch(raw) {
		c.words = len(strings.Fields(raw))
	}
	if c.words == 0 || p.q.Skip != nil && p.q.Skip(raw) {
		return c, false
	}
	c.key = key(c.Text)
	c.has = p.q.WordsIn(passage, raw)
	return c, true
}

// features sets the features of a unit.
func (p *picker) features(f *sentenceFeatures, i int) {
	c, passage := &p.units[i], &p.passages[p.units[i].Passage]
	*f = sentenceFeatures{
		sentenceFirst:          one(i == 0 || p.units[i-1].Passage != c.Passage),
		sentencePassage:        1 / float64(1+c.Passage),
		sentenceFigure:         one(p.figure && c.is(index.HasNumber)),
		sentenceShort:          one(c.words < shortUnit),
		sentencePointsAway:     one(c.is(index.PointsAway)),
		sentenceCoverage:       p.coverage(i),
		sentenceDefinesSubject: p.definesSubject(c),
	}
	if passage.Opens {
		f[sentencePassage] = 1
	}
	if p.q.Likeness == nil {
		own := c.has
		if passage.Opens && f[sentenceFirst] > 0 { // what a document begins with need not repeat its name
			own = slices.Concat(own, p.q.WordsIn(c.Passage, passage.Heading))
		}
		f[sentenceOwn] = p.share(own)
	} else {
		f[sentenceLikeness] = p.likeness(i)
	}
}

// likeness is the cosine of the question with a unit and what is said next, below its headings.
func (p *picker) likeness(i int) float64 {
	c := &p.units[i]
	if c.Kind == Code {
		return 0
	}
	text := reads(Sentence, p.passages[c.Passage].Heading) + ": " + c.Text
	for j := i + 1; j <= i+likeNext && j < len(p.units) && p.units[j].Passage == c.Passage; j++ {
		if p.units[j].Kind != Code {
			text += " " + p.units[j].Text
		}
	}
	return max(0, p.q.Likeness(c.Passage, text))
}

// coverage is the share of the question's words, by weight, in the headings above a unit, in the unit, and in what
// follows it in its passage, up to fewWords words, as an answer would go on.
func (p *picker) coverage(i int) float64 {
	c := &p.units[i]
	found := slices.Concat(p.q.WordsIn(c.Passage, p.passages[c.Passage].Heading), c.has)
	if c.Kind == Row {
		found = append(found, p.q.WordsIn(c.Passage, c.Header)...)
	}
	words := c.words
	for j := i + 1; j < len(p.units) && p.units[j].Passage == c.Passage && words < fewWords; j++ {
		found = append(found, p.units[j].has...)
		words += p.units[j].words
	}
	return p.share(found)
}

// share is the share of the question's words, by weight, that a list of them has.
func (p *picker) share(found []int) float64 {
	if p.total <= 0 {
		return 0
	}
	sum := 0.0
	for i, w := range p.q.Words {
		if slices.Contains(found, i) {
			sum += w.Weight
		}
	}
	return sum / p.total
}

// definesSubject is the share of the question's words in what a unit says the meaning of, if that is asked for.
func (p *picker) definesSubject(c *candidate) float64 {
	if p.q.Form != Definition || c.Kind != Sentence && (c.Kind != Item || !c.First || c.scenario()) {
		return 0
	}
	subject := strings.Fields(c.Text)
	subject = subject[:min(c.Subject, len(subject))]
	has := p.q.WordsIn(c.Passage, strings.Join(subject, " "))
	if share := p.q.share(has); len(subject) <= len(has)+subjectSlack && share >= limitWordsOfTitle.value() {
		return share
	}
	return 0
}

// aboutAnother says that the documents know identifiers of the question, and that neither a unit nor the headings above
// it have one of them.
func (p *picker) aboutAnother(c *candidate) (other bool) {
	above := p.q.WordsIn(c.Passage, p.passages[c.Passage].Heading)
	for i, w := range p.q.Words {
		if w.Name && w.Known > 0 {
			if slices.Contains(c.has, i) || slices.Contains(above, i) {
				return false
			}
			other = true
		}
	}
	return other
}

// quotedTogether says that a block can be quoted with the sentence that leads to it. Code has to be short, and to stand
// right below that sentence and not inside a larger block. Of sentences only a command can, which may be indented or
// stand between tags.
func quotedTogether(text string, u, next Unit) bool {
	own, between := text[next.Start:next.End], strings.TrimSpace(text[u.End:next.Start])
	switch next.Kind {
	case Code:
		return between == "" && !tooMuch(own)
	case Sentence:
		return next.Number == 0 && next.is(index.IsCommand)
	}
	return true
}

// hasWords says that a text is made of words, not of lines and boxes.
func hasWords(s string) bool {
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

// one returns 1 for true and 0 for false.
func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
