package artifact

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"kdd/format/index"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// StoreOptions say which artifacts a Store has and how it names their sources.
type StoreOptions struct {
	Index   []string             // FILE or NAME=FILE, or a folder with one .kddx file, or a lock; empty: looked for
	Dir     string               // working folder for the search; "" = the process's
	Environ map[string]string    // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT
	Root    string               // where sources may be found, for URLs; wins over KDD_ROOT
	Private bool                 // URLs never name files of this machine: only published sites and kdd://doc/
	Trust   trust.Options        // which artifacts are answered from
	Weights func(*index.Weights) // changes the constants of the ranking, for measurements; nil = they stay as compiled
	Log     *slog.Logger         // takes what an operator has to know; nil = slog.Default()
	Idle    time.Duration        // after so long without a call files are closed until the next; 0 = never
}

// logger takes what an operator has to know.
func (s *Store) logger() *slog.Logger {
	if s.config.Log == nil {
		return slog.Default()
	}
	return s.config.Log
}

// Store has the artifacts that queries are answered from. It is safe for concurrent use. It opens nothing before the
// first call.
type Store struct {
	config StoreOptions
	policy func() (*trust.Policy, error)

	mu      sync.Mutex
	Sources []*Source   // nil until they have been found
	locks   []lockFile  // that Sources are from
	calls   int         // that run
	idle    *time.Timer // closes the files; nil while calls run
}

// NewStore returns a store; it reads nothing yet.
func NewStore(o StoreOptions) *Store {
	o.Trust.Environ, o.Trust.Log = o.Environ, o.Log
	return &Store{config: o, policy: sync.OnceValues(o.Trust.Policy)}
}

// Close releases the mappings after running calls have ended.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.Sources {
		src.close()
	}
	s.Sources = nil
	if s.idle != nil {
		s.idle.Stop()
	}
}

// began counts a call that runs; ended counts it off, and the last one sets the clock.
func (s *Store) began() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.idle != nil {
		s.idle.Stop()
		s.idle = nil
	}
}

func (s *Store) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls--; s.calls == 0 && s.config.Idle > 0 {
		s.idle = time.AfterFunc(s.config.Idle, s.rest)
	}
}

// rest closes the files, unless a call has begun since.
func (s *Store) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls > 0 {
		return
	}
	for _, src := range s.Sources {
		src.close()
	}
}

// Open returns the artifacts for one call and opens those that are not open. They stay open until Set.Done, even if
// their files are replaced meanwhile. With meaning the call may compare meanings, which is read ahead of artifacts that
// lie elsewhere. end is called when the call is done, also after an error.
func (s *Store) Open(ctx context.Context, meaning bool, end func()) (*Set, error) {
	if ctx.Err() != nil {
		end()
		return nil, wire.ContextError(ctx)
	}
	set, err := s.acquire(meaning)
	if err != nil {
		end()
		return nil, err
	}
	set.ctx, set.end, set.log, set.faults = ctx, end, s.config.Log, debug.SetPanicOnFault(true)
	return set, nil
}

// acquire returns the artifacts for one call and opens those that are not open.
func (s *Store) acquire(meaning bool) (*Set, error) {
	sources, err := s.FindSources()
	if err != nil {
		return nil, err
	}
	s.began()
	set := &Set{store: s, Where: func(a *Artifact) *Locator { return s.Locator(a, len(sources) > 1) }}
	for _, src := range sources {
		a, err := src.Acquire(meaning)
		if err != nil {
			set.release()
			s.Forget(src)
			return nil, err
		}
		set.Artifacts = append(set.Artifacts, a)
	}
	return set, nil
}
