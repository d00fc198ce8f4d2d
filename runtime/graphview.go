package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/shape"
)

// Graph returns what lies around a node, or the whole graph: documents and things, and the edges between them, those of
// their sections included. Several artifacts have one graph each: with no node the first is asked.
//
// Errors: as Related. Cost: the edges of the nodes visited.
func (s *Service) Graph(ctx context.Context, q shape.GraphRequest) (*shape.GraphResponse, error) {
	start := time.Now()
	q.Depth, q.Limit = cmp.Or(q.Depth, 1), cmp.Or(q.Limit, 200)
	var resp *shape.GraphResponse
	err := s.with(ctx, func(set *set) error {
		types, warnings, err := set.edgeTypes(q.EdgeTypes)
		if err != nil {
			return err
		}
		resp = &shape.GraphResponse{Envelope: set.envelope("graph.v1"), Nodes: []shape.GraphNode{}, Edges: []shape.GraphEdge{}}
		resp.Warnings = append(resp.Warnings, warnings...)
		a := set.artifacts[0]
		var from *format.NodeID
		if q.Node != "" {
			var match graph.Match
			var ambiguity string
			if a, match, ambiguity, err = set.entity(q.Node); err != nil {
				return err
			}
			match.Node = plain(a, match.Node)
			from = &match.Node
			resp.NodeID = a.node(match.Node).id
			resp.Warn(ambiguity)
		} else if set.several() {
			resp.Warn("the graph of " + a.name + " alone; name a node, or ask one index")
		}
		part, err := graph.Extract(ctx, a.Index, from, graph.ExtractOptions{Depth: q.Depth, Types: types, Limit: q.Limit})
		if err != nil {
			return err
		}
		ids := make([]string, len(part.Nodes))
		for i, m := range part.Nodes {
			n := a.node(m.Node)
			ids[i] = n.id
			resp.Nodes = append(resp.Nodes, shape.GraphNode{
				NodeID: n.id, Label: a.label(m.Node), Title: n.name, Type: n.kind, Kind: n.docKind, Path: n.path, Anchor: n.anchor, Distance: m.Distance, Degree: m.Degree,
			})
		}
		for _, l := range part.Links {
			resp.Edges = append(resp.Edges, shape.GraphEdge{
				From: ids[l.From], To: ids[l.To], Relation: l.Kind.Name, Edges: l.Edges, Weak: l.Kind.Impact != format.ImpactFollow && !slices.Contains(types, l.Kind.Name), Violation: l.Violation,
			})
		}
		resp.Count, resp.Total = len(part.Nodes), part.Total
		if resp.Truncated = resp.Count < resp.Total; resp.Truncated {
			resp.Warn(fmt.Sprintf("%d nodes left out; raise the limit, or ask for less", resp.Total-resp.Count))
		}
		shape.CleanGraph(resp)
		resp.TimeMS = shape.Milliseconds(time.Since(start))
		return nil
	})
	return resp, err
}
