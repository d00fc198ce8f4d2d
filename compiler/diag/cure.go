package diag

import "fmt"

// Curable is an error that says what its user can do about it. The text of the error, and of those that wrap it, ends
// with "; " and the cure, unless that is "".
type Curable interface {
	error
	Cure() string
}

// Cure returns an error whose text is what is wrong, by fmt.Errorf from text and args, and behind it the cure.
func Cure(cure, text string, args ...any) error { return &cured{fmt.Errorf(text, args...), cure} }

// Or returns an error of Cure with one more cure behind its own; another error stays as it is.
func Or(err error, cure string) error {
	if c, ok := err.(*cured); ok {
		return &cured{c.err, c.cure + ", or " + cure}
	}
	return err
}

// cured is an error with its cure.
type cured struct {
	err  error
	cure string
}

// Error returns what is wrong, and the cure behind it.
func (e *cured) Error() string { return e.err.Error() + "; " + e.cure }

// Unwrap returns what is wrong.
func (e *cured) Unwrap() error { return e.err }

// Cure returns the cure.
func (e *cured) Cure() string { return e.cure }
