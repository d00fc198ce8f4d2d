package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"kdd/format"
	"kdd/mcpserver/remote"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// The exit codes of both tools.
const (
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2
	ExitFindings    = 3
	ExitRefused     = 4
	ExitSomeDown    = 3   // of remote: some servers are failing
	ExitAllDown     = 4   // all, or the one that was asked
	ExitInterrupted = 130 // 128 + SIGINT
	ExitTerminated  = 143 // 128 + SIGTERM
)

// Outcomes that are no failures of the program but no plain success either.
var (
	ErrFindings    = errors.New("findings")
	ErrRefused     = errors.New("refused")
	errInterrupted = errors.New("interrupted")
	errTerminated  = errors.New("terminated")
)

// Silent wraps an outcome whose message has been printed already.
type Silent struct{ Err error }

// Error returns the text of the outcome.
func (s Silent) Error() string { return s.Err.Error() }

// Unwrap returns the outcome.
func (s Silent) Unwrap() error { return s.Err }

// exits is the one table from what went wrong to the exit code, and to the cure where the error brings none.
var exits = [...]struct {
	code string // of error.v1
	exit int
	hint string
}{
	{wire.CodeInvalidInput, ExitUsage, ""},
	{wire.CodeNotFound, ExitFailure, ""},
	{wire.CodeIndexNotFound, ExitFailure, `compile one with "kdd build DIR", or name it with --index FILE`},
	{wire.CodeIndexCorrupt, ExitFailure, `rebuild it with "kdd build", or copy or download it again`},
	{wire.CodeIndexVersion, ExitFailure, `rebuild it with "kdd build" or update kdd`},
	{wire.CodeIndexUntrusted, ExitFailure, "check who made it before you use it"},
	{wire.CodeNoVectors, ExitFailure, "use --mode lexical, or build with a model"},
	{wire.CodeNoModel, ExitFailure, ""},
	{wire.CodeStaleCursor, ExitFailure, "ask again without --cursor"},
	{wire.CodeTimeout, ExitFailure, ""},
	{wire.CodeTooLarge, ExitFailure, ""},
	{wire.CodeUnauthorized, ExitFailure, ""},
	{wire.CodeRateLimited, ExitFailure, ""},
	{wire.CodeIO, ExitFailure, ""},
	{wire.CodeInternal, ExitFailure, ""},
}

// ExitCode returns the exit code that err stands for.
func ExitCode(err error) int {
	switch {
	case err == nil, brokenPipe(err):
		return ExitOK
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	case errors.Is(err, errTerminated):
		return ExitTerminated
	case errors.Is(err, ErrFindings):
		return ExitFindings
	case errors.Is(err, ErrRefused):
		return ExitRefused
	case errors.Is(err, remote.ErrSomeDown):
		return ExitSomeDown
	case errors.Is(err, remote.ErrDown):
		return ExitAllDown
	}
	e := wireError(err)
	for _, row := range exits {
		if row.code == e.Code {
			return row.exit
		}
	}
	return ExitFailure
}

// wireError returns err as error.v1, with a hint from the table where it has none. The result is a copy.
func wireError(err error) *wire.Error {
	var known *wire.Error
	e := wire.From(codeOf(err), "", err)
	if errors.As(err, &known) {
		*e = *known
	} else if path, ok := err.(*fs.PathError); ok {
		describePath(e, path)
	}
	if e.Code == wire.CodeIO && errors.Is(err, syscall.ENOSPC) && e.Hint == "" {
		e.Hint = "free some space, or write elsewhere"
	}
	for _, row := range exits {
		if row.code == e.Code && e.Hint == "" {
			e.Hint = row.hint
		}
	}
	return e
}

// describePath rewrites common errors about files in the form of the other errors: the file, what is wrong, the cure.
// Other errors keep the words of the operating system.
func describePath(e *wire.Error, err *fs.PathError) {
	folder := filepath.Dir(err.Path)
	switch {
	case artifact.IsURL(err.Path):
		e.Message, e.Hint = err.Path+": a URL, want a file", "download it first; questions are asked by URL with -i"
	case errors.Is(err, fs.ErrNotExist) && dirIsNone(folder):
		e.Message, e.Hint = fmt.Sprintf("%s: the folder %s does not exist", err.Path, folder), "make it, or correct the name"
	case errors.Is(err, fs.ErrNotExist):
		e.Message, e.Hint = err.Path+": no such file", "correct the name"
	case errors.Is(err, syscall.EISDIR):
		e.Message, e.Hint = err.Path+": a folder, want a file", "name a file in it"
	}
}

// codeOf classifies errors that come from below the wire: the format's and the operating system's.
func codeOf(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	var number syscall.Errno
	switch {
	case errors.As(err, new(*format.PanicError)):
		return wire.CodeInternal
	case errors.Is(err, format.ErrVersion):
		return wire.CodeIndexVersion
	case errors.Is(err, format.ErrCorrupt), errors.Is(err, format.ErrNotKddx):
		return wire.CodeIndexCorrupt
	case errors.Is(err, format.ErrTooBig):
		return wire.CodeTooLarge
	case errors.Is(err, context.DeadlineExceeded):
		return wire.CodeTimeout
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &call), errors.As(err, &number):
		return wire.CodeIO
	}
	return wire.CodeInternal
}

// report prints err to stderr: one line, or error.v1 where the answer would have been JSON.
func report(w io.Writer, tool string, err error, asJSON bool) {
	var silent Silent
	if err == nil || brokenPipe(err) || errors.As(err, &silent) {
		return
	}
	var broken *format.PanicError
	if errors.As(err, &broken) && !errors.As(err, new(*wire.Error)) { // no Service has written it to its log
		fmt.Fprintf(w, "%s\n", broken.Stack)
	}
	outcome := errors.Is(err, errInterrupted) || errors.Is(err, errTerminated) || errors.Is(err, ErrFindings) ||
		errors.Is(err, ErrRefused)
	if asJSON && !outcome {
		w.Write(append(wire.Encode(wireError(err)), '\n'))
		return
	}
	text := err.Error()
	if !outcome {
		text = wireError(err).Error()
	}
	fmt.Fprintf(w, "%s: %s\n", tool, wire.Clean(strings.ReplaceAll(strings.TrimSpace(text), "\n", " ")))
}

// Usage returns a usage error: exit 2.
func Usage(format string, args ...any) error { return usageError(format, args...) }

func usageError(format string, args ...any) *wire.Error {
	return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf(format, args...), "")
}

// hinted gives an error its cure.
func hinted(e *wire.Error, hint string) *wire.Error {
	e.Hint = hint
	return e
}

// badValue says that a flag or setting takes one of values and got another.
func badValue(name, got string, values []string) error {
	e := usageError("%s takes %s, got %q", name, wire.Alternatives(values), wire.Clean(got))
	if near := wire.Nearest(got, values); near != "" {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// wantsJSON looks for --format json in argv without parsing it: errors of the parser are to be JSON too.
func wantsJSON(argv []string) bool {
	if end := slices.Index(argv, "--"); end >= 0 {
		argv = argv[:end]
	}
	for i, arg := range argv {
		name, value, assigned := splitFlag(arg)
		if name != "format" {
			continue
		}
		if !assigned && i+1 < len(argv) {
			value = argv[i+1]
		}
		if value == "json" || value == "jsonl" {
			return true
		}
	}
	return false
}
