package artifact

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// Opener opens the artifacts for one call, once it is its turn. Whoever calls it defers Done at once, in the same
// function, and does not call it again before:
//
//	set, err := open(ctx)
//	if err != nil {
//		return nil, err
//	}
//	defer set.Done(ctx, &err)
type Opener func(ctx context.Context) (*Set, error)

// Open opens the artifacts, or takes those that are open, for one call; they stay open until Done, even if their files
// are replaced meanwhile. end is called when the call is done.
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

// Done ends a call with its error: it is deferred, and recovers. What a damaged file is to blame for becomes
// index_corrupt, and any other panic, which is a mistake of ours, internal, with its stack in the log. Other errors get
// their code, and the file's name.
func (s *Set) Done(ctx context.Context, err *error) {
	r := recover()
	debug.SetPanicOnFault(s.faults)
	defer s.end()
	defer s.release()
	if r != nil {
		*err = format.Recovered(r)
	}
	changed := s.written()
	switch {
	case changed != nil:
		*err = changed // what was read may be half old, half new
	case *err == nil:
	case ctx.Err() != nil && (errors.Is(*err, ctx.Err()) || errors.Is(*err, context.Cause(ctx))):
		*err = wire.ContextError(ctx)
	default:
		LogPanic(s.log, *err)
		*err = FileError(s.path(*err), *err)
	}
}

// LogPanic writes the stack of a format.PanicError to a log, nil = slog.Default(); other errors are not written.
func LogPanic(log *slog.Logger, err error) {
	var broken *format.PanicError
	if !errors.As(err, &broken) {
		return
	}
	if log == nil {
		log = slog.Default()
	}
	log.Error("an operation broke off: please report this", "panic", broken.Value, "stack", string(broken.Stack))
}

func (s *Set) release() {
	for _, a := range s.Artifacts {
		a.Release()
	}
}

// written returns an error if one of the files was changed in place while the call ran.
func (s *Set) written() error {
	for _, a := range s.Artifacts {
		if a.File.Changed() == format.Written {
			return WrittenError(a.File.Path)
		}
	}
	return nil
}

// path names the file that an error is about: of several those in which the block that it names is damaged, else all of
// them.
//
// Cost: of several, one pass over each file. It is for the way of an error alone.
func (s *Set) path(err error) string {
	var all, damaged []string
	var corrupt *format.CorruptError
	known := errors.As(err, &corrupt)
	for _, a := range s.Artifacts {
		path := a.File.Path
		all = append(all, path)
		if len(s.Artifacts) == 1 || !known {
			continue
		}
		problems, err := index.Verify(path)
		if err != nil || slices.ContainsFunc(problems, func(p format.Problem) bool { return p.Block == corrupt.Block.String() }) {
			damaged = append(damaged, path)
		}
	}
	if len(damaged) > 0 {
		all = damaged
	}
	return strings.Join(all, ", ")
}
