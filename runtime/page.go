package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"kdd/runtime/shape"
)

// id names what a call answers from: the artifact's id, or the hash of the sorted ids of several.
func (s *set) id() string {
	if !s.several() {
		return s.artifacts[0].File.ID()
	}
	ids := make([]string, len(s.artifacts))
	for i, a := range s.artifacts {
		ids[i] = a.File.ID()
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return hex.EncodeToString(sum[:8])
}

// envelope begins an answer.
func (s *set) envelope(schema string) shape.Envelope {
	e := shape.Envelope{SchemaVersion: schema, IndexID: s.id()}
	if s.several() {
		for _, a := range s.artifacts {
			e.Indexes = append(e.Indexes, shape.IndexName{Name: a.name, ID: a.File.ID()})
		}
	}
	return e
}

// indexName is the name that hits of an artifact carry: none where it is the only one.
func (s *set) indexName(a *artifact) string {
	if s.several() {
		return a.name
	}
	return ""
}

// offset reads a cursor: where the answer goes on; 0 without one.
func (s *set) offset(operation, cursor string, request any) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	return shape.DecodeCursor(cursor, s.id(), operation, request)
}

// page says whether [from, from+limit) of n items leaves some for a next answer, and gives its cursor.
func (s *set) page(n, from, limit int, truncated *bool, cursor *string, token func(at int) string) {
	if from+limit < n {
		*truncated, *cursor = true, token(from+limit)
	}
}
