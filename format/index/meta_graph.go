package index

// Rule is a rule that findings come from.
type Rule struct {
	Code     string `json:"code"` // "KDD201"
	Name     string `json:"name"` // "broken-link"
	Severity string `json:"severity"`
	About    string `json:"about"`
}

// ContainsEdge is the type of the edges from a document to its sections and from a section to those below it.
const ContainsEdge = "CONTAINS"

// SupersedesEdge is the type of the edges from a document to the one whose place it takes.
const SupersedesEdge = "SUPERSEDES"

// EdgeType is a row of the edge type table.
type EdgeType struct {
	Name    string  `json:"name"`
	Depends string  `json:"depends"` // which end is touched when the other one changes: DependsFrom or DependsTo
	Weight  float64 `json:"weight"`  // orders what is related
	Impact  string  `json:"impact"`  // ImpactFollow, ImpactDirect or ImpactNo
}

// The values of EdgeType.Depends: the end that is touched when the other one changes.
const (
	DependsFrom = "from" // the origin depends on the target
	DependsTo   = "to"
)

// The values of EdgeType.Impact: what a change makes of an edge.
const (
	ImpactFollow = "follow" // goes on from there
	ImpactDirect = "direct" // counts at distance 1 only
	ImpactNo     = "no"
)

// The values of Coverage.Side: which end of the edge the document is.
const (
	SideOut = "out" // the origin
	SideIn  = "in"  // the target
	SideAny = "any"
)

// Coverage is something that documents of a kind should have: an edge of one of the types.
type Coverage struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"` // "scenarios"
	Edges  []string `json:"edges"`
	Side   string   `json:"side"`             // SideOut, SideIn or SideAny
	Others []string `json:"others,omitempty"` // kinds of the other end; empty = any
}

// Orphans counts the edges without a target that have one reason.
type Orphans struct {
	Reason string `json:"reason"`
	Edges  int    `json:"edges"`
}
