package shape

// Envelope is what every answer begins with.
type Envelope struct {
	SchemaVersion string      `json:"schema_version"`
	IndexID       string      `json:"index_id,omitempty"` // first 16 hex digits of the root hash
	Indexes       []IndexName `json:"indexes,omitempty"`  // only where several artifacts answer together
	Warnings      []string    `json:"warnings,omitempty"`
}

// IndexName names one of several artifacts.
type IndexName struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// Hit is one section of a search answer.
type Hit struct {
	Rank         int      `json:"rank"`
	Score        float64  `json:"score"` // 0-1, comparable between queries and artifacts
	URL          string   `json:"url"`
	Path         string   `json:"path"`
	Anchor       string   `json:"anchor,omitempty"`
	Lines        [2]int   `json:"lines"` // of the best chunk: first and last, inclusive
	SectionLines [2]int   `json:"section_lines"`
	Title        string   `json:"title"`
	Section      string   `json:"section,omitempty"` // heading
	Snippet      string   `json:"snippet"`           // verbatim text of the chunk, at most 150 characters
	Chunk        string   `json:"chunk"`             // PATH#ANCHOR~N
	Type         string   `json:"type"`              // chunk type
	Kind         string   `json:"kind"`
	Domain       string   `json:"domain,omitempty"`
	Status       string   `json:"status,omitempty"`
	Date         string   `json:"date,omitempty"`
	NodeID       string   `json:"node_id"`
	Match        []string `json:"match"` // id, stem, alias, title, heading, lexical, vector
	Stale        bool     `json:"stale,omitempty"`
	Index        string   `json:"index,omitempty"`
	Explain      *Explain `json:"explain,omitempty"`
}

// Explain shows how a hit's score came about.
type Explain struct {
	Raw   float64       `json:"raw"`
	Parts []ExplainPart `json:"parts"`
}

// ExplainPart is one signal of a hit.
type ExplainPart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`  // raw score of the signal
	Weight float64 `json:"weight"` // its factor in the sum
	Rank   int     `json:"rank,omitempty"`
}

// SearchResponse is search_response.v1.
type SearchResponse struct {
	Envelope
	Query     string  `json:"query"`
	Mode      string  `json:"mode"`
	Results   []Hit   `json:"results"`
	Count     int     `json:"count"`
	Truncated bool    `json:"truncated"`
	Cursor    string  `json:"cursor,omitempty"`
	TimeMS    float64 `json:"time_ms"`
}

// Relative is one node of a neighbourhood.
type Relative struct {
	Name      string `json:"name"`
	NodeID    string `json:"node_id"`
	Type      string `json:"type"` // document, section, scenario
	Kind      string `json:"kind,omitempty"`
	Relation  string `json:"relation"`
	Direction string `json:"direction"` // outgoing, incoming
	Distance  int    `json:"distance"`
	Path      string `json:"path"`
	Anchor    string `json:"anchor,omitempty"`
	Lines     [2]int `json:"lines"`
	SourceURL string `json:"source_url"` // where the edge is written
	FoundBy   string `json:"found_by"`
	Index     string `json:"index,omitempty"`
}

// RelatedResponse is related_response.v1.
type RelatedResponse struct {
	Envelope
	Entity    string     `json:"entity"`
	NodeID    string     `json:"node_id"`
	Type      string     `json:"type"`
	Related   []Relative `json:"related"`
	Count     int        `json:"count"`
	Total     int        `json:"total"`
	Truncated bool       `json:"truncated"`
	Cursor    string     `json:"cursor,omitempty"`
	TimeMS    float64    `json:"time_ms"`
}

// Listed is one document of a list.
type Listed struct {
	Path     string   `json:"path"`
	Title    string   `json:"title"`
	Kind     string   `json:"kind"`
	Domain   string   `json:"domain,omitempty"`
	Status   string   `json:"status,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Date     string   `json:"date,omitempty"`
	Language string   `json:"language,omitempty"`
	Chunks   int      `json:"chunks"`
	Entities int      `json:"entities"` // sections and things that the document defines
	NodeID   string   `json:"node_id"`
	URL      string   `json:"url"`
	Index    string   `json:"index,omitempty"`
}

// ListResponse is list_response.v1.
type ListResponse struct {
	Envelope
	Documents []Listed `json:"documents"`
	Count     int      `json:"count"`
	Total     int      `json:"total"`
	Truncated bool     `json:"truncated"`
	Cursor    string   `json:"cursor,omitempty"`
	TimeMS    float64  `json:"time_ms"`
}

// ReadResponse is read.v1.
type ReadResponse struct {
	Envelope
	Path       string `json:"path"`
	Anchor     string `json:"anchor,omitempty"`
	Lines      [2]int `json:"lines"` // of the part returned
	URL        string `json:"url"`
	Markdown   string `json:"markdown"`
	Offset     int    `json:"offset"`                // bytes into the section
	TotalBytes int    `json:"total_bytes"`           // of the section
	NextOffset int    `json:"next_offset,omitempty"` // where to go on; absent at the end
	Index      string `json:"index,omitempty"`
}

// StatsResponse is stats.v1.
type StatsResponse struct {
	Envelope
	Artifacts []ArtifactStats `json:"artifacts"`
	Truncated bool            `json:"truncated"`
	Cursor    string          `json:"cursor,omitempty"`
	TimeMS    float64         `json:"time_ms"`
}

// ArtifactStats says what one artifact holds and what made it.
type ArtifactStats struct {
	Name          string         `json:"name"`
	IndexID       string         `json:"index_id"`
	Title         string         `json:"title,omitempty"`
	FileBytes     int64          `json:"file_bytes"`
	SourceBytes   int64          `json:"source_bytes"`
	FormatVersion int            `json:"format_version"`
	MadeBy        string         `json:"made_by"` // kdd and its version
	Analyzer      int            `json:"analyzer"`
	Counts        Counts         `json:"counts"`
	Languages     map[string]int `json:"languages,omitempty"` // documents by language
	Kinds         map[string]int `json:"kinds,omitempty"`     // documents by kind
	Edges         map[string]int `json:"edges,omitempty"`     // edges by type
	Findings      map[string]int `json:"findings,omitempty"`  // by severity
	Blocks        []BlockBytes   `json:"blocks"`
	Encoder       string         `json:"encoder"` // none, distilled, exact
	Model         *ModelStats    `json:"model,omitempty"`
	Source        SourceStats    `json:"source"`
}

// Counts are the sizes of an artifact's tables.
type Counts struct {
	Documents int `json:"documents"`
	Sections  int `json:"sections"`
	Chunks    int `json:"chunks"`
	Terms     int `json:"terms"`
	Nodes     int `json:"nodes"`
	Edges     int `json:"edges"`
	Findings  int `json:"findings"`
	Vectors   int `json:"vectors"`
}

// BlockBytes is the size of one block.
type BlockBytes struct {
	Tag   string `json:"tag"`
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Rows  int64  `json:"rows"`
}

// ModelStats names the document encoder of an artifact.
type ModelStats struct {
	Name      string `json:"name"`
	SHA256    string `json:"sha256"`
	Dim       int    `json:"dim"`
	Pooling   string `json:"pooling"`
	Precision string `json:"precision"`
	Engine    string `json:"engine"`
	Licence   string `json:"licence,omitempty"`
}

// SourceStats says where the text came from and, where the sources are reachable, whether they changed since.
type SourceStats struct {
	Roots    []string `json:"roots,omitempty"` // hints below the repository's top
	TreeHash string   `json:"tree_hash"`
	Commit   string   `json:"commit,omitempty"`
	Date     string   `json:"date,omitempty"`
	Checked  bool     `json:"checked"` // the sources were found and compared by size
	Changed  int      `json:"changed,omitempty"`
	Appeared int      `json:"appeared,omitempty"`
	Vanished int      `json:"vanished,omitempty"`
}
