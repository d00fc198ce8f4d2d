package wire

// Envelope is what every answer begins with.
type Envelope struct {
	SchemaVersion string      `json:"schema_version"`
	IndexID       string      `json:"index_id,omitempty"` // first 16 hex digits of the root hash
	Indexes       []IndexName `json:"indexes,omitempty"`  // only where several artifacts answer together
	Warnings      []string    `json:"warnings,omitempty"` // what the reader should know about the answer
}

// AnsweredFrom returns the id of the index that answered.
func (e *Envelope) AnsweredFrom() string { return e.IndexID }

// Warn adds a warning unless it is "".
func (e *Envelope) Warn(text string) {
	if text != "" {
		e.Warnings = append(e.Warnings, text)
	}
}

// AllWarnings returns the warnings.
func (e *Envelope) AllWarnings() []string { return e.Warnings }

// Rest ends an answer that is cut to a size: whether more follows, how to get it, and the time that the answer took.
type Rest struct {
	Truncated bool    `json:"truncated"`        // left out for its size: more follow
	Cursor    string  `json:"cursor,omitempty"` // pass it with the same request to go on
	TimeMS    float64 `json:"time_ms"`          // milliseconds that the answer took
}

// IndexName names one of several artifacts.
type IndexName struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// IncludedLines are lines of a file that a document includes.
type IncludedLines struct {
	Path  string `json:"path"`  // of the file, below the source folder
	Lines [2]int `json:"lines"` // first and last, inclusive
}

// Hit is one section of a search answer.
type Hit struct {
	Rank         int     `json:"rank,omitempty"`
	Score        float64 `json:"score"`                  // 0-1, comparable between queries and artifacts
	URL          string  `json:"url"`                    // where it can be opened
	Path         string  `json:"path,omitempty"`         // of the document, below the source folder
	Anchor       string  `json:"anchor,omitempty"`       // of the section; absent for the beginning of the document
	Lines        [2]int  `json:"lines"`                  // of the best chunk: first and last, inclusive
	SectionLines [2]int  `json:"section_lines,omitzero"` // of the whole section
	// lines of other files, which the document includes, that the chunk has
	Included     []IncludedLines `json:"included,omitempty"`
	Title        string          `json:"title"`             // of the document
	Section      string          `json:"section,omitempty"` // heading
	Snippet      string          `json:"snippet"`           // text of the chunk without markup, in its lines, at most 150 characters
	Chunk        string          `json:"chunk,omitempty"`   // PATH#ANCHOR~N
	Type         string          `json:"type,omitempty"`    // chunk type
	Kind         string          `json:"kind,omitempty"`
	Domain       string          `json:"domain,omitempty"`
	Status       string          `json:"status,omitempty"`
	Date         string          `json:"date,omitempty"`
	Version      string          `json:"version,omitempty"`       // of the document, from its front matter
	SupersededBy []string        `json:"superseded_by,omitempty"` // paths of the documents that take its place
	// path#anchor of sections that say nearly the same and are left out
	Duplicates []string `json:"duplicates,omitempty"`
	// the other sections of the document that match, of a search by document
	More    *MoreSections `json:"more,omitempty"`
	NodeID  string        `json:"node_id,omitempty"` // what kdd_related takes
	Match   []string      `json:"match,omitzero"`    // id, stem, alias, title, heading, lexical, vector
	Stale   bool          `json:"stale,omitempty"`   // the source changed since it was compiled
	Index   string        `json:"index,omitempty"`   // name of the artifact, where several answer
	Explain *Explain      `json:"explain,omitempty"` // how the score came about, if asked for

	Neighbour *Neighbour `json:"neighbour,omitempty"` // it is here since it is related with a hit above

	// The words of the query in the snippet, first and behind the last character of each; with detail full.
	Highlights [][2]int `json:"highlights,omitempty"`

	Marked [][2]int `json:"-"` // Highlights for printers, whatever the detail
	Brief  bool     `json:"-"` // its JSON has only what its reader needs
	Moved  bool     `json:"-"` // behind hits with lower scores: its document stands above
}

// MoreSections are sections of a document that match a query as well, but not as well as the one that is shown.
type MoreSections struct {
	Count    int           `json:"count"`              // how many there are
	Sections []MoreSection `json:"sections,omitempty"` // the best of them, three at most
}

// MoreSection is one of them.
type MoreSection struct {
	Anchor  string  `json:"anchor,omitempty"`  // absent for the beginning of the document
	Section string  `json:"section,omitempty"` // heading
	Lines   [2]int  `json:"lines"`             // of the best chunk: first and last, inclusive
	Score   float64 `json:"score"`
}

// Neighbour says what a hit is related with.
type Neighbour struct {
	Of        string `json:"of"`        // node id of the hit above
	Relation  string `json:"relation"`  // edge type
	Direction string `json:"direction"` // outgoing, incoming; seen from the hit above
}

// Explain shows how a hit's score came about.
type Explain struct {
	Raw float64 `json:"raw"`
	// raw times it is what the score is made of; left out where that is raw itself
	Scale float64       `json:"scale,omitempty"`
	Parts []ExplainPart `json:"parts"`
}

// ExplainPart is one signal of a hit, or one feature of an answer.
type ExplainPart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`  // raw score of the signal
	Weight float64 `json:"weight"` // its factor in the sum
	Rank   int     `json:"rank,omitempty"`
	// of an answer: by how much the log loss in documents that it was not learnt from is higher without it
	Gain float64 `json:"gain,omitempty"`
}

// Facet counts documents by their values of one field.
type Facet struct {
	Field  string       `json:"field"`            // kind, domain, status, tag, language, folder
	Values []FacetValue `json:"values"`           // most frequent first
	Others int          `json:"others,omitempty"` // how many values more there are
}

// FacetValue is one value of a facet.
type FacetValue struct {
	Value string `json:"value"` // as filters take it; of folders the path
	Count int    `json:"count"` // documents that have it
}

// SearchResponse is search_response.v1.
type SearchResponse struct {
	Envelope
	Query   string  `json:"query,omitempty"`  // as asked
	Mode    string  `json:"mode"`             // as answered
	Group   string  `json:"group,omitempty"`  // document, where a hit is a document
	Results []Hit   `json:"results"`          // best first, one for each section, or for each document
	Facets  []Facet `json:"facets,omitempty"` // of the documents of all hits, if asked for
	Count   int     `json:"count"`            // how many are here
	Rest
	Brief bool `json:"-"` // asked for with detail brief
}

// SimilarResponse is similar_response.v1.
type SimilarResponse struct {
	Envelope
	File    string `json:"file"`             // as asked
	Path    string `json:"path"`             // of the document that it was found to be or to be in
	Anchor  string `json:"anchor,omitempty"` // of the section; absent for a whole document
	Chunk   string `json:"chunk,omitempty"`  // where a chunk was asked about
	Title   string `json:"title"`            // of the document
	Index   string `json:"index,omitempty"`  // name of the artifact, where several answer
	Mode    string `json:"mode"`             // vector: scores are cosines; lexical: scores of a search for its words
	Results []Hit  `json:"results"`          // nearest first, sections of the same document last
	Count   int    `json:"count"`            // how many are here
	Rest
	Brief bool `json:"-"` // asked for with detail brief
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
	Entity  string     `json:"entity"`  // as asked
	NodeID  string     `json:"node_id"` // what it was found to be
	Type    string     `json:"type"`    // document, section, scenario
	Related []Relative `json:"related"` // nearest first
	Count   int        `json:"count"`   // how many are here
	Total   int        `json:"total"`   // how many there are
	Rest
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
	Version  string   `json:"version,omitempty"`
	Language string   `json:"language,omitempty"`

	SupersededBy []string `json:"superseded_by,omitempty"` // paths of the documents that take its place

	Chunks   int    `json:"chunks"`
	Entities int    `json:"entities"` // sections and things that the document defines
	NodeID   string `json:"node_id"`
	URL      string `json:"url"`
	Index    string `json:"index,omitempty"`
}

// ListResponse is list_response.v1.
type ListResponse struct {
	Envelope
	Documents []Listed `json:"documents"`        // in order of their paths unless asked otherwise
	Facets    []Facet  `json:"facets,omitempty"` // of all documents that the filter admits, if asked for
	Count     int      `json:"count"`            // how many are here
	Total     int      `json:"total"`            // how many there are
	Rest
}

// ReadResponse is read.v1.
type ReadResponse struct {
	Envelope
	Path   string `json:"path"`             // of the document
	Anchor string `json:"anchor,omitempty"` // of the section; absent for the whole document
	Lines  [2]int `json:"lines"`            // of the part returned
	// lines of other files, which the document includes, that the part has: the first ones
	Included   []IncludedLines `json:"included,omitempty"`
	URL        string          `json:"url"`                   // where it can be opened
	Markdown   string          `json:"markdown"`              // exactly as written
	Offset     int             `json:"offset"`                // bytes into the section
	TotalBytes int             `json:"total_bytes"`           // of the section
	NextOffset int             `json:"next_offset,omitempty"` // where to go on; absent at the end
	Index      string          `json:"index,omitempty"`       // name of the artifact, where several answer
}

// StatsResponse is stats.v1.
type StatsResponse struct {
	Envelope
	Artifacts []ArtifactStats `json:"artifacts"` // one for each artifact
	Rest
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
	Sites         []SiteStats    `json:"sites,omitempty"`     // folders that a generator publishes; at most 20
	Languages     map[string]int `json:"languages,omitempty"` // documents by language
	Kinds         map[string]int `json:"kinds,omitempty"`     // documents by kind
	Edges         map[string]int `json:"edges,omitempty"`     // edges by type
	Findings      map[string]int `json:"findings,omitempty"`  // by severity
	Blocks        []BlockBytes   `json:"blocks"`
	Encoder       string         `json:"encoder"`                  // none, distilled, exact
	EncoderAdvice string         `json:"encoder_advice,omitempty"` // where the encoder falls short, and what to do
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
	Questions int `json:"questions,omitempty"` // that eval asks
}

// SiteStats is a folder whose documents are read as a generator of sites reads them.
type SiteStats struct {
	Dialect string `json:"dialect"`          // the generator
	Folder  string `json:"folder,omitempty"` // its path; absent = the top of the sources
	Config  string `json:"config,omitempty"` // its configuration; absent = it has none
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
	Whole     int    `json:"whole_dim,omitempty"` // of the model's own vectors, where these are their first numbers
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
	Dirty    bool     `json:"dirty,omitempty"` // documents differed from the commit when they were compiled
	Checked  bool     `json:"checked"`         // the sources were found and compared by size
	Changed  int      `json:"changed,omitempty"`
	Appeared int      `json:"appeared,omitempty"`
	Vanished int      `json:"vanished,omitempty"`
}
