package runtime

import (
	"context"
	"log/slog"
	"time"

	"kdd/format/index"
	"kdd/runtime/answer"
	"kdd/runtime/answer/ask"
	"kdd/runtime/answer/generate"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// Config says which artifacts a Service answers from and how it names their sources.
type Config struct {
	Index   []string          // FILE or NAME=FILE, or a folder with one .kddx file; empty: looked for
	Dir     string            // working folder for the search; "" = the process's
	Environ map[string]string // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT
	Root    string            // where sources may be found, for URLs; wins over KDD_ROOT
	Version string            // of the program, for schema and reports
	// URLs never name files of this machine: only published sites and kdd://doc/; nor do answers say why a language
	// model failed
	Private bool
	Model   *generate.Model // a language model that writes answers; nil: they are made of sentences of the documents

	// Turns is how many operations are worked on at once; the others wait in the order in which they came. 0: any
	// number. They keep the processors busy while they last, so more at once than there are processors only makes each
	// later, and some by far. An answer that a language model writes takes a turn for its search alone.
	Turns int

	// Weights changes the constants of the ranking of every artifact that is opened; nil = they stay as compiled. It is
	// for measurements (kdd/bench): scores are then no longer what the artifact was calibrated for. Constants that a
	// file may not have are refused as the file's would be.
	Weights func(*index.Weights)

	// Log takes what an operator has to know, such as the stack of a panic; nil = slog.Default().
	Log *slog.Logger

	// Checks are what the program around the Service has to say to doctor: about its configuration and the like.
	Checks func(context.Context) []wire.Check
}

// Service answers from artifacts. It is safe for concurrent use. Nothing is opened before the first call.
type Service struct {
	config Config
	turns  chan struct{} // one for each operation that is worked on; nil: any number
	store  *artifact.Store
	asker  *ask.Asker
}

// New returns a Service; it reads nothing yet, so it cannot fail.
func New(c Config) *Service {
	s := &Service{config: c}
	s.store = artifact.NewStore(artifact.StoreOptions{Index: c.Index, Dir: c.Dir, Environ: c.Environ, Root: c.Root, Private: c.Private, Weights: c.Weights, Log: c.Log})
	s.asker = &ask.Asker{Open: s.open, Sessions: answer.NewSessions(time.Now), Model: c.Model, Private: c.Private}
	if c.Turns > 0 {
		s.turns = make(chan struct{}, c.Turns)
	}
	return s
}

// Close releases the mappings once running calls have ended. The Service may not be used after it.
func (s *Service) Close() error {
	s.store.Close()
	return nil
}

// Paths returns the artifacts that the Service would answer from, without opening them: FILE, or NAME=FILE where the
// name is not the file's own.
func (s *Service) Paths() ([]string, error) { return s.store.Paths() }

// Ready opens the artifacts, as the first call does, and returns their id.
//
// It waits for no turn. Errors: those of opening, such as index_not_found and index_corrupt.
func (s *Service) Ready(ctx context.Context) (id string, err error) {
	set, err := s.store.Open(ctx, func() {})
	if err != nil {
		return "", err
	}
	defer set.Done(ctx, &err)
	return set.ID(), nil
}

// open opens the artifacts for one operation once it is its turn.
func (s *Service) open(ctx context.Context) (*artifact.Set, error) {
	if s.turns == nil {
		return s.store.Open(ctx, func() {})
	}
	select {
	case s.turns <- struct{}{}:
		return s.store.Open(ctx, func() { <-s.turns })
	case <-ctx.Done():
		return nil, wire.ContextError(ctx)
	}
}
