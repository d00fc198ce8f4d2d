package runtime

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/wire"
)

// ruleGroups are names for several rules.
var ruleGroups = map[string][]string{
	"coverage":     {"coverage-hole"},
	"violations":   {"layer-violation"},
	"orphans":      {"broken-link", "ambiguous-target", "orphan-wiki-link", "outside-root", "broken-relation"},
	"anchors":      {"broken-anchor", "duplicate-anchor"},
	"ids":          {"duplicate-id", "id-case"},
	"front-matter": {"front-matter-syntax", "front-matter-lost", "front-matter-duplicate", "front-matter-open", "front-matter-size", "front-matter-form", "front-matter-root", "missing-field", "unknown-status", "unread-date", "unknown-kind", "kind-mismatch"},
}

// Lint lists what the build found wrong with the sources, by path and line. A group of rules stands for its rules;
// violations and orphans come with their rate.
//
// Errors: not_found with suggestions for a node, invalid_input for a rule that does not exist. Cost: the findings.
func (s *Service) Lint(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	return s.lint(ctx, "lint", q)
}

// Violations lists the references from a layer to a higher one, with their rate.
func (s *Service) Violations(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"violations"}
	return s.lint(ctx, "violations", q)
}

// Orphans lists the references without a target, with their rate by reason.
func (s *Service) Orphans(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"orphans"}
	return s.lint(ctx, "orphans", q)
}

func (s *Service) lint(ctx context.Context, operation string, q wire.LintRequest) (*wire.LintReport, error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 50)
	var resp *wire.LintReport
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), operation, q.Cursor, q)
		if err != nil {
			return err
		}
		rules, err := set.rules(q.Rules)
		if err != nil {
			return err
		}
		resp = &wire.LintReport{Envelope: set.envelope("lint_report.v1"), Findings: []wire.LintFinding{}, FailOn: q.FailOn, Version: s.config.Version}
		within, err := set.within(q.Node, resp)
		if err != nil {
			return err
		}
		list := lister{q: &q, resp: resp, rules: rules, known: maps.Clone(q.Baseline), from: pages.from}
		if q.Baseline != nil {
			resp.Baseline = &wire.LintBaseline{}
		}
		for _, a := range set.artifacts {
			list.add(a, within[a], set.indexName(a), q.Node == "")
		}
		for _, n := range list.known {
			resp.Baseline.Gone += n
		}
		resp.Count = len(resp.Findings)
		resp.Failing = resp.Counts.AtLeast(q.FailOn)
		if q.Node == "" && len(q.Rules) == 1 {
			resp.Rate = set.rate(q.Rules[0])
		}
		resp.Truncated, resp.Cursor = pages.more(resp.Total, q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitLint(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// part is a part of a document: the lines [first, last], all of them if first is 0.
type part struct {
	path        string
	first, last uint32
}

// within finds what node means; the map has no entry for artifacts that have nothing of it. A path that is no document
// may still have findings: it is one that could not be read.
func (set *set) within(node string, resp *wire.LintReport) (map[*artifact]*part, error) {
	if node == "" {
		return nil, nil
	}
	a, match, ambiguity, err := set.entity(node)
	if err != nil {
		for _, a := range set.artifacts {
			for i := range uint32(a.Findings()) {
				if a.Finding(i).Path == node {
					return map[*artifact]*part{a: {path: node}}, nil
				}
			}
		}
		return nil, err
	}
	resp.Warn(ambiguity)
	n := a.node(match.Node)
	resp.NodeID = n.id
	p := &part{path: n.path}
	if !a.NodeIsDoc(match.Node) {
		p.first, p.last = uint32(n.lines[0]), uint32(n.lines[1])
	}
	return map[*artifact]*part{a: p}, nil
}

// rules returns the names of the rules that are asked for: by name, code or group, in any case. Nil means all.
func (set *set) rules(asked []string) (map[string]bool, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	var names []string
	codes := map[string]string{}
	for _, a := range set.artifacts {
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
			all := append(names, ruleGroupNames()...)
			slices.Sort(all)
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("rules: there is no rule %q", name), oneOf(folded, slices.Compact(all))).With("field", "rules")
		}
		rules[folded] = true
	}
	return rules, nil
}

// lister collects findings.
type lister struct {
	q     *wire.LintRequest
	resp  *wire.LintReport
	rules map[string]bool
	known map[string]int // fingerprints of the baseline that are not used up
	from  int
}

// add collects the findings of one artifact, those of one part of it unless all is set.
func (l *lister) add(a *artifact, only *part, index string, all bool) {
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
		print := f.Fingerprint()
		if n := l.known[print]; n > 0 {
			l.resp.Baseline.Known++
			if l.known[print]--; n == 1 {
				delete(l.known, print)
			}
			continue
		}
		severity := a.Meta.Severities[f.Severity]
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
				Fingerprint: print, Index: index,
			}
			if l.q.Places {
				one.Source = a.sourcePath(f.Path)
				l.note(a, f.Code)
			}
			l.resp.Findings = append(l.resp.Findings, one)
		}
		l.resp.Total++
	}
}

// note adds the rule of a code to those that the report describes.
func (l *lister) note(a *artifact, code string) {
	if slices.ContainsFunc(l.resp.Known, func(r wire.LintRule) bool { return r.Code == code }) {
		return
	}
	if i := slices.IndexFunc(a.Meta.Rules, func(r format.Rule) bool { return r.Code == code }); i >= 0 {
		l.resp.Known = append(l.resp.Known, wire.LintRule(a.Meta.Rules[i]))
	}
}

// sourcePath returns where a path of the artifact lies below the top of its repository. With several source folders the
// path begins with the base name of one.
func (a *artifact) sourcePath(p string) string {
	for _, root := range a.Meta.Roots {
		rest := p
		if len(a.Meta.Roots) > 1 {
			var ok bool
			if rest, ok = strings.CutPrefix(p, root.Base+"/"); !ok {
				continue
			}
		}
		if path.Base(root.Hint) == rest { // the source is this one file
			return root.Hint
		}
		return path.Join(root.Hint, rest)
	}
	return p
}

// rate returns the share of the edges that break the layer rule, or that have no target; nil for other rules.
func (set *set) rate(group string) *wire.LintRate {
	r := &wire.LintRate{By: map[string]int{}}
	group = strings.ToLower(strings.TrimSpace(group))
	if group != "violations" && group != "orphans" {
		return nil
	}
	for _, a := range set.artifacts {
		for e := range uint32(a.Edges()) {
			kind, violation := a.EdgeType(e)
			if kind.Name == format.ContainsEdge {
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
