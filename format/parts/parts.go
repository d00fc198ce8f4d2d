// Package parts says how an artifact lies on a host as many small files: parts of one size, each named by the hash of
// its bytes, and a manifest that lists them. A host of such needs no ranges, may keep parts for ever, and may compress
// what it likes.
//
//	docs.kddx.json            the manifest, parts.v1
//	parts/3f/3f1c09…          a part, with the 64 hex digits of its SHA-256
//
// A manifest comes from somewhere else, so nothing in it names a path: Parse checks all of it.
package parts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// What a manifest looks like, and its limits.
const (
	SchemaVersion = "parts.v1"
	Extension     = ".kddx.json" // of a manifest
	Folder        = "parts"      // of the parts, beside the manifest

	PartBytes    = 256 << 10 // of the parts that kdd writes
	minPartBytes = 16 << 10
	maxPartBytes = 1 << 20
	// MaxManifestBytes is the most that a manifest may have: that of 60 GB in parts of PartBytes
	MaxManifestBytes = 16 << 20
)

// Manifest is parts.v1: which parts a file has.
type Manifest struct {
	SchemaVersion string   `json:"schema_version"`
	Name          string   `json:"name"`       // of the file, without a folder
	Bytes         int64    `json:"bytes"`      // of the file
	Root          string   `json:"root"`       // the artifact's root hash, 64 hex digits
	PartBytes     int64    `json:"part_bytes"` // of each part but the last one
	Parts         []string `json:"parts"`      // SHA-256 of each part, 64 hex digits
}

// New returns the manifest of a file of no parts yet, which come by Append.
func New(name string, bytes int64, root [32]byte) *Manifest {
	return &Manifest{SchemaVersion: SchemaVersion, Name: name, Bytes: bytes, Root: hex.EncodeToString(root[:]),
		PartBytes: PartBytes, Parts: []string{}}
}

// Append adds the next part of the file and returns its name.
func (m *Manifest) Append(part []byte) (name string) {
	sum := sha256.Sum256(part)
	name = hex.EncodeToString(sum[:])
	m.Parts = append(m.Parts, name)
	return name
}

// Encode returns the manifest as JSON, a line for each part.
func (m *Manifest) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	if b.Len() > MaxManifestBytes {
		return nil, fmt.Errorf("a manifest of %d bytes, want at most %d", b.Len(), MaxManifestBytes)
	}
	return b.Bytes(), nil
}

// Size is the number of bytes of part i.
func (m *Manifest) Size(i int) int64 { return min(m.PartBytes, m.Bytes-int64(i)*m.PartBytes) }

// Parse reads a manifest and checks it. Fields that are not known are left out.
func Parse(data []byte) (*Manifest, error) {
	if len(data) > MaxManifestBytes {
		return nil, fmt.Errorf("a manifest of %d bytes, want at most %d", len(data), MaxManifestBytes)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("no manifest of parts: %w", err)
	}
	switch {
	case m.SchemaVersion == "":
		return nil, errors.New("no manifest of parts: no schema_version")
	case m.SchemaVersion != SchemaVersion:
		return nil, fmt.Errorf("schema_version %.40q, want %q", m.SchemaVersion, SchemaVersion)
	case m.Bytes <= 0:
		return nil, fmt.Errorf("bytes is %d, want a length", m.Bytes)
	case m.PartBytes < minPartBytes || m.PartBytes > maxPartBytes:
		return nil, fmt.Errorf("part_bytes is %d, want %d to %d", m.PartBytes, minPartBytes, maxPartBytes)
	case !isSum(m.Root):
		return nil, fmt.Errorf("root is %.80q, want 64 hex digits", m.Root)
	}
	if want := (m.Bytes-1)/m.PartBytes + 1; int64(len(m.Parts)) != want {
		return nil, fmt.Errorf("%d parts of %d bytes for a file of %d, want %d", len(m.Parts), m.PartBytes, m.Bytes, want)
	}
	for i, sum := range m.Parts {
		if !isSum(sum) {
			return nil, fmt.Errorf("part %d is %.80q, want 64 hex digits", i, sum)
		}
	}
	return &m, nil
}

// Path is where a part lies, from the manifest's folder on. There are 256 folders, so that none gets too large.
func Path(name string) string { return path.Join(Folder, name[:2], name) }

// IsPath says whether Path gives p for some part.
func IsPath(p string) bool { return isSum(path.Base(p)) && Path(path.Base(p)) == p }

// ManifestName is the name of a file's manifest.
func ManifestName(file string) string { return strings.TrimSuffix(file, ".kddx") + Extension }

// isSum says whether s has the form of a hash: 64 digits, small letters.
func isSum(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}
