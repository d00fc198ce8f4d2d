package runtime

import (
	"context"
	"errors"
	"io/fs"

	"kdd/runtime/artifact"
	"kdd/runtime/fetch"
	"kdd/runtime/lock"
	"kdd/runtime/wire"
)

// LockRequest says what is done with a lock.
type LockRequest struct {
	Path     string   // of the lock
	Names    []string // of its artifacts; none = all
	DryRun   bool     // write nothing
	Check    bool     // of Fetch: bring nothing, say what is missing
	Older    bool     // of Update: an artifact of an older commit than the pinned one may take its place
	Progress fetch.Progress
}

// fetching returns how sources are read. Ages count when questions are asked; an older commit than the pinned one is
// refused all the same, see Update.
func (c *Config) fetching(q *LockRequest) (fetch.Options, error) {
	c.Trust.Environ, c.Trust.Log, c.Trust.Compare = c.Environ, c.Log, true
	policy, err := c.Trust.Policy()
	return fetch.Options{Environ: c.Environ, Log: c.Log, Policy: policy, Progress: q.Progress, AllowOlder: q.Older}, err
}

// report begins the report of a lock.
func report(l *lock.Lock, q *LockRequest) *wire.LockReport {
	return &wire.LockReport{SchemaVersion: "lock_report.v1", Lock: l.Path, OK: true, DryRun: q.DryRun, Artifacts: []wire.LockArtifact{}}
}

// Fetch brings the artifacts that a lock pins, and verifies each: root hash, every byte, signature. The lock stays as
// it is: a source that has another artifact now is an error of that artifact, in the report. With Check it brings
// nothing.
//
// Errors: those of the lock. Cost: what is missing from the hosts, and one pass over what is there.
func Fetch(ctx context.Context, c Config, q LockRequest) (*wire.LockReport, error) {
	o, err := c.fetching(&q)
	if err != nil {
		return nil, err
	}
	l, chosen, err := chosen(&q)
	if err != nil {
		return nil, err
	}
	r := report(l, &q)
	for _, e := range chosen {
		a := fetch.Pinned(ctx, l, e, q.Check, o)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.OK = r.OK && a.Problem == nil
		r.Artifacts = append(r.Artifacts, *a)
	}
	return r, nil
}

// Add pins an artifact in a lock, and makes the lock if there is none: it brings what the source has and verifies it.
// An artifact of that name takes the new source. Of e the name, the source, the keys and the name that it has to be
// signed under are read.
//
// Errors: those of the lock, of the source and of what it has.
func Add(ctx context.Context, c Config, q LockRequest, e lock.Entry) (*wire.LockReport, error) {
	o, err := c.fetching(&q)
	if err != nil {
		return nil, err
	}
	l, err := lock.Read(q.Path)
	if errors.Is(err, fs.ErrNotExist) {
		l, err = &lock.Lock{Path: q.Path}, nil
	}
	if err != nil {
		return nil, artifact.FileError(q.Path, err)
	}
	if err := l.Check(&e); err != nil {
		return nil, err
	}
	r := report(l, &q)
	a, pinned, err := fetch.New(ctx, l, e, "", o)
	if err != nil {
		return nil, err
	}
	if old := l.Entry(e.Name); old != nil && old.Root != pinned.Root {
		a.From = old.Root
	}
	a.State = wire.LockAdded
	r.Artifacts = append(r.Artifacts, *a)
	l.Put(*pinned)
	return r, finish(r, l, q.DryRun)
}

// Update moves the pins of artifacts to what their sources have now, after the checks of Fetch, and compares each that
// moved with the one before. If one of them fails, the report says so and the others move. With DryRun the artifacts
// are brought and compared, and the lock stays as it is.
//
// Errors: those of the lock.
func Update(ctx context.Context, c Config, q LockRequest) (*wire.LockReport, error) {
	o, err := c.fetching(&q)
	if err != nil {
		return nil, err
	}
	l, chosen, err := chosen(&q)
	if err != nil {
		return nil, err
	}
	r := report(l, &q)
	var moved []lock.Entry
	for _, e := range chosen {
		a, pinned := c.update(ctx, l, e, o)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.OK = r.OK && a.Problem == nil
		r.Artifacts = append(r.Artifacts, *a)
		if pinned != nil {
			moved = append(moved, *pinned)
		}
	}
	for _, e := range moved {
		l.Put(e)
	}
	return r, finish(r, l, q.DryRun)
}

// update asks the source of one artifact what it has. The entry is nil if that failed.
func (c *Config) update(ctx context.Context, l *lock.Lock, e *lock.Entry, o fetch.Options) (*wire.LockArtifact, *lock.Entry) {
	old := fetch.Kept(l, e, o)
	a, pinned, err := fetch.New(ctx, l, *e, old, o)
	if err != nil {
		return fetch.Failed(e, err), nil
	}
	if a.State = wire.LockCurrent; pinned.Root == e.Root {
		return a, pinned
	}
	a.State, a.From = wire.LockMoved, e.Root
	if old == "" {
		a.Note = "the artifact that was pinned is not on this machine, so there is nothing to compare with"
		return a, pinned
	}
	config := *c
	config.Index, config.Trust.Names = nil, nil
	if a.Diff, err = Diff(ctx, config, DiffRequest{Old: old, New: a.Path}); err != nil {
		a.Note = "the two could not be compared: " + err.Error()
	} else {
		a.Diff.Old.Path, a.Diff.New.Path = a.Source, a.Source
	}
	return a, pinned
}

// chosen reads a lock and returns those of its artifacts that are named.
func chosen(q *LockRequest) (*lock.Lock, []*lock.Entry, error) {
	l, err := lock.Read(q.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, wire.NewError(wire.CodeNotFound, wire.Clean(q.Path)+": no such lock", `make it with "kdd add NAME SOURCE"`)
	}
	if err != nil {
		return nil, nil, artifact.FileError(q.Path, err)
	}
	list, err := l.Choose(q.Names)
	return l, list, err
}

// finish writes the lock unless it is a dry run.
func finish(r *wire.LockReport, l *lock.Lock, dry bool) (err error) {
	if dry {
		r.Changed = l.Differs()
		return nil
	}
	if r.Changed, err = l.Write(); err != nil {
		return artifact.FileError(l.Path, err)
	}
	return nil
}
