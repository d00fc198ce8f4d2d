package graph

import (
	"fmt"
	"testing"
)

// TestEncodedLinks has links whose path is percent-encoded, or written with backslashes: they are right as they are,
// also where a file's name is unique.
func TestEncodedLinks(t *testing.T) {
	for _, tt := range []struct {
		target string
		moved  bool
	}{
		{"my%20guide/setup.md", false}, {"my%20guide/setup", false}, {"/my%20guide/setup.md", false}, {"<my guide/setup.md>", false},
		{`my%20guide\setup.md`, false}, {`.\my%20guide\setup.md`, false}, {`my%20guides\setup.md`, true},
		{"my%20guides/setup.md", true}, {"100%25/setup.md", true},
	} {
		g, err := Build(t.Context(), parseTree("a.md", "# A\n\n[s]("+tt.target+")\n", "my guide/setup.md", "# Setup\n\n[a](../a.md)\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		moved := false
		for _, d := range g.Diags {
			moved = moved || d.Rule == "moved-link"
		}
		if moved != tt.moved || g.Stats.Resolved != 2 {
			t.Errorf("[s](%s): moved %t, %d links resolved, want %t, 2", tt.target, moved, g.Stats.Resolved, tt.moved)
		}
	}
}

// TestSeveralIDs has a list for an id: the first is the document's, by the others it is found.
func TestSeveralIDs(t *testing.T) {
	g, err := Build(t.Context(), parseTree("a.md", "---\nid: [R-1, R-2]\n---\n# A\n", "b.md", "# B\n\n[[R-1]]\n\n## C\n\n[[R-2]]\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, e := range g.Edges {
		if to, _ := g.Place(e.To); e.Type == WikiLink && to == 0 {
			links++
		}
	}
	if g.Docs[0].ID != "R-1" || links != 2 {
		t.Errorf("id %q, %d wiki links to it, want R-1, 2", g.Docs[0].ID, links)
	}
}

// TestDomainOfManyNames asks for a name in a domain, written otherwise, among few and among many documents of that
// name.
func TestDomainOfManyNames(t *testing.T) {
	for _, n := range []int{2, longRun - 1, longRun, longRun + 1, 2 * longRun} {
		files := []string{"a.md", "# A\n\n[[VENTAS::Same]]\n\n[[Véntas::Same]]\n", "v.md", "---\ndomain: ventas\n---\n# Same\n"}
		for i := range n {
			files = append(files, fmt.Sprintf("x%02d.md", i), fmt.Sprintf("---\ndomain: d%d\n---\n# Same\n", i))
		}
		g, err := Build(t.Context(), parseTree(files...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, e := range g.Edges {
			if to, _ := g.Place(e.To); e.Type == WikiLink && to == 1 {
				found++
			}
		}
		if found != 2 || len(g.Orphans) > 0 {
			t.Errorf("%d others: %d links found, %d orphans, want all found", n, found, len(g.Orphans))
		}
	}
}
