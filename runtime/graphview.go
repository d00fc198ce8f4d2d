package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// Graph returns what lies around a node, or the whole graph: documents and things, and the edges between them, those of
// their sections included. Several artifacts have one graph each: with no node the first is asked.
//
// Errors: as Related. Cost: the edges of the nodes visited.
func (s *Service) Graph(ctx context.Context, q wire.GraphRequest) (*wire.GraphResponse, error) {
	start := time.Now()
	q.Depth, q.Limit = cmp.Or(q.Depth, 1), cmp.Or(q.Limit, 200)
	var resp *wire.GraphResponse
	err := s.with(ctx, func(set *set) error {
		types, warnings, err := set.edgeTypes(q.EdgeTypes)
		if err != nil {
			return err
		}
		resp = &wire.GraphResponse{Envelope: set.envelope("graph.v1"), Nodes: []wire.GraphNode{}, Edges: []wire.GraphEdge{}}
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
			resp.Nodes = append(resp.Nodes, wire.GraphNode{
				NodeID: n.id, Label: a.label(m.Node), Title: n.name, Type: n.kind, Kind: n.docKind, Path: n.path, Anchor: n.anchor, Distance: m.Distance, Degree: m.Degree,
			})
		}
		for _, l := range part.Links {
			resp.Edges = append(resp.Edges, wire.GraphEdge{
				From: ids[l.From], To: ids[l.To], Relation: l.Kind.Name, Edges: l.Edges, Weak: l.Kind.Impact != format.ImpactFollow && !slices.Contains(types, l.Kind.Name), Violation: l.Violation,
			})
		}
		resp.Count, resp.Total = len(part.Nodes), part.Total
		if resp.Truncated = resp.Count < resp.Total; resp.Truncated {
			resp.Warn(fmt.Sprintf("%d nodes left out; raise the limit, or ask for less", resp.Total-resp.Count))
		}
		wire.CleanGraph(resp)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		return nil
	})
	return resp, err
}
