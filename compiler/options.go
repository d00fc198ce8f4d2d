package compiler

import (
	"kdd/compiler/diag"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/remote"
	"kdd/format/index"
)

// Options says what to compile and where to.
type Options struct {
	Sources      []string // folders or files
	Output       string   // the artifact; "" = the first folder's base name + ".kddx" in the working folder
	Drafts       bool     // keep documents with draft: true or published: false
	FollowLinks  bool     // follow links that leave a source folder
	KeepGoing    bool     // leave out what cannot be read; else a source.IncompleteError, and nothing is written
	MaxFileBytes int64    // of a document; 0 = source.DefaultMaxFileBytes
	Strict       bool     // any warning: nothing is written, ErrFindings
	Include      []string // globs; empty = all
	Exclude      []string
	SiteURL      string   // absolute links below it count as "/..."
	BaseURL      string   // where the documents are published: the URLs of answers
	Title        string   // of the index, for stats and pages
	Commit       string   // --source-commit: "" = none, AutoCommit = the last commit that touched the sources
	Dialects     []string // generators of folders: "hugo" for all, "website=docusaurus"; what they do not name is found
	Language     string   // of documents whose language is neither given nor detected
	Version      string   // of the program
	NoVectors    bool
	Model        string         // name or folder of the document encoder; "" = the default one
	Engine       string         // auto, onnx, go; "" = auto
	Library      string         // path of ONNX Runtime's shared library; "" = looked for
	Dimensions   int            // that are kept of the model's vectors, the first ones; 0 = all
	Floats       bool           // keep the float32 vectors too
	Encoder      string         // of queries: distilled, exact, none; "" = distilled
	EncoderFrom  string         // an artifact whose distilled encoder is taken; "" = it is learned
	Embedder     engine.Engine  // takes the place of the model's engine, as measurements need it; nil = the model's
	Device       string         // that the engine runs on: cpu, cuda; "" = cpu
	Parts        []string       // files of vectors made before (Embed), or patterns of their names
	Remote       remote.Options // the server that embeds, unless its URL is ""
	RemotePrefix string         // what its model wants before a document
	PartsOnly    bool           // embed nothing: the engine is that of the parts, and a text that they lack is an error
	// parts of several engines are taken: last bits of vectors, and so the file, then depend on which machine made what
	MixedEngines bool
	Fresh        bool         // take no vector from the file that is replaced, nor from the cache; Parts are taken
	CacheDir     string       // of vectors; "" = the user's cache folder, "-" = none
	Notice       func(string) // hears what the user should know but need not act on; nil = nobody
	Progress     Progress     // nil = silent
	Golden       *Golden      // questions with their answers, to be carried; nil = none
	Memory       *Memory      // of documents parsed by the builds before; nil = none
	Before       *Report      // of the build before in this process: what would be the same is not written; nil = none
	// WordsFirst hears of an artifact without vectors that was written before anything is embedded. It is written only where
	// nothing lies at the output's place, and replaced once the vectors are there. nil = none is written
	WordsFirst func(*Report)
	Config     *Config // what kdd.yaml adds: kinds, relations, section rules; nil = none
}

// Progress hears how a build goes. Calls come from one goroutine at a time.
type Progress interface {
	// Phase begins a phase of total steps (0 = unknown).
	Phase(name string, total int)
	// Step adds n done steps.
	Step(n int)
}

// Config is what kdd.yaml may add to the tables of the compiler.
type Config struct {
	// Rules is what graph.ParseRules takes: the text of kdd.yaml's "graph" part on its own lines, as package cmd passes
	// it, or the whole of kdd.yaml with that key. Other keys are not looked at.
	Rules []byte
	Path  string // of kdd.yaml, for messages
}

// Report is build_report.v1.
type Report struct {
	SchemaVersion string         `json:"schema_version"`
	IndexID       string         `json:"index_id,omitempty"`  // absent if nothing was written
	Path          string         `json:"path,omitempty"`      // of the artifact
	Unchanged     bool           `json:"unchanged,omitempty"` // the build before in this process had made the artifact
	FileBytes     int64          `json:"file_bytes"`          // of the artifact
	SourceBytes   int64          `json:"source_bytes"`        // of the markdown
	Counts        ReportCounts   `json:"counts"`              // what was compiled
	Skipped       map[string]int `json:"skipped,omitempty"`   // files left out, by reason
	Sites         []index.Site   `json:"sites,omitempty"`     // that generators make of the documents
	Blocks        []ReportBlock  `json:"blocks,omitempty"`    // of the artifact
	// vectors that were taken from the artifact that is replaced
	Reused      int                `json:"reused"`
	Given       int                `json:"given"`                 // vectors that came from files of vectors
	Embedded    int                `json:"embedded"`              // vectors that were made here
	Diagnostics []diag.JSON        `json:"diagnostics,omitempty"` // findings, sorted by place
	Severities  map[string]int     `json:"severities,omitempty"`  // findings by severity
	Seconds     map[string]float64 `json:"seconds"`               // by phase, and "total"

	// Listing has one line per file, for --list: documents, files that they include, what is skipped.
	Listing []Listed `json:"files,omitempty"`
	// Diags are the diagnostics as values, sorted.
	Diags []diag.Diagnostic `json:"-"`

	made     string   // names sources and options: Options.made
	included []string // files that documents include, absolute and without links in them; with Options.Memory
}

// ReportCounts are the sizes of what was compiled.
type ReportCounts struct {
	Documents int `json:"documents"`
	Sections  int `json:"sections"`
	Chunks    int `json:"chunks"`
	Terms     int `json:"terms"`
	Edges     int `json:"edges"`
	Links     int `json:"links"` // that should lead to a document
	Resolved  int `json:"resolved"`
	Includes  int `json:"includes,omitempty"` // directives that put a file's text in their place
	Included  int `json:"included,omitempty"` // that were followed
	Outside   int `json:"outside,omitempty"`  // links to what is not among the sources
	Vectors   int `json:"vectors"`
	Questions int `json:"questions,omitempty"` // that the artifact carries
}

// ReportBlock is the size of one block of the artifact.
type ReportBlock struct {
	Tag   string `json:"tag"`
	Bytes int64  `json:"bytes"`
	Rows  int64  `json:"rows"`
}

// Listed is what became of one file.
type Listed struct {
	Path   string `json:"path"`
	Status string `json:"status"` // "compiled", "included" into documents, or "skipped"
	Reason string `json:"reason,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Bytes  int64  `json:"bytes"`
	Chunks int    `json:"chunks,omitempty"`
}
