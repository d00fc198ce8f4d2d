package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// ruleGroups are names for several rules.
var ruleGroups = map[string][]string{
	"coverage":     {"coverage-hole"},
	"violations":   {"layer-violation"},
	"orphans":      {"broken-link", "ambiguous-target", "orphan-wiki-link", index.ForeignRule, "outside-root", "broken-relation"},
	"anchors":      {"broken-anchor", "duplicate-anchor"},
	"ids":          {"duplicate-id", "id-case"},
	"front-matter": {"front-matter-syntax", "front-matter-lost", "front-matter-duplicate", "front-matter-open", "front-matter-size", "front-matter-form", "front-matter-root", "missing-field", "unknown-status", "unread-date", "unknown-kind", "kind-mismatch"},
}

// Lint is the operation of that name; runtime.Service says what it does. The operations violations and orphans are Lint
// too: operation is the name that cursors are for, version that of the program.
func Lint(ctx context.Context, open artifact.Opener, version, operation string, q wire.LintRequest) (resp *wire.LintReport, err error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 50)
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), operation, q.Cursor, q)
	if err != nil {
		return nil, err
	}
	rules, err := ruleSet(set, q.Rules)
	if err != nil {
		return nil, err
	}
	resp = &wire.LintReport{Envelope: set.Envelope("lint_report.v1"), Findings: []wire.LintFinding{}, FailOn: q.FailOn, Version: version}
	within, err := partOf(set, q.Node, resp)
	if err != nil {
		return nil, err
	}
	list := lister{set: set, q: &q, resp: resp, rules: rules, known: maps.Clone(q.Baseline), from: pages.From}
	if q.Baseline != nil {
		resp.Baseline = &wire.LintBaseline{}
	}
	for _, a := range set.Artifacts {
		list.add(a, within[a], set.IndexName(a), q.Node == "")
	}
	for _, n := range list.known {
		resp.Baseline.Gone += n
	}
	resp.Count = len(resp.Findings)
	resp.Failing = resp.Counts.AtLeast(q.FailOn)
	if q.Node == "" && len(q.Rules) == 1 {
		resp.Rate = rateOf(set, q.Rules[0])
	}
	resp.Truncated, resp.Cursor = pages.More(resp.Total, q.Limit)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitLint(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// part is a part of a document: the lines [first, last], all of them if first is 0.
type part struct {
	path        string
	first, last uint32
}

// partOf finds the part of a document that node names; the map has an entry for its artifact only. node may also be the
// path of a file that could not be read: it is no document but has findings.
func partOf(set *artifact.Set, node string, resp *wire.LintReport) (map[*artifact.Artifact]*part, error) {
	if node == "" {
		return nil, nil
	}
	a, match, ambiguity, err := names.FindNode(set, node)
	if err != nil {
		for _, a := range set.Artifacts {
			for i := range uint32(a.Findings()) {
				if a.Finding(i).Path == node {
					return map[*artifact.Artifact]*part{a: {path: node}}, nil
				}
			}
		}
		return nil, err
	}
	resp.Warn(ambiguity)
	n := names.InfoOf(a, match.Node)
	resp.NodeID = n.ID
	p := &part{path: n.Path}
	if !a.NodeIsDoc(match.Node) {
		p.first, p.last = uint32(n.Lines[0]), uint32(n.Lines[1])
	}
	return map[*artifact.Artifact]*part{a: p}, nil
}

// ruleSet returns the names of the requested rules, which may be given by name, code or group in any case. Nil means
// all rules.
func ruleSet(set *artifact.Set, asked []string) (map[string]bool, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	var names []string
	codes := map[string]string{}
	for _, a := range set.Artifacts {
		for _, r := range a.Meta.Rules {
			names = append(names, r.Name)
			codes[strings.ToLower(r.Code)] = r.Name
		}
	}
	rules := map[string]bool{}
	for _, name := range asked {
		folded := strings.ToLower(strings.TrimSpace(name))
		if group, ok := ruleGroups[folded]; ok {
			for _, r := range group {
				rules[r] = true
			}
			continue
		}
		if known, ok := codes[folded]; ok {
			folded = known
		}
		if !slices.Contains(names, folded) {
			all := append(names, RuleGroupNames()...)
			slices.Sort(all)
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("rules: there is no rule %q", name), wire.ChoiceHint(folded, slices.Compact(all))).With("field", "rules")
		}
		rules[folded] = true
	}
	return rules, nil
}

// lister collects findings.
type lister struct {
	set   *artifact.Set
	q     *wire.LintRequest
	resp  *wire.LintReport
	rules map[string]bool
	known map[string]int // fingerprints of the baseline: how many of each have not been seen yet
	from  int            // findings before the first of this answer
}

// add collects the findings of one artifact: of one part of it, or with all every finding.
func (l *lister) add(a *artifact.Artifact, only *part, named string, all bool) {
	if only == nil && !all {
		return
	}
	for i := range uint32(a.Findings()) {
		f := a.Finding(i)
		if l.rules != nil && !l.rules[f.Rule] {
			continue
		}
		if only != nil && (f.Path != only.path || only.first > 0 && (f.Line < only.first || f.Line > only.last)) {
			continue
		}
		print, severity := f.Fingerprint(), a.Meta.Severities[f.Severity]
		if f.Rule == index.ForeignRule && l.set.Several() {
			switch to, _, there, ok := foreignTarget(l.set, &f); {
			case ok && to != a:
				continue // it leads to a document
			case there:
				name, target, _ := f.Foreign()
				f.Text = fmt.Sprintf("[[%s::%s]]: nothing in the artifact %s has this name", name, target, to.Name)
				f.Hint, severity = "correct the name, or see whether a newer artifact has it", "warning"
			}
		}
		if n := l.known[print]; n > 0 {
			l.resp.Baseline.Known++
			if l.known[print]--; n == 1 {
				delete(l.known, print)
			}
			continue
		}
		switch severity {
		case "error":
			l.resp.Counts.Errors++
		case "warning":
			l.resp.Counts.Warnings++
		default:
			l.resp.Counts.Notes++
		}
		if l.resp.Total >= l.from && l.resp.Total < l.from+l.q.Limit {
			one := wire.LintFinding{
				Rule: f.Rule, Code: f.Code, Severity: severity, Path: f.Path, Line: int(f.Line), Col: int(f.Col), Message: f.Text, Hint: f.Hint,
				Fingerprint: print, Index: named,
			}
			if l.q.Places {
				one.Source = sourcePath(a, f.Path)
				l.note(a, f.Code)
			}
			l.resp.Findings = append(l.resp.Findings, one)
		}
		l.resp.Total++
	}
}

// note adds the rule of a code to the rules that the report describes.
func (l *lister) note(a *artifact.Artifact, code string) {
	if slices.ContainsFunc(l.resp.Known, func(r wire.LintRule) bool { return r.Code == code }) {
		return
	}
	if i := slices.IndexFunc(a.Meta.Rules, func(r index.Rule) bool { return r.Code == code }); i >= 0 {
		l.resp.Known = append(l.resp.Known, wire.LintRule(a.Meta.Rules[i]))
	}
}

// sourcePath returns the path of a document below the top of its repository. If there are several source folders, the
// document's own path begins with the base name of one.
func sourcePath(a *artifact.Artifact, p string) string {
	for i, root := range a.Meta.Roots {
		rest, hint := p, a.RootHint(i)
		if len(a.Meta.Roots) > 1 {
			var ok bool
			if rest, ok = strings.CutPrefix(p, root.Base+"/"); !ok {
				continue
			}
		}
		if path.Base(hint) == rest { // the source is this one file
			return hint
		}
		return path.Join(hint, rest)
	}
	return p
}

// rateOf returns the share of the edges that break the layer rule, or that have no target; nil for other rules.
func rateOf(set *artifact.Set, group string) *wire.LintRate {
	group = strings.ToLower(strings.TrimSpace(group))
	if group != "violations" && group != "orphans" {
		return nil
	}
	r := &wire.LintRate{By: map[string]int{}}
	for _, a := range set.Artifacts {
		for e := range uint32(a.Edges()) {
			kind, violation := a.EdgeType(e)
			if kind.Name == index.ContainsEdge {
				continue
			}
			r.Of++
			if group == "violations" && violation {
				r.Edges++
				r.By[kind.Name]++
			}
		}
		if group == "orphans" {
			for _, o := range a.Meta.Orphans {
				r.Edges += o.Edges
				r.Of += o.Edges
				r.By[o.Reason] += o.Edges
			}
		}
	}
	if r.Of > 0 {
		r.Percent = wire.Round4(100 * float64(r.Edges) / float64(r.Of))
	}
	return r
}

// RuleGroupNames returns the names of the groups of rules, sorted.
func RuleGroupNames() []string { return slices.Sorted(maps.Keys(ruleGroups)) }
