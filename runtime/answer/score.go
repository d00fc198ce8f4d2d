package answer

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"kdd/format/index"
)

// score makes a candidate of each unit of each passage that could be quoted.
func (p *picker) score() {
	for n := range p.passages {
		passage := &p.passages[n]
		inHeading := p.q.WordsIn(n, passage.Heading)
		first := true
		units := passage.Units
		for at, u := range units {
			c, ok := p.candidate(n, u)
			if !ok {
				continue
			}
			above := inHeading
			if u.Kind == Row {
				above = append(p.q.WordsIn(n, u.Header), inHeading...)
			}
			t := tally{explain: p.explain}
			p.addFeatures(&t, &c, above, first)
			if u.is(index.Announces) && (at+1 == len(units) || !quotedTogether(passage.Text, u, units[at+1])) {
				t.add(sentenceAnnouncesNothing, 1)
			}
			if c.aboutAnother = p.aboutAnother(c.has, above); c.aboutAnother { // but it may stay the best that there is
				t.addDownTo(sentenceAboutAnother, limitAboutAnotherMin.value())
			}
			if u.Kind == Sentence {
				first = false
			}
			c.Score, c.Parts = t.sum, t.parts
			p.units = append(p.units, c)
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

// tally sums the features of one unit.
type tally struct {
	sum     float64
	explain bool
	parts   []Part // with explain
}

// add adds a feature, multiplied by its weight.
func (t *tally) add(f sentenceFeature, value float64) {
	w := &sentenceWeights[f]
	t.sum += float64(w.Value * value)
	if t.explain && value != 0 {
		t.parts = append(t.parts, Part{w.Name, value, w.Value})
	}
}

// addIf adds a feature that is true or false.
func (t *tally) addIf(has bool, f sentenceFeature) {
	if has {
		t.add(f, 1)
	}
}

// addDownTo adds a negative feature, but takes the sum no further down than to least.
func (t *tally) addDownTo(f sentenceFeature, least float64) {
	w, before := &sentenceWeights[f], t.sum
	t.sum = max(before+w.Value, min(before, least))
	if t.explain {
		t.parts = append(t.parts, Part{w.Name, (t.sum - before) / w.Value, w.Value})
	}
}

// addFeatures adds the features that tell how well a unit answers. first is true up to the first sentence of the
// passage. above lists the words of the question in the headings above the unit.
func (p *picker) addFeatures(t *tally, c *candidate, above []int, first bool) {
	passage := &p.passages[c.Passage]
	entry := c.Kind == Item || c.Kind == Step || c.Kind == Row
	listed := p.q.Form == Listing && entry
	t.add(sentenceCoverage, p.coverage(c.has, above, listed || passage.Opens && first))
	if p.q.Likeness != nil && c.Kind != Code {
		t.add(sentenceLikeness, max(0, p.q.Likeness(c.Passage, reads(Sentence, passage.Heading)+": "+c.Text)))
	}
	t.addIf(len(c.has) == 0 && !listed, sentenceWordless)
	if !passage.Opens {
		t.add(sentenceLaterPassage, float64(min(c.Passage, maxLater)))
	}
	p.addRoles(t, c)
	switch p.q.Form {
	case Definition:
		p.addDefinition(t, c)
	case HowTo:
		t.addIf(c.Kind == Step || c.is(index.Announces), sentenceStepAsked)
	}
	t.add(sentenceLength, math.Max(0, float64(c.words)/longUnit-1))
}

// coverage returns the share of the question's words, by weight, that a unit or the headings above it have. A word that
// only the headings have counts less.
func (p *picker) coverage(has, above []int, repeatsNothing bool) float64 {
	inHeading := limitHeadingWord
	if repeatsNothing {
		inHeading = limitHeadingWordOfList
	}
	covered := 0.0
	for i, w := range p.q.Words {
		switch {
		case slices.Contains(has, i):
			covered += w.Weight
		case slices.Contains(above, i):
			covered += inHeading.of(w.Weight)
		}
	}
	if p.total > 0 {
		covered /= p.total
	}
	return covered
}

// addRoles adds the features of a unit's role in its text. Most of them speak against quoting it.
func (p *picker) addRoles(t *tally, c *candidate) {
	prose := c.Kind != Code && c.Kind != Row
	sentence := c.Kind == Sentence
	switch {
	case sentence && c.words < minSentence, c.is(index.AsksQuestion), prose && c.is(index.HeadsOther):
		t.add(sentenceAnswersNothing, 1)
	case c.Kind == Code && p.q.Form != Example:
		t.add(sentenceCodeUnasked, 1)
	}
	t.addIf(prose && c.is(index.PointsAway), sentencePointsElsewhere)
	if sentence && c.is(index.LeansBack) {
		t.add(sentenceLeansBack, 1)
		t.addIf(c.Number == 0 && !c.is(index.GivesReason), sentenceLeansOnOther)
	}
	t.addIf(c.scenario() && p.q.Form != Example, sentenceScenarioStep)
}

// addDefinition adds the features for a question that asks what something is.
func (p *picker) addDefinition(t *tally, c *candidate) {
	t.addIf(c.Kind == Sentence && c.is(index.Defines), sentenceDefinesSomething)
	if c.Kind == Item && c.First && !c.scenario() || c.Kind == Sentence {
		subject := strings.Fields(c.Text)
		subject = subject[:min(c.Subject, len(subject))]
		has := p.q.WordsIn(c.Passage, strings.Join(subject, " "))
		if share := p.q.share(has); len(subject) <= len(has)+subjectSlack && share >= limitWordsOfTitle.value() {
			t.add(sentenceDefinesSubject, share)
		}
	}
}

// aboutAnother says that the documents know identifiers of the question, and that neither the unit nor the headings
// above it have one of them.
func (p *picker) aboutAnother(has, above []int) (other bool) {
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
