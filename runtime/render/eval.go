package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kdd/runtime/wire"
)

// evalMetrics are the columns of a report's tables.
var evalMetrics = []struct {
	name string
	of   func(*wire.EvalRow) float64
}{
	{"nDCG@10", func(r *wire.EvalRow) float64 { return r.NDCG10 }},
	{"MRR@10", func(r *wire.EvalRow) float64 { return r.MRR10 }},
	{"hit@1", func(r *wire.EvalRow) float64 { return r.Hit1 }},
	{"hit@3", func(r *wire.EvalRow) float64 { return r.Hit3 }},
	{"R@10", func(r *wire.EvalRow) float64 { return r.Recall10 }},
	{"R@100", func(r *wire.EvalRow) float64 { return r.Recall100 }},
}

// fourth prints a value with four decimals.
func fourth(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// signed prints a value with four decimals and its sign, "+" too.
func signed(v float64) string { return fmt.Sprintf("%+.4f", v) }

// evalTables are the rows of a report by level and group, in their order.
func evalTables(v *wire.EvalReport) [][]wire.EvalRow {
	var tables [][]wire.EvalRow
	for _, r := range v.Rows {
		if n := len(tables); n > 0 && tables[n-1][0].Level == r.Level && tables[n-1][0].Group == r.Group {
			tables[n-1] = append(tables[n-1], r)
		} else {
			tables = append(tables, []wire.EvalRow{r})
		}
	}
	return tables
}

// rowCaption is the caption of a table's rows: "by section, 124 questions".
func rowCaption(r *wire.EvalRow) string {
	s := "by " + r.Level + ", " + wire.Plural(r.Questions, "question", "questions")
	if r.Group != "" {
		s = wire.Clean(r.Group) + " " + s
	}
	return s
}

// pad fills text with spaces up to width characters.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func (p *printer) eval(v *wire.EvalReport) {
	p.printf("%s: %s (%s, %s)\n", p.paint(bold, wire.OneLine(v.Set.Name)), wire.Plural(v.Set.Questions, "question", "questions"), v.Mode, encoderOf(v))
	width := utf8.RuneCountInString("all by document, 0000 questions")
	for i := range v.Rows {
		width = max(width, utf8.RuneCountInString(rowCaption(&v.Rows[i])), utf8.RuneCountInString(wire.Clean(v.Rows[i].System))+2)
	}
	for i, table := range evalTables(v) {
		if i == 0 || table[0].Group == "" || table[0].Level == "document" {
			p.printf("\n")
		}
		p.printf("%s", p.paint(bold, pad(rowCaption(&table[0]), width)))
		for _, m := range evalMetrics {
			p.printf("  %7s", m.name)
		}
		p.printf("\n")
		for k := range table {
			r := &table[k]
			p.printf("%s", pad("  "+wire.Clean(r.System), width))
			for _, m := range evalMetrics {
				p.printf("  %7s", fourth(m.of(r)))
			}
			p.printf("\n")
		}
	}
	if len(v.Differences) > 0 {
		p.printf("\n%s\n", p.paint(bold, "difference of nDCG@10, 95 % interval (paired bootstrap)"))
	}
	width -= 2 // the rows of this table are set in
	for i := range v.Differences {
		width = max(width, utf8.RuneCountInString(differenceCaption(&v.Differences[i])))
	}
	for i := range v.Differences {
		d := &v.Differences[i]
		p.printf("  %s  %s  %s\n", pad(differenceCaption(d), width), differenceInterval(d), p.paint(dim, differenceCounts(d)))
	}
	for i := range v.Differences {
		p.changes(v, "won", v.Differences[i].Less, v.Differences[i].WonBy)
		p.changes(v, "lost", v.Differences[i].Less, v.Differences[i].LostBy)
	}
	p.worst(v)
	if len(v.Gates) > 0 {
		p.printf("\n%s\n", p.paint(bold, "gates"))
	}
	for _, g := range v.Gates {
		said := "reached"
		if !g.OK {
			said = p.paint(red, "not reached")
		}
		p.printf("  %s: %s, %s\n", wire.OneLine(g.Gate), fourth(g.Got), said)
	}
	p.tail(&v.Envelope, false, "")
}

// encoderOf names the encoder that turned the questions into vectors.
func encoderOf(v *wire.EvalReport) string {
	if v.Encoder == "" || v.Encoder == "none" {
		return "no query encoder"
	}
	return v.Encoder + " encoder"
}

// differenceCaption names the two systems that are compared, and how.
func differenceCaption(d *wire.EvalDifference) string {
	return joined(" ", wire.Clean(d.Group), "by "+d.Level+": "+wire.Clean(d.System)+" less "+wire.Clean(d.Less))
}

func differenceInterval(d *wire.EvalDifference) string {
	return fmt.Sprintf("%s (%s to %s)", signed(d.Mean), signed(d.Low), signed(d.High))
}

func differenceCounts(d *wire.EvalDifference) string {
	return fmt.Sprintf("won %d, lost %d, tied %d", d.Won, d.Lost, d.Tied)
}

// maxChanges is how many won or lost questions a text form lists, unless the request asks for all.
const maxChanges = 10

// shown returns the changes that are listed.
func shown(v *wire.EvalReport, changes []wire.EvalChange) []wire.EvalChange {
	if v.Every {
		return changes
	}
	return changes[:min(maxChanges, len(changes))]
}

// changes lists questions that were won or lost.
func (p *printer) changes(v *wire.EvalReport, what, less string, changes []wire.EvalChange) {
	if len(changes) == 0 {
		return
	}
	p.printf("\n%s\n", p.paint(bold, fmt.Sprintf("%s against %s: %s", what, wire.Clean(less), wire.Plural(len(changes), "question", "questions"))))
	list := shown(v, changes)
	ids := 0
	for i := range list {
		ids = max(ids, utf8.RuneCountInString(wire.OneLine(list[i].ID)))
	}
	for _, c := range list {
		p.printf("  %s  %s → %s  %s\n", pad(wire.OneLine(c.ID), ids), fourth(c.From), fourth(c.To), wire.Shorten(wire.OneLine(c.Text), 100))
	}
	if left := len(changes) - len(list); left > 0 {
		p.printf("  %s\n", p.paint(dim, fmt.Sprintf("and %d more; --verbose lists all", left)))
	}
}

// worst lists the questions that were answered worst.
func (p *printer) worst(v *wire.EvalReport) {
	if len(v.Worst) == 0 {
		return
	}
	p.printf("\n%s\n", p.paint(bold, "answered worst: nDCG@10 by document and by section, rank of the first right document"))
	for i := range v.Worst {
		q := &v.Worst[i]
		p.printf("  %s  %s  %s  %s  %s\n", fourth(q.NDCG10), sectionRank(q), pad(firstRank(q), 9), p.paint(bold, wire.OneLine(q.ID)), wire.Shorten(wire.OneLine(q.Text), 120))
		p.printf("      %s %s\n", p.paint(dim, "wanted"), wire.OneLine(strings.Join(q.Want, ", ")))
		if len(q.Found) > 0 {
			p.printf("      %s  %s\n", p.paint(dim, "found"), wire.OneLine(strings.Join(q.Found, ", ")))
		}
	}
}

// sectionRank is a question's value by section, or a dash if it has none.
func sectionRank(q *wire.EvalQuestion) string {
	if q.Section == nil {
		return "     –"
	}
	return fourth(*q.Section)
}

// firstRank is the rank of the first relevant document.
func firstRank(q *wire.EvalQuestion) string {
	if q.First == 0 {
		return "not found"
	}
	return "#" + strconv.Itoa(q.First)
}

var evalColumns = []column[wire.EvalRow]{
	{"system", func(r *wire.EvalRow) string { return r.System }},
	{"level", func(r *wire.EvalRow) string { return r.Level }},
	{"group", func(r *wire.EvalRow) string { return r.Group }},
	{"questions", func(r *wire.EvalRow) string { return strconv.Itoa(r.Questions) }},
	{"ndcg_10", func(r *wire.EvalRow) string { return fourth(r.NDCG10) }},
	{"mrr_10", func(r *wire.EvalRow) string { return fourth(r.MRR10) }},
	{"hit_1", func(r *wire.EvalRow) string { return fourth(r.Hit1) }},
	{"hit_3", func(r *wire.EvalRow) string { return fourth(r.Hit3) }},
	{"recall_10", func(r *wire.EvalRow) string { return fourth(r.Recall10) }},
	{"recall_100", func(r *wire.EvalRow) string { return fourth(r.Recall100) }},
}

func evalMarkdown(v *wire.EvalReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\nMode %s, %s.\n", escaped(v.Set.Name), wire.Plural(v.Set.Questions, "question", "questions"), v.Mode, encoderOf(v))
	for _, table := range evalTables(v) {
		fmt.Fprintf(&b, "\n| %s |", escaped(rowCaption(&table[0])))
		for _, m := range evalMetrics {
			fmt.Fprintf(&b, " %s |", m.name)
		}
		fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("--:|", len(evalMetrics)))
		for i := range table {
			fmt.Fprintf(&b, "| %s |", escaped(table[i].System))
			for _, m := range evalMetrics {
				fmt.Fprintf(&b, " %s |", fourth(m.of(&table[i])))
			}
			b.WriteString("\n")
		}
	}
	if len(v.Differences) > 0 {
		b.WriteString("\n| difference of nDCG@10 | mean | 95 % interval (paired bootstrap) | won, lost, tied |\n|---|--:|---|---|\n")
	}
	for i := range v.Differences {
		d := &v.Differences[i]
		fmt.Fprintf(&b, "| %s | %s | %s to %s | %d, %d, %d |\n", escaped(differenceCaption(d)), signed(d.Mean), signed(d.Low), signed(d.High), d.Won, d.Lost, d.Tied)
	}
	for i := range v.Differences {
		for _, part := range []struct {
			what string
			list []wire.EvalChange
		}{{"Won", v.Differences[i].WonBy}, {"Lost", v.Differences[i].LostBy}} {
			if len(part.list) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n%s against %s: %s.\n\n", part.what, escaped(v.Differences[i].Less), wire.Plural(len(part.list), "question", "questions"))
			for _, c := range shown(v, part.list) {
				fmt.Fprintf(&b, "- %s: %s → %s, %s\n", code(c.ID), fourth(c.From), fourth(c.To), escaped(c.Text))
			}
		}
	}
	if len(v.Worst) > 0 {
		b.WriteString("\n| answered worst | by document | by section | first right | wanted | found |\n|---|--:|--:|---|---|---|\n")
	}
	for i := range v.Worst {
		q := &v.Worst[i]
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s | %s |\n", code(q.ID), escaped(q.Text), fourth(q.NDCG10), strings.TrimSpace(sectionRank(q)), firstRank(q), codes(q.Want), codes(q.Found))
	}
	if len(v.Gates) > 0 {
		b.WriteString("\n| gate | reached | |\n|---|--:|---|\n")
	}
	for _, g := range v.Gates {
		said := "ok"
		if !g.OK {
			said = "**not reached**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code(g.Gate), fourth(g.Got), said)
	}
	markdownTail(&b, &v.Envelope, false, "")
	return b.String()
}

// codes joins code spans.
func codes(list []string) string {
	spans := slices.Clone(list)
	for i, s := range spans {
		spans[i] = code(s)
	}
	return strings.Join(spans, ", ")
}
