package tuning

import (
	"fmt"
	"strings"

	"kdd/runtime/eval"
)

// level is what is counted as found: the document or the section.
type level struct {
	name string
	of   func(*eval.Measurement) *eval.Scored
}

var levels = []level{
	{"document", func(r *eval.Measurement) *eval.Scored { return &r.Document }},
	{"section", func(r *eval.Measurement) *eval.Scored { return &r.Section }},
}

// report prints what each list of constants reaches, and gains over the first.
func report(groups []group, lists []constants) string {
	var b strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&b, "nDCG@10 by %s\n\n| constants |", l.name)
		var own []*group
		for i := range groups {
			if g := &groups[i]; len(l.of(g.results[0]).Queries) > 0 {
				own = append(own, g)
				fmt.Fprintf(&b, " %s (%d) |", g.name, len(l.of(g.results[0]).Queries))
			}
		}
		fmt.Fprintf(&b, " mean |\n|---|%s---|\n", strings.Repeat("---|", len(own)))
		for i, c := range lists {
			fmt.Fprintf(&b, "| %s |", c.text)
			for _, g := range own {
				fmt.Fprintf(&b, " %.4f |", l.ndcg(g, i))
			}
			fmt.Fprintf(&b, " %.4f |\n", l.mean(own, i))
		}
		for i, c := range lists[1:] {
			l.gains(&b, "gain of "+c.text, own, func(int) int { return i + 1 })
		}
		if len(lists) > 2 && len(own) > 2 {
			chosen := make([]int, len(own))
			for i := range own {
				chosen[i] = l.best(own, i, len(lists))
			}
			l.gains(&b, "gain of the best list of the other sources", own, func(i int) int { return chosen[i] })
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (l level) ndcg(g *group, list int) float64 { return l.of(g.results[list]).Mean().NDCG }

// mean is that of the sources, which count alike.
func (l level) mean(groups []*group, list int) float64 {
	sum := 0.0
	for _, g := range groups {
		sum += l.ndcg(g, list)
	}
	return sum / float64(max(1, len(groups)))
}

// best returns the list with the largest mean over all sources but one.
func (l level) best(groups []*group, but, lists int) int {
	best, most := 0, -1.0
	for i := range lists {
		if own := l.mean(groups, i)*float64(len(groups)) - l.ndcg(groups[but], i); own > most {
			best, most = i, own
		}
	}
	return best
}

// gains prints a line with what a list, which may be another for each source, gains over the first.
func (l level) gains(b *strings.Builder, name string, groups []*group, list func(source int) int) {
	fmt.Fprintf(b, "| %s |", name)
	var first, other []*eval.Scored
	for i, g := range groups {
		first, other = append(first, l.of(g.results[0])), append(other, l.of(g.results[list(i)]))
		fmt.Fprintf(b, " %s |", interval(eval.Compare(other[i], first[i], eval.NDCG)))
	}
	fmt.Fprintf(b, " %s |\n", interval(eval.CompareMeans(other, first, eval.NDCG)))
}

func interval(d eval.Difference) string {
	return fmt.Sprintf("%+.4f (%+.4f to %+.4f)", d.Mean, d.Low, d.High)
}
