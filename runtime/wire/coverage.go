package wire

// CoverageRequest asks what a node should be related with.
type CoverageRequest struct {
	Node string `json:"node"`
	Page
}

// CoverageCategory is one thing that a node should have.
type CoverageCategory struct {
	Name     string   `json:"name"`     // scenarios
	Relation string   `json:"relation"` // edge types, one of which must be there
	Status   string   `json:"status"`   // present, missing
	Found    []string `json:"found"`    // node ids, the first ones where there are many
	Total    int      `json:"total"`    // how many there are
}

// CoverageResponse is coverage_response.v1.
type CoverageResponse struct {
	Envelope
	NodeID     string             `json:"node_id"`    // what the node was found to be
	Kind       string             `json:"kind"`       // of the node
	Path       string             `json:"path"`       // of its document
	Categories []CoverageCategory `json:"categories"` // in the order of the table
	Present    int                `json:"present"`    // categories
	Missing    int                `json:"missing"`    // categories
	Percent    float64            `json:"percent"`    // present of all; 100 where nothing is asked
	Rest
}

// FitCoverage cuts categories to a budget, as FitSearch cuts hits.
func FitCoverage(resp *CoverageResponse, b Budget) {
	resp.Kind = Clean(resp.Kind)
	p := paged[CoverageCategory]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, what: "a category", items: &resp.Categories,
		prepare: func(c *CoverageCategory) {
			if c.Found = mapStrings(c.Found, Clean); c.Found == nil {
				c.Found = []string{}
			}
		},
		shorten: func(c *CoverageCategory, n int) { c.Found = c.Found[:min(len(c.Found), 20>>n)] },
	}
	p.fit(b)
}
