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

func (x *places) Docs() int { return len(x.units) }

func (x *places) FindDoc(path string) (index.DocID, bool) {
	d, ok := slices.BinarySearchFunc(x.units, path, compareUnit)
	return index.DocID(d), ok
}

func (x *places) FindName(key string) (list []index.Name) {
	names := x.graph.Names
	at, _ := slices.BinarySearchFunc(names, key, func(n graph.Name, key string) int { return strings.Compare(n.Key, key) })
	for ; at < len(names) && names[at].Key == key; at++ {
		list = append(list, index.Name{Key: key, Class: names[at].Class, Node: index.NodeID(names[at].Node)})
	}
	return list
}

func (x *places) DocPath(d index.DocID) string { return x.units[d].doc.Path }

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

func (x *places) SectionAnchor(s index.SectionID) string {
	d, i := x.section(s)
	return x.units[d].doc.Sections[i].Anchor
}

func (x *places) SectionHeading(s index.SectionID) string {
	d, i := x.section(s)
	return x.units[d].doc.Sections[i].Heading
}

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

func (x *places) NodeIsDoc(n index.NodeID) bool { return int(n) < len(x.units) }

func (x *places) NodeDoc(n index.NodeID) index.DocID {
	d, _ := x.graph.Place(graph.NodeID(n))
	return index.DocID(d)
}

func (x *places) NodeSection(n index.NodeID) index.SectionID {
	d, s := x.graph.Place(graph.NodeID(n))
	return x.first[d] + index.SectionID(s)
}

func (x *places) NodeOfDoc(d index.DocID) index.NodeID { return index.NodeID(d) }

func (x *places) NodeOfSection(s index.SectionID) index.NodeID {
	return index.NodeID(len(x.units)) + index.NodeID(s)
}
