package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// Set is the artifacts of one call.
type Set struct {
	Artifacts []*Artifact
	Where     func(*Artifact) *Locator

	log    *slog.Logger
	end    func() // of the call's turn
	faults bool   // what debug.SetPanicOnFault was before
}

// Several says whether more than one artifact answers, so that answers name them.
func (s *Set) Several() bool { return len(s.Artifacts) > 1 }

// Indexes returns the format's view of each artifact.
func (s *Set) Indexes() []*index.Index {
	list := make([]*index.Index, len(s.Artifacts))
	for i, a := range s.Artifacts {
		list[i] = a.Index
	}
	return list
}

// Id names what a call answers from: the artifact's id, or the hash of the sorted ids of several.
func (s *Set) ID() string {
	if !s.Several() {
		return s.Artifacts[0].File.ID()
	}
	ids := make([]string, len(s.Artifacts))
	for i, a := range s.Artifacts {
		ids[i] = a.File.ID()
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return hex.EncodeToString(sum[:8])
}

// Envelope begins an answer.
func (s *Set) Envelope(schema string) wire.Envelope {
	e := wire.Envelope{SchemaVersion: schema, IndexID: s.ID()}
	if s.Several() {
		for _, a := range s.Artifacts {
			e.Indexes = append(e.Indexes, wire.IndexName{Name: a.Name, ID: a.File.ID()})
		}
	}
	return e
}

// IndexName is the name that hits of an artifact carry: none where it is the only one.
func (s *Set) IndexName(a *Artifact) string {
	if s.Several() {
		return a.Name
	}
	return ""
}

// Sections is how many sections the artifacts have: there are no more hits.
func (set *Set) Sections() int {
	n := 0
	for _, a := range set.Artifacts {
		n += a.Sections()
	}
	return n
}

// Documents is how many the artifacts have.
func (set *Set) Documents() int {
	n := 0
	for _, a := range set.Artifacts {
		n += a.Docs()
	}
	return n
}
