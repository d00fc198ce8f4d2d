package wire

import (
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

// Because returns e with cause behind it, for errors.Is and errors.As.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// With returns e with one more detail.
func (e *Error) With(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// Error returns the message, and the hint behind it.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// Cure returns the hint: an Error is found as other errors with a cure are.
func (e *Error) Cure() string { return e.Hint }

// From returns err as an error of the code, with place in front of its text: what is wrong is the message, the cure
// that err or one that it wraps has by a method Cure is the hint. The text of such an error ends with "; " and its
// cure, and so must that of what wraps it; one that says more behind the cure keeps both in its message.
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

// Unwrap returns what caused e, or nil.
func (e *Error) Unwrap() error { return e.cause }

// AsError returns err as an *Error; one that is none of ours becomes code internal.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return From(CodeInternal, "", err)
}
