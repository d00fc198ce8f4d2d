package render

import (
	"kdd/runtime/wire"
)

// Pages knows where in the list of its items an answer begins, and makes the cursor of the next one.
type Pages struct {
	index, operation string // what a cursor is for
	request          any
	From             int // items before the first of this answer
}

// NewPages reads the cursor of a request, "" for the first answer. index is the id of what is asked, "" where the items are the
// same whatever that is.
func NewPages(index, operation, cursor string, request any) (*Pages, error) {
	p := &Pages{index: index, operation: operation, request: request}
	var err error
	if cursor != "" {
		p.From, err = wire.DecodeCursor(cursor, index, operation, request)
	}
	return p, err
}

// After returns the cursor of what follows the first n items of this answer.
func (p *Pages) After(n int) string {
	return wire.EncodeCursor(p.index, p.operation, p.request, p.From+n)
}

// Budget bounds an answer to maxBytes of JSON and of the text that an agent reads.
func (p *Pages) Budget(maxBytes int) wire.Budget {
	return wire.Budget{Bytes: maxBytes, Next: p.After, Text: func(answer any) int { return len(Text(answer, Style{Agent: true})) }}
}

// More says whether items are left when this answer has limit of them, all being how many there are, and gives the cursor of
// the rest.
func (p *Pages) More(all, limit int) (truncated bool, cursor string) {
	if p.From+limit >= all {
		return false, ""
	}
	return true, p.After(limit)
}
