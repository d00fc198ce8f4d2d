package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/render/draw"
	"kdd/runtime/wire"
)

// GraphFormats are the formats that a graph has beside those of lists.
var GraphFormats = []string{"dot", "graphml", "mermaid", "svg"}

func (p *printer) graph(v *wire.GraphResponse) {
	p.printf("%s of %d, %s\n", p.paint(bold, wire.Plural(v.Count, "node", "nodes")), v.Total, wire.Plural(len(v.Edges), "edge", "edges"))
	from := map[string][]*wire.GraphEdge{}
	for i := range v.Edges {
		from[v.Edges[i].From] = append(from[v.Edges[i].From], &v.Edges[i])
	}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		p.printf("%s  %s\n", p.paint(bold, wire.OneLine(n.Label)), p.paint(dim, joined(", ", wire.Clean(n.NodeID), wire.Clean(n.Kind), wire.Clean(Address("", n.Path, n.Anchor)))))
		for _, e := range from[n.NodeID] {
			said := wire.Clean(e.To)
			if e.Edges > 1 {
				said += fmt.Sprintf(" (%d)", e.Edges)
			}
			if e.Violation {
				said += " " + p.paint(red, "to a higher layer")
			}
			p.printf("   → %s %s\n", p.paint(yellow, wire.Clean(e.Relation)), said)
		}
	}
	p.tail(&v.Envelope, v.Truncated, "")
}

var graphColumns = []column[wire.GraphEdge]{
	{"from", func(e *wire.GraphEdge) string { return e.From }},
	{"relation", func(e *wire.GraphEdge) string { return e.Relation }},
	{"to", func(e *wire.GraphEdge) string { return e.To }},
	{"edges", func(e *wire.GraphEdge) string { return strconv.Itoa(e.Edges) }},
	{"violation", func(e *wire.GraphEdge) string { return strconv.FormatBool(e.Violation) }},
}

// picture is the graph as package draw takes it.
func picture(v *wire.GraphResponse) *draw.Graph {
	g := &draw.Graph{Name: "graph"}
	if v.NodeID != "" {
		g.Name = wire.Clean(v.NodeID)
	}
	index := map[string]int{}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		index[n.NodeID] = i
		title := n.Title
		if rest, ok := strings.CutPrefix(title, n.Label); ok { // "SCN-1 — A title" below SCN-1
			title = strings.TrimLeft(rest, " :—–-")
		}
		g.Nodes = append(g.Nodes, draw.Node{ID: wire.Clean(n.NodeID), Label: n.Label, Title: title, Kind: wire.Clean(n.Kind), Path: wire.Clean(n.Path), Focus: n.NodeID == v.NodeID})
	}
	for i := range v.Edges {
		e := &v.Edges[i]
		g.Edges = append(g.Edges, draw.Edge{From: index[e.From], To: index[e.To], Label: wire.Clean(e.Relation), Plain: draw.IsPlain(e.Relation), Weak: e.Weak, Violation: e.Violation, Count: e.Edges})
	}
	return g
}

// printGraph is printAs for a graph. jsonl has one node or edge a line; paths has the documents of the nodes.
func printGraph(format string, v *wire.GraphResponse) (string, bool) {
	switch format {
	case "dot":
		return picture(v).DOT(), true
	case "graphml":
		return picture(v).GraphML(), true
	case "mermaid":
		return picture(v).Mermaid(), true
	case "md":
		return "```mermaid\n" + picture(v).Mermaid() + "```\n", true
	case "svg":
		return picture(v).SVG(), true
	case "csv":
		return table(v.Edges, graphColumns), true
	case "jsonl":
		var b strings.Builder
		for i := range v.Nodes {
			b.Write(append(wire.Encode(&v.Nodes[i]), '\n'))
		}
		for i := range v.Edges {
			b.Write(append(wire.Encode(&v.Edges[i]), '\n'))
		}
		return b.String(), true
	}
	return printItems(format, v.Nodes, v, nil, nil, func(n *wire.GraphNode) string { return n.Path })
}
