package encoder

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt marks bytes that are not what their opener reads, or that contradict themselves.
	ErrCorrupt = errors.New("corrupt encoder data")
	// ErrModel marks a model or tokenizer that is well formed but of a kind this package does not evaluate.
	ErrModel = errors.New("model not supported")
)

// corrupt returns an ErrCorrupt: what was being read, then the reason.
func corrupt(what, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrCorrupt, what, fmt.Sprintf(format, args...))
}

// unsupported returns an ErrModel: what was being read, then what was found and what was wanted.
func unsupported(what, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrModel, what, fmt.Sprintf(format, args...))
}
