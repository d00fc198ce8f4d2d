package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// Related is the operation of that name; runtime.Service says what it does.
func Related(ctx context.Context, open artifact.Opener, q wire.RelatedRequest) (resp *wire.RelatedResponse, err error) {
	start := time.Now()
	q.Limit, q.Depth = cmp.Or(q.Limit, 20), cmp.Or(q.Depth, 1)
	switch {
	case strings.TrimSpace(q.Entity) == "":
		return nil, wire.EmptyEntity("entity")
	case q.Limit < 0:
		return nil, wire.Negative("limit", q.Limit)
	case q.Depth < 0:
		return nil, wire.Negative("depth", q.Depth)
	case q.Direction != "" && q.Direction != "both" && q.Direction != "in" && q.Direction != "out":
		return nil, wire.BadChoice("direction", q.Direction, "both, out or in")
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "related", q.Cursor, q)
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
	around, cut, err := walk.Related(ctx, a.Index, match.Node, walk.Options{Depth: q.Depth, Types: types, Out: q.Direction != "in", In: q.Direction != "out"})
	if err != nil {
		return nil, err
	}
	across := foreignRelatives(set, a, match.Node, &q, types)
	if len(across) > 0 { // the type is known, though the graphs may not have it
		graphs := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == foreignRelation })
		warnings = query.UnknownEdges(set.Indexes(), graphs)
	}
	// Those at a distance of 1 stand before what is farther away.
	near, _ := slices.BinarySearchFunc(around, 2, func(n walk.Neighbour, distance int) int { return cmp.Compare(n.Distance, distance) })
	total := len(around) + len(across)
	resp = &wire.RelatedResponse{Envelope: set.Envelope("related_response.v1"), Entity: q.Entity, Related: []wire.Relative{}, Total: total}
	node := names.InfoOf(a, match.Node)
	resp.NodeID, resp.Type = node.ID, node.Kind
	if cut {
		resp.Warn("the neighbourhood is larger than one traversal visits; the farthest nodes are missing")
	}
	resp.Warn(ambiguity)
	resp.Warnings = append(resp.Warnings, warnings...)
	where := set.Where(a)
	for i := min(pages.From, total); i < min(pages.From+q.Limit, total); i++ {
		if at := i - near; at >= 0 && at < len(across) {
			resp.Related = append(resp.Related, across[at])
			continue
		}
		at := i
		if i >= near {
			at -= len(across)
		}
		r := relativeOf(a, around[at], where)
		r.Index = set.IndexName(a)
		resp.Related = append(resp.Related, r)
	}
	resp.Count = len(resp.Related)
	resp.Truncated, resp.Cursor = pages.More(total, q.Limit)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitRelated(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// edgeTypes returns the requested edge types, which may be in any case, as the index writes them. It returns an error
// for a type that the index does not know, and a warning for types that no edge has.
func edgeTypes(set *artifact.Set, asked []string) (types, warnings []string, err error) {
	var all []string
	for _, a := range set.Artifacts {
		for _, t := range a.Meta.EdgeTypes {
			if !slices.Contains(all, t.Name) {
				all = append(all, t.Name)
			}
		}
	}
	for _, name := range asked {
		i := slices.IndexFunc(all, func(t string) bool { return strings.EqualFold(t, name) })
		if i < 0 {
			return nil, nil, wire.NewError(wire.CodeInvalidInput, "edge_types: the index has no type "+wire.Quote(name), wire.ChoiceHint(strings.ToUpper(name), all)).With("field", "edge_types")
		}
		if !slices.Contains(types, all[i]) {
			types = append(types, all[i])
		}
	}
	return types, query.UnknownEdges(set.Indexes(), types), nil
}

// relativeOf turns a neighbour into its wire form.
func relativeOf(a *artifact.Artifact, n walk.Neighbour, where *artifact.Locator) wire.Relative {
	node := names.InfoOf(a, n.Node)
	kind, _ := a.EdgeType(n.Edge)
	found, doc, line := a.EdgeSource(n.Edge)
	r := wire.Relative{
		Name: node.Name, NodeID: node.ID, Type: node.Kind, Kind: node.DocKind, Relation: kind.Name, Direction: search.Direction(n.Out), Distance: n.Distance,
		Path: node.Path, Anchor: node.Anchor, Lines: node.Lines, FoundBy: found,
	}
	if r.SourceURL, _ = where.URL(doc, ""); line > 0 {
		r.SourceURL += fmt.Sprintf("#L%d", line)
	}
	return r
}
