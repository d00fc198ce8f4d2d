package wire

// Filter narrows an operation to documents. Values of one field are alternatives, fields are combined with AND.
type Filter struct {
	Kinds      []string            `json:"kinds,omitempty"`
	ChunkTypes []string            `json:"chunk_types,omitempty"`
	Domains    []string            `json:"domains,omitempty"`
	Tags       []string            `json:"tags,omitempty"`
	Status     []string            `json:"status,omitempty"`
	Languages  []string            `json:"languages,omitempty"`
	Since      string              `json:"since,omitempty"`     // date, 2006-01-02 or a prefix of it
	PathGlob   string              `json:"path_glob,omitempty"` // doublestar glob over the document's path
	Where      map[string][]string `json:"where,omitempty"`     // front-matter field → alternatives
}

// Page bounds one answer.
type Page struct {
	// of the JSON and of the text form, each; 0 = the default, -1 = no limit
	MaxBytes int    `json:"max_bytes,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
}

// SearchRequest asks for sections that answer a query.
type SearchRequest struct {
	Query          string  `json:"query"`
	Mode           string  `json:"mode,omitempty"` // hybrid, lexical, vector
	Limit          int     `json:"limit,omitempty"`
	ScoreThreshold float64 `json:"score_threshold,omitempty"`
	Explain        bool    `json:"explain,omitempty"`
	Expand         int     `json:"expand,omitempty"`    // neighbours of each hit
	Diversity      string  `json:"diversity,omitempty"` // on, off
	Group          string  `json:"group,omitempty"`     // section, document: what a hit is
	Sort           string  `json:"sort,omitempty"`      // relevance, date
	Facets         bool    `json:"facets,omitempty"`
	Detail         string  `json:"detail,omitempty"` // brief, full
	Filter
	Page
}

// FindSpecRequest asks for the document of a name: id, stem, alias, title; then by search.
type FindSpecRequest struct {
	Name   string `json:"name"`
	Limit  int    `json:"limit,omitempty"`
	Detail string `json:"detail,omitempty"` // brief, full
	Page
}

// SimilarRequest asks for sections that are near to a document, section or chunk in meaning.
type SimilarRequest struct {
	File   string `json:"file"` // FILE, FILE#ANCHOR, FILE#ANCHOR~N, id, title
	Limit  int    `json:"limit,omitempty"`
	Detail string `json:"detail,omitempty"` // brief, full
	Filter
	Page
}

// RelatedRequest asks for the neighbourhood of an entity.
type RelatedRequest struct {
	Entity    string   `json:"entity"`
	Depth     int      `json:"depth,omitempty"`
	EdgeTypes []string `json:"edge_types,omitempty"`
	Direction string   `json:"direction,omitempty"` // both, out, in
	Limit     int      `json:"limit,omitempty"`
	Page
}

// ReadRequest asks for the markdown of a document or section.
type ReadRequest struct {
	File     string `json:"file"`
	Anchor   string `json:"anchor,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
	Offset   int    `json:"offset,omitempty"`
}

// ListRequest asks for documents.
type ListRequest struct {
	Kind     string              `json:"kind,omitempty"`
	Domain   string              `json:"domain,omitempty"`
	Status   string              `json:"status,omitempty"`
	Tag      string              `json:"tag,omitempty"`
	Language string              `json:"language,omitempty"`
	PathGlob string              `json:"path_glob,omitempty"`
	Where    map[string][]string `json:"where,omitempty"`
	Since    string              `json:"since,omitempty"`
	Sort     string              `json:"sort,omitempty"` // path, date, title
	Facets   bool                `json:"facets,omitempty"`
	Limit    int                 `json:"limit,omitempty"`
	Page
}

// StatsRequest asks what an artifact holds.
type StatsRequest struct {
	Page
}

// InspectRequest asks about the index itself: it is the request of one of several operations.
type InspectRequest struct {
	What  string   `json:"what"` // stats, doctor, lint, schema
	Node  string   `json:"node,omitempty"`
	Rules []string `json:"rules,omitempty"`
	Tool  string   `json:"tool,omitempty"`
	Page
}
