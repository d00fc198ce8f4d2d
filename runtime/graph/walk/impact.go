package walk

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sort"

	"kdd/format/index"
)

// validates is the type of the edges from a scenario to the node that it checks.
const validates = "VALIDATES"

// ImpactOptions bounds a search for dependants.
type ImpactOptions struct {
	Depth      int
	Types      []string // only edges of these types; empty = all that the table has impact follow or touch directly
	Violations bool     // edges that break the layer rule too
}

// Dependant is a document, or an extra node that a document defines, that a change of the start affects.
type Dependant struct {
	Node     index.NodeID // a document for its sections
	Place    index.NodeID // the section in which the dependence is written, or Node
	Edge     uint32
	Back     bool // the edge leads from what is depended on to Node
	Distance int
	Follow   bool // reached by a typed edge all the way

	parent int // place in Impact.all of the dependant that this one was reached from; -1 for the start
	weight float64
}

// ScenarioCheck is a scenario that checks the start or something that depends on it.
type ScenarioCheck struct {
	Scenario index.NodeID
	Edge     uint32
	Checked  index.NodeID // the document or thing that it checks
	Distance int          // of what it checks: 0 for the start
}

// Impact has the nodes that depend on a node.
type Impact struct {
	Start      index.NodeID
	Direct     []Dependant     // at distance 1, typed edges first
	Transitive []Dependant     // nearest first
	Checks     []ScenarioCheck // nearest first
	Cut        bool            // the limit on visited nodes was hit

	all []Dependant
}

// Path returns the nodes from the start to d, without the start; d is the last.
func (i *Impact) Path(d Dependant) []Dependant {
	path := []Dependant{d}
	for d.parent >= 0 && len(path) <= maxDepth {
		d = i.all[d.parent]
		path = append(path, d)
	}
	slices.Reverse(path)
	return path
}

// maxDepth bounds the length of a path.
const maxDepth = 64

// ImpactOf walks from start against the direction of dependence. The table of edge types says which types are followed
// all the way, and which count at distance 1 only. Each node is returned once, at its shortest distance and by its
// strongest edge. The start and the nodes that it contains are not returned. Scenarios that check the start or a
// dependant are returned separately, not as dependants.
//
// Cost: the edges of the nodes visited, at most 50,000 nodes.
func ImpactOf(ctx context.Context, x *index.Index, start index.NodeID, o ImpactOptions) (*Impact, error) {
	w := impactWalk{
		x: x, o: o, result: &Impact{Start: start}, inside: whole(x, start), best: map[index.NodeID]int{},
		shown: map[index.NodeID]bool{}, followed: map[index.NodeID]bool{},
	}
	frontier := []step{{node: start, parent: -1}}
	for w.distance = 1; w.distance <= o.Depth && len(frontier) > 0 && !w.result.Cut; w.distance++ {
		for _, s := range frontier {
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			w.expand(s)
			if len(w.shown)+len(w.found) > maxVisited {
				w.result.Cut = true
				break
			}
		}
		frontier = w.settle()
	}
	w.checks()
	return w.result, nil
}

// step is a node whose dependants are looked for.
type step struct {
	node   index.NodeID
	parent int // its place in Impact.all
}

type impactWalk struct {
	x        *index.Index
	o        ImpactOptions
	result   *Impact
	inside   []run
	shown    map[index.NodeID]bool
	followed map[index.NodeID]bool
	distance int
	found    []Dependant          // of this distance, one for each node
	best     map[index.NodeID]int // node → place in found
}

// whole returns the runs of a node, and for a document those of the extra nodes that it defines.
func whole(x *index.Index, n index.NodeID) []run {
	list := runs(x, n)
	if !x.NodeIsDoc(n) {
		return list
	}
	if first, last := things(x, n); first < last {
		list = append(list, run{first, last - 1})
	}
	return list
}

// things returns the extra nodes [first, last) that a document defines, in document order.
func things(x *index.Index, doc index.NodeID) (first, last index.NodeID) {
	base := index.NodeID(x.Docs() + x.Sections())
	count := x.Nodes() - int(base)
	from := sort.Search(count, func(i int) bool { return x.NodeDoc(base+index.NodeID(i)) >= index.DocID(doc) })
	to := sort.Search(count, func(i int) bool { return x.NodeDoc(base+index.NodeID(i)) > index.DocID(doc) })
	return base + index.NodeID(from), base + index.NodeID(max(from, to))
}

// expand looks for the nodes that depend on a node by one of its edges.
func (w *impactWalk) expand(s step) {
	list := w.inside
	if s.parent >= 0 {
		list = whole(w.x, s.node)
	}
	for e, out := range edges(w.x, list) {
		kind, violation := w.x.EdgeType(e)
		if touches := (kind.Depends == index.DependsTo) == out; touches && w.uses(kind, violation) {
			w.visit(s, e, otherEnd(w.x, e, out), kind, out)
		}
	}
}

// uses says whether edges of a type count at this distance.
func (w *impactWalk) uses(kind *index.EdgeType, violation bool) bool {
	switch {
	case kind.Impact == index.ImpactNo || kind.Name == index.ContainsEdge || violation && !w.o.Violations:
		return false
	case kind.Impact != index.ImpactFollow && w.distance > 1:
		return false
	}
	return len(w.o.Types) == 0 || slices.Contains(w.o.Types, kind.Name)
}

// visit records that place depends on the step's node by an edge, unless place was reached by a better edge.
func (w *impactWalk) visit(s step, edge uint32, place index.NodeID, kind *index.EdgeType, back bool) {
	if holds(w.inside, place) {
		return
	}
	node, follow := owner(w.x, place, kind), kind.Impact == index.ImpactFollow
	if holds(w.inside, node) || follow && w.followed[node] || !follow && w.shown[node] {
		return
	}
	d := Dependant{Node: node, Place: place, Edge: edge, Back: back, Distance: w.distance, Follow: follow, parent: s.parent, weight: kind.Weight}
	at, known := w.best[node]
	if !known {
		w.best[node] = len(w.found)
		w.found = append(w.found, d)
	} else if cmp.Or(d.before(&w.found[at]), cmp.Compare(edge, w.found[at].Edge)) < 0 {
		w.found[at] = d
	}
}

// before orders the edges by which nodes are reached: typed edges first, then by weight.
func (d *Dependant) before(other *Dependant) int {
	if d.Follow != other.Follow {
		if d.Follow {
			return -1
		}
		return 1
	}
	return cmp.Compare(other.weight, d.weight)
}

// settle ends a distance: the nodes that were found become part of the answer, and those that may be followed become
// the next frontier.
func (w *impactWalk) settle() []step {
	slices.SortStableFunc(w.found, func(a, b Dependant) int { return cmp.Or(a.before(&b), cmp.Compare(a.Node, b.Node)) })
	var next []step
	i := w.result
	for _, d := range w.found {
		if !w.shown[d.Node] {
			w.shown[d.Node] = true
			if d.Distance == 1 {
				i.Direct = append(i.Direct, d)
			} else {
				i.Transitive = append(i.Transitive, d)
			}
		}
		if d.Follow {
			w.followed[d.Node] = true
			next = append(next, step{d.Node, len(i.all)})
		}
		i.all = append(i.all, d)
	}
	w.found = w.found[:0]
	clear(w.best)
	return next
}

// checks finds the scenarios that check the start or a node of the answer, and removes them from the dependants.
func (w *impactWalk) checks() {
	i := w.result
	seen := map[index.NodeID]bool{}
	look := func(node index.NodeID, list []run, distance int) {
		for e, out := range edges(w.x, list) {
			if kind, _ := w.x.EdgeType(e); out || kind.Name != validates {
				continue
			}
			for scenario := range w.scenarios(w.x.EdgeFrom(e)) {
				if !seen[scenario] && !holds(w.inside, scenario) {
					seen[scenario] = true
					i.Checks = append(i.Checks, ScenarioCheck{Scenario: scenario, Edge: e, Checked: node, Distance: distance})
				}
			}
		}
	}
	look(i.Start, w.inside, 0)
	for _, list := range [][]Dependant{i.Direct, i.Transitive} {
		for _, d := range list {
			look(d.Node, runs(w.x, d.Node), d.Distance)
		}
	}
	if len(seen) > 0 {
		isCheck := func(d Dependant) bool { return seen[d.Node] }
		i.Direct, i.Transitive = slices.DeleteFunc(i.Direct, isCheck), slices.DeleteFunc(i.Transitive, isCheck)
	}
}

// scenarios yields the scenario that an edge comes from. An edge of another part of a feature, such as its background,
// stands for all its scenarios.
func (w *impactWalk) scenarios(from index.NodeID) iter.Seq[index.NodeID] {
	return func(yield func(index.NodeID) bool) {
		if !w.x.NodeIsDoc(from) && !w.x.NodeIsSection(from) {
			yield(from)
			return
		}
		doc := w.x.NodeOfDoc(w.x.NodeDoc(from))
		first, last := things(w.x, doc)
		if first == last {
			yield(doc)
			return
		}
		for n := first; n < last && yield(n); n++ {
		}
	}
}
