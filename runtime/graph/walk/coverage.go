package walk

import (
	"slices"

	"kdd/format/index"
)

// Covered is a row of the coverage table for one node, and the nodes that fulfil it.
type Covered struct {
	Row   *index.Coverage
	Found []index.NodeID // documents and things, each once, in node order
}

// Coverage returns the rows for a node's kind, in the order of the table. Edges of a document's sections and scenarios
// count as its own; a section stands for its document. Cost: the edges of the node.
func Coverage(x *index.Index, n index.NodeID) []Covered {
	if x.NodeIsSection(n) {
		n = x.NodeOfDoc(x.NodeDoc(n))
	}
	kind := Kind(x, n)
	var list []Covered
	for i := range x.Meta.Coverage {
		if row := &x.Meta.Coverage[i]; row.Kind == kind {
			list = append(list, Covered{Row: row})
		}
	}
	if len(list) == 0 {
		return nil
	}
	inside := whole(x, n)
	for e, out := range edges(x, inside) {
		other := otherEnd(x, e, out)
		if holds(inside, other) {
			continue
		}
		kind, _ := x.EdgeType(e)
		other = owner(x, other, kind)
		side := index.SideIn
		if out {
			side = index.SideOut
		}
		for i := range list {
			c := &list[i]
			if (c.Row.Side == side || c.Row.Side == index.SideAny) && slices.Contains(c.Row.Edges, kind.Name) &&
				(len(c.Row.Others) == 0 || slices.Contains(c.Row.Others, Kind(x, other))) {
				c.Found = append(c.Found, other)
			}
		}
	}
	for i := range list {
		slices.Sort(list[i].Found)
		list[i].Found = slices.Compact(list[i].Found)
	}
	return list
}

// Kind returns the kind of a node's document, or of an extra node.
func Kind(x *index.Index, n index.NodeID) string {
	if x.NodeIsDoc(n) || x.NodeIsSection(n) {
		return x.DocKind(x.NodeDoc(n))
	}
	return x.ExtraNode(n).Kind
}
