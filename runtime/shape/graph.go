package shape

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/draw"
)

// GraphFormats are the formats of a graph besides those of lists.
var GraphFormats = []string{"dot", "graphml", "mermaid", "svg"}

// GraphRequest asks for a part of the graph, or the whole.
type GraphRequest struct {
	Node      string   `json:"node,omitempty"` // the whole graph without one
	Depth     int      `json:"depth,omitempty"`
	EdgeTypes []string `json:"edge_types,omitempty"`
	Limit     int      `json:"limit,omitempty"` // nodes
}

// GraphNode is a node of a graph.
type GraphNode struct {
	NodeID   string `json:"node_id"`
	Label    string `json:"label"` // short name
	Title    string `json:"title"`
	Type     string `json:"type"` // document, section, scenario
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Anchor   string `json:"anchor,omitempty"`
	Distance int    `json:"distance,omitempty"` // from the node asked for
	Degree   int    `json:"degree"`             // edges, those to nodes that are not here too
}

// GraphEdge is all edges of one type between two nodes.
type GraphEdge struct {
	From      string `json:"from"` // node id
	To        string `json:"to"`   // node id
	Relation  string `json:"relation"`
	Edges     int    `json:"edges"`               // how many
	Weak      bool   `json:"weak,omitempty"`      // a plain link, reference or mention
	Violation bool   `json:"violation,omitempty"` // it breaks the layer rule
}

// GraphResponse is graph.v1.
type GraphResponse struct {
	Envelope
	NodeID    string      `json:"node_id,omitempty"` // what the node asked for was found to be
	Nodes     []GraphNode `json:"nodes"`             // nearest first
	Edges     []GraphEdge `json:"edges"`             // between these nodes, containment aside
	Count     int         `json:"count"`             // nodes that are here
	Total     int         `json:"total"`             // nodes that there are
	Truncated bool        `json:"truncated"`         // nodes were left out
	TimeMS    float64     `json:"time_ms"`           // milliseconds that the answer took
}

// CleanGraph neutralises the text of a graph.
func CleanGraph(v *GraphResponse) {
	v.Warnings = each(v.Warnings, Clean)
	for i := range v.Nodes {
		v.Nodes[i].Label, v.Nodes[i].Title = oneLine(v.Nodes[i].Label), oneLine(v.Nodes[i].Title)
	}
}

func (p *printer) graph(v *GraphResponse) {
	p.printf("%s of %d, %s\n", p.paint(bold, plural(v.Count, "node", "nodes")), v.Total, plural(len(v.Edges), "edge", "edges"))
	from := map[string][]*GraphEdge{}
	for i := range v.Edges {
		from[v.Edges[i].From] = append(from[v.Edges[i].From], &v.Edges[i])
	}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		p.printf("%s  %s\n", p.paint(bold, oneLine(n.Label)), p.paint(dim, joined(", ", Clean(n.NodeID), Clean(n.Kind), Clean(Address("", n.Path, n.Anchor)))))
		for _, e := range from[n.NodeID] {
			said := Clean(e.To)
			if e.Edges > 1 {
				said += fmt.Sprintf(" (%d)", e.Edges)
			}
			if e.Violation {
				said += " " + p.paint(red, "to a higher layer")
			}
			p.printf("   → %s %s\n", p.paint(yellow, Clean(e.Relation)), said)
		}
	}
	p.tail(&v.Envelope, v.Truncated, "")
}

var graphColumns = []column[GraphEdge]{
	{"from", func(e *GraphEdge) string { return e.From }},
	{"relation", func(e *GraphEdge) string { return e.Relation }},
	{"to", func(e *GraphEdge) string { return e.To }},
	{"edges", func(e *GraphEdge) string { return strconv.Itoa(e.Edges) }},
	{"violation", func(e *GraphEdge) string { return strconv.FormatBool(e.Violation) }},
}

// picture is the graph as package draw takes it.
func picture(v *GraphResponse) *draw.Graph {
	g := &draw.Graph{Name: "graph"}
	if v.NodeID != "" {
		g.Name = Clean(v.NodeID)
	}
	index := map[string]int{}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		index[n.NodeID] = i
		title := n.Title
		if rest, ok := strings.CutPrefix(title, n.Label); ok { // "SCN-1 — A title" below SCN-1
			title = strings.TrimLeft(rest, " :—–-")
		}
		g.Nodes = append(g.Nodes, draw.Node{ID: Clean(n.NodeID), Label: n.Label, Title: title, Kind: Clean(n.Kind), Path: Clean(n.Path), Focus: n.NodeID == v.NodeID})
	}
	for i := range v.Edges {
		e := &v.Edges[i]
		g.Edges = append(g.Edges, draw.Edge{From: index[e.From], To: index[e.To], Label: Clean(e.Relation), Weak: e.Weak, Violation: e.Violation, Count: e.Edges})
	}
	return g
}

// printGraph is printAs for a graph. jsonl is one node or edge a line, paths the documents of the nodes.
func printGraph(format string, v *GraphResponse) (string, bool) {
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
			b.Write(append(Encode(&v.Nodes[i]), '\n'))
		}
		for i := range v.Edges {
			b.Write(append(Encode(&v.Edges[i]), '\n'))
		}
		return b.String(), true
	}
	return printItems(format, v.Nodes, v, nil, nil, func(n *GraphNode) string { return n.Path })
}
