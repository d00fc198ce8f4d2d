package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/wire"
)

// Graph is the operation of that name; runtime.Service says what it does.
func Graph(ctx context.Context, open artifact.Opener, q wire.GraphRequest) (resp *wire.GraphResponse, err error) {
	start := time.Now()
	q.Depth, q.Limit = cmp.Or(q.Depth, 1), cmp.Or(q.Limit, 200)
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	types, warnings, err := edgeTypes(set, q.EdgeTypes)
	if err != nil {
		return nil, err
	}
	resp = &wire.GraphResponse{Envelope: set.Envelope("graph.v1"), Nodes: []wire.GraphNode{}, Edges: []wire.GraphEdge{}}
	resp.Warnings = append(resp.Warnings, warnings...)
	a := set.Artifacts[0]
	var from *index.NodeID
	if q.Node != "" {
		var match place.Match
		var ambiguity string
		if a, match, ambiguity, err = names.FindNode(set, q.Node); err != nil {
			return nil, err
		}
		match.Node = names.Plain(a, match.Node)
		from = &match.Node
		resp.NodeID = names.InfoOf(a, match.Node).ID
		resp.Warn(ambiguity)
	} else if set.Several() {
		resp.Warn("the graph of " + a.Name + " alone; name a node, or ask one index")
	}
	part, err := walk.Extract(ctx, a.Index, from, walk.ExtractOptions{Depth: q.Depth, Types: types, Limit: q.Limit, Contents: q.Contents})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(part.Nodes))
	for i, m := range part.Nodes {
		n := names.InfoOf(a, m.Node)
		ids[i] = n.ID
		resp.Nodes = append(resp.Nodes, wire.GraphNode{
			NodeID: n.ID, Label: label(a, m.Node), Title: n.Name, Type: n.Kind, Kind: n.DocKind, Path: n.Path, Anchor: n.Anchor, Distance: m.Distance, Degree: m.Degree,
		})
	}
	for _, l := range part.Links {
		resp.Edges = append(resp.Edges, wire.GraphEdge{
			From: ids[l.From], To: ids[l.To], Relation: l.Kind.Name, Edges: l.Edges, Weak: l.Kind.Impact != index.ImpactFollow && !slices.Contains(types, l.Kind.Name), Violation: l.Violation,
		})
	}
	resp.Count, resp.Total = len(part.Nodes), part.Total
	if resp.Truncated = resp.Count < resp.Total; resp.Truncated {
		resp.Warn(fmt.Sprintf("%d nodes left out; raise the limit, or ask for less", resp.Total-resp.Count))
	}
	if n := len(part.Contents); n > 0 {
		left := names.InfoOf(a, part.Contents[0]).Path
		if n > 1 {
			left += fmt.Sprintf(" and %d more", n-1)
		}
		resp.Warn("left out as a table of contents: " + left + "; ask with contents for it")
	}
	wire.CleanGraph(resp)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	return resp, nil
}
