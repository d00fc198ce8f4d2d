package shape

import (
	"fmt"
	"strconv"
	"strings"
)

// LintRequest asks for what the build found wrong with the sources.
type LintRequest struct {
	Node     string         `json:"node,omitempty"`    // only in this document, section or thing
	Rules    []string       `json:"rules,omitempty"`   // names, codes or groups of rules; empty = all
	FailOn   string         `json:"fail_on,omitempty"` // note, warning, error
	Limit    int            `json:"limit,omitempty"`
	Baseline map[string]int `json:"baseline,omitempty"` // fingerprint → how often it is known; nil = no baseline
	Places   bool           `json:"-"`                  // fill Source, as SARIF and GitHub need them
	Page
}

// LintFinding is one thing that is wrong at one place.
type LintFinding struct {
	Rule        string `json:"rule"` // name: broken-link
	Code        string `json:"code"` // KDD201
	Severity    string `json:"severity"`
	Path        string `json:"path,omitempty"` // absent where it is about the whole build
	Line        int    `json:"line,omitempty"` // absent where it is about the whole file
	Col         int    `json:"col,omitempty"`  // character in the line, from 1
	Message     string `json:"message"`
	Hint        string `json:"hint,omitempty"` // the cure
	Fingerprint string `json:"fingerprint"`    // stays when lines move
	Index       string `json:"index,omitempty"`

	Source string `json:"-"` // the path from the top of the repository
}

// LintCounts counts findings by severity.
type LintCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
}

// AtLeast returns how many are of a severity or worse; none for "".
func (c LintCounts) AtLeast(severity string) int {
	switch severity {
	case "error":
		return c.Errors
	case "warning":
		return c.Errors + c.Warnings
	case "note":
		return c.Errors + c.Warnings + c.Notes
	}
	return 0
}

// LintRate says what share of the edges is concerned.
type LintRate struct {
	Edges   int            `json:"edges"`   // that break the layer rule, or that have no target
	Of      int            `json:"of"`      // all edges but containment
	Percent float64        `json:"percent"` // Edges of Of
	By      map[string]int `json:"by"`      // edges by type, or by reason
}

// LintBaseline compares with an older report.
type LintBaseline struct {
	Known int `json:"known"` // findings that it has already, left out here
	Gone  int `json:"gone"`  // findings that it has and that are no more
}

// LintReport is lint_report.v1.
type LintReport struct {
	Envelope
	NodeID    string        `json:"node_id,omitempty"`  // what node was found to be
	Findings  []LintFinding `json:"findings"`           // by path and line
	Counts    LintCounts    `json:"counts"`             // of all findings, here or not
	Rate      *LintRate     `json:"rate,omitempty"`     // for layer violations and orphans
	Baseline  *LintBaseline `json:"baseline,omitempty"` // what an older report has already
	FailOn    string        `json:"fail_on,omitempty"`  // as asked
	Failing   int           `json:"failing,omitempty"`  // findings at fail_on or worse
	Count     int           `json:"count"`              // how many are here
	Total     int           `json:"total"`              // how many there are
	Truncated bool          `json:"truncated"`          // left out for its size: more follow
	Cursor    string        `json:"cursor,omitempty"`   // pass it with the same request to go on
	TimeMS    float64       `json:"time_ms"`            // milliseconds that the answer took

	Version string     `json:"-"` // of the program
	Known   []LintRule `json:"-"` // the rules of the findings
}

// LintRule is a rule that findings come from.
type LintRule struct{ Code, Name, Severity, About string }

// FitLint cuts findings to maxBytes, as FitSearch cuts hits.
func FitLint(resp *LintReport, maxBytes int, next func(kept int) string) {
	p := paged[LintFinding]{
		page: page{
			answer: resp, envelope: &resp.Envelope, count: &resp.Count, truncated: &resp.Truncated, cursor: &resp.Cursor,
			timeMS: &resp.TimeMS, what: "a finding",
		},
		items:   &resp.Findings,
		prepare: func(f *LintFinding) { f.Message, f.Hint = Clean(f.Message), Clean(f.Hint) },
		shorten: func(f *LintFinding, n int) {
			limit := 320 >> n
			f.Message, f.Hint = Shorten(f.Message, max(limit, 20)), Shorten(f.Hint, limit)
		},
	}
	p.fit(maxBytes, next)
}

func (p *printer) lint(v *LintReport) {
	said := v.Counts.String()
	if said == "" {
		said = "nothing found"
	}
	if v.NodeID != "" {
		said = Clean(v.NodeID) + ": " + said
	}
	if v.Count < v.Total {
		said += fmt.Sprintf(" (%d shown)", v.Count)
	}
	if b := v.Baseline; b != nil {
		said += fmt.Sprintf(", %d known, %d gone", b.Known, b.Gone)
	}
	p.printf("%s\n", p.paint(bold, said))
	if r := v.Rate; r != nil {
		p.printf("%d of %s (%s %%)\n", r.Edges, plural(r.Of, "edge", "edges"), strconv.FormatFloat(r.Percent, 'f', -1, 64))
		p.tally("by", r.By)
	}
	hues := map[string]string{"error": red, "warning": yellow, "note": cyan}
	for i := range v.Findings {
		f := &v.Findings[i]
		place := ""
		if f.Path != "" {
			place = p.paint(bold, f.place()+":") + " "
		}
		p.printf("%s%s %s %s\n", place, p.paint(hues[f.Severity], f.Severity+":"), oneLine(f.Message), p.paint(dim, "["+f.Code+" "+f.Rule+"]"))
		if f.Hint != "" {
			p.printf("    %s\n", p.paint(dim, oneLine(f.Hint)))
		}
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

// place is path:line:col without what is unknown.
func (f *LintFinding) place() string {
	s := Clean(indexed(f.Index, f.Path))
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
		if f.Col > 0 {
			s += ":" + strconv.Itoa(f.Col)
		}
	}
	return s
}

// String returns "1 error, 2 warnings", without what is zero; "" if all are.
func (c LintCounts) String() string {
	var parts []string
	for _, s := range []struct {
		n   int
		one string
	}{{c.Errors, "error"}, {c.Warnings, "warning"}, {c.Notes, "note"}} {
		if s.n > 0 {
			parts = append(parts, plural(s.n, s.one, s.one+"s"))
		}
	}
	return strings.Join(parts, ", ")
}

var lintColumns = []column[LintFinding]{
	{"severity", func(f *LintFinding) string { return f.Severity }},
	{"rule", func(f *LintFinding) string { return f.Rule }},
	{"code", func(f *LintFinding) string { return f.Code }},
	{"index", func(f *LintFinding) string { return f.Index }},
	{"path", func(f *LintFinding) string { return f.Path }},
	{"line", func(f *LintFinding) string { return strconv.Itoa(f.Line) }},
	{"col", func(f *LintFinding) string { return strconv.Itoa(f.Col) }},
	{"message", func(f *LintFinding) string { return f.Message }},
	{"hint", func(f *LintFinding) string { return f.Hint }},
	{"fingerprint", func(f *LintFinding) string { return f.Fingerprint }},
}

func lintMarkdown(v *LintReport) string {
	var b strings.Builder
	said := v.Counts.String()
	if said == "" {
		said = "Nothing found"
	}
	fmt.Fprintf(&b, "%s.\n", said)
	if r := v.Rate; r != nil {
		fmt.Fprintf(&b, "\n%d of %s (%s %%).\n", r.Edges, plural(r.Of, "edge", "edges"), strconv.FormatFloat(r.Percent, 'f', -1, 64))
	}
	if len(v.Findings) > 0 {
		b.WriteString("\n| severity | place | message | rule |\n|---|---|---|---|\n")
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Severity, code(f.place()), escaped(joined("; ", f.Message, f.Hint)), escaped(f.Code+" "+f.Rule))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

// printLint is printAs for a report.
func printLint(format string, v *LintReport) (string, bool) {
	switch format {
	case "sarif":
		return sarif(v), true
	case "github":
		return annotations(v), true
	}
	return printItems(format, v.Findings, v, lintMarkdown, lintColumns, func(f *LintFinding) string { return indexed(f.Index, f.Path) })
}
