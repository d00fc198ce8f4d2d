package runtime

import "context"

// Ready opens the artifacts, as the first call does, and returns their id.
//
// It waits for no turn. Errors: those of opening, such as index_not_found and index_corrupt.
func (s *Service) Ready(ctx context.Context) (id string, err error) {
	err = s.open(ctx, func(set *set) error {
		id = set.id()
		return nil
	})
	return id, err
}
