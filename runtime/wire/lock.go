package wire

// LockReport is lock_report.v1: what add, fetch or update has done with a lock.
type LockReport struct {
	SchemaVersion string         `json:"schema_version"`
	Lock          string         `json:"lock"`              // path of the file
	OK            bool           `json:"ok"`                // every artifact is there, whole, and the one that is pinned
	Changed       bool           `json:"changed"`           // the file was written; with a dry run: would be
	DryRun        bool           `json:"dry_run,omitempty"` // nothing was written
	Artifacts     []LockArtifact `json:"artifacts"`         // those that were asked for, sorted by name
}

// The states of a LockArtifact.
const (
	LockAdded   = "added"   // the lock pins it now
	LockFetched = "fetched" // it was brought
	LockPresent = "present" // it was there, whole
	LockCurrent = "current" // its source has what is pinned
	LockMoved   = "moved"   // the pin was moved, or has to be
	LockFailed  = "failed"  // see problem
)

// LockArtifact is one artifact of a lock.
type LockArtifact struct {
	Name     string `json:"name"`
	Source   string `json:"source"`              // where it is published, as the lock has it
	Resolved string `json:"resolved,omitempty"`  // what that stood for, in a registry
	Root     string `json:"root"`                // its root hash
	From     string `json:"from,omitempty"`      // the root hash that was pinned before
	Bytes    int64  `json:"bytes"`               // of the file, without the signatures behind it
	SignedAs string `json:"signed_as,omitempty"` // the name that it is signed under
	Key      string `json:"key,omitempty"`       // that has signed it: "minisign" and its number, or an SSH key's fingerprint
	State    string `json:"state"`               // added, fetched, present, current, moved or failed
	Path     string `json:"path,omitempty"`      // of the file on this machine

	DownloadedBytes int64 `json:"downloaded_bytes"` // that came from the host in this run
	ReusedBytes     int64 `json:"reused_bytes"`     // that a file of this machine had

	Problem *Error      `json:"problem,omitempty"` // of what failed
	Diff    *DiffReport `json:"diff,omitempty"`    // of update: what the artifact has beside the one that was pinned
	Note    string      `json:"note,omitempty"`    // why there is no diff
}
