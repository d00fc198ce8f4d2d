package wire

// ImpactRequest asks what depends on an entity.
type ImpactRequest struct {
	Entity     string   `json:"entity"`
	Depth      int      `json:"depth,omitempty"`
	EdgeTypes  []string `json:"edge_types,omitempty"`
	Violations bool     `json:"violations,omitempty"` // follow edges that break the layer rule too
	Limit      int      `json:"limit,omitempty"`
	Page
}

// Affected is a document, or a thing that one defines, that a change touches.
type Affected struct {
	Relative
	// the way from the entity: who depends on it, who on that, up to this node
	Via    []ImpactStep `json:"via,omitempty"`
	Phrase string       `json:"phrase"` // the same in words
}

// ImpactStep is one node of a way, with the relation by which it depends on the one before.
type ImpactStep struct {
	NodeID   string `json:"node_id"`
	Relation string `json:"relation"`
}

// Scenario is a test to run again.
type Scenario struct {
	Name      string `json:"name"`
	NodeID    string `json:"node_id"`
	Path      string `json:"path"`
	Anchor    string `json:"anchor,omitempty"`
	Lines     [2]int `json:"lines"`
	Validates string `json:"validates"` // node id of what it checks: the entity or something that depends on it
	Distance  int    `json:"distance"`  // of what it checks, 0 for the entity
	Index     string `json:"index,omitempty"`
}

// ImpactTotals counts what a change touches.
type ImpactTotals struct {
	Direct     int `json:"direct"`
	Transitive int `json:"transitive"`
	Scenarios  int `json:"scenarios"`
}

// ImpactResponse is impact_response.v1.
type ImpactResponse struct {
	Envelope
	Entity     string       `json:"entity"`     // as asked
	NodeID     string       `json:"node_id"`    // what it was found to be
	Type       string       `json:"type"`       // document, section, scenario
	Direct     []Affected   `json:"direct"`     // depend on it themselves, typed relations first
	Transitive []Affected   `json:"transitive"` // depend on it through others, nearest first
	Scenarios  []Scenario   `json:"scenarios"`  // to run again: they check the entity or what depends on it
	Totals     ImpactTotals `json:"totals"`     // how many of each there are
	Count      int          `json:"count"`      // how many are here
	Total      int          `json:"total"`      // how many there are
	Rest
}

// ImpactItem is one item of an impact in the order in which pages go through them: exactly one of the two.
type ImpactItem struct {
	Affected *Affected `json:"affected,omitempty"`
	Scenario *Scenario `json:"scenario,omitempty"`
}

// SetItems fills the three lists.
func (v *ImpactResponse) SetItems(items []ImpactItem) {
	v.Direct, v.Transitive, v.Scenarios = []Affected{}, []Affected{}, []Scenario{}
	for _, i := range items {
		switch {
		case i.Scenario != nil:
			v.Scenarios = append(v.Scenarios, *i.Scenario)
		case i.Affected.Distance == 1:
			v.Direct = append(v.Direct, *i.Affected)
		default:
			v.Transitive = append(v.Transitive, *i.Affected)
		}
	}
	v.Count = len(items)
}

// FitImpact cuts an impact to a budget, as FitSearch cuts hits; items is what the answer holds.
func FitImpact(resp *ImpactResponse, items []ImpactItem, b Budget) {
	p := paged[ImpactItem]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, echoes: []*string{&resp.Entity},
		what: "a node", items: &items, spread: resp.SetItems,
		prepare: func(i *ImpactItem) {
			if i.Scenario != nil {
				i.Scenario.Name = Clean(i.Scenario.Name)
				return
			}
			prepareRelative(&i.Affected.Relative)
			i.Affected.Phrase = Clean(i.Affected.Phrase)
		},
		shorten: func(i *ImpactItem, n int) {
			limit := 320 >> n
			if i.Scenario != nil {
				i.Scenario.Name = Shorten(i.Scenario.Name, limit)
				return
			}
			shortenRelative(&i.Affected.Relative, n)
			i.Affected.Phrase = Shorten(i.Affected.Phrase, 2*limit)
		},
	}
	p.fit(b)
}
