package format

import "encoding/json"

// Provenance is the payload of the provenance trailer, FORMAT.md §5: where the sources came from. It lies outside the
// root hash, so that the same sources give the same artifact whatever commit they are of.
type Provenance struct {
	Commit string `json:"source_commit,omitempty"`
	Date   string `json:"source_date,omitempty"` // of the commit, RFC 3339
	Dirty  bool   `json:"dirty,omitempty"`       // documents differ from the commit
	// Roots are the paths of the source folders below the top of their repository; none where those are their names.
	Roots []string `json:"roots,omitempty"`
}

// Provenance returns what the file's trailer says, nothing if there is none or it is malformed. It fails where Trailers
// does.
func (f *File) Provenance() Provenance {
	for _, t := range f.Trailers() {
		var p Provenance
		if t.Tag == TagProvenance && json.Unmarshal(t.Payload, &p) == nil {
			return p
		}
	}
	return Provenance{}
}

// Length returns the file's size without its trailers.
func (f *File) Length() uint64 { return f.head.length }
