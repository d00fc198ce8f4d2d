package wire

// Provenance is provenance.v1: what an artifact says of itself. Nothing of it is checked.
type Provenance struct {
	SchemaVersion string             `json:"schema_version"`
	Path          string             `json:"path"`                 // of the artifact, as it was named
	IndexID       string             `json:"index"`                // the first 16 digits of root
	Root          string             `json:"root"`                 // root hash, 64 hexadecimal digits
	Format        int                `json:"format"`               // version of the file format
	MadeBy        string             `json:"made_by"`              // "kdd" and its version
	Title         string             `json:"title,omitempty"`      // that the build was given
	Documents     int                `json:"documents"`            // how many
	TreeHash      string             `json:"tree_hash"`            // SHA-256 over path, size and hash of each source
	OptionsHash   string             `json:"options_hash"`         // over everything that shapes the artifact
	Commit        string             `json:"commit,omitempty"`     // of the sources, as the build was told
	Date          string             `json:"date,omitempty"`       // of the commit, RFC 3339
	Dirty         bool               `json:"dirty,omitempty"`      // documents differ from the commit
	Encoder       string             `json:"encoder"`              // of queries: none, distilled or exact
	Model         *ModelStats        `json:"model,omitempty"`      // of the vectors; absent where there are none
	Signatures    []ClaimedSignature `json:"signatures,omitempty"` // of this very artifact, in it or beside it
}

// ClaimedSignature is a signature that nobody has checked.
type ClaimedSignature struct {
	Kind   string `json:"kind"`             // minisign, signify or ssh
	Name   string `json:"name"`             // under which the artifact is signed
	Commit string `json:"commit,omitempty"` // that is signed
	Date   string `json:"date,omitempty"`   // of that commit, RFC 3339
}
