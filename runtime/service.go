package runtime

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"kdd/format"
	"kdd/runtime/answer"
	"kdd/runtime/generate"
	"kdd/runtime/wire"
)

// Config says which artifacts a Service answers from and how it names their sources.
type Config struct {
	Index   []string          // FILE or NAME=FILE, or a folder with one .kddx file; empty: looked for
	Dir     string            // working folder for the search; "" = the process's
	Environ map[string]string // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT
	Root    string            // where sources may be found, for URLs; wins over KDD_ROOT
	Version string            // of the program, for schema and reports
	Private bool              // URLs never name files of this machine: only published sites and kdd://doc/; nor do answers say why a language model failed
	Model   *generate.Model   // a language model that writes answers; nil: they are made of sentences of the documents

	// Turns is how many operations are worked on at once; the others wait in the order in which they came. 0: any number.
	// They keep the processors busy while they last, so more at once than there are processors only makes each later, and
	// some by far. An answer that a language model writes takes a turn for its search alone.
	Turns int

	// Weights changes the constants of the ranking of every artifact that is opened; nil = they stay as compiled. It is for
	// measurements (kdd/bench): scores are then no longer what the artifact was calibrated for. Constants that a file may
	// not have are refused as the file's would be.
	Weights func(*format.Weights)

	// Log takes what an operator has to know, such as the stack of a panic; nil = slog.Default().
	Log *slog.Logger

	// Checks are what the program around the Service has to say to doctor: about its configuration and the like.
	Checks func(context.Context) []wire.Check
}

// Service answers from artifacts. It is safe for concurrent use. Nothing is opened before the first call.
type Service struct {
	config   Config
	sessions *answer.Sessions // of questions
	turns    chan struct{}    // one for each operation that is worked on; nil: any number
	store    *store
}

// New returns a Service; it reads nothing yet, so it cannot fail.
func New(c Config) *Service {
	s := &Service{config: c, sessions: answer.NewSessions(time.Now)}
	s.store = newStore(storeOptions{Index: c.Index, Dir: c.Dir, Environ: c.Environ, Root: c.Root, Private: c.Private, Weights: c.Weights})
	if c.Turns > 0 {
		s.turns = make(chan struct{}, c.Turns)
	}
	return s
}

// Close releases the mappings once running calls have ended. The Service may not be used after it.
func (s *Service) Close() error {
	s.store.close()
	return nil
}

// Paths returns the artifacts that the Service would answer from, without opening them: FILE, or NAME=FILE where the name is
// not the file's own.
func (s *Service) Paths() ([]string, error) { return s.store.paths() }

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

// with runs f over the open artifacts once it is its turn. f may not call with.
func (s *Service) with(ctx context.Context, f func(set *set) error) error {
	if s.turns != nil {
		select {
		case s.turns <- struct{}{}:
			defer func() { <-s.turns }()
		case <-ctx.Done():
			return contextError(ctx)
		}
	}
	return s.open(ctx, f)
}

// open runs f over the open artifacts under guard. The artifacts stay open until f returns, even if their files are replaced
// meanwhile.
func (s *Service) open(ctx context.Context, f func(set *set) error) error {
	if err := ctx.Err(); err != nil {
		return contextError(ctx)
	}
	set, err := s.store.acquire()
	if err != nil {
		return err
	}
	defer set.release()
	err = s.guard(func() error { return f(set) })
	if changed := set.written(); changed != nil {
		return changed // what was read may be half old, half new
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return contextError(ctx)
	}
	return fileError(set.path(err), err)
}

// guard runs f under format.Guard: what a damaged file is to blame for becomes index_corrupt, and any other panic, which is a
// mistake of ours, internal, with its stack in the log.
func (s *Service) guard(f func() error) error {
	err := format.Guard(f)
	if broken := (*format.PanicError)(nil); errors.As(err, &broken) {
		log := s.config.Log
		if log == nil {
			log = slog.Default()
		}
		log.Error("an operation broke off: please report this", "panic", broken.Value, "stack", string(broken.Stack))
	}
	return err
}

func contextError(ctx context.Context) error {
	err := context.Cause(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return wire.NewError(wire.CodeTimeout, "the operation took too long", "ask for less, or raise the time limit").Because(err)
	}
	return wire.NewError(wire.CodeTimeout, "the operation was cancelled", "").Because(err)
}

// fileError gives an error from package format or the operating system its code; path names the file once.
func fileError(path string, err error) error {
	var known *wire.Error
	var system *fs.PathError
	var broken *format.PanicError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &broken):
		return wire.From(wire.CodeInternal, "", broken)
	case errors.Is(err, format.ErrNotKddx):
		return wire.From(wire.CodeIndexCorrupt, path+": ", err)
	case errors.Is(err, format.ErrVersion):
		return wire.From(wire.CodeIndexVersion, path+": ", err)
	case errors.Is(err, format.ErrCorrupt):
		return wire.NewError(wire.CodeIndexCorrupt, path+": "+err.Error(), `check it with "kdd verify", then build or download it again`).Because(err)
	case errors.Is(err, format.ErrTooBig):
		return wire.From(wire.CodeTooLarge, path+": ", err)
	case errors.Is(err, fs.ErrPermission):
		return wire.NewError(wire.CodeIO, path+": no permission to read it", "").Because(err)
	case errors.As(err, &system):
		return wire.From(wire.CodeIO, path+": ", system.Err).Because(err)
	}
	return wire.From(wire.CodeIO, path+": ", err)
}
