package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/query"
	"kdd/runtime/wire"
)

// Related lists what an entity is linked with. The entity may be an id, name, path, alias, title or heading.
//
// Errors: not_found with suggestions; invalid_input for an edge type that the index does not have. Cost: the edges of the
// nodes within the depth.
func (s *Service) Related(ctx context.Context, q wire.RelatedRequest) (*wire.RelatedResponse, error) {
	start := time.Now()
	q.Limit, q.Depth = cmp.Or(q.Limit, 20), cmp.Or(q.Depth, 1)
	switch {
	case strings.TrimSpace(q.Entity) == "":
		return nil, emptyEntity("entity")
	case q.Limit < 0:
		return nil, negative("limit", q.Limit)
	case q.Depth < 0:
		return nil, negative("depth", q.Depth)
	case q.Direction != "" && q.Direction != "both" && q.Direction != "in" && q.Direction != "out":
		return nil, badChoice("direction", q.Direction, "both, out or in")
	}
	var resp *wire.RelatedResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "related", q.Cursor, q)
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
		around, cut, err := graph.Related(ctx, a.Index, match.Node, graph.Options{Depth: q.Depth, Types: types, Out: q.Direction != "in", In: q.Direction != "out"})
		if err != nil {
			return err
		}
		resp = &wire.RelatedResponse{Envelope: set.envelope("related_response.v1"), Entity: q.Entity, Related: []wire.Relative{}, Total: len(around)}
		node := a.node(match.Node)
		resp.NodeID, resp.Type = node.id, node.kind
		if cut {
			resp.Warn("the neighbourhood is larger than one traversal visits; the farthest nodes are missing")
		}
		resp.Warn(ambiguity)
		resp.Warnings = append(resp.Warnings, warnings...)
		where := set.where(a)
		for _, near := range around[min(pages.from, len(around)):min(pages.from+q.Limit, len(around))] {
			r := a.relative(near, where)
			r.Index = set.indexName(a)
			resp.Related = append(resp.Related, r)
		}
		resp.Count = len(resp.Related)
		resp.Truncated, resp.Cursor = pages.more(len(around), q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitRelated(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// entity finds the node that a name, or the place of a document's source (see source), means, the strongest over all artifacts.
// Where others have the name as rightfully, the warning names up to three of them.
func (set *set) entity(name string) (a *artifact, m graph.Match, warning string, err error) {
	text, only := docAddress(name)
	a, m, others, err := set.node(text, only)
	if a == nil && err == nil {
		if path, index, ok := set.source(text); ok {
			a, m, others, err = set.node(path, index)
		}
	}
	switch {
	case err != nil:
		return nil, m, "", err
	case a == nil:
		e := wire.NewError(wire.CodeNotFound, "nothing in the index is called "+quote(name), "search for it, or list the documents")
		return nil, m, "", meant(e, set.suggest(text))
	case len(others) > 0:
		warning = quote(name) + " also names " + strings.Join(others, ", ")
	}
	return a, m, warning, nil
}

// node is entity for what is no address: nil without an error if nothing has the path or name. A chunk or a line stands for its
// section. only is the artifact that is asked, "" for all.
func (set *set) node(text, only string) (_ *artifact, first graph.Match, others []string, _ error) {
	type found struct {
		a    *artifact
		list []graph.Match
	}
	var all []found
	best := -1
	var missing error
	for _, a := range set.artifacts {
		if only != "" && only != a.name {
			continue
		}
		for _, try := range set.tries(a, text) {
			list := graph.Resolve(a.Index, try)
			if len(list) == 0 {
				p, err := a.place(try, "")
				if p != nil {
					list = []graph.Match{{Node: p.node(), Class: format.PathName}}
				} else if missing == nil {
					missing = err // a document that lacks the section
				}
			}
			if len(list) > 0 {
				if best < 0 || list[0].Class < all[best].list[0].Class {
					best = len(all)
				}
				all = append(all, found{a, list})
				break
			}
		}
	}
	if best < 0 {
		return nil, first, nil, missing
	}
	a := all[best].a
	first = all[best].list[0]
	for _, f := range all {
		for _, m := range f.list {
			if m.Class == first.Class && len(others) < 3 && (f.a != a || a.NodeDoc(m.Node) != a.NodeDoc(first.Node)) {
				id := f.a.node(m.Node).id
				if f.a != a {
					id = f.a.name + ":" + id
				}
				others = append(others, id)
			}
		}
	}
	return a, first, others, nil
}

// suggest returns names near to one that means nothing, over all artifacts.
func (set *set) suggest(name string) []string {
	var names []string
	for _, a := range set.artifacts {
		var near []string
		for _, m := range graph.Numbered(a.Index, name, false) {
			near = append(near, m.Name)
		}
		for _, n := range append(near, graph.Suggest(a.Index, name)...) {
			if n = wire.Clean(n); !slices.Contains(names, n) && len(names) < 5 {
				names = append(names, n)
			}
		}
	}
	return names
}

// edgeTypes checks that the index knows the types, in any case, and returns them as it writes them, with what is to be said of
// those that no edge has.
func (set *set) edgeTypes(asked []string) (types, warnings []string, err error) {
	var all []string
	for _, a := range set.artifacts {
		for _, t := range a.Meta.EdgeTypes {
			if !slices.Contains(all, t.Name) {
				all = append(all, t.Name)
			}
		}
	}
	for _, name := range asked {
		i := slices.IndexFunc(all, func(t string) bool { return strings.EqualFold(t, name) })
		if i < 0 {
			return nil, nil, wire.NewError(wire.CodeInvalidInput, "edge_types: the index has no type "+quote(name), oneOf(strings.ToUpper(name), all)).With("field", "edge_types")
		}
		if !slices.Contains(types, all[i]) {
			types = append(types, all[i])
		}
	}
	return types, query.UnknownEdges(set.indexes(), types), nil
}

// nodeInfo is what answers say of a node.
type nodeInfo struct {
	id, name, kind, docKind string // kind: document, section, or the extra node's own type
	doc                     format.DocID
	path, anchor            string
	lines                   [2]int
}

func (a *artifact) node(n format.NodeID) nodeInfo {
	d, s := a.NodeDoc(n), a.NodeSection(n)
	sec := a.Section(s)
	info := nodeInfo{doc: d, path: a.DocPath(d), anchor: sec.Anchor, lines: [2]int{int(sec.LineStart), int(sec.LineEnd)}, docKind: a.DocKind(d)}
	switch {
	case a.NodeIsDoc(n):
		info.id, info.name, info.kind = a.DocNodeID(d), a.DocTitle(d), "document"
	case a.NodeIsSection(n):
		info.id, info.name, info.kind = a.DocNodeID(d)+"#"+sec.Anchor, sec.Heading, "section"
		if sec.Level == 0 {
			info.id = a.DocNodeID(d)
		}
	default:
		extra := a.ExtraNode(n)
		info.id, info.name, info.kind, info.docKind = extra.ID, extra.Name, extra.Type, extra.Kind
	}
	return info
}

// relative turns a neighbour into its wire form.
func (a *artifact) relative(n graph.Neighbour, where *locator) wire.Relative {
	node := a.node(n.Node)
	kind, _ := a.EdgeType(n.Edge)
	found, doc, line := a.EdgeSource(n.Edge)
	r := wire.Relative{
		Name: node.name, NodeID: node.id, Type: node.kind, Kind: node.docKind, Relation: kind.Name, Direction: direction(n.Out), Distance: n.Distance,
		Path: node.path, Anchor: node.anchor, Lines: node.lines, FoundBy: found,
	}
	address, _ := where.url(doc, "")
	r.SourceURL = address
	if line > 0 {
		r.SourceURL += fmt.Sprintf("#L%d", line)
	}
	return r
}
