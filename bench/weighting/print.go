package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"kdd/runtime/eval"
)

// level is documents or sections.
type level struct {
	title string
	of    func(*eval.Result) *eval.Scored
}

var levels = []level{
	{"by document", func(r *eval.Result) *eval.Scored { return &r.Document }},
	{"by section", func(r *eval.Result) *eval.Scored { return &r.Section }},
}

// report prints all tables.
func report(groups []*group) (string, error) {
	learned := 0
	for _, g := range groups {
		if !g.guard {
			learned += len(g.samples)
		}
	}
	if learned == 0 {
		return "", errors.New("no question has an answer: do the ids of queries and judgements agree?")
	}
	standardise(groups)
	var b strings.Builder
	for _, l := range levels {
		weights(&b, groups, l)
	}
	correlations(&b, groups)
	surface(&b, groups)
	validation(&b, groups)
	for _, l := range levels {
		differences(&b, groups, l)
	}
	return b.String(), nil
}

// judged are the groups that have judgements on a level.
func judged(groups []*group, l level) (some []*group) {
	for _, g := range groups {
		if len(l.of(g.at[0]).Queries) > 0 {
			some = append(some, g)
		}
	}
	return some
}

// head begins a table with a column for each group.
func head(b *strings.Builder, title, first string, groups []*group) {
	fmt.Fprintf(b, "## %s\n\n| %s |", title, first)
	for _, g := range groups {
		name := g.name
		if g.guard {
			name = "guard: " + name
		}
		fmt.Fprintf(b, " %s |", name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(groups)))
}

// weights prints what is reached at each fixed weight, by the oracle and by the rules that were asked.
func weights(b *strings.Builder, groups []*group, l level) {
	if groups = judged(groups, l); len(groups) == 0 {
		return
	}
	head(b, "nDCG@10 "+l.title, "weight of BM25", groups)
	line := func(name string, of func(*group) *eval.Scored) {
		fmt.Fprintf(b, "| %s |", name)
		for _, g := range groups {
			fmt.Fprintf(b, " %.4f |", of(g).Mean().NDCG)
		}
		b.WriteString("\n")
	}
	for i, w := range fixed {
		line(fmt.Sprintf("%.2f", w), func(g *group) *eval.Scored { return l.of(g.at[i]) })
	}
	line("the artifact's rule", func(g *group) *eval.Scored { return l.of(g.stored) })
	line("before", func(g *group) *eval.Scored { return l.of(g.before) })
	line("oracle", func(g *group) *eval.Scored { return l.of(g.results(oracle)) })
	b.WriteString("\n")
}

// correlations prints how each feature goes with the gain of a high weight.
func correlations(b *strings.Builder, groups []*group) {
	head(b, fmt.Sprintf("Correlation with the gain by document of weight %.2g over %.2g", fixed[high], fixed[low]), "feature", groups)
	for f, name := range featureNames {
		fmt.Fprintf(b, "| %s |", name)
		for _, g := range groups {
			var x, y []float64
			for i := range g.samples {
				s := &g.samples[i]
				x, y = append(x, s.features[f]), append(y, s.document[high]-s.document[low])
			}
			if r := pearson(x, y); math.IsNaN(r) {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(b, " %+.2f |", r)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// pearson is the coefficient of correlation; NaN if one of the two does not vary.
func pearson(x, y []float64) float64 {
	var mx, my, xx, yy, xy float64
	for i := range x {
		mx, my = mx+x[i]/float64(len(x)), my+y[i]/float64(len(y))
	}
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	if xx < 1e-12 || yy < 1e-12 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// usualRarity is the one of compiler/weights.go.
const usualRarity = 0.35

// surface prints the grid of two constants of fuse.LexicalWeight.
func surface(b *strings.Builder, groups []*group) {
	steep := []float64{0, 1, 2, 3, 4}
	fmt.Fprintf(b, "## nDCG@10 by document and by section of Lexical · exp(Rarity · (rarity − %g)), mean of the sets\n\n| Lexical |", usualRarity)
	for _, r := range steep {
		fmt.Fprintf(b, " Rarity %g |", r)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(steep)))
	for _, lexical := range []float64{0.35, 0.4, 0.5, 0.6, 0.7, 0.85, 1} {
		fmt.Fprintf(b, "| %.2f |", lexical)
		for _, r := range steep {
			var document, section, n, m float64
			for _, g := range groups {
				if !g.guard {
					d, s := g.means(byRarity(lexical, r, usualRarity), both)
					document, n = document+d, n+1
					if len(g.at[0].Section.Queries) > 0 {
						section, m = section+s, m+1
					}
				}
			}
			fmt.Fprintf(b, " %.4f, ", document/n)
			if m > 0 {
				fmt.Fprintf(b, "%.4f |", section/m)
			} else {
				b.WriteString("– |")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// featureSets are those that rules are learned over.
var featureSets = [][]int{
	{rarity}, {words}, {coverage}, {agreement}, {contrast}, {known}, {rarity, agreement}, {rarity, words, contrast},
	{words, rarity, coverage, agreement, contrast, known},
}

// validation prints what learned rules gain on questions that they have not seen.
func validation(b *strings.Builder, groups []*group) {
	b.WriteString("## Cross-validated gain of learned rules over the best fixed weight\n\n| features | nDCG@10 by document | 95 % interval | by section | 95 % interval |\n|---|---|---|---|---|\n")
	flat := pooled(groups, chosen{always(bestFixed(groups, 0)), always(bestFixed(groups, 1))}.of)
	for _, used := range featureSets {
		names := make([]string, len(used))
		for i, f := range used {
			names[i] = featureNames[f]
		}
		got := pooled(groups, crossValidate(groups, used).of)
		fmt.Fprintf(b, "| %s |", strings.Join(names, ", "))
		for _, l := range levels {
			if len(l.of(got).Queries) == 0 {
				b.WriteString(" – | – |")
				continue
			}
			d := eval.Compare(l.of(got), l.of(flat), eval.NDCG)
			fmt.Fprintf(b, " %+.4f | %+.4f to %+.4f |", d.Mean, d.Low, d.High)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nA question counts once, with the mean over encoders and wordings, here and in the rows of all questions below; the guards are left out.\n\n")
}

// differences prints how the artifact's rule changes nDCG@10.
func differences(b *strings.Builder, groups []*group, l level) {
	best := bestFixed(groups, both)
	if groups = judged(groups, l); len(groups) == 0 {
		return
	}
	fmt.Fprintf(b, "## The artifact's rule less another, nDCG@10 %s\n\n| questions | less | mean | 95 %% interval (paired bootstrap) |\n|---|---|---|---|\n", l.title)
	others := []struct {
		name string
		of   func(*group) *eval.Result
	}{
		{fmt.Sprintf("the best fixed weight, %.2f", fixed[best]), func(g *group) *eval.Result { return g.at[best] }},
		{"before", func(g *group) *eval.Result { return g.before }},
	}
	for _, other := range others {
		line := func(name string, stored, less *eval.Result) {
			d := eval.Compare(l.of(stored), l.of(less), eval.NDCG)
			fmt.Fprintf(b, "| %s | %s | %+.4f | %+.4f to %+.4f |\n", name, other.name, d.Mean, d.Low, d.High)
		}
		for _, g := range groups {
			line(g.name, g.stored, other.of(g))
		}
		line("all", pool(groups, func(g *group) *eval.Result { return g.stored }), pool(groups, other.of))
	}
	b.WriteString("\n")
}

// perQuery prints features and nDCG@10 of each question.
func perQuery(groups []*group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "group\tquery\t%s\tlevel", strings.Join(featureNames[:], "\t"))
	for _, w := range fixed {
		fmt.Fprintf(&b, "\t%g", w)
	}
	b.WriteString("\n")
	for _, g := range groups {
		for i := range g.samples {
			s := &g.samples[i]
			for j, values := range [][]float64{s.document, s.section} {
				if values == nil {
					continue
				}
				fmt.Fprintf(&b, "%s\t%s", g.name, s.id)
				for _, f := range s.features {
					fmt.Fprintf(&b, "\t%.4g", f)
				}
				fmt.Fprintf(&b, "\t%s", strings.TrimPrefix(levels[j].title, "by "))
				for _, v := range values {
					fmt.Fprintf(&b, "\t%.4f", v)
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}
