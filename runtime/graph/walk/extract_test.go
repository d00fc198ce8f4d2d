package walk

import (
	"fmt"
	"strings"
	"testing"

	"kdd/format/index"
)

func (m *made) shownPart(s *Subgraph) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		fmt.Fprintf(&b, "%s %d %d; ", m.names[n.Node], n.Distance, n.Degree)
	}
	for _, l := range s.Links {
		mark := ""
		if l.Violation {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s -%s%d%s> %s; ", m.names[s.Nodes[l.From].Node], l.Kind.Name, l.Edges, mark, m.names[s.Nodes[l.To].Node])
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestExtract(t *testing.T) {
	const edges = "A DEPENDS_ON B; A#s DEPENDS_ON B; B WIKI_LINK C; C -EMITS D; D DEPENDS_ON A; A CONTAINS A#s; A#s MENTIONS A; F!t VALIDATES A; Z"
	tests := []struct {
		name, start string
		o           ExtractOptions
		want        string
	}{
		{"all", "", ExtractOptions{}, "A 0 4; B 0 3; C 0 2; D 0 2; F 0 0; Z 0 0; F!t 0 1; A -DEPENDS_ON2> B; B -WIKI_LINK1> C; C -EMITS1!> D; D -DEPENDS_ON1> A; F!t -VALIDATES1> A"},
		{"around", "B", ExtractOptions{Depth: 1}, "B 0 3; A 1 4; C 1 2; B -WIKI_LINK1> C; A -DEPENDS_ON2> B"},
		{"further", "B", ExtractOptions{Depth: 2}, "B 0 3; A 1 4; C 1 2; D 2 2; F!t 2 1; B -WIKI_LINK1> C; A -DEPENDS_ON2> B; C -EMITS1!> D; D -DEPENDS_ON1> A; F!t -VALIDATES1> A"},
		{"types", "B", ExtractOptions{Depth: 3, Types: []string{"DEPENDS_ON"}}, "B 0 2; A 1 3; D 2 1; A -DEPENDS_ON2> B; D -DEPENDS_ON1> A"},
		{"a section has its own edges only", "A#s", ExtractOptions{Depth: 1}, "A#s 0 2; A 1 4; B 1 3; A#s -MENTIONS1> A; A#s -DEPENDS_ON1> B; A -DEPENDS_ON1> B"},
		{"limit keeps what is near and has edges", "B", ExtractOptions{Depth: 2, Limit: 2}, "B 0 3; A 1 4; A -DEPENDS_ON2> B"},
		{"limit of all", "", ExtractOptions{Limit: 1}, "A 0 4"},
		{"nothing around", "Z", ExtractOptions{Depth: 3}, "Z 0 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := build(t, strings.Split(edges, "; ")...)
			var start *index.NodeID
			if test.start != "" {
				n := m.nodes[test.start]
				start = &n
			}
			s, err := Extract(t.Context(), m.Index, start, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.shownPart(s); got != test.want {
				t.Errorf("Extract(%s) =\n%s\nwant\n%s", test.start, got, test.want)
			}
		})
	}
}

// TestContents leaves out a document that leads to half of the others and to eight, but not the one that is asked for.
func TestContents(t *testing.T) {
	var toc, fewer, most []string
	for i := range 16 {
		toc = append(toc, fmt.Sprintf("T WIKI_LINK D%d", i/2*2))
		most = append(most, fmt.Sprintf("D%d WIKI_LINK D%d", i, (i+1)%16))
		if i < 7 {
			fewer = append(fewer, fmt.Sprintf("T WIKI_LINK D%d", i))
		}
	}
	tests := []struct {
		name, start string
		contents    bool
		edges       []string
		want        string // the nodes and how many tables of contents were left out
	}{
		{"all", "", false, append(toc, most...), "16 1"},
		{"all with it", "", true, append(toc, most...), "17 0"},
		{"around another", "D0", false, append(toc, most...), "3 1"},
		{"around itself", "T", false, append(toc, most...), "9 0"},
		{"too few", "", false, append(fewer, most...), "17 0"},
	}
	for _, test := range tests {
		m := build(t, test.edges...)
		var start *index.NodeID
		if test.start != "" {
			n := m.nodes[test.start]
			start = &n
		}
		s, err := Extract(t.Context(), m.Index, start, ExtractOptions{Depth: 1, Contents: test.contents})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(len(s.Nodes), len(s.Contents)); got != test.want || s.Total != len(s.Nodes) {
			t.Errorf("%s: %s of %d, want %s", test.name, got, s.Total, test.want)
		}
	}
}

func TestSurround(t *testing.T) {
	m := build(t, strings.Split("A DEPENDS_ON B; B WIKI_LINK C; C EMITS D; A -EMITS E; D WIKI_LINK G; A CONTAINS A#s; H DEPENDS_ON A#s; B DEPENDS_ON B", "; ")...)
	tests := []struct {
		starts []string
		depth  int
		want   string
	}{
		{[]string{"A"}, 1, "A 0; B 1; H 1"},
		{[]string{"A#s"}, 2, "A#s 0; H 1"},
		{[]string{"A"}, 3, "A 0; B 1; H 1"},
		{[]string{"B"}, 2, "B 0; A 1; C 1; H 2; D 2"},
		{[]string{"B", "C", "B"}, 1, "B 0; C 0; A 1; D 1"},
	}
	for _, test := range tests {
		var starts []index.NodeID
		for _, s := range test.starts {
			starts = append(starts, m.nodes[s])
		}
		s, err := Surround(t.Context(), m.Index, starts, test.depth)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for i, n := range s.Nodes {
			list = append(list, fmt.Sprintf("%s %d", m.names[n.Node], n.Distance))
			if path := s.Path(i); len(path) != n.Distance+1 || path[len(path)-1].Node != n.Node {
				t.Errorf("path to %s has %d nodes", m.names[n.Node], len(path))
			}
		}
		if got := strings.Join(list, "; "); got != test.want {
			t.Errorf("Surround(%v, %d) = %s, want %s", test.starts, test.depth, got, test.want)
		}
	}
}
