package walk

import (
	"cmp"
	"context"
	"slices"

	"kdd/format/index"
)

// Subgraph is a part of the graph: documents and extra nodes, and the edges between them. Edges of a section count as
// edges of its document.
type Subgraph struct {
	Nodes []Member // by distance, then node
	Links []Joint  // by From, To, Kind
	Total int      // nodes that there are; more than len(Nodes) where the limit left some out

	Contents []index.NodeID // tables of contents that were left out, which Total does not count
}

// Member is a node of a Subgraph.
type Member struct {
	Node     index.NodeID
	Distance int // from the start; 0 in a whole graph
	Degree   int // edges, those to nodes that were left out too
}

// Joint is all edges of one type from one member to another.
type Joint struct {
	From, To  int // indices into Nodes
	Kind      *index.EdgeType
	Edges     int
	Violation bool // one of them breaks the layer rule
}

// ExtractOptions bounds a Subgraph.
type ExtractOptions struct {
	Depth int
	Types []string // empty = all but containment
	Limit int      // nodes

	Contents bool // tables of contents are nodes too: see isContents
}

// Extract returns the nodes within a depth around start, or with start nil the whole graph. If there are more nodes
// than the limit, it keeps the nearest to the start; of equally near ones, and in a whole graph, those with the most
// edges.
//
// Cost: the edges of the nodes visited, at most 50,000 nodes.
func Extract(ctx context.Context, x *index.Index, start *index.NodeID, o ExtractOptions) (*Subgraph, error) {
	e := extraction{x: x, o: o, members: map[index.NodeID]*Member{}}
	if start == nil {
		for n := range x.Docs() {
			e.meet(index.NodeID(n), 0)
		}
		for n := x.Docs() + x.Sections(); n < x.Nodes(); n++ {
			e.add(index.NodeID(n), 0)
		}
	} else {
		node := *start
		if x.NodeIsSection(node) {
			e.section, e.inside = &node, runs(x, node)
		}
		e.add(node, 0)
	}
	for i := 0; i < len(e.order); i++ {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		from := e.members[e.order[i]]
		for edge, out := range edges(x, e.runs(from.Node)) {
			kind, violation := x.EdgeType(edge)
			if !e.follows(kind) {
				continue
			}
			own, other := x.EdgeTo(edge), x.EdgeFrom(edge)
			if out {
				own, other = other, own
			}
			if other = e.owner(other, kind); other == from.Node || e.owner(own, kind) != from.Node {
				continue
			}
			from.Degree++
			if start != nil && e.members[other] == nil && from.Distance < o.Depth && len(e.order) < maxVisited {
				e.meet(other, from.Distance+1)
			}
			if out {
				e.link(from.Node, other, kind, violation)
			}
		}
	}
	return e.result(), nil
}

type extraction struct {
	x       *index.Index
	o       ExtractOptions
	section *index.NodeID // the start, if it is a section: its edges are its own, not its document's
	inside  []run
	members map[index.NodeID]*Member
	order   []index.NodeID
	links   []joint
	seen    map[jointKey]int

	contents map[index.NodeID]bool // nodes that are a table of contents
}

type joint struct {
	jointKey
	edges     int
	violation bool
}

type jointKey struct {
	from, to index.NodeID
	kind     *index.EdgeType
}

func (e *extraction) add(n index.NodeID, distance int) {
	e.members[n] = &Member{Node: n, Distance: distance}
	e.order = append(e.order, n)
}

// meet adds a node, unless it is a table of contents.
func (e *extraction) meet(n index.NodeID, distance int) {
	if !e.o.Contents {
		is, known := e.contents[n]
		if !known {
			if e.contents == nil {
				e.contents = map[index.NodeID]bool{}
			}
			is = isContents(e.x, n)
			e.contents[n] = is
		}
		if is {
			return
		}
	}
	e.add(n, distance)
}

// A document that leads to so many others, and to so large a share of all, is a table of contents: a list of chapters,
// the file of a sidebar, an index. An edge from it says nothing about what it leads to.
const (
	leastContents = 8
	shareContents = 2 // half
)

// isContents reports whether a node is a table of contents. Cost: its edges.
func isContents(x *index.Index, n index.NodeID) bool {
	least := max(leastContents, (int(x.Docs())-1)/shareContents)
	if n >= index.NodeID(x.Docs()) {
		return false
	}
	to := map[index.DocID]bool{}
	for edge, out := range edges(x, runs(x, n)) {
		kind, _ := x.EdgeType(edge)
		if !out || kind.Name == index.ContainsEdge {
			continue
		}
		if other := owner(x, x.EdgeTo(edge), kind); other < index.NodeID(x.Docs()) && other != n {
			if to[index.DocID(other)] = true; len(to) >= least {
				return true
			}
		}
	}
	return false
}

func (e *extraction) runs(n index.NodeID) []run {
	if e.section != nil && n == *e.section {
		return e.inside
	}
	return runs(e.x, n)
}

func (e *extraction) owner(n index.NodeID, kind *index.EdgeType) index.NodeID {
	if e.section != nil && holds(e.inside, n) {
		return *e.section
	}
	return owner(e.x, n, kind)
}

func (e *extraction) follows(kind *index.EdgeType) bool {
	if len(e.o.Types) > 0 {
		return slices.Contains(e.o.Types, kind.Name) && kind.Name != index.ContainsEdge
	}
	return kind.Name != index.ContainsEdge
}

func (e *extraction) link(from, to index.NodeID, kind *index.EdgeType, violation bool) {
	if e.seen == nil {
		e.seen = map[jointKey]int{}
	}
	key := jointKey{from, to, kind}
	at, ok := e.seen[key]
	if !ok {
		at = len(e.links)
		e.seen[key] = at
		e.links = append(e.links, joint{jointKey: key})
	}
	e.links[at].edges++
	e.links[at].violation = e.links[at].violation || violation
}

// result keeps the members within the limit, and the links between them.
func (e *extraction) result() *Subgraph {
	s := &Subgraph{Total: len(e.order)}
	for n, is := range e.contents {
		if is {
			s.Contents = append(s.Contents, n)
		}
	}
	slices.Sort(s.Contents)
	for _, n := range e.order {
		s.Nodes = append(s.Nodes, *e.members[n])
	}
	if e.o.Limit > 0 && len(s.Nodes) > e.o.Limit {
		slices.SortStableFunc(s.Nodes, func(a, b Member) int {
			return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Degree, a.Degree), cmp.Compare(a.Node, b.Node))
		})
		s.Nodes = s.Nodes[:e.o.Limit]
	}
	slices.SortStableFunc(s.Nodes, func(a, b Member) int { return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Node, b.Node)) })
	index := make(map[index.NodeID]int, len(s.Nodes))
	for i, m := range s.Nodes {
		index[m.Node] = i
	}
	for _, l := range e.links {
		from, ok := index[l.from]
		to, also := index[l.to]
		if ok && also {
			s.Links = append(s.Links, Joint{From: from, To: to, Kind: l.kind, Edges: l.edges, Violation: l.violation})
		}
	}
	slices.SortStableFunc(s.Links, func(a, b Joint) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(b.Kind.Weight, a.Kind.Weight), cmp.Compare(a.Kind.Name, b.Kind.Name))
	})
	return s
}
