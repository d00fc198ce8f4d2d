package artifact

import (
	"log/slog"
	"sync"

	"kdd/format/index"
)

// StoreOptions say which artifacts there are and how their sources are named; see Config.
type StoreOptions struct {
	Index   []string
	Dir     string
	Environ map[string]string
	Root    string
	Private bool
	Weights func(*index.Weights)
	Log     *slog.Logger
}

// Store has the artifacts that are answered from. It is safe for concurrent use. Nothing is opened before the first
// call.
type Store struct {
	config StoreOptions

	mu      sync.Mutex
	Sources []*Source // once they have been found
}

// NewStore returns a store; it reads nothing yet.
func NewStore(o StoreOptions) *Store { return &Store{config: o} }

// Close releases the mappings once running calls have ended.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.Sources {
		src.close()
	}
	s.Sources = nil
}

// acquire opens the artifacts for one call, or takes those that are open.
func (s *Store) acquire() (*Set, error) {
	sources, err := s.Find()
	if err != nil {
		return nil, err
	}
	set := &Set{Where: func(a *Artifact) *Locator { return s.Locator(a, len(sources) > 1) }}
	for _, src := range sources {
		a, err := src.Acquire()
		if err != nil {
			set.release()
			s.Forget(src)
			return nil, err
		}
		set.Artifacts = append(set.Artifacts, a)
	}
	return set, nil
}
