package walk

import (
	"cmp"
	"context"
	"slices"

	"kdd/format/index"
)

// Around is a node near one of several starts, with the edge that it was reached by.
type Around struct {
	Node     index.NodeID // a start, or a document or thing
	Place    index.NodeID // the section at this end of the edge, or Node
	Edge     uint32       // by which it was reached; of no meaning for a start
	Out      bool         // the edge leads away from the nearer node
	Distance int          // 0 for a start
	Weight   float64      // of the edge's type

	parent int
}

// Surroundings are the starts and the nodes around them, nearest first; nodes at one distance by edge weight, then by
// node.
type Surroundings struct {
	Nodes []Around
	Cut   bool // the limit on visited nodes was hit
}

// Path returns the nodes from a start to node i, both included.
func (s *Surroundings) Path(i int) []Around {
	path := []Around{s.Nodes[i]}
	for i = s.Nodes[i].parent; i >= 0 && len(path) <= maxDepth; i = s.Nodes[i].parent {
		path = append(path, s.Nodes[i])
	}
	slices.Reverse(path)
	return path
}

// maxAround bounds the nodes that Surround returns.
const maxAround = 5_000

// Surround walks from all starts at once, along edges of both directions: typed edges as far as depth, plain links and
// mentions one step. It does not follow containment and edges that break the layer rule. Each document is returned
// once, at its shortest distance and by its strongest edge.
//
// Cost: the edges of the nodes visited, at most 5,000 nodes.
func Surround(ctx context.Context, x *index.Index, starts []index.NodeID, depth int) (*Surroundings, error) {
	s := &Surroundings{}
	seen := map[index.NodeID]bool{}
	for _, n := range starts {
		if !seen[n] {
			seen[n] = true
			s.Nodes = append(s.Nodes, Around{Node: n, Place: n, parent: -1})
		}
	}
	for _, n := range starts { // a section's document is no neighbour of it
		if x.NodeIsSection(n) {
			seen[x.NodeOfDoc(x.NodeDoc(n))] = true
		}
	}
	from := 0
	for distance := 1; distance <= depth && from < len(s.Nodes) && !s.Cut; distance++ {
		to := len(s.Nodes)
		best := map[index.NodeID]int{}
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			for e, out := range edges(x, whole(x, s.Nodes[i].Node)) {
				kind, violation := x.EdgeType(e)
				if violation || kind.Impact == index.ImpactNo || kind.Name == index.ContainsEdge || kind.Impact != index.ImpactFollow && distance > 1 {
					continue
				}
				place := otherEnd(x, e, out)
				node := owner(x, place, kind)
				if seen[node] {
					continue
				}
				a := Around{Node: node, Place: place, Edge: e, Out: out, Distance: distance, Weight: kind.Weight, parent: i}
				at, known := best[node]
				switch {
				case !known && len(s.Nodes) >= maxAround:
					s.Cut = true
				case !known:
					best[node] = len(s.Nodes)
					s.Nodes = append(s.Nodes, a)
				case a.Weight > s.Nodes[at].Weight:
					s.Nodes[at] = a
				}
			}
		}
		slices.SortStableFunc(s.Nodes[to:], func(a, b Around) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.parent, b.parent), cmp.Compare(a.Node, b.Node))
		})
		for _, a := range s.Nodes[to:] {
			seen[a.Node] = true
		}
		from = to
	}
	return s, nil
}
