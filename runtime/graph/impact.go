package graph

import (
	"cmp"
	"context"
	"strings"
	"time"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// Impact is the operation of that name; runtime.Service says what it does.
func Impact(ctx context.Context, open artifact.Opener, q wire.ImpactRequest) (resp *wire.ImpactResponse, err error) {
	start := time.Now()
	q.Limit, q.Depth = cmp.Or(q.Limit, 20), cmp.Or(q.Depth, 3)
	if q.Entity == "" {
		return nil, wire.EmptyEntity("entity")
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "impact", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	types, warnings, err := edgeTypes(set, q.EdgeTypes)
	if err != nil {
		return nil, err
	}
	a, match, ambiguity, err := names.FindNode(set, q.Entity)
	if err != nil {
		return nil, err
	}
	found, err := walk.ImpactOf(ctx, a.Index, match.Node, walk.ImpactOptions{Depth: q.Depth, Types: types, Violations: q.Violations})
	if err != nil {
		return nil, err
	}
	resp = &wire.ImpactResponse{Envelope: set.Envelope("impact_response.v1"), Entity: q.Entity}
	node := names.InfoOf(a, match.Node)
	resp.NodeID, resp.Type = node.ID, node.Kind
	if found.Cut {
		resp.Warn("more depends on it than one traversal visits; the farthest nodes are missing")
	}
	resp.Warn(ambiguity)
	resp.Warnings = append(resp.Warnings, warnings...)
	resp.Totals = wire.ImpactTotals{Direct: len(found.Direct), Transitive: len(found.Transitive), Scenarios: len(found.Checks)}
	resp.Total = len(found.Direct) + len(found.Transitive) + len(found.Checks)
	writer := impactWriter{a: a, found: found, where: set.Where(a), index: set.IndexName(a)}
	items := writer.page(pages.From, q.Limit)
	resp.SetItems(items)
	resp.Truncated, resp.Cursor = pages.More(resp.Total, q.Limit)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitImpact(resp, items, pages.Budget(q.MaxBytes))
	return resp, nil
}

// impactWriter turns an impact into its wire form.
type impactWriter struct {
	a     *artifact.Artifact
	found *walk.Impact
	where *artifact.Locator
	index string
}

// checksEvery is the number of dependants between two scenarios on a page, so that the first page has scenarios too.
const checksEvery = 2

// page returns the items [from, from+limit): direct, then transitive dependants, with a scenario after every second
// one, and the remaining scenarios at the end.
func (w *impactWriter) page(from, limit int) []wire.ImpactItem {
	f := w.found
	dependants, checks := len(f.Direct)+len(f.Transitive), len(f.Checks)
	items := []wire.ImpactItem{}
	d, c := 0, 0
	for at := 0; at < from+limit && (d < dependants || c < checks); at++ {
		var item wire.ImpactItem
		if c < checks && (d == dependants || at%(checksEvery+1) == checksEvery) {
			if c++; at >= from {
				item.Scenario = w.scenario(f.Checks[c-1])
			}
		} else if d++; at >= from {
			if d <= len(f.Direct) {
				item.Affected = w.affected(f.Direct[d-1])
			} else {
				item.Affected = w.affected(f.Transitive[d-1-len(f.Direct)])
			}
		}
		if at >= from {
			items = append(items, item)
		}
	}
	return items
}

func (w *impactWriter) affected(d walk.Dependant) *wire.Affected {
	n := walk.Neighbour{Node: d.Place, Edge: d.Edge, Out: d.Back, Distance: d.Distance}
	one := &wire.Affected{Relative: relativeOf(w.a, n, w.where)}
	whole := names.InfoOf(w.a, d.Node)
	one.Name, one.NodeID, one.Type, one.Kind, one.Index = whole.Name, whole.ID, whole.Kind, whole.DocKind, w.index
	path := w.found.Path(d)
	one.Phrase = walk.Phrase(w.a.Index, w.found.Start, path, func(n index.NodeID) string { return label(w.a, n) })
	if len(path) > 1 {
		for _, step := range path {
			kind, _ := w.a.EdgeType(step.Edge)
			one.Via = append(one.Via, wire.ImpactStep{NodeID: names.InfoOf(w.a, step.Node).ID, Relation: kind.Name})
		}
	}
	return one
}

func (w *impactWriter) scenario(c walk.ScenarioCheck) *wire.Scenario {
	n := names.InfoOf(w.a, c.Scenario)
	return &wire.Scenario{
		Name: n.Name, NodeID: n.ID, Path: n.Path, Anchor: n.Anchor, Lines: n.Lines, Validates: names.InfoOf(w.a, c.Checked).ID, Distance: c.Distance, Index: w.index,
	}
}

// label is a short name for a node: the id from its front matter without the kind, else its title or heading.
func label(a *artifact.Artifact, n index.NodeID) string {
	node := names.InfoOf(a, n)
	if prefix, id, ok := strings.Cut(node.ID, ":"); ok && prefix != "doc" && !strings.Contains(id, "#") {
		return id
	}
	return node.Name
}
