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
	// hash of query, response, rating, session and comment: what makes it the same record
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

// Check says what is wrong with a record that someone sent, else gives it its id.
//
// Errors: invalid_input, too_large; both name the field.
func (r *Record) Check() error {
	if r.Rating = strings.ToLower(strings.TrimSpace(r.Rating)); r.Rating != Positive && r.Rating != Negative {
		return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("rating: got %q, want positive or negative", wire.Clean(wire.Shorten(r.Rating, 40))), "").With("field", "rating")
	}
	if r.Query = strings.TrimSpace(r.Query); r.Query == "" {
		return wire.NewError(wire.CodeInvalidInput, "query: got nothing, want the question that was answered", "").With("field", "query")
	}
	if !(r.Confidence >= 0 && r.Confidence <= 1) { // NaN too
		return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("confidence: got %g, want 0 to 1", r.Confidence), "").With("field", "confidence")
	}
	for _, part := range []struct {
		name, text string
		most       int
	}{{"query", r.Query, maxQueryBytes}, {"response", r.Response, maxResponseBytes}, {"comment", r.Comment, maxCommentBytes}, {"session_id", r.SessionID, maxSessionBytes}} {
		if len(part.text) > part.most {
			return wire.NewError(wire.CodeTooLarge, fmt.Sprintf("%s: got %d bytes, want at most %d", part.name, len(part.text), part.most), "").With("field", part.name)
		}
		if !utf8.ValidString(part.text) {
			return wire.NewError(wire.CodeInvalidInput, part.name+": it is not UTF-8", "").With("field", part.name)
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
