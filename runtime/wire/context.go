package wire

// ContextRequest asks for the text that matters for some hints, within a budget.
type ContextRequest struct {
	Hints     []string `json:"hints"`
	Depth     int      `json:"depth,omitempty"`
	MaxTokens int      `json:"max_tokens,omitempty"`
}

// ContextHint says what a hint was found to be.
type ContextHint struct {
	Hint     string   `json:"hint"`
	Resolved []string `json:"resolved"` // node ids
	Warning  string   `json:"warning,omitempty"`
}

// ContextStep is one node of the way from a hint to an item.
type ContextStep struct {
	NodeID    string `json:"node_id"`
	Relation  string `json:"relation,omitempty"`  // by which it was reached; absent for the hint's own node
	Direction string `json:"direction,omitempty"` // outgoing, incoming; of the relation, seen from the node before
}

// ContextItem is one piece of text.
type ContextItem struct {
	Group  string `json:"group"` // rule, behaviour, other
	NodeID string `json:"node_id"`
	Kind   string `json:"kind"`
	Title  string `json:"title"` // of the document, and the heading where it is a section
	Path   string `json:"path"`
	Anchor string `json:"anchor,omitempty"` // of the section; absent for a whole document or its beginning
	Lines  [2]int `json:"lines"`            // of the text
	Status string `json:"status,omitempty"` // of a document that is no longer in force
	// SupersededBy are the paths of the documents that take its place.
	SupersededBy []string      `json:"superseded_by,omitempty"`
	Text         string        `json:"text"`          // markdown as it is written
	Via          []ContextStep `json:"via,omitempty"` // the way from a hint; absent where a hint names it
	Tokens       int           `json:"tokens"`        // of the text and its heading
	Index        string        `json:"index,omitempty"`
}

// LeftOut is a node whose text, or a part of it, is not in the answer.
type LeftOut struct {
	NodeID string `json:"node_id"`
	Reason string `json:"reason"`
	Index  string `json:"index,omitempty"`
}

// ContextResponse is context_response.v1.
type ContextResponse struct {
	Envelope
	Hints        []ContextHint `json:"hints"`          // in the order asked
	Items        []ContextItem `json:"items"`          // rules first, then behaviour, then the rest
	LeftOut      []LeftOut     `json:"left_out"`       // the first ones
	LeftOutTotal int           `json:"left_out_total"` // how many there are
	Tokens       int           `json:"tokens"`         // of all items
	MaxTokens    int           `json:"max_tokens"`     // the budget
	TimeMS       float64       `json:"time_ms"`        // milliseconds that the answer took
}

// CleanContext neutralises the text of an answer.
func CleanContext(v *ContextResponse) {
	v.Warnings = mapStrings(v.Warnings, Clean)
	for i := range v.Hints {
		h := &v.Hints[i]
		h.Hint, h.Warning = Shorten(Clean(h.Hint), 200), Clean(h.Warning)
		if h.Resolved == nil {
			h.Resolved = []string{}
		}
	}
	for i := range v.Items {
		item := &v.Items[i]
		item.Title, item.Kind, item.Status, item.Text = Clean(item.Title), Clean(item.Kind), Clean(item.Status), CleanLines(item.Text)
	}
}
