package index

import (
	"kdd/format"
	"kdd/format/internal/table"
)

// Columns of the tables of the graph, FORMAT.md §10.8.
const (
	nodeID = iota
	nodeKind
	nodeType
	nodeName
	nodeDoc
	nodeSection
)

const (
	edgeTo   = iota
	edgeType // type·2 + (1 if it breaks the layer rule)
	edgeFound
	edgeDoc
	edgeLine
	edgeText
	edgeRelation
	edgeCardinality
)

func (e *encoder) graph() {
	c := e.content
	g := table.New(len(c.Nodes))
	g.Plain(func(i int) uint64 { return e.str(c.Nodes[i].ID) })
	g.Plain(func(i int) uint64 { return e.str(c.Nodes[i].Kind) })
	g.Plain(func(i int) uint64 { return e.str(c.Nodes[i].Type) })
	g.Plain(func(i int) uint64 { return e.str(c.Nodes[i].Name) })
	g.Plain(func(i int) uint64 { return uint64(c.Nodes[i].Doc) })
	g.Plain(func(i int) uint64 { return uint64(c.Nodes[i].Section) })
	e.block(tagNodes, uint64(len(c.Nodes)), g.Bytes())

	n := len(c.Docs) + len(c.Sections) + len(c.Nodes)
	out, in := make([]uint64, n+1), make([]uint64, n+1)
	for _, edge := range c.Edges {
		out[edge.From+1]++
		in[edge.To+1]++
	}
	for i := range n {
		out[i+1] += out[i]
		in[i+1] += in[i]
	}
	incoming := make([]uint32, len(c.Edges))
	next := append([]uint64(nil), in...)
	for i, edge := range c.Edges {
		incoming[next[edge.To]] = uint32(i)
		next[edge.To]++
	}
	o := table.New(n + 1)
	o.Rising(func(i int) uint64 { return out[i] })
	e.block(tagOut, uint64(n), o.Bytes())
	t := table.New(len(c.Edges))
	t.Plain(func(i int) uint64 { return uint64(c.Edges[i].To) })
	t.Plain(func(i int) uint64 {
		if c.Edges[i].Violation {
			return uint64(c.Edges[i].Type)<<1 | 1
		}
		return uint64(c.Edges[i].Type) << 1
	})
	t.Plain(func(i int) uint64 { return uint64(c.Edges[i].Found) })
	t.Plain(func(i int) uint64 { return uint64(c.Edges[i].Doc) })
	t.Plain(func(i int) uint64 { return uint64(c.Edges[i].Line) })
	t.Plain(func(i int) uint64 { return e.str(c.Edges[i].Text) })
	t.Plain(func(i int) uint64 { return e.str(c.Edges[i].Relation) })
	t.Plain(func(i int) uint64 { return e.str(c.Edges[i].Cardinality) })
	e.block(tagEdges, uint64(len(c.Edges)), t.Bytes())
	r := table.New(n + 1)
	r.Rising(func(i int) uint64 { return in[i] })
	e.block(tagIn, uint64(n), r.Bytes())
	k := table.New(len(c.Edges))
	k.Plain(func(i int) uint64 { return uint64(incoming[i]) })
	e.block(tagInEdges, uint64(len(c.Edges)), k.Bytes())
}

// Nodes returns the number of nodes: documents, sections and others, in this order.
func (x *Index) Nodes() int { return x.nodeN }

// Edges returns the number of edges.
func (x *Index) Edges() int { return int(x.edges[0].Rows) }

// NodeOfDoc returns a document's node.
func (x *Index) NodeOfDoc(d DocID) NodeID { return NodeID(d) }

// NodeOfSection returns a section's node.
func (x *Index) NodeOfSection(s SectionID) NodeID { return NodeID(x.docN) + NodeID(s) }

// NodeDoc returns the document that a node is or belongs to.
func (x *Index) NodeDoc(n NodeID) DocID {
	switch i := int(n); {
	case i < x.docN:
		return DocID(n)
	case i < x.docN+x.sectionN:
		return x.DocOfSection(SectionID(i - x.docN))
	}
	d := DocID(x.nodes[nodeDoc].U32(x.extra(n)))
	x.checkDoc(d)
	return d
}

// NodeSection returns the section that a node is or stands in; for a document its section 0.
func (x *Index) NodeSection(n NodeID) SectionID {
	switch i := int(n); {
	case i < x.docN:
		s, _ := x.DocSections(DocID(n))
		return s
	case i < x.docN+x.sectionN:
		return SectionID(i - x.docN)
	}
	s := SectionID(x.nodes[nodeSection].U32(x.extra(n)))
	x.checkSection(s)
	return s
}

// NodeIsDoc says whether a node is a document.
func (x *Index) NodeIsDoc(n NodeID) bool { return int(n) < x.docN }

// NodeIsSection says whether a node is a section.
func (x *Index) NodeIsSection(n NodeID) bool { return int(n) >= x.docN && int(n) < x.docN+x.sectionN }

func (x *Index) extra(n NodeID) uint32 {
	i := int(n) - x.docN - x.sectionN
	if i < 0 || int(n) >= x.nodeN {
		format.Fail(tagNodes, "node %d of %d", n, x.nodeN)
	}
	return uint32(i)
}

// ExtraNode returns a node that is neither a document nor a section.
func (x *Index) ExtraNode(n NodeID) Node {
	i := x.extra(n)
	return Node{
		ID: x.strs.At(x.nodes[nodeID].U32(i)), Kind: x.strs.At(x.nodes[nodeKind].U32(i)),
		Type: x.strs.At(x.nodes[nodeType].U32(i)),
		Name: x.strs.At(x.nodes[nodeName].U32(i)), Doc: x.NodeDoc(n), Section: x.NodeSection(n),
	}
}

// Out returns the edges [from, to) that leave the nodes [first, last]: a run of nodes has one run of edges.
func (x *Index) Out(first, last NodeID) (from, to uint32) {
	return x.csr(x.out, first, last)
}

// In returns the places [from, to) of the edges that lead to the nodes [first, last]; InEdge turns a place into an
// edge.
func (x *Index) In(first, last NodeID) (from, to uint32) {
	return x.csr(x.in, first, last)
}

func (x *Index) csr(c []table.Column, first, last NodeID) (from, to uint32) {
	if int(last) >= x.nodeN || first > last {
		format.Fail(tagOut, "nodes %d to %d of %d", first, last, x.nodeN)
	}
	a, b := c[0].At(uint32(first)), c[0].At(uint32(last)+1)
	if a > b || b > x.edges[0].Rows {
		format.Fail(tagOut, "edges [%d, %d) of %d", a, b, x.edges[0].Rows)
	}
	return uint32(a), uint32(b)
}

// InEdge returns the number of the edge at a place of In.
func (x *Index) InEdge(place uint32) uint32 { return x.inEdges[0].U32(place) }

// EdgeFrom returns the node that an edge leaves. Cost: a binary search.
func (x *Index) EdgeFrom(edge uint32) NodeID {
	n := NodeID(x.out[0].Search(uint64(edge)))
	if int(n) >= x.nodeN {
		format.Fail(tagOut, "edge %d leaves node %d of %d", edge, n, x.nodeN)
	}
	return n
}

// EdgeTo returns the node that an edge leads to.
func (x *Index) EdgeTo(edge uint32) NodeID {
	n := NodeID(x.edges[edgeTo].U32(edge))
	if int(n) >= x.nodeN {
		format.Fail(tagEdges, "edge %d leads to node %d of %d", edge, n, x.nodeN)
	}
	return n
}

// EdgeType returns an edge's type and whether it breaks the layer rule.
func (x *Index) EdgeType(edge uint32) (*EdgeType, bool) {
	v := x.edges[edgeType].At(edge)
	if v>>1 >= uint64(len(x.Meta.EdgeTypes)) {
		format.Fail(tagEdges, "edge type %d of %d", v>>1, len(x.Meta.EdgeTypes))
	}
	return &x.Meta.EdgeTypes[v>>1], v&1 == 1
}

// EdgeSource returns how an edge was found and where it is written.
func (x *Index) EdgeSource(edge uint32) (found string, doc DocID, line uint32) {
	doc = DocID(x.edges[edgeDoc].U32(edge))
	x.checkDoc(doc)
	return x.word("way of finding", x.Meta.FoundBy, x.edges[edgeFound].At(edge)), doc, x.edges[edgeLine].U32(edge)
}

// EdgeText returns the text of the link behind an edge, or "".
func (x *Index) EdgeText(edge uint32) string { return x.strs.At(x.edges[edgeText].U32(edge)) }

// EdgeRelation returns what a relation table or a front-matter field calls an edge, and its cardinality; "" if nothing
// does.
func (x *Index) EdgeRelation(edge uint32) (relation, cardinality string) {
	return x.strs.At(x.edges[edgeRelation].U32(edge)), x.strs.At(x.edges[edgeCardinality].U32(edge))
}

// nodes checks that the section of each node that is no document and no section lies in its document.
func (v *verifier) nodes() {
	x := v.x
	for n := NodeID(x.docN + x.sectionN); int(n) < x.nodeN; n++ {
		node := x.ExtraNode(n)
		if from, to := x.DocSections(node.Doc); node.Section < from || node.Section >= to {
			v.Add(tagNodes, "node %d, %q, is in section %d, which its document %d does not have",
				n, node.ID, node.Section, node.Doc)
		}
	}
}

// edges checks that the incoming edges of each node are, in order, those that lead to it.
func (v *verifier) edges() {
	x := v.x
	for n := range NodeID(x.nodeN) {
		from, to := x.In(n, n)
		for place := from; place < to; place++ {
			e := x.InEdge(place)
			if place > from && e <= x.InEdge(place-1) {
				v.Add(tagInEdges, "node %d: its incoming edge %d is not sorted", n, e)
			}
			if t := x.EdgeTo(e); t != n {
				v.Add(tagInEdges, "node %d has the incoming edge %d, which leads to node %d", n, e, t)
			}
		}
	}
}
