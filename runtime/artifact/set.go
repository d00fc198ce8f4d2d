package artifact

import (
	"context"
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

	ctx    context.Context // of the call
	store  *Store
	log    *slog.Logger
	end    func() // called when the call is done
	faults bool   // the value of debug.SetPanicOnFault before the call
}

// Several says whether more than one artifact answers, so that answers name them.
func (s *Set) Several() bool { return len(s.Artifacts) > 1 }

// Reader returns a reader of an artifact's text for the call: it unpacks nothing more once the call's context has ended,
// and the call ends with timeout or canceled.
func (s *Set) Reader(a *Artifact) *index.Reader { return a.Text.ReaderWithin(s.ctx) }

// Indexes returns the index of each artifact.
func (s *Set) Indexes() []*index.Index {
	list := make([]*index.Index, len(s.Artifacts))
	for i, a := range s.Artifacts {
		list[i] = a.Index
	}
	return list
}

// ID identifies the content that a call answers from: the artifact's id, or a hash of the sorted ids of several.
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

// Envelope returns the beginning of an answer.
func (s *Set) Envelope(schema string) wire.Envelope {
	e := wire.Envelope{SchemaVersion: schema, IndexID: s.ID()}
	if s.Several() {
		for _, a := range s.Artifacts {
			e.Indexes = append(e.Indexes, wire.IndexName{Name: a.Name, ID: a.File.ID()})
		}
	}
	return e
}

// IndexName returns the name of the artifact that a hit is from; "" if it is the only artifact.
func (s *Set) IndexName(a *Artifact) string {
	if s.Several() {
		return a.Name
	}
	return ""
}

// Sections returns how many sections the artifacts have together.
func (s *Set) Sections() (n int) {
	for _, a := range s.Artifacts {
		n += a.Sections()
	}
	return n
}

// Documents returns how many documents the artifacts have together.
func (s *Set) Documents() (n int) {
	for _, a := range s.Artifacts {
		n += a.Docs()
	}
	return n
}
