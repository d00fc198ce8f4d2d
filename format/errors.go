package format

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// The sentinels that every error of this package is one of (errors.Is), besides those of the operating system.
var (
	ErrCorrupt = errors.New("corrupt index")
	ErrVersion = errors.New("index of another version")
	ErrNotKddx = errors.New("not a .kddx file")
	ErrTooBig  = errors.New("too big for the format")
)

// CorruptError says where a file breaks the format.
type CorruptError struct {
	Block  Tag   // zero: the header or the directory
	Offset int64 // of the file; -1 if it is about the whole block
	Reason string
}

// Error names block and place.
func (e *CorruptError) Error() string {
	where := "header"
	if e.Block != (Tag{}) {
		where = "block " + e.Block.String()
	}
	if e.Offset >= 0 {
		return fmt.Sprintf("corrupt index: %s at byte %d: %s", where, e.Offset, e.Reason)
	}
	return fmt.Sprintf("corrupt index: %s: %s", where, e.Reason)
}

// Is makes errors.Is(err, ErrCorrupt) true.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// VersionError says that a file needs another reader.
type VersionError struct {
	Got, Min uint32 // format version of the file, and the reader it asks for
	Block    Tag    // a critical block that this reader does not know; zero if the version is the matter
}

// Error says what the file is and what this reader takes, and the cure.
func (e *VersionError) Error() string {
	if e.Block != (Tag{}) {
		return fmt.Sprintf("index of another version: it needs block %s (format %d), which this kdd does not know; %s",
			e.Block, e.Got, e.Cure())
	}
	return fmt.Sprintf("index of another version: format %d (reader %d), this kdd reads %d; %s",
		e.Got, e.Min, Version, e.Cure())
}

// Cure says what to do about it.
func (e *VersionError) Cure() string {
	if e.Block != (Tag{}) {
		return "update kdd"
	}
	return `rebuild it with "kdd build" or update kdd`
}

// Is makes errors.Is(err, ErrVersion) true.
func (e *VersionError) Is(target error) bool { return target == ErrVersion }

// ForeignError says that a file is no .kddx at all, and what it looks like.
type ForeignError struct {
	Looks string // "a Git LFS pointer", ...
	Do    string // what its owner can do
}

// Error names what the file looks like, and the cure.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("not a .kddx file: it is %s; %s", e.Looks, e.Do)
}

// Cure says what to do about it.
func (e *ForeignError) Cure() string { return e.Do }

// Is makes errors.Is(err, ErrNotKddx) true.
func (e *ForeignError) Is(target error) bool { return target == ErrNotKddx }

// Corrupt returns a CorruptError about the whole of a block.
func Corrupt(tag Tag, reason string, args ...any) error {
	return &CorruptError{Block: tag, Offset: -1, Reason: fmt.Sprintf(reason, args...)}
}

// Fail leaves the running operation with a CorruptError about a block. Accessors call it where values of the file
// contradict each other; Guard, which every operation runs under, turns it into an error.
func Fail(tag Tag, reason string, args ...any) { panic(Corrupt(tag, reason, args...)) }

// PanicError is a panic that is no fault of the file: a mistake in kdd.
type PanicError struct {
	Value any    // what was panicked with
	Stack []byte // of the goroutine that panicked, as debug.Stack gives it
}

// Error gives the value, without the stack, and what to do.
func (e *PanicError) Error() string {
	return fmt.Sprintf("an operation broke off: %v; %s", e.Value, e.Cure())
}

// Cure says what to do about it.
func (e *PanicError) Cure() string {
	return "this is a mistake in kdd: please report it, with the stack that the log has"
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// EndedError is the panic of a read whose context has ended. It is no fault of the file.
type EndedError struct{ Cause error }

// Error gives the cause.
func (e *EndedError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *EndedError) Unwrap() error { return e.Cause }

// Guard runs f and returns its error. Every operation on an open File, and every goroutine of one, runs under it, or
// begins with debug.SetPanicOnFault(true) and defers Recovered(recover()).
func Guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = Recovered(r)
		}
	}()
	return f()
}

// Recovered makes an error of what recover returned; it is called by the deferred function that did.
//
// What the file is to blame for is a CorruptError: values that contradict each other, and a page of a mapping that
// cannot be read (the file was truncated, or its disk fails). Every other panic is a mistake in the code and becomes a
// PanicError with the stack.
func Recovered(r any) error {
	switch r := r.(type) {
	case *CorruptError:
		return r
	case *RemoteError:
		return r
	case *EndedError:
		return r
	case interface{ Addr() uintptr }: // of Go's runtime: a fault at an address
		if mapped(r.Addr()) {
			return &CorruptError{Offset: -1,
				Reason: "the file was cut off or cannot be read any more, under its mapping"}
		}
	}
	return &PanicError{Value: r, Stack: debug.Stack()}
}
