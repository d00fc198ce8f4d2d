package runtime

import (
	"cmp"
	"context"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// Impact says what depends on an entity, directly and through others, and which scenarios to run again.
//
// Errors: as Related. Cost: the edges of what depends on it.
func (s *Service) Impact(ctx context.Context, q wire.ImpactRequest) (*wire.ImpactResponse, error) {
	start := time.Now()
	q.Limit, q.Depth = cmp.Or(q.Limit, 20), cmp.Or(q.Depth, 3)
	if q.Entity == "" {
		return nil, emptyEntity("entity")
	}
	var resp *wire.ImpactResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "impact", q.Cursor, q)
		if err != nil {
			return err
		}
		types, warnings, err := set.edgeTypes(q.EdgeTypes)
		if err != nil {
			return err
		}
		a, match, ambiguity, err := set.entity(q.Entity)
		if err != nil {
			return err
		}
		found, err := graph.FindImpact(ctx, a.Index, match.Node, graph.ImpactOptions{Depth: q.Depth, Types: types, Violations: q.Violations})
		if err != nil {
			return err
		}
		resp = &wire.ImpactResponse{Envelope: set.envelope("impact_response.v1"), Entity: q.Entity}
		node := a.node(match.Node)
		resp.NodeID, resp.Type = node.id, node.kind
		if found.Cut {
			resp.Warn("more depends on it than one traversal visits; the farthest nodes are missing")
		}
		resp.Warn(ambiguity)
		resp.Warnings = append(resp.Warnings, warnings...)
		resp.Totals = wire.ImpactTotals{Direct: len(found.Direct), Transitive: len(found.Transitive), Scenarios: len(found.Checks)}
		resp.Total = len(found.Direct) + len(found.Transitive) + len(found.Checks)
		writer := impactWriter{a: a, found: found, where: set.where(a), index: set.indexName(a)}
		items := writer.page(pages.from, q.Limit)
		resp.SetItems(items)
		resp.Truncated, resp.Cursor = pages.more(resp.Total, q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitImpact(resp, items, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// impactWriter turns an impact into its wire form.
type impactWriter struct {
	a     *artifact
	found *graph.Impact
	where *locator
	index string
}

// checksEvery is how many dependants a page shows for each scenario: what to run again is not to stand behind them all.
const checksEvery = 2

// page returns the items [from, from+limit): direct, then transitive dependants, a scenario after every second one, and
// at the end the scenarios that are left.
func (w *impactWriter) page(from, limit int) []wire.ImpactItem {
	f := w.found
	dependants, checks := len(f.Direct)+len(f.Transitive), len(f.Checks)
	items := []wire.ImpactItem{}
	d, c := 0, 0
	for at := 0; d < dependants || c < checks; at++ {
		isCheck := c < checks && (d == dependants || at%(checksEvery+1) == checksEvery)
		if at >= from && at < from+limit {
			switch {
			case isCheck:
				items = append(items, wire.ImpactItem{Scenario: w.scenario(f.Checks[c])})
			case d < len(f.Direct):
				items = append(items, wire.ImpactItem{Affected: w.affected(f.Direct[d])})
			default:
				items = append(items, wire.ImpactItem{Affected: w.affected(f.Transitive[d-len(f.Direct)])})
			}
		}
		if at >= from+limit {
			break
		}
		if isCheck {
			c++
		} else {
			d++
		}
	}
	return items
}

func (w *impactWriter) affected(d graph.Dependant) *wire.Affected {
	n := graph.Neighbour{Node: d.Place, Edge: d.Edge, Out: d.Back, Distance: d.Distance}
	one := &wire.Affected{Relative: w.a.relative(n, w.where)}
	whole := w.a.node(d.Node)
	one.Name, one.NodeID, one.Type, one.Kind, one.Index = whole.name, whole.id, whole.kind, whole.docKind, w.index
	path := w.found.Path(d)
	one.Phrase = graph.Phrase(w.a.Index, w.found.Start, path, w.a.label)
	if len(path) > 1 {
		for _, step := range path {
			kind, _ := w.a.EdgeType(step.Edge)
			one.Via = append(one.Via, wire.ImpactStep{NodeID: w.a.node(step.Node).id, Relation: kind.Name})
		}
	}
	return one
}

func (w *impactWriter) scenario(c graph.Check) *wire.Scenario {
	n := w.a.node(c.Scenario)
	return &wire.Scenario{
		Name: n.name, NodeID: n.id, Path: n.path, Anchor: n.anchor, Lines: n.lines, Validates: w.a.node(c.Checked).id, Distance: c.Distance, Index: w.index,
	}
}

// label is a short name for a node: its own id without the kind, else its title or heading.
func (a *artifact) label(n format.NodeID) string {
	node := a.node(n)
	if prefix, id, ok := strings.Cut(node.id, ":"); ok && prefix != "doc" && !strings.Contains(id, "#") {
		return id
	}
	return node.name
}
