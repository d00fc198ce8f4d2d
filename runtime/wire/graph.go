package wire

// GraphRequest asks for a part of the graph, or the whole.
type GraphRequest struct {
	Node      string   `json:"node,omitempty"` // the whole graph without one
	Depth     int      `json:"depth,omitempty"`
	EdgeTypes []string `json:"edge_types,omitempty"`
	Limit     int      `json:"limit,omitempty"`    // nodes
	Contents  bool     `json:"contents,omitempty"` // tables of contents are nodes too
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
	v.Warnings = mapStrings(v.Warnings, Clean)
	for i := range v.Nodes {
		n := &v.Nodes[i]
		n.Label, n.Title, n.Kind = OneLine(n.Label), OneLine(n.Title), Clean(n.Kind)
	}
}
