package wire

// FeedbackReceipt is feedback.v1: the answer to what someone said about an answer.
type FeedbackReceipt struct {
	SchemaVersion string `json:"schema_version"`
	Success       bool   `json:"success"` // true: what fails is error.v1
	ID            string `json:"id"`      // equal for equal feedback
	Status        string `json:"status"`  // stored, duplicate
}

// FeedbackStats is feedback_stats.v1.
type FeedbackStats struct {
	SchemaVersion string  `json:"schema_version"`
	Records       int     `json:"records"`        // how many there are
	Positive      int     `json:"positive"`       // that found the answer good
	Negative      int     `json:"negative"`       // that did not
	PositiveShare float64 `json:"positive_share"` // of all records, 0-1
	// mean confidence of the answers that were found good
	PositiveConfidence float64 `json:"positive_confidence"`
	NegativeConfidence float64 `json:"negative_confidence"` // and of those that were not
	Comments           int     `json:"comments"`            // records with a comment
	Cited              int     `json:"cited"`               // records that say which places the answer cited
	Queries            int     `json:"queries"`             // that differ
	Sessions           int     `json:"sessions"`            // that differ
	Broken             int     `json:"broken,omitempty"`    // lines that are no records
	First              string  `json:"first,omitempty"`     // time of the oldest record
	Last               string  `json:"last,omitempty"`      // time of the newest record
	// queries whose answers were found bad, the worst first
	Worst []FeedbackQuery `json:"worst"`
}

// FeedbackQuery is one query of feedback_stats.v1.
type FeedbackQuery struct {
	Query    string `json:"query"`
	Positive int    `json:"positive"` // that found the answer good
	Negative int    `json:"negative"` // that did not
}
