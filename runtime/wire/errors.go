package wire

import (
	"context"
	"errors"
	"strings"
)

// The codes of error.v1.
const (
	CodeInvalidInput   = "invalid_input"
	CodeNotFound       = "not_found"
	CodeIndexNotFound  = "index_not_found"
	CodeIndexCorrupt   = "index_corrupt"
	CodeIndexVersion   = "index_version"
	CodeIndexUntrusted = "index_untrusted"
	CodeNoVectors      = "no_vectors"
	CodeNoModel        = "no_model"
	CodeStaleCursor    = "stale_cursor"
	CodeStaleIndex     = "stale_index" // an artifact that lies elsewhere was replaced while it was read: ask again
	CodeTimeout        = "timeout"
	CodeTooLarge       = "too_large"
	CodeUnauthorized   = "unauthorized"
	CodeRateLimited    = "rate_limited"
	CodeIO             = "io_error"
	CodeInternal       = "internal"
)

// Error is error.v1: what every failed operation returns.
type Error struct {
	SchemaVersion string         `json:"schema_version"`
	Code          string         `json:"code"`              // invalid_input, not_found, ...
	Message       string         `json:"message"`           // what is wrong: got and want
	Hint          string         `json:"hint,omitempty"`    // how to cure it
	Details       map[string]any `json:"details,omitempty"` // field, suggestions and the like
	cause         error
}

// NewError returns an error of the code; hint may be "".
func NewError(code, message, hint string) *Error {
	return &Error{SchemaVersion: "error.v1", Code: code, Message: message, Hint: hint}
}

// Because sets the cause of e, for errors.Is and errors.As, and returns e.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// With adds a detail to e and returns e.
func (e *Error) With(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// Error returns the message and, if there is one, the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// Cure returns the hint. Other errors that know their cure have this method too.
func (e *Error) Cure() string { return e.Hint }

// From returns err as an error of the code, with place in front of its text. If err, or an error that it wraps, has a
// method Cure and the text ends with "; " and that cure, the cure becomes the hint and the text before it the message.
// Else the whole text is the message.
func From(code, place string, err error) *Error {
	e := NewError(code, place+err.Error(), "").Because(err)
	var curable interface{ Cure() string }
	if errors.As(err, &curable) && curable.Cure() != "" {
		if wrong, ok := strings.CutSuffix(e.Message, "; "+curable.Cure()); ok {
			e.Message, e.Hint = wrong, curable.Cure()
		}
	}
	return e
}

// Unwrap returns the cause of e, or nil.
func (e *Error) Unwrap() error { return e.cause }

// ContextError returns the timeout error for a context that has ended: a deadline, or a cancellation.
func ContextError(ctx context.Context) error {
	err := context.Cause(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return NewError(CodeTimeout, "the operation took too long", "ask for less, or raise the time limit").Because(err)
	}
	return NewError(CodeTimeout, "the operation was cancelled", "").Because(err)
}

// AsError returns the *Error that err is or wraps; any other error becomes one of code internal.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return From(CodeInternal, "", err)
}
