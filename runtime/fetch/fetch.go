// Package fetch brings the artifacts of a lock to this machine and checks them: by their root hash, byte by byte, and
// by who signed them.
//
// What a web server or a registry has goes to a folder of the user's cache, where each file is called by its root hash,
// and queries open it there without a network. What lies below the folder of the lock is asked where it is; a copy of
// it is kept for the comparison with the next one.
package fetch

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/lock"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// Progress is told how many bytes of an artifact, of how many, have come.
type Progress func(name string, done, total int64)

// Options say how sources are read.
type Options struct {
	Environ    map[string]string // artifact.RemoteVariables
	Log        *slog.Logger      // nil = slog.Default()
	Policy     *trust.Policy     // of the user and the system, beside the keys of the lock; nil = none
	Progress   Progress          // nil = nobody is told
	AllowOlder bool              // what is signed with an older date may take the place of what is pinned
}

// Pinned brings the artifact of an entry, if it is not there, and checks it. With check it brings nothing. What is
// wrong is in the result.
func Pinned(ctx context.Context, l *lock.Lock, e *lock.Entry, check bool, o Options) *wire.LockArtifact {
	a := about(e)
	a.State = wire.LockPresent
	run := o.fetched
	if e.IsPath() {
		run = o.inPlace
	}
	if err := run(ctx, l, e, check, a); err != nil {
		return Failed(e, err)
	}
	return a
}

// inPlace checks an artifact below the folder of the lock.
func (o *Options) inPlace(ctx context.Context, l *lock.Lock, e *lock.Entry, _ bool, a *wire.LockArtifact) (err error) {
	if a.Path, err = l.File(e); err != nil {
		return err
	}
	err = artifact.Whole(ctx, a.Path, e.Root)
	if codeOf(err) == wire.CodeIndexUntrusted {
		return moved(l, e, a.Path)
	}
	return cmp.Or(err, o.acceptFile(a.Path, e, a))
}

// fetched checks an artifact that lies elsewhere, and brings it if it is missing or damaged.
func (o *Options) fetched(ctx context.Context, l *lock.Lock, e *lock.Entry, check bool, a *wire.LockArtifact) error {
	folder, err := artifact.PinnedFolder(o.Environ)
	if err != nil {
		return err
	}
	a.Path = artifact.PinnedFile(folder, e.Root)
	if err = artifact.Whole(ctx, a.Path, e.Root); err == nil {
		err = o.acceptFile(a.Path, e, a)
	}
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case check && codeOf(err) == wire.CodeIO && errors.Is(err, os.ErrNotExist):
		return wire.NewError(wire.CodeIndexNotFound,
			fmt.Sprintf("%s: %s: %s is not on this machine yet", l.Place(e), e.Name, wire.Clean(e.Source)),
			`get it with "kdd fetch" or "kddq fetch"`)
	case check:
		return err
	}
	q := o.request(cmp.Or(e.Resolved, e.Source), folder, e.Name)
	q.Want, q.Accept = e.Root, func(f *format.File) error { return o.accept(f, "", e, a) }
	d, err := artifact.Download(ctx, q)
	if errors.Is(err, artifact.ErrMoved) {
		return moved(l, e, e.Source)
	}
	if err != nil {
		return err
	}
	a.State, a.DownloadedBytes, a.ReusedBytes = wire.LockFetched, d.Asked, d.Taken
	return nil
}

// request is the part of a download that is the same for all.
func (o *Options) request(url, folder, name string) artifact.DownloadRequest {
	q := artifact.DownloadRequest{URL: url, Folder: folder, Environ: o.Environ, Log: o.Log}
	if o.Progress != nil {
		q.Progress = func(done, total int64) { o.Progress(name, done, total) }
	}
	return q
}

// codeOf is the code of an error.v1, "" for others and for none.
func codeOf(err error) string {
	var known *wire.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}

// moved is the error of a source that has another artifact than the lock pins.
func moved(l *lock.Lock, e *lock.Entry, place string) error {
	return wire.NewError(wire.CodeIndexUntrusted,
		fmt.Sprintf("%s: %s: %s has another artifact now, the lock pins %.16s…", l.Place(e), e.Name, wire.Clean(place), e.Root),
		fmt.Sprintf(`see what has changed with "kdd update %[1]s --dry-run", take it with "kdd update %[1]s"`, e.Name))
}

// about begins what is said of an entry.
func about(e *lock.Entry) *wire.LockArtifact {
	return &wire.LockArtifact{Name: e.Name, Source: e.Source, Resolved: e.Resolved, Root: e.Root, Bytes: e.Bytes,
		SignedAs: e.SignedAs}
}

// Failed says that an artifact is not there, or is not what it should be.
func Failed(e *lock.Entry, err error) *wire.LockArtifact {
	a := about(e)
	a.State = wire.LockFailed
	if !errors.As(err, &a.Problem) {
		a.Problem = wire.From(wire.CodeIO, "", err)
	}
	return a
}

// Kept returns the file of the artifact that an entry pins, for comparisons; "" if it is not on this machine.
func Kept(l *lock.Lock, e *lock.Entry, o Options) string {
	var candidates []string
	if folder, err := artifact.PinnedFolder(o.Environ); err == nil {
		candidates = append(candidates, artifact.PinnedFile(folder, e.Root))
	}
	if e.IsPath() {
		if path, err := l.File(e); err == nil {
			candidates = append(candidates, path)
		}
	}
	for _, path := range candidates {
		f, err := format.Open(path)
		if err != nil {
			continue
		}
		root := f.RootHash()
		f.Close()
		if hex.EncodeToString(root[:]) == e.Root {
			return path
		}
	}
	return ""
}

// New brings what the source of an entry has now, checks it, and returns the entry that pins it. old is the file of the
// artifact that is pinned now; "" = none.
func New(ctx context.Context, l *lock.Lock, e lock.Entry, old string, o Options) (*wire.LockArtifact, *lock.Entry, error) {
	folder, err := artifact.PinnedFolder(o.Environ)
	if err != nil {
		return nil, nil, err
	}
	a := about(&e)
	before, err := o.dateOf(old, &e)
	if err != nil {
		return nil, nil, err
	}
	accept := func(f *format.File, path string) error {
		return cmp.Or(o.accept(f, path, &e, a), o.notOlder(f, path, &e, before))
	}
	if e.IsPath() {
		err = copied(ctx, l, &e, folder, accept, a)
	} else {
		q := o.request(e.Source, folder, e.Name)
		q.Old, q.Accept = old, func(f *format.File) error { return accept(f, "") }
		var d *artifact.Downloaded
		if d, err = artifact.Download(ctx, q); err == nil {
			e.Root, e.Bytes, e.Resolved = d.Root, d.Bytes, d.Resolved
			a.Path, a.DownloadedBytes, a.ReusedBytes = d.Path, d.Asked, d.Taken
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if e.Resolved == e.Source {
		e.Resolved = ""
	}
	a.Root, a.Bytes, a.Resolved = e.Root, e.Bytes, e.Resolved
	return a, &e, nil
}

// copied verifies an artifact below the folder of the lock, and keeps a copy of it.
func copied(ctx context.Context, l *lock.Lock, e *lock.Entry, folder string,
	accept func(*format.File, string) error, a *wire.LockArtifact) (err error) {
	if a.Path, err = l.File(e); err != nil {
		return err
	}
	data, err := os.Open(a.Path)
	if err != nil {
		return artifact.FileError(a.Path, err)
	}
	defer data.Close()
	f, err := format.Open(a.Path)
	if err != nil {
		return artifact.FileError(a.Path, err)
	}
	defer f.Close()
	root := f.RootHash()
	e.Root, e.Bytes, e.Resolved = hex.EncodeToString(root[:]), int64(f.Length()), ""
	if err := accept(f, a.Path); err != nil {
		return artifact.FileError(a.Path, err)
	}
	if err := artifact.Whole(ctx, a.Path, e.Root); err != nil {
		return err
	}
	if kept := artifact.PinnedFile(folder, e.Root); artifact.Whole(ctx, kept, e.Root) != nil {
		_, err = artifact.PlacePinned(ctx, data, kept)
	}
	return err
}
