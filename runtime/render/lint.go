package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

func (p *printer) lint(v *wire.LintReport) {
	said := v.Counts.String()
	if said == "" {
		said = "nothing found"
	}
	if v.NodeID != "" {
		said = wire.Clean(v.NodeID) + ": " + said
	}
	if v.Count < v.Total {
		said += fmt.Sprintf(" (%d shown)", v.Count)
	}
	if b := v.Baseline; b != nil {
		said += fmt.Sprintf(", %d known, %d gone", b.Known, b.Gone)
	}
	p.printf("%s\n", p.paint(bold, said))
	if r := v.Rate; r != nil {
		p.printf("%d of %s (%s %%)\n", r.Edges, wire.Plural(r.Of, "edge", "edges"), strconv.FormatFloat(r.Percent, 'f', -1, 64))
		p.tally("by", r.By)
	}
	hues := map[string]string{"error": red, "warning": yellow, "note": cyan}
	for i := range v.Findings {
		f := &v.Findings[i]
		place := ""
		if f.Path != "" {
			place = p.paint(bold, placeOf(f)+":") + " "
		}
		p.printf("%s%s %s %s\n", place, p.paint(hues[f.Severity], f.Severity+":"), wire.OneLine(f.Message), p.paint(dim, "["+f.Code+" "+f.Rule+"]"))
		if f.Hint != "" {
			p.printf("    %s\n", p.paint(dim, wire.OneLine(f.Hint)))
		}
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

// placeOf is path:line:col, without the parts that are unknown.
func placeOf(f *wire.LintFinding) string {
	s := wire.Clean(indexed(f.Index, f.Path))
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
		if f.Col > 0 {
			s += ":" + strconv.Itoa(f.Col)
		}
	}
	return s
}

var lintColumns = []column[wire.LintFinding]{
	{"severity", func(f *wire.LintFinding) string { return f.Severity }},
	{"rule", func(f *wire.LintFinding) string { return f.Rule }},
	{"code", func(f *wire.LintFinding) string { return f.Code }},
	{"index", func(f *wire.LintFinding) string { return f.Index }},
	{"path", func(f *wire.LintFinding) string { return f.Path }},
	{"line", func(f *wire.LintFinding) string { return strconv.Itoa(f.Line) }},
	{"col", func(f *wire.LintFinding) string { return strconv.Itoa(f.Col) }},
	{"message", func(f *wire.LintFinding) string { return f.Message }},
	{"hint", func(f *wire.LintFinding) string { return f.Hint }},
	{"fingerprint", func(f *wire.LintFinding) string { return f.Fingerprint }},
}

func lintMarkdown(v *wire.LintReport) string {
	var b strings.Builder
	said := v.Counts.String()
	if said == "" {
		said = "Nothing found"
	}
	fmt.Fprintf(&b, "%s.\n", said)
	if r := v.Rate; r != nil {
		fmt.Fprintf(&b, "\n%d of %s (%s %%).\n", r.Edges, wire.Plural(r.Of, "edge", "edges"), strconv.FormatFloat(r.Percent, 'f', -1, 64))
	}
	if len(v.Findings) > 0 {
		b.WriteString("\n| severity | place | message | rule |\n|---|---|---|---|\n")
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Severity, code(placeOf(f)), escaped(joined("; ", f.Message, f.Hint)), escaped(f.Code+" "+f.Rule))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

// printLint is printAs for a report.
func printLint(format string, v *wire.LintReport) (string, bool) {
	switch format {
	case "sarif":
		return sarif(v), true
	case "github":
		return annotations(v), true
	}
	return printItems(format, v.Findings, v, lintMarkdown, lintColumns, func(f *wire.LintFinding) string { return indexed(f.Index, f.Path) })
}
