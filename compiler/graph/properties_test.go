package graph

import (
	"slices"
	"testing"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// checkGraph checks what holds for every graph.
func checkGraph(t *testing.T, docs []*markdown.Document, g *Graph) {
	t.Helper()
	if !slices.IsSortedFunc(g.Edges, compareEdges) {
		t.Error("edges are not sorted")
	}
	rules := Default()
	for i := range g.Edges {
		e := &g.Edges[i]
		if int(e.From) >= g.Nodes() || int(e.To) >= g.Nodes() {
			t.Fatalf("edge %+v ends outside [0, %d)", *e, g.Nodes())
		}
		if _, ok := rules.edgeType(e.Type); !ok {
			t.Fatalf("edge %+v has a type that the table lacks", *e)
		}
		if i > 0 && sameEdge(g.Edges[i-1], *e) {
			t.Fatalf("edge %+v appears twice", *e)
		}
		for _, n := range []NodeID{e.From, e.To} {
			doc, section := g.Place(n)
			if section == 0 && n != NodeID(doc) {
				t.Fatalf("edge %+v touches a document's section 0", *e)
			}
			if section >= len(docs[doc].Sections) {
				t.Fatalf("node %d is section %d of %s, which has %d", n, section, docs[doc].Path, len(docs[doc].Sections))
			}
		}
		if e.Line < 1 || e.Doc < 0 || e.Doc >= len(docs) {
			t.Fatalf("edge %+v has no place", *e)
		}
	}
	for i := range g.Names {
		n := &g.Names[i]
		if n.Key == "" || len(n.Key) > maxKeyBytes || text.Fold(n.Key) != n.Key {
			t.Fatalf("name %+v: the key is not a folded name of 1 to %d bytes", *n, maxKeyBytes)
		}
		if i > 0 {
			last := &g.Names[i-1]
			if last.Key > n.Key || last.Key == n.Key && (last.Class > n.Class || last.Class == n.Class && last.Node >= n.Node) {
				t.Fatalf("names %+v, %+v are not in order", *last, *n)
			}
		}
	}
	contained := map[NodeID]int{}
	for i := range g.Edges {
		if g.Edges[i].Type == index.ContainsEdge {
			contained[g.Edges[i].To]++
		}
	}
	sections := 0
	for d := range docs {
		sections += len(docs[d].Sections) - 1
	}
	if len(contained) != sections {
		t.Errorf("%d nodes are contained, want one for each of %d headings", len(contained), sections)
	}
	if sorted := diag.Sort(slices.Clone(g.Diags)); !slices.Equal(sorted, g.Diags) {
		t.Error("diagnostics are not sorted")
	}
	if s := g.Stats; s.Links < s.Resolved+s.Assets+s.Folders {
		t.Errorf("stats %+v: more links ended than there are", s)
	}
}
