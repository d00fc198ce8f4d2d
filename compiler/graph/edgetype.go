package graph

import "slices"

// The edge types that documents have whatever the rules say, those that package format names aside.
const (
	Mentions  = "MENTIONS"
	Link      = "LINK"
	WikiLink  = "WIKI_LINK"
	Reference = "REFERENCES"

	crossDomain = "CROSS_DOMAIN_REF"
)

// How an edge was found: the values of Edge.Found.
const (
	FoundLink        = "link"
	FoundWiki        = "wiki"
	FoundFrontMatter = "front-matter"
	FoundMention     = "mention"
	FoundSection     = "section"
	FoundStructure   = "structure"
)

// EdgeType is one row of the table of edge types.
type EdgeType struct {
	Name    string
	Depends string // format.DependsFrom or format.DependsTo
	Weight  int    // 1 to 100; orders what is related
	Impact  string // format.ImpactFollow, ImpactDirect or ImpactNo
	About   string
}

// EdgeTypes returns the table of r in its order: strong relations first, those of kdd.yaml last. The caller owns the
// slice.
func (r *Rules) EdgeTypes() []EdgeType { return slices.Clone(r.edges) }

// edgeType returns the row of a name.
func (r *Rules) edgeType(name string) (EdgeType, bool) {
	i, ok := r.edgeIndex[name]
	if !ok {
		return EdgeType{}, false
	}
	return r.edges[i], true
}
