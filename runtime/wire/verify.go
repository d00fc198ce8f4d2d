package wire

// VerifyReport is verify_report.v1.
type VerifyReport struct {
	SchemaVersion string       `json:"schema_version"`
	OK            bool         `json:"ok"`    // every file could be read and has no problem
	Files         []VerifyFile `json:"files"` // those that could be read, in the order in which they were named
}

// VerifyFile is what was found in one artifact.
type VerifyFile struct {
	Path string `json:"path"` // of the artifact, as it was named
	OK   bool   `json:"ok"`
	// Signature is the one that counts; absent if no key was named
	Signature *VerifySignature `json:"signature,omitempty"`
	Problems  []VerifyProblem  `json:"problems,omitempty"`
}

// VerifySignature is a signature by one of the keys that were named.
type VerifySignature struct {
	Name   string `json:"name"`             // that the artifact was signed under
	Commit string `json:"commit,omitempty"` // of its sources
	Date   string `json:"date,omitempty"`   // of that commit, RFC 3339
	Kind   string `json:"kind"`             // minisign, signify or ssh
	Key    string `json:"key"`              // "minisign" and its number, or an SSH key's fingerprint and principals
}

// VerifyProblem is a block that is broken.
type VerifyProblem struct {
	Block  string `json:"block"`  // its tag
	Offset int64  `json:"offset"` // in the file
	Text   string `json:"text"`   // what is wrong
}
