package asked

import (
	"fmt"
	"slices"
	"strings"
)

// count is how often each verdict was given.
type count struct {
	of   [verdicts]int
	all  int
	cost float64
}

// add counts a result.
func (c *count) add(r *result) {
	c.of[r.verdict]++
	c.all++
	c.cost += costOf(r.verdict, &r.question)
}

// row returns a row of a table: shares of the verdicts.
func (c *count) row(source, kind string) string {
	if c.all == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %d |", source, kind, c.all)
	for _, n := range c.of {
		fmt.Fprintf(&b, " %s |", strings.TrimPrefix(fmt.Sprintf("%.2f", float64(n)/float64(c.all)), "0"))
	}
	fmt.Fprintf(&b, " %.2f |\n", c.cost/float64(c.all))
	return b.String()
}

// tally counts the results that are of a source (of all for "") and of a kind that has.
func tally(list []result, source string, has func(*question) bool) *count {
	c := &count{}
	for i := range list {
		if r := &list[i]; (source == "" || r.source == source) && has(&r.question) {
			c.add(r)
		}
	}
	return c
}

// sources returns the sources of the results, in their order.
func sources(list []result) []string {
	var names []string
	for i := range list {
		if s := list[i].source; !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return names
}

// report returns a table of each source with all that is answerable and what is not, and one of each kind.
func report(list []result) string {
	names := sources(list)
	head := "| source | kind | questions |"
	line := "|---|---|---|"
	for v := range verdicts {
		head += " " + v.String() + " |"
		line += "---|"
	}
	head += " cost |\n" + line + "---|\n"
	answerable := (*question).answerable
	of := func(kind string) func(*question) bool { return func(q *question) bool { return q.kind == kind } }
	var b strings.Builder
	b.WriteString(head)
	for _, s := range append(names, "") {
		name := s
		if s == "" {
			name = "**all**"
		}
		b.WriteString(tally(list, s, answerable).row(name, "answerable"))
		b.WriteString(tally(list, s, of(absent)).row(name, absent))
		b.WriteString(tally(list, s, of(otherTopic)).row(name, otherTopic))
		b.WriteString(tally(list, s, func(*question) bool { return true }).row(name, "all"))
	}
	b.WriteString("\n" + head)
	for _, kind := range kinds {
		b.WriteString(tally(list, "", of(kind)).row("**all**", kind))
	}
	if len(names) > 1 {
		for _, s := range names {
			for _, kind := range kinds {
				b.WriteString(tally(list, s, of(kind)).row(s, kind))
			}
		}
	}
	return b.String()
}

// lines returns a line for each question: the verdict and what it came of.
func lines(list []result) string {
	var b strings.Builder
	b.WriteString("# id\tkind\tverdict\tnamed\tconfidence\treason\tfirst citation\texpected\tquestion\tanswer\n")
	for i := range list {
		r := &list[i]
		first := "-"
		if len(r.asked.Citations) > 0 {
			first = r.asked.Citations[0].Path + "#" + r.asked.Citations[0].Anchor
		}
		text := strings.NewReplacer("\t", " ", "\n", "⏎").Replace(r.asked.Answer)
		fmt.Fprintf(&b, "%s\t%s\t%s\t%t\t%.4f\t%s\t%s\t%s\t%s\t%s\n", r.id, r.kind, r.verdict, r.named, r.asked.Confidence,
			r.asked.RefusalReason, first, strings.Join(r.expected, ";"), r.text, text)
	}
	return b.String()
}
