package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"kdd/runtime/render"
	"kdd/runtime/wire"
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
func (s *set) envelope(schema string) wire.Envelope {
	e := wire.Envelope{SchemaVersion: schema, IndexID: s.id()}
	if s.several() {
		for _, a := range s.artifacts {
			e.Indexes = append(e.Indexes, wire.IndexName{Name: a.name, ID: a.File.ID()})
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

// pager knows where in the list of its items an answer begins, and makes the cursor of the next one.
type pager struct {
	index, operation string // what a cursor is for
	request          any
	from             int // items before the first of this answer
}

// newPager reads the cursor of a request, "" for the first answer. index is the id of what is asked, "" where the items are the
// same whatever that is.
func newPager(index, operation, cursor string, request any) (*pager, error) {
	p := &pager{index: index, operation: operation, request: request}
	var err error
	if cursor != "" {
		p.from, err = wire.DecodeCursor(cursor, index, operation, request)
	}
	return p, err
}

// after returns the cursor of what follows the first n items of this answer.
func (p *pager) after(n int) string {
	return wire.EncodeCursor(p.index, p.operation, p.request, p.from+n)
}

// budget bounds an answer to maxBytes of JSON and of the text that an agent reads.
func (p *pager) budget(maxBytes int) wire.Budget {
	return wire.Budget{Bytes: maxBytes, Next: p.after, Text: func(answer any) int { return len(render.Text(answer, render.Style{Agent: true})) }}
}

// more says whether items are left when this answer has limit of them, all being how many there are, and gives the cursor of
// the rest.
func (p *pager) more(all, limit int) (truncated bool, cursor string) {
	if p.from+limit >= all {
		return false, ""
	}
	return true, p.after(limit)
}
