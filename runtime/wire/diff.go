package wire

// DiffReport is diff_report.v1: what one artifact has beside another, mostly an older build of the same sources.
type DiffReport struct {
	SchemaVersion string       `json:"schema_version"`
	Old           DiffSide     `json:"old"`               // what it is compared with
	New           DiffSide     `json:"new"`               // what is compared
	Same          bool         `json:"same"`              // the root hashes are the same
	Documents     DiffList     `json:"documents"`         // by path
	Sections      DiffList     `json:"sections"`          // by path and anchor; those of listed documents are left out
	Chunks        DiffCount    `json:"chunks"`            // what is scored and embedded
	Findings      DiffFindings `json:"findings"`          // of lint
	Links         DiffFindings `json:"links"`             // those of them that are links which lead nowhere
	Options       []DiffOption `json:"options,omitempty"` // of the builds, and what made the artifacts
	// Questions is what the same questions find, the new artifact against the old one; absent if none were asked
	Questions *EvalDifference `json:"questions,omitempty"`
	Failed    []string        `json:"failed,omitempty"` // rules of --fail-on that are broken
}

// DiffSide names an artifact.
type DiffSide struct {
	Path      string `json:"path"`  // as it was named
	Index     string `json:"index"` // its id
	Documents int    `json:"documents"`
	Sections  int    `json:"sections"`
}

// DiffList lists documents or sections.
type DiffList struct {
	Added   []string   `json:"added,omitempty"`
	Removed []string   `json:"removed,omitempty"`
	Moved   []DiffMove `json:"moved,omitempty"`   // the same text at another place
	Changed []string   `json:"changed,omitempty"` // another text at the same place
}

// DiffMove is a text that lies elsewhere now.
type DiffMove struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// DiffCount counts chunks, by their text and the section that they stand in.
type DiffCount struct {
	Old      int `json:"old"` // how many there were
	New      int `json:"new"` // how many there are
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	Moved    int `json:"moved"`     // the same text in another section
	Reworded int `json:"reworded"`  // another text, or below other headings, in the same section
	NewTexts int `json:"new_texts"` // that the old one lacks: what a build has to embed
}

// DiffFindings are findings of one artifact alone. One on another line, of a document that moved, or of a link that leads
// nowhere for another reason is the same finding.
type DiffFindings struct {
	New  []DiffFinding `json:"new,omitempty"`
	Gone []DiffFinding `json:"gone,omitempty"`
}

// DiffFinding is one of them.
type DiffFinding struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// DiffOption is an option of the build, or what made the artifact, that differs.
type DiffOption struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}
