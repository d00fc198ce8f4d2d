package feedback

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/runtime/wire"
)

// The ratings.
const (
	Positive = "positive"
	Negative = "negative"
)

// The limits of a record's parts, in bytes.
const (
	maxQueryBytes    = 4 << 10
	maxResponseBytes = 32 << 10
	maxCommentBytes  = 4 << 10
	maxSessionBytes  = 200
	maxPlaces        = 50
)

// Record is one line of the file.
type Record struct {
	// hash of query, response, rating, session and comment; equal records have equal ids
	ID         string   `json:"id"`
	Time       string   `json:"time"` // RFC 3339, UTC
	Query      string   `json:"query"`
	Response   string   `json:"response"`
	Rating     string   `json:"rating"` // positive, negative
	Confidence float64  `json:"confidence,omitempty"`
	SessionID  string   `json:"session_id,omitempty"`
	Comment    string   `json:"comment,omitempty"`
	IndexID    string   `json:"index_id,omitempty"` // of the index that answered
	Places     []string `json:"places,omitempty"`   // path#anchor that the answer cited
}

// Check returns what is wrong with a record that someone sent; it sets the id of a good record.
//
// Errors: invalid_input, too_large; both name the field.
func (r *Record) Check() error {
	wrong := func(code, field, format string, args ...any) error {
		return wire.NewError(code, field+": "+fmt.Sprintf(format, args...), "").With("field", field)
	}
	if r.Rating = strings.ToLower(strings.TrimSpace(r.Rating)); r.Rating != Positive && r.Rating != Negative {
		return wrong(wire.CodeInvalidInput, "rating", "got %q, want positive or negative", wire.Clean(wire.Shorten(r.Rating, 40)))
	}
	if r.Query = strings.TrimSpace(r.Query); r.Query == "" {
		return wrong(wire.CodeInvalidInput, "query", "got nothing, want the question that was answered")
	}
	if !(r.Confidence >= 0 && r.Confidence <= 1) { // NaN too
		return wrong(wire.CodeInvalidInput, "confidence", "got %g, want 0 to 1", r.Confidence)
	}
	for _, part := range []struct {
		name, text string
		limit      int
	}{{"query", r.Query, maxQueryBytes}, {"response", r.Response, maxResponseBytes}, {"comment", r.Comment, maxCommentBytes}, {"session_id", r.SessionID, maxSessionBytes}} {
		if len(part.text) > part.limit {
			return wrong(wire.CodeTooLarge, part.name, "got %d bytes, want at most %d", len(part.text), part.limit)
		}
		if !utf8.ValidString(part.text) {
			return wrong(wire.CodeInvalidInput, part.name, "it is not UTF-8")
		}
	}
	r.Places = slices.Compact(slices.Clone(r.Places[:min(len(r.Places), maxPlaces)]))
	h := sha256.New()
	for _, part := range []string{r.Query, r.Response, r.Rating, r.SessionID, r.Comment} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	r.ID = hex.EncodeToString(h.Sum(nil)[:8])
	return nil
}
