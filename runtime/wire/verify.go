package wire

// VerifyReport is verify_report.v1.
type VerifyReport struct {
	SchemaVersion string       `json:"schema_version"`
	OK            bool         `json:"ok"`    // every file could be read and has no problem
	Files         []VerifyFile `json:"files"` // those that could be read, in the order in which they were named
}

// VerifyFile is what was found in one artifact.
type VerifyFile struct {
	Path     string          `json:"path"` // of the artifact, as it was named
	OK       bool            `json:"ok"`
	Problems []VerifyProblem `json:"problems,omitempty"`
}

// VerifyProblem is a block that is broken.
type VerifyProblem struct {
	Block  string `json:"block"`  // its tag
	Offset int64  `json:"offset"` // in the file
	Text   string `json:"text"`   // what is wrong
}
