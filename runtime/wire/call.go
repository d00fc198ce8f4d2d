package wire

// CallReply is what POST /api/v1/mcp/tools/call answers: fields for readers of MCP's results (content, isError), for
// those of ADR-0003's widget (success, result, sources, error), and the answer itself.
type CallReply struct {
	SchemaVersion string         `json:"schema_version"` // of the answer or error
	IndexID       string         `json:"index_id,omitempty"`
	Tool          string         `json:"tool"`
	Success       bool           `json:"success"`
	Result        string         `json:"result"`  // markdown without HTML, never empty
	Content       []CallText     `json:"content"` // the same
	IsError       bool           `json:"isError"`
	Sources       []CallSource   `json:"sources"` // what the result is taken from; none behind a refusal
	Confidence    float64        `json:"confidence"`
	Grounded      bool           `json:"grounded"`          // the outcome is answered
	Outcome       string         `json:"outcome,omitempty"` // of an answer: answered, closest, refused
	RefusalReason string         `json:"refusal_reason,omitempty"`
	Query         string         `json:"query,omitempty"` // this and those below of an answer, as in answer.v1
	Answer        string         `json:"answer,omitempty"`
	Citations     []Citation     `json:"citations,omitempty"`
	Mode          string         `json:"mode,omitempty"`
	Retrieval     any            `json:"retrieval,omitempty"`
	Warnings      []string       `json:"warnings,omitempty"`
	SessionID     string         `json:"session_id,omitempty"`
	FeedbackURL   string         `json:"feedback_url,omitempty"`
	Structured    any            `json:"structuredContent,omitempty"` // the wire JSON of an operation but ask
	Error         string         `json:"error,omitempty"`             // what went wrong, only if success is false
	Code          string         `json:"code,omitempty"`              // of error.v1, as those below
	Message       string         `json:"message,omitempty"`
	Hint          string         `json:"hint,omitempty"`
	Details       map[string]any `json:"details,omitempty"`
}

// CallText is one part of a result.
type CallText struct {
	Type string `json:"type"` // text
	Text string `json:"text"`
}

// CallSource is one section that a result is taken from.
type CallSource struct {
	Title     string  `json:"title"`
	URL       string  `json:"url"`
	Relevance float64 `json:"relevance"` // 0-1
	Path      string  `json:"path"`
	Anchor    string  `json:"anchor,omitempty"`
	Lines     [2]int  `json:"lines"`
}
