package answer

import (
	"cmp"
	"slices"

	"kdd/runtime/lazyregexp"
)

// figures are words of questions for a number.
var figures = lazyregexp.New(`(?i)\b(?:how (?:many|much|long|often|big|large|far|old)|maximum|minimum|max|min|limit|timeout|default|milliseconds|seconds|size|number of|percent|` +
	`cu[aá]nt[oa]s?|m[aá]xim[oa]|m[ií]nim[oa]|l[ií]mite|tiempo|por defecto|segundos|milisegundos|tama[nñ]o|n[uú]mero)\b`)

// number is a number, in digits or as a word.
var number = lazyregexp.New(`(?i)[0-9]|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|twelve|hundreds?|thousands?|millions?|once|twice|half|double|` +
	`cero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|cien|mil|una vez|mitad|doble)\b`)

// meet fills Together, Unknown and Figure from the units of the passages, each with the headings above it. A question's words weigh
// total. Two units: a sentence rarely repeats what the one before it names. Cost: the words of the passages, once more.
func (e *Evidence) meet(q *Question, passages []Passage, total float64) {
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
		above := q.Find(n, p.Heading)
		var last []int
		for k, u := range p.parts() {
			raw := p.Text[u.Start:u.End]
			has := q.Find(n, raw)
			if own := share(has, above); own > most {
				most, figure = own, number.MatchString(raw)
			}
			if k > 0 {
				e.Together = max(e.Together, share(last, has, above))
			}
			last = has
		}
	}
	e.Figure = figures.MatchString(cmp.Or(q.Last, q.Text)) && !figure
}
