package runtime

import (
	"context"

	"kdd/runtime/artifact"
)

// with runs f as an operation over the open artifacts.
func (s *Service) with(ctx context.Context, f func(set *artifact.Set) error) (err error) {
	set, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer set.Done(ctx, &err)
	return f(set)
}
