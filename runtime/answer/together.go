package answer

import (
	"cmp"
	"slices"

	"kdd/format/index"
)

// compareUnits sets Together, Unknown and Figure from the units of the passages, each with the headings above it. total
// is the weight of the question's words. It looks at two units at a time, because a sentence rarely repeats the subject
// of the one before. Cost: one more pass over the words of the passages.
func (e *Evidence) compareUnits(q *Question, passages []Passage, total float64) {
	for _, w := range q.Words {
		if w.Known == 0 {
			e.Unknown += w.Weight / total
		}
	}
	share := func(lists ...[]int) (sum float64) {
		for i, w := range q.Words {
			if slices.ContainsFunc(lists, func(has []int) bool { return slices.Contains(has, i) }) {
				sum += w.Weight / total
			}
		}
		return sum
	}
	most, figure := 0.0, false
	for n := range passages {
		p := &passages[n]
		above := q.WordsIn(n, p.Heading)
		var last []int
		for k := range p.Units {
			u := &p.Units[k]
			has := q.WordsIn(n, p.Text[u.Start:u.End])
			if own := share(has, above); own > most {
				most, figure = own, u.is(index.HasNumber)
			}
			if k > 0 {
				e.Together = max(e.Together, share(last, has, above))
			}
			last = has
		}
	}
	e.Figure = lexicon().figures().MatchString(cmp.Or(q.Last, q.Text)) && !figure
}
