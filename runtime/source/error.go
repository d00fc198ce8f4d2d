package source

import "errors"

// The kinds of errors, for errors.Is.
var (
	// ErrChanged says that a host has another version of the artifact than the one that was opened.
	ErrChanged = errors.New("the artifact was replaced at its source")
	// ErrUnreachable says that nobody answers, or too slowly.
	ErrUnreachable = errors.New("the source does not answer")
	// ErrUnauthorized says that a host wants other credentials, or some.
	ErrUnauthorized = errors.New("the source wants credentials")
	// ErrNotFound says that a host has no such file.
	ErrNotFound = errors.New("the source has no such file")
	// ErrRateLimited says that a host wants fewer requests.
	ErrRateLimited = errors.New("the source wants fewer requests")
	// ErrTooLarge says that a file would have to be read whole and is above the limit for that.
	ErrTooLarge = errors.New("the file is above the limit")
)

// Error says what is wrong with a source, and what its user can do about it.
type Error struct {
	Place string // where the artifact lies: a URL without user, password and query
	Wrong string // what came, and what was wanted
	Hint  string // the cure; "" = none
	Kind  error  // one of the above, or nil
}

// Error returns place, what is wrong and the cure.
func (e *Error) Error() string {
	text := e.Place + ": " + e.Wrong
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Cure returns the cure.
func (e *Error) Cure() string { return e.Hint }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }
