package walk

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"kdd/format/index"
)

// Options bounds a traversal.
type Options struct {
	Depth      int
	Types      []string // edge types; empty = all but those that break the layer rule
	Out, In    bool
	Violations bool // follow edges that break the layer rule too
}

// Neighbour is a node around another, with the edge that it was reached by.
type Neighbour struct {
	Node     index.NodeID
	Edge     uint32
	Out      bool // the edge leads away from the nearer node
	Distance int
}

// maxVisited bounds the nodes that one traversal visits. Results say if it was reached.
const maxVisited = 50_000

// run is a range of nodes whose edges are adjacent in the file.
type run struct{ first, last index.NodeID }

// runs returns the nodes that a node stands for: a document for itself and all its sections, a section for itself and
// its sub-sections.
func runs(x *index.Index, n index.NodeID) []run {
	switch {
	case x.NodeIsDoc(n):
		from, to := x.DocSections(index.DocID(n))
		if from == to {
			return []run{{n, n}}
		}
		return []run{{n, n}, {x.NodeOfSection(from), x.NodeOfSection(to - 1)}}
	case x.NodeIsSection(n):
		return []run{{n, x.NodeOfSection(x.SectionEnd(x.NodeSection(n)) - 1)}}
	}
	return []run{{n, n}}
}

func holds(list []run, n index.NodeID) bool {
	for _, r := range list {
		if r.first <= n && n <= r.last {
			return true
		}
	}
	return false
}

// owner returns the node that the end of an edge counts as: the document for a section, except for the edge by which
// the document contains it.
func owner(x *index.Index, n index.NodeID, kind *index.EdgeType) index.NodeID {
	if kind.Name != index.ContainsEdge && x.NodeIsSection(n) {
		return x.NodeOfDoc(x.NodeDoc(n))
	}
	return n
}

// Degree returns the number of edges, in both directions, of a node and of the nodes that it stands for.
func Degree(x *index.Index, n index.NodeID) int {
	var sum uint32
	for _, r := range runs(x, n) {
		from, to := x.Out(r.first, r.last)
		sum += to - from
		from, to = x.In(r.first, r.last)
		sum += to - from
	}
	return int(sum)
}

// Related walks breadth-first from start and returns the nodes around it: at distance 1 each node once per edge type
// and direction, farther away each node once. A document stands for its sections, and a section for its sub-sections:
// their edges count as its own. Containment is followed at distance 1 only, unless it is requested. The order is
// distance, edge weight, degree, node. cut says that the limit of visited nodes was reached.
//
// Cost: the edges of the nodes visited.
func Related(ctx context.Context, x *index.Index, start index.NodeID, o Options) (list []Neighbour, cut bool, err error) {
	w := walk{x: x, start: start, o: o, inside: runs(x, start), seen: map[index.NodeID]bool{start: true}, reached: map[reached]bool{}}
	frontier := []index.NodeID{start}
	for w.distance = 1; w.distance <= o.Depth && len(frontier) > 0 && !cut; w.distance++ {
		first := len(w.list)
		for _, n := range frontier {
			if err := ctx.Err(); err != nil {
				return nil, false, context.Cause(ctx)
			}
			if w.expand(n); len(w.seen) > maxVisited {
				cut = true
				break
			}
		}
		w.order(w.list[first:])
		frontier, w.next = w.next, nil
	}
	return w.list, cut, nil
}

// reached says by which edge a node was reached.
type reached struct {
	node index.NodeID
	kind string
	out  bool
}

type walk struct {
	x        *index.Index
	start    index.NodeID
	o        Options
	inside   []run
	seen     map[index.NodeID]bool
	reached  map[reached]bool
	distance int
	list     []Neighbour
	next     []index.NodeID
}

func (w *walk) expand(n index.NodeID) {
	for e, out := range edges(w.x, runs(w.x, n)) {
		if out && w.o.Out || !out && w.o.In {
			w.visit(e, otherEnd(w.x, e, out), out)
		}
	}
}

func (w *walk) visit(edge uint32, node index.NodeID, out bool) {
	kind, violation := w.x.EdgeType(edge)
	asked := slices.Contains(w.o.Types, kind.Name)
	switch {
	case len(w.o.Types) > 0 && !asked, violation && !w.o.Violations && !asked:
		return
	case kind.Name == index.ContainsEdge && w.distance > 1 && !asked:
		return
	case kind.Name != index.ContainsEdge && holds(w.inside, node):
		return
	}
	target := owner(w.x, node, kind)
	if target == w.start { // it contains its sections
		return
	}
	key := reached{target, kind.Name, out}
	if w.seen[target] && w.distance > 1 || w.reached[key] {
		return
	}
	w.reached[key] = true
	w.list = append(w.list, Neighbour{Node: node, Edge: edge, Out: out, Distance: w.distance})
	if !w.seen[target] {
		w.seen[target] = true
		w.next = append(w.next, target)
	}
}

// order sorts the neighbours of one distance.
func (w *walk) order(list []Neighbour) {
	degree := make(map[index.NodeID]int, len(list))
	weight := func(n Neighbour) float64 {
		kind, _ := w.x.EdgeType(n.Edge)
		return kind.Weight
	}
	for _, n := range list {
		if _, ok := degree[n.Node]; !ok {
			degree[n.Node] = Degree(w.x, n.Node)
		}
	}
	slices.SortStableFunc(list, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(degree[b.Node], degree[a.Node]), cmp.Compare(a.Node, b.Node))
	})
}

// otherEnd returns the end of an edge that is not the node at which it was found; out says that it leads away from that
// node.
func otherEnd(x *index.Index, edge uint32, out bool) index.NodeID {
	if out {
		return x.EdgeTo(edge)
	}
	return x.EdgeFrom(edge)
}

// edges yields the edges of runs of nodes: first those that leave the nodes (true), then those that lead to them.
func edges(x *index.Index, list []run) iter.Seq2[uint32, bool] {
	return func(yield func(uint32, bool) bool) {
		for _, r := range list {
			from, to := x.Out(r.first, r.last)
			for e := from; e < to; e++ {
				if !yield(e, true) {
					return
				}
			}
			from, to = x.In(r.first, r.last)
			for p := from; p < to; p++ {
				if !yield(x.InEdge(p), false) {
					return
				}
			}
		}
	}
}
