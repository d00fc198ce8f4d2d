package wire

import (
	"context"
	"errors"
)

func ContextError(ctx context.Context) error {
	err := context.Cause(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return NewError(CodeTimeout, "the operation took too long", "ask for less, or raise the time limit").Because(err)
	}
	return NewError(CodeTimeout, "the operation was cancelled", "").Because(err)
}
