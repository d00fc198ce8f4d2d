package format

// Rule is a rule that findings come from.
type Rule struct {
	Code     string `json:"code"` // "KDD201"
	Name     string `json:"name"` // "broken-link"
	Severity string `json:"severity"`
	About    string `json:"about"`
}

// Coverage is something that documents of a kind should have: an edge of one of the types.
type Coverage struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"` // "scenarios"
	Edges  []string `json:"edges"`
	Side   string   `json:"side"`             // which end of the edge the document is: "out", "in", "any"
	Others []string `json:"others,omitempty"` // kinds of the other end; empty = any
}

// Orphans counts the edges without a target that have one reason.
type Orphans struct {
	Reason string `json:"reason"`
	Edges  int    `json:"edges"`
}
