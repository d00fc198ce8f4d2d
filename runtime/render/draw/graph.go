package draw

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"
)

// Node is a node of a picture.
type Node struct {
	ID    string
	Label string // first line: a short name
	Title string // second line; "" if the label says it
	Kind  string // gives the colour
	Path  string
	Focus bool // what the picture is about
}

// Edge is an edge of a picture, between indices into Nodes.
type Edge struct {
	From, To  int
	Label     string
	Weak      bool // a plain link: drawn thin and dashed, and not at all beside a strong one
	Violation bool
	Count     int
}

// Graph is what is drawn.
type Graph struct {
	Name  string
	Nodes []Node
	Edges []Edge
}

// palette holds fill colours that dark text can be read on, easy to tell apart, for colour-blind eyes too.
var palette = []string{
	"#cfe2f3", "#fce5cd", "#d9ead3", "#f4cccc", "#d9d2e9", "#fff2cc", "#b7d8dc", "#ead1dc", "#b5d6a7", "#ddd9c3", "#a9c4eb", "#eeeeee",
}

// inks are the colours of strong edges.
var inks = []string{"#1f5a96", "#b45f06", "#38761d", "#741b47", "#134f5c", "#7f6000", "#351c75", "#5b3a29"}

const (
	weakInk      = "#b4b4b4"
	violationInk = "#cc0000"
)

// colours gives each value its colour: mostly the same one in every picture, and different ones in one picture as long
// as the table has enough.
func colours(values []string, table []string) map[string]string {
	slices.Sort(values)
	m, used := map[string]string{}, map[int]bool{}
	for _, v := range slices.Compact(values) {
		h := fnv.New32a()
		h.Write([]byte(v))
		at := int(h.Sum32() % uint32(len(table)))
		for used[at] && len(used) < len(table) {
			at = (at + 1) % len(table)
		}
		used[at] = true
		m[v] = table[at]
	}
	return m
}

func (g *Graph) kindColours() map[string]string {
	kinds := make([]string, len(g.Nodes))
	for i := range g.Nodes {
		kinds[i] = g.Nodes[i].Kind
	}
	return colours(kinds, palette)
}

func (g *Graph) edgeColours() map[string]string {
	var labels []string
	for i := range g.Edges {
		if !g.Edges[i].Weak {
			labels = append(labels, g.Edges[i].Label)
		}
	}
	return colours(labels, inks)
}

// drawn returns the edges of a picture: weak ones only where no strong one joins the same nodes, and one of them each
// way; none from a node to itself.
func (g *Graph) drawn() []Edge {
	strong := map[[2]int]bool{}
	for _, e := range g.Edges {
		if !e.Weak {
			strong[[2]int{min(e.From, e.To), max(e.From, e.To)}] = true
		}
	}
	list := make([]Edge, 0, len(g.Edges))
	weak := map[[2]int]int{} // from, to → place in list
	for _, e := range g.Edges {
		at, twice := weak[[2]int{e.From, e.To}]
		if e.Weak && twice {
			list[at].Violation = list[at].Violation || e.Violation
			continue
		}
		if e.From == e.To || e.Weak && !e.Violation && strong[[2]int{min(e.From, e.To), max(e.From, e.To)}] {
			continue
		}
		if e.Weak {
			weak[[2]int{e.From, e.To}] = len(list)
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return list
}

func (e *Edge) ink(colours map[string]string) string {
	switch {
	case e.Violation:
		return violationInk
	case e.Weak:
		return weakInk
	}
	return colours[e.Label]
}

// DOT writes the graph for Graphviz.
func (g *Graph) DOT() string {
	var b strings.Builder
	fill, ink := g.kindColours(), g.edgeColours()
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n", dotText(g.Name))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		width := ""
		if n.Focus {
			width = ", penwidth=2.5"
		}
		label := dotEscape(n.Label)
		if n.Title != "" {
			label += `\n` + dotEscape(n.Title)
		}
		fmt.Fprintf(&b, "  n%d [label=\"%s\", fillcolor=\"%s\", tooltip=%s%s];\n", i, label, fill[n.Kind], dotText(n.ID+" "+n.Kind+" "+n.Path), width)
	}
	for _, e := range g.drawn() {
		style := "solid"
		if e.Weak {
			style = "dashed"
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s, color=\"%s\", fontcolor=\"%s\", style=%s];\n", e.From, e.To, dotText(e.Label), e.ink(ink), e.ink(ink), style)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotText(s string) string { return `"` + dotEscape(s) + `"` }

func dotEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(s)
}

// Mermaid writes the graph as a flowchart.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	fill, ink := g.kindColours(), g.edgeColours()
	b.WriteString("flowchart LR\n")
	classes := map[string]string{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if _, ok := classes[n.Kind]; !ok {
			classes[n.Kind] = fmt.Sprintf("k%d", len(classes))
		}
		label := mermaidText(n.Label)
		if n.Title != "" {
			label += "<br/>" + mermaidText(n.Title)
		}
		fmt.Fprintf(&b, "  n%d[\"%s\"]:::%s\n", i, label, classes[n.Kind])
	}
	edges := g.drawn()
	for _, e := range edges {
		arrow := "-->"
		if e.Weak {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  n%d %s|\"%s\"| n%d\n", e.From, arrow, mermaidText(e.Label), e.To)
	}
	kinds := make([]string, 0, len(classes))
	for kind := range classes {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:#555,color:#222\n", classes[kind], fill[kind])
	}
	for i := range g.Nodes {
		if g.Nodes[i].Focus {
			fmt.Fprintf(&b, "  style n%d stroke-width:3px\n", i)
		}
	}
	for i, e := range edges {
		fmt.Fprintf(&b, "  linkStyle %d stroke:%s\n", i, e.ink(ink))
	}
	return b.String()
}

// mermaidText writes what is markup in a label by its number.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			b.WriteByte(' ')
		case strings.ContainsRune("\"<>&#;`|{}[]()\\", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// GraphML writes the graph with all its edges, for yEd, Gephi and the like.
func (g *Graph) GraphML() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, k := range [][3]string{
		{"label", "node", "string"}, {"title", "node", "string"}, {"kind", "node", "string"}, {"path", "node", "string"},
		{"relation", "edge", "string"}, {"edges", "edge", "int"}, {"violation", "edge", "boolean"},
	} {
		fmt.Fprintf(&b, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", k[0], k[1], k[0], k[2])
	}
	fmt.Fprintf(&b, "  <graph id=\"%s\" edgedefault=\"directed\">\n", xmlText(g.Name))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		fmt.Fprintf(&b, "    <node id=\"%s\"><data key=\"label\">%s</data><data key=\"title\">%s</data><data key=\"kind\">%s</data><data key=\"path\">%s</data></node>\n",
			xmlText(n.ID), xmlText(n.Label), xmlText(n.Title), xmlText(n.Kind), xmlText(n.Path))
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		fmt.Fprintf(&b, "    <edge id=\"e%d\" source=\"%s\" target=\"%s\"><data key=\"relation\">%s</data><data key=\"edges\">%d</data><data key=\"violation\">%v</data></edge>\n",
			i, xmlText(g.Nodes[e.From].ID), xmlText(g.Nodes[e.To].ID), xmlText(e.Label), e.Count, e.Violation)
	}
	b.WriteString("  </graph>\n</graphml>\n")
	return b.String()
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")

// xmlText escapes text for XML; what XML cannot hold becomes U+FFFD. It is xml.EscapeText without package encoding/xml,
// which would add 16 KB to kddq.
func xmlText(s string) string {
	return xmlEscapes.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF { // XML 1.0, section 2.2
			return utf8.RuneError
		}
		return r // bytes that are no UTF-8 are U+FFFD already
	}, s))
}
