package render

import (
	"kdd/runtime/wire"
)

// Pages knows at which item an answer begins, and makes the cursor of the next answer.
type Pages struct {
	index, operation string // what a cursor is for
	request          any
	From             int // items before the first of this answer
}

// NewPages reads the cursor of a request, "" for the first answer. index is the id of the artifact that is asked, "" if
// the items do not depend on it.
func NewPages(index, operation, cursor string, request any) (*Pages, error) {
	p := &Pages{index: index, operation: operation, request: request}
	var err error
	if cursor != "" {
		p.From, err = wire.DecodeCursor(cursor, index, operation, request)
	}
	return p, err
}

// After returns the cursor of the answer that continues after the first n items of this one.
func (p *Pages) After(n int) string {
	return wire.EncodeCursor(p.index, p.operation, p.request, p.From+n)
}

// Budget bounds an answer to maxBytes of JSON and of the text that an agent reads.
func (p *Pages) Budget(maxBytes int) wire.Budget {
	return wire.Budget{Bytes: maxBytes, Next: p.After, Text: func(answer any) int { return len(Text(answer, Style{Agent: true})) }}
}

// More reports whether items are left after an answer of limit items, of all in total, and returns the cursor of the
// rest.
func (p *Pages) More(all, limit int) (truncated bool, cursor string) {
	if p.From+limit >= all {
		return false, ""
	}
	return true, p.After(limit)
}
