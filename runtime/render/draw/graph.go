package draw

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
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
	Focus bool   // what the picture is about
	Link  string // an address that the box leads to; "" for none
}

// Edge is an edge of a picture, between indices into Nodes.
type Edge struct {
	From, To  int
	Label     string
	Plain     bool // a link or mention, whose label says nothing that the line does not
	Weak      bool // drawn thin and dashed, and not at all beside a strong one
	Violation bool
	Count     int

	both bool // drawn stands for one each way
}

// IsPlain says whether a relation is no more than a link.
func IsPlain(relation string) bool {
	return relation == "LINK" || relation == "WIKI_LINK" || relation == "MENTIONS"
}

// name is what is written beside an edge.
func (e *Edge) name() string {
	if e.Plain {
		return ""
	}
	return e.Label
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

// groups returns for each node the group that gives it its colour: its kind, or, if nearly all have one kind, the folder
// that it lies in below the folder that all lie in, if there are several.
func (g *Graph) groups() []string {
	kinds, folders := make([]string, len(g.Nodes)), make([]string, len(g.Nodes))
	var common []string // the folders above all nodes
	for i := range g.Nodes {
		kinds[i] = g.Nodes[i].Kind
		above := strings.Split(g.Nodes[i].Path, "/")
		above = above[:len(above)-1]
		if i == 0 {
			common = above
		}
		n := 0
		for n < min(len(common), len(above)) && common[n] == above[n] {
			n++
		}
		common = common[:n]
	}
	if !uniform(kinds) {
		return kinds
	}
	for i := range g.Nodes {
		if below := strings.Split(g.Nodes[i].Path, "/")[len(common):]; len(below) > 1 {
			folders[i] = below[0] + "/"
		} else {
			folders[i] = strings.Join(common, "/") + "/"
		}
	}
	if several(folders) {
		return folders
	}
	return kinds
}

// uniform reports whether nine in ten values or more are the same.
func uniform(values []string) bool {
	counts, most := map[string]int{}, 0
	for _, v := range values {
		counts[v]++
		most = max(most, counts[v])
	}
	return 10*most >= 9*len(values)
}

func several(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return v != values[0] })
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

// drawn returns the edges of a picture: weak ones only where no strong one joins the same nodes, and of those one each
// way; plain ones only where no other joins them, and one for both ways; none from a node to itself.
func (g *Graph) drawn() []Edge {
	pair := func(e *Edge) [2]int { return [2]int{min(e.From, e.To), max(e.From, e.To)} }
	best := map[[2]int]int{} // how much the edges between two nodes say at most
	says := func(e *Edge) int {
		switch {
		case !e.Weak:
			return 2
		case !e.Plain:
			return 1
		}
		return 0
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		best[pair(e)] = max(best[pair(e)], says(e))
	}
	list := make([]Edge, 0, len(g.Edges))
	weak := map[[2]int]int{} // → place in list, by both nodes of plain edges, by from and to of others
	for i := range g.Edges {
		e := g.Edges[i]
		if e.From == e.To || says(&e) < best[pair(&e)] && !e.Violation {
			continue
		}
		if e.Weak {
			key := [2]int{e.From, e.To}
			if e.Plain {
				key = pair(&e)
			}
			if at, twice := weak[key]; twice && list[at].Plain == e.Plain {
				list[at].both = list[at].both || list[at].From != e.From
				list[at].Violation = list[at].Violation || e.Violation
				continue
			}
			weak[key] = len(list)
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
	groups, ink := g.groups(), g.edgeColours()
	fill := colours(slices.Clone(groups), palette)
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
		fmt.Fprintf(&b, "  n%d [label=\"%s\", fillcolor=\"%s\", tooltip=%s%s];\n", i, label, fill[groups[i]], dotText(n.ID+" "+n.Kind+" "+n.Path), width)
	}
	for _, e := range g.drawn() {
		style := "solid"
		if e.Weak {
			style = "dashed"
		}
		if e.both {
			style += ", dir=both"
		}
		label := ""
		if name := e.name(); name != "" {
			label = fmt.Sprintf("label=%s, fontcolor=\"%s\", ", dotText(name), e.ink(ink))
		}
		fmt.Fprintf(&b, "  n%d -> n%d [%scolor=\"%s\", style=%s];\n", e.From, e.To, label, e.ink(ink), style)
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
	groups, ink := g.groups(), g.edgeColours()
	fill := colours(slices.Clone(groups), palette)
	b.WriteString("flowchart LR\n")
	classes := map[string]string{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if _, ok := classes[groups[i]]; !ok {
			classes[groups[i]] = fmt.Sprintf("k%d", len(classes))
		}
		label := mermaidText(n.Label)
		if n.Title != "" {
			label += "<br/>" + mermaidText(n.Title)
		}
		fmt.Fprintf(&b, "  n%d[\"%s\"]:::%s\n", i, label, classes[groups[i]])
	}
	edges := g.drawn()
	for _, e := range edges {
		arrow := "-->"
		if e.Weak {
			arrow = "-.->"
		}
		if e.both {
			arrow = "<" + arrow
		}
		if name := e.name(); name != "" {
			arrow += `|"` + mermaidText(name) + `"|`
		}
		fmt.Fprintf(&b, "  n%d %s n%d\n", e.From, arrow, e.To)
	}
	for _, group := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:#555,color:#222\n", classes[group], fill[group])
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
