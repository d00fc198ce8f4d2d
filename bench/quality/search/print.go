package search

import (
	"fmt"
	"strings"

	"kdd/runtime/eval"
)

// column is what the systems reached on one query file of a set.
type column struct {
	name    string
	results map[string]*eval.Measurement
}

// level is documents or sections.
type level struct {
	title string
	of    func(*eval.Measurement) *eval.Scored
}

var levels = []level{
	{"By document", func(r *eval.Measurement) *eval.Scored { return &r.Document }},
	{"By section", func(r *eval.Measurement) *eval.Scored { return &r.Section }},
}

// tables prints an overview of nDCG@10, then all figures of each set, level by level, then the differences.
func tables(columns []column) string {
	var b strings.Builder
	for _, l := range levels {
		var shown []column
		for _, c := range columns {
			if len(l.of(c.results[bm25Name]).Queries) > 0 {
				shown = append(shown, c)
			}
		}
		if len(shown) == 0 {
			continue
		}
		overview(&b, l, shown)
		for _, c := range shown {
			detail(&b, l, c)
		}
		differences(&b, l, shown)
	}
	return b.String()
}

// rows calls each for the systems that have results on a level.
func rows(l level, c column, each func(name string, s *eval.Scored)) {
	for _, name := range systemNames {
		if r := c.results[name]; r != nil && (name != grepName || l.title == levels[0].title) {
			each(name, l.of(r))
		}
	}
}

func overview(b *strings.Builder, l level, columns []column) {
	fmt.Fprintf(b, "## %s\n\n| nDCG@10 |", l.title)
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(columns)))
	for _, name := range systemNames {
		var cells strings.Builder
		any := false
		for _, c := range columns {
			cell := "–"
			rows(l, c, func(n string, s *eval.Scored) {
				if n == name {
					cell, any = fmt.Sprintf("%.4f", s.Mean().NDCG), true
				}
			})
			fmt.Fprintf(&cells, " %s |", cell)
		}
		if any {
			fmt.Fprintf(b, "| %s |%s\n", name, cells.String())
		}
	}
	b.WriteString("\n")
}

func detail(b *strings.Builder, l level, c column) {
	fmt.Fprintf(b, "### %s, %s: %d queries\n\n| | nDCG@10 | MRR@10 | hit@1 | hit@3 | R@10 |\n|---|---|---|---|---|---|\n",
		c.name, strings.ToLower(l.title), len(l.of(c.results[bm25Name]).Queries))
	rows(l, c, func(name string, s *eval.Scored) {
		m := s.Mean()
		fmt.Fprintf(b, "| %s | %.4f | %.4f | %.4f | %.4f | %.4f |\n", name, m.NDCG, m.MRR, m.Hit1, m.Hit3, m.Recall)
	})
	b.WriteString("\n")
}

// differences prints how the distilled encoder changes nDCG@10, with intervals.
func differences(b *strings.Builder, l level, columns []column) {
	var lines strings.Builder
	for _, c := range columns {
		for _, other := range []string{kddLexical, kddExact} {
			if c.results[kddDistilled] == nil || c.results[other] == nil {
				continue
			}
			d := eval.Compare(l.of(c.results[kddDistilled]), l.of(c.results[other]), eval.NDCG)
			fmt.Fprintf(&lines, "| %s | %s | %+.4f | %+.4f to %+.4f |\n", c.name, other, d.Mean, d.Low, d.High)
		}
	}
	if lines.Len() > 0 {
		fmt.Fprintf(b, "### %s less another, %s: nDCG@10\n\n| set | less | mean | 95 %% interval (paired bootstrap) |\n|---|---|---|---|\n%s\n",
			kddDistilled, strings.ToLower(l.title), lines.String())
	}
}

// perQuery prints the nDCG@10 of each query, a column for each system.
func perQuery(results map[string]*eval.Measurement) string {
	var b strings.Builder
	b.WriteString("level\tquery")
	for _, name := range systemNames {
		if results[name] != nil {
			fmt.Fprintf(&b, "\t%s", name)
		}
	}
	b.WriteString("\n")
	for _, l := range levels {
		for i, id := range l.of(results[bm25Name]).Queries {
			fmt.Fprintf(&b, "%s\t%s", strings.TrimPrefix(l.title, "By "), id)
			for _, name := range systemNames {
				if r := results[name]; r != nil {
					fmt.Fprintf(&b, "\t%.4f", l.of(r).Metrics[i].NDCG)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
