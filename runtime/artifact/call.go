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

// Opener opens the artifacts for one call; it may wait until fewer calls run. The caller defers Done at once, in the
// same function, and does not open again before Done has run:
//
//	set, err := open(ctx)
//	if err != nil {
//		return nil, err
//	}
//	defer set.Done(ctx, &err)
type Opener func(ctx context.Context) (*Set, error)

// Done ends a call; it must be deferred, because it recovers from panics. It sets *err: a panic that a damaged file
// caused becomes index_corrupt; any other panic is a bug of kdd and becomes internal, with its stack in the log. Other
// errors get a code and the name of the file.
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
		*err = changed // the answer may mix old and new content
	case *err == nil:
	case ctx.Err() != nil && (errors.Is(*err, ctx.Err()) || errors.Is(*err, context.Cause(ctx))):
		*err = wire.ContextError(ctx)
	default:
		LogPanic(s.log, *err)
		*err = FileError(s.path(*err), *err)
	}
}

// LogPanic writes the stack of a format.PanicError to a log (nil = slog.Default()). It ignores other errors.
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
	s.store.ended()
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

// path names the files that an error is about. If several files are open and the error says that a block is damaged,
// these are the files where that block is damaged; else, and if there is none, all files.
//
// Cost: one pass over each of several files, only after such an error.
func (s *Set) path(err error) string {
	var all, damaged []string
	var corrupt *format.CorruptError
	search := s.Several() && errors.As(err, &corrupt)
	for _, a := range s.Artifacts {
		all = append(all, a.File.Path)
		if !search || a.File.Remote() {
			continue
		}
		problems, err := index.VerifyWithin(s.ctx, a.File.Path)
		if err != nil || slices.ContainsFunc(problems, func(p format.Problem) bool { return p.Block == corrupt.Block.String() }) {
			damaged = append(damaged, a.File.Path)
		}
	}
	if len(damaged) > 0 {
		all = damaged
	}
	return strings.Join(all, ", ")
}
