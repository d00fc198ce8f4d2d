package compiler

import (
	"slices"
	"strings"

	"kdd/compiler/graph"
	"kdd/format/index"
)

// places is a place.Names of what is compiled, before it is an artifact: ids are those that it will have there.
type places struct {
	units []unit
	graph *graph.Graph
	first []index.SectionID // of each document, and the total
	texts []bool            // by section: it has text of its own
}

func newPlaces(l *loaded, g *graph.Graph) *places {
	x := &places{units: l.units, graph: g, first: make([]index.SectionID, len(l.units)+1)}
	for d := range l.units {
		x.first[d+1] = x.first[d] + index.SectionID(len(l.units[d].doc.Sections))
	}
	x.texts = make([]bool, x.first[len(l.units)])
	for d := range l.units {
		for k := range l.units[d].chunks {
			x.texts[int(x.first[d])+l.units[d].chunks[k].Section] = true
		}
	}
	return x
}

// Docs is the number of documents.
func (x *places) Docs() int { return len(x.units) }

// FindDoc finds a document by its path.
func (x *places) FindDoc(path string) (index.DocID, bool) {
	d, ok := slices.BinarySearchFunc(x.units, path, compareUnit)
	return index.DocID(d), ok
}

// FindName returns the nodes that have a folded name, strongest class first.
func (x *places) FindName(key string) (list []index.Name) {
	names := x.graph.Names
	at, _ := slices.BinarySearchFunc(names, key, func(n graph.Name, key string) int { return strings.Compare(n.Key, key) })
	for ; at < len(names) && names[at].Key == key; at++ {
		list = append(list, index.Name{Key: key, Class: names[at].Class, Node: index.NodeID(names[at].Node)})
	}
	return list
}

// DocPath is the path of a document.
func (x *places) DocPath(d index.DocID) string { return x.units[d].doc.Path }

// DocSections are those of a document, [from, to).
func (x *places) DocSections(d index.DocID) (from, to index.SectionID) {
	return x.first[d], x.first[d+1]
}

// section returns a section and its place in its document.
func (x *places) section(s index.SectionID) (doc, section int) {
	at, found := slices.BinarySearch(x.first, s)
	if !found {
		at--
	}
	return at, int(s - x.first[at])
}

// SectionAnchor is the anchor of a section.
func (x *places) SectionAnchor(s index.SectionID) string {
	d, i := x.section(s)
	return x.units[d].doc.Sections[i].Anchor
}

// SectionHeading is the heading of a section.
func (x *places) SectionHeading(s index.SectionID) string {
	d, i := x.section(s)
	return x.units[d].doc.Sections[i].Heading
}

// SectionLevel is the level of its heading, 0 for the beginning of a document.
func (x *places) SectionLevel(s index.SectionID) int {
	d, i := x.section(s)
	return x.units[d].doc.Sections[i].Level
}

// SectionChunks tells whether there are any: chunks have no ids yet.
func (x *places) SectionChunks(s index.SectionID) (from, to index.ChunkID) {
	if x.texts[s] {
		return 0, 1
	}
	return 0, 0
}

// NodeIsDoc says that a node is a document: they come before sections.
func (x *places) NodeIsDoc(n index.NodeID) bool { return int(n) < len(x.units) }

// NodeDoc is the document of a node.
func (x *places) NodeDoc(n index.NodeID) index.DocID {
	d, _ := x.graph.Place(graph.NodeID(n))
	return index.DocID(d)
}

// NodeSection is the section of a node, of a document the first.
func (x *places) NodeSection(n index.NodeID) index.SectionID {
	d, s := x.graph.Place(graph.NodeID(n))
	return x.first[d] + index.SectionID(s)
}

// NodeOfDoc is the node of a document.
func (x *places) NodeOfDoc(d index.DocID) index.NodeID { return index.NodeID(d) }

// NodeOfSection is the node of a section.
func (x *places) NodeOfSection(s index.SectionID) index.NodeID {
	return index.NodeID(len(x.units)) + index.NodeID(s)
}
