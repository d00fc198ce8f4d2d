package wire

import "strings"

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

// AtLeast returns how many findings have a severity or a worse one; 0 for "".
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
	NodeID   string        `json:"node_id,omitempty"`  // what node was found to be
	Findings []LintFinding `json:"findings"`           // by path and line
	Counts   LintCounts    `json:"counts"`             // of all findings, here or not
	Rate     *LintRate     `json:"rate,omitempty"`     // for layer violations and orphans
	Baseline *LintBaseline `json:"baseline,omitempty"` // what an older report has already
	FailOn   string        `json:"fail_on,omitempty"`  // as asked
	Failing  int           `json:"failing,omitempty"`  // findings at fail_on or worse
	Count    int           `json:"count"`              // how many are here
	Total    int           `json:"total"`              // how many there are
	Rest

	Version string     `json:"-"` // of the program
	Known   []LintRule `json:"-"` // the rules of the findings
}

// LintRule is a rule that findings come from.
type LintRule struct{ Code, Name, Severity, About string }

// FitLint cuts findings to a budget, as FitSearch cuts hits.
func FitLint(resp *LintReport, b Budget) {
	p := paged[LintFinding]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, what: "a finding", items: &resp.Findings,
		prepare: func(f *LintFinding) { f.Message, f.Hint = Clean(f.Message), Clean(f.Hint) },
		shorten: func(f *LintFinding, n int) {
			limit := 320 >> n
			f.Message, f.Hint = Shorten(f.Message, max(limit, 20)), Shorten(f.Hint, limit)
		},
	}
	p.fit(b)
}

// String returns text such as "1 error, 2 warnings". It leaves out zero counts, so it is "" if there are no findings.
func (c LintCounts) String() string {
	var parts []string
	for _, s := range []struct {
		n   int
		one string
	}{{c.Errors, "error"}, {c.Warnings, "warning"}, {c.Notes, "note"}} {
		if s.n > 0 {
			parts = append(parts, Plural(s.n, s.one, s.one+"s"))
		}
	}
	return strings.Join(parts, ", ")
}
