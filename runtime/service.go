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
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// Config says which artifacts a Service answers from and how it names their sources.
type Config struct {
	Index   []string          // FILE, URL or NAME=FILE, or a folder with one .kddx file; empty: looked for
	Dir     string            // working folder for the search; "" = the process's
	Environ map[string]string // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT, RemoteVariables, TrustVariables
	Root    string            // where sources may be found, for URLs; wins over KDD_ROOT
	Version string            // of the program, for schema and reports
	// URLs never name files of this machine, only published sites and kdd://doc/; and answers do not say why a language
	// model failed
	Private bool
	Model   *generate.Model // a language model that writes answers; nil: answers are made of sentences of the documents

	// Turns is how many operations that end soon run at once, such as searches, and how many of those that may look at
	// everything, such as graphs and reports; others wait in the order in which they came. 0: any number. Operations
	// keep processors busy, so more of them than there are processors only makes each slower, some by far, and each
	// search at work has memory that grows with the artifact. An answer that a language model writes takes a turn only
	// for its search.
	Turns int

	// Weights changes the constants of the ranking of every artifact that is opened; nil = they stay as compiled. It is
	// for measurements (kdd/bench): the artifact was not calibrated for the scores that result. Constants that are out
	// of range are refused, as those of a file are.
	Weights func(*index.Weights)

	// Trust says which artifacts are answered from: with a policy, those alone that a trusted key has signed. Its Environ
	// and Log are those below.
	Trust trust.Options

	// Idle is how long after the last call the files are closed, until the next one opens them again; 0 = never.
	Idle time.Duration

	// Log takes what an operator has to know, such as the stack of a panic; nil = slog.Default().
	Log *slog.Logger

	// Checks returns further checks for doctor, such as those of the program's configuration; nil = none.
	Checks func(context.Context) []wire.Check
}

// RemoteVariables are the variables of Config.Environ that say how artifacts are read that lie elsewhere.
var RemoteVariables = artifact.RemoteVariables

// TrustVariables are the variables of Config.Environ that say which artifacts are answered from.
var TrustVariables = trust.Variables

// Service answers from artifacts. It is safe for concurrent use. Nothing is opened before the first call.
type Service struct {
	config Config
	turns  chan struct{} // one element for each running operation that ends soon; nil: any number may run
	wide   chan struct{} // the same of those that may look at everything
	store  *artifact.Store
	asker  *ask.Asker
}

// New returns a Service. It reads nothing yet, so it cannot fail.
func New(c Config) *Service {
	s := &Service{config: c}
	s.store = artifact.NewStore(artifact.StoreOptions{Index: c.Index, Dir: c.Dir, Environ: c.Environ, Root: c.Root, Private: c.Private, Weights: c.Weights, Log: c.Log, Idle: c.Idle,
		Trust: c.Trust})
	s.asker = &ask.Asker{Open: s.open, Sessions: answer.NewSessions(time.Now), Model: c.Model, Private: c.Private}
	if c.Turns > 0 {
		s.turns, s.wide = make(chan struct{}, c.Turns), make(chan struct{}, c.Turns)
	}
	return s
}

// Close releases the mappings after running calls have ended. The Service may not be used after it.
func (s *Service) Close() error {
	s.store.Close()
	return nil
}

// Paths returns the artifacts that the Service would answer from, without opening them: FILE, or NAME=FILE where the
// name is not the file's own.
func (s *Service) Paths() ([]string, error) { return s.store.Paths() }

// Ready opens the artifacts, as the first call does, and returns their id. It does not wait for a turn.
//
// Errors: those of opening an index, such as index_not_found and index_corrupt.
func (s *Service) Ready(ctx context.Context) (id string, err error) {
	set, err := s.store.Open(ctx, true, func() {})
	if err != nil {
		return "", err
	}
	defer set.Done(ctx, &err)
	return set.ID(), nil
}

// open waits for a turn and opens the artifacts for an operation that ends soon.
func (s *Service) open(ctx context.Context) (*artifact.Set, error) {
	return s.openAt(ctx, s.turns, true)
}

// openPlain is open for an operation that compares no meanings.
func (s *Service) openPlain(ctx context.Context) (*artifact.Set, error) {
	return s.openAt(ctx, s.turns, false)
}

// openWide waits for a turn and opens the artifacts for an operation that may look at everything.
func (s *Service) openWide(ctx context.Context) (*artifact.Set, error) {
	return s.openAt(ctx, s.wide, true)
}

// openWidePlain is openWide for an operation that compares no meanings.
func (s *Service) openWidePlain(ctx context.Context) (*artifact.Set, error) {
	return s.openAt(ctx, s.wide, false)
}

func (s *Service) openAt(ctx context.Context, at chan struct{}, meaning bool) (*artifact.Set, error) {
	if at == nil {
		return s.store.Open(ctx, meaning, func() {})
	}
	select {
	case at <- struct{}{}:
		return s.store.Open(ctx, meaning, func() { <-at })
	case <-ctx.Done():
		return nil, wire.ContextError(ctx)
	}
}
