package export

import (
	"slices"
	"sort"

	"kdd/format/index"
)

// linkTable has the edges of an artifact by the document that they are written in: four bytes an edge.
type linkTable struct {
	edges  []uint32 // by document, then in the order of the file
	starts []uint32 // of each document's edges, and the end of the last
}

// newLinkTable lists the edges of x, those from a document to its sections left out. Cost: two looks at each edge.
func newLinkTable(x *index.Index) *linkTable {
	each := func(yield func(edge uint32, d index.DocID)) {
		for e := range uint32(x.Edges()) {
			if kind, _ := x.EdgeType(e); kind.Name != index.ContainsEdge {
				_, d, _ := x.EdgeSource(e)
				yield(e, d)
			}
		}
	}
	t := &linkTable{starts: make([]uint32, x.Docs()+1)}
	each(func(_ uint32, d index.DocID) { t.starts[d+1]++ })
	for d := range x.Docs() {
		t.starts[d+1] += t.starts[d]
	}
	t.edges = make([]uint32, t.starts[x.Docs()])
	next := slices.Clone(t.starts)
	each(func(e uint32, d index.DocID) {
		t.edges[next[d]] = e
		next[d]++
	})
	return t
}

// ofChunks returns the links of each chunk of a document, by line: an edge belongs to the first chunk that ends on its
// line or later, else to the last one.
func (t *linkTable) ofChunks(x *index.Index, d index.DocID) [][]Link {
	first, last := x.DocChunks(d)
	links := make([][]Link, last-first)
	for i := range links {
		links[i] = []Link{}
	}
	for _, e := range t.edges[t.starts[d]:t.starts[d+1]] {
		kind, _ := x.EdgeType(e)
		_, _, line := x.EdgeSource(e)
		relation, _ := x.EdgeRelation(e)
		at := sort.Search(len(links)-1, func(i int) bool { return x.OwnLine(d, x.Chunk(first+index.ChunkID(i)).LineEnd) >= line })
		links[at] = append(links[at], Link{
			Type: clean(kind.Name), From: nodeName(x, x.EdgeFrom(e)), To: nodeName(x, x.EdgeTo(e)),
			Relation: clean(relation), Line: int32(line),
		})
	}
	for _, list := range links {
		slices.SortStableFunc(list, func(a, b Link) int { return int(a.Line) - int(b.Line) })
	}
	return links
}

// nodeName returns the path of a document, path#anchor of a section, or the id of another node.
func nodeName(x *index.Index, n index.NodeID) string {
	if !x.NodeIsDoc(n) && !x.NodeIsSection(n) {
		return clean(x.ExtraNode(n).ID)
	}
	path := clean(x.DocPath(x.NodeDoc(n)))
	if anchor := clean(x.SectionAnchor(x.NodeSection(n))); anchor != "" {
		return path + "#" + anchor
	}
	return path
}
