package artifact

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// StoreOptions say which artifacts a Store has and how it names their sources.
type StoreOptions struct {
	Index   []string             // FILE or NAME=FILE, or a folder with one .kddx file; empty: looked for
	Dir     string               // working folder for the search; "" = the process's
	Environ map[string]string    // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT
	Root    string               // where sources may be found, for URLs; wins over KDD_ROOT
	Private bool                 // URLs never name files of this machine: only published sites and kdd://doc/
	Weights func(*index.Weights) // changes the constants of the ranking, for measurements; nil = they stay as compiled
	Log     *slog.Logger         // takes what an operator has to know; nil = slog.Default()
}

// Store has the artifacts that queries are answered from. It is safe for concurrent use. It opens nothing before the
// first call.
type Store struct {
	config StoreOptions

	mu      sync.Mutex
	Sources []*Source // nil until they have been found
}

// NewStore returns a store; it reads nothing yet.
func NewStore(o StoreOptions) *Store { return &Store{config: o} }

// Close releases the mappings after running calls have ended.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.Sources {
		src.close()
	}
	s.Sources = nil
}

// Open returns the artifacts for one call and opens those that are not open. They stay open until Set.Done, even if
// their files are replaced meanwhile. end is called when the call is done, also after an error.
func (s *Store) Open(ctx context.Context, end func()) (*Set, error) {
	if ctx.Err() != nil {
		end()
		return nil, wire.ContextError(ctx)
	}
	set, err := s.acquire()
	if err != nil {
		end()
		return nil, err
	}
	set.end, set.log, set.faults = end, s.config.Log, debug.SetPanicOnFault(true)
	return set, nil
}

// acquire returns the artifacts for one call and opens those that are not open.
func (s *Store) acquire() (*Set, error) {
	sources, err := s.FindSources()
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
