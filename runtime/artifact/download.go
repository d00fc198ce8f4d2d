package artifact

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/source"
	"kdd/runtime/source/pagecache"
	"kdd/runtime/wire"
)

// DownloadRequest says what Download brings.
type DownloadRequest struct {
	URL     string
	Folder  string            // where it goes, and what has come of it waits: PinnedFolder
	Want    string            // the root hash that it has to have, 64 hex digits; "" = any
	Old     string            // a file of another version, from which pages are taken; "" = none
	Environ map[string]string // RemoteVariables
	Log     *slog.Logger      // nil = slog.Default()
	// Accept refuses an artifact by its header and signatures, before the rest of it is read; nil = none is refused.
	Accept func(*format.File) error
	// Progress is told how many bytes of how many have come; nil = nobody is.
	Progress func(done, total int64)
}

// Downloaded is what Download has brought.
type Downloaded struct {
	Path     string // of the file
	Root     string // its root hash, 64 hex digits
	Bytes    int64  // that the root hash covers
	Resolved string // the reference that never moves, of an artifact in a registry; else ""
	Asked    int64  // bytes that came from the host
	Taken    int64  // bytes that the old file had
}

// ErrMoved says that a URL stands for another artifact than the one that is wanted.
var ErrMoved = errors.New("the source has another artifact")

// wholeFetch is the limit of a file that is read whole, since its host has no ranges, unless the environment says one.
const wholeFetch = 512 << 20

// moves is how many pages are looked for in an old file where they may have moved.
const moves = 1 << 18

// Download brings all of the artifact at a URL into a folder. Each page is compared with its hash under the root hash
// as it comes, and the whole is verified before it gets its name; a run that is stopped goes on at the next. What the
// file of an older version has too is taken from it.
//
// Errors: ErrMoved, those of Accept, those of the host, and those of a damaged artifact.
func Download(ctx context.Context, q DownloadRequest) (*Downloaded, error) {
	store := NewStore(StoreOptions{Environ: q.Environ, Log: q.Log})
	r, err := store.remote()
	if err != nil {
		return nil, err
	}
	if q.Environ[wholeVariable] == "" {
		r.options.WholeLimit = wholeFetch
	}
	src, named, err := openSource(ctx, q.URL, r.options)
	if err != nil {
		return nil, FileError(q.URL, err)
	}
	d := &Downloaded{Resolved: named.resolved}
	partial := pagecache.Cache{Dir: filepath.Join(q.Folder, "partial"), Limit: math.MaxInt64}
	var asked atomic.Int64
	f, err := format.OpenRemote(format.Remote{Name: src.Name(), Size: src.Size(), Close: src.Close, Cache: partial.File,
		Read: func(at, n int64) ([]byte, error) {
			ctx, cancel := context.WithTimeout(ctx, readTime)
			defer cancel()
			b, err := src.ReadRange(ctx, at, n)
			if done := asked.Add(int64(len(b))); q.Progress != nil {
				q.Progress(min(done, src.Size()), src.Size())
			}
			return b, err
		}})
	if err != nil {
		return nil, FileError(src.Name(), errors.Join(err, src.Close()))
	}
	closed := false
	defer func() {
		if !closed {
			f.Close()
		}
	}()
	root := f.RootHash()
	d.Root, d.Bytes = hex.EncodeToString(root[:]), int64(f.Length())
	switch {
	case named.root != "" && named.root != d.Root:
		return nil, FileError(src.Name(), misnamed(src, named.root, f))
	case q.Want != "" && q.Want != d.Root:
		return d, fmt.Errorf("%s: %w", src.Name(), ErrMoved)
	}
	_, trailing, err := f.Trailing()
	if err == nil && q.Accept != nil {
		err = format.Guard(func() error { return q.Accept(f) })
	}
	if path := PinnedFile(q.Folder, d.Root); err == nil && holds(ctx, path, d.Root, trailing) {
		d.Path, d.Asked = path, asked.Load()
		return d, nil
	}
	if err == nil {
		err = d.fill(f, &q)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, FileError(src.Name(), err)
	}
	closed = true
	if err := f.Close(); err != nil {
		return nil, err
	}
	d.Asked = asked.Load()
	pages := filepath.Join(partial.Dir, d.Root+".pages")
	path := PinnedFile(q.Folder, d.Root)
	if d.Path, err = place(ctx, pages, d.Bytes, trailing, path); err != nil {
		// Another program that brought the same one has taken its pages away, and a third may have begun them anew: the
		// artifact is there then, since it gets its name before the pages go.
		if !holds(ctx, path, d.Root, trailing) {
			return nil, err
		}
		d.Path = path
	}
	os.Remove(pages)
	return d, nil
}

// misnamed is the error of a host whose artifact has another root hash than it says.
func misnamed(src source.Source, named string, f *format.File) error {
	return &source.Error{Place: src.Name(), Wrong: fmt.Sprintf("names the artifact %.16s, its bytes are %s", named, f.ID()),
		Hint: "publish it again, or ask its publisher"}
}

// holds says whether the file at path is whole, with that root hash and those bytes behind it.
func holds(ctx context.Context, path, root string, trailing []byte) bool {
	f, err := format.Open(path)
	if err != nil {
		return false
	}
	_, there, err := f.Trailing()
	same := err == nil && bytes.Equal(there, trailing)
	f.Close()
	return same && Whole(ctx, path, root) == nil
}

// fill reads all of an artifact: what files of this machine have from them.
func (d *Downloaded) fill(f *format.File, q *DownloadRequest) error {
	for _, path := range []string{PinnedFile(q.Folder, d.Root), q.Old} { // the artifact itself, with other signatures
		if path == "" {
			continue
		}
		old, err := os.Open(path)
		if err != nil {
			continue
		}
		info, err := old.Stat()
		if err == nil {
			var taken int64
			taken, err = f.Adopt(old, info.Size(), moves)
			d.Taken += taken
		}
		old.Close()
		if err != nil {
			return err
		}
	}
	return f.FetchAll()
}

// place copies the pages and what follows them to a file of its own, verifies it and gives it its name.
func place(ctx context.Context, pages string, length int64, trailing []byte, path string) (string, error) {
	from, err := os.Open(pages)
	if err != nil {
		return "", wire.NewError(wire.CodeIO, filepath.Dir(pages)+": the cache cannot be written",
			"set "+cacheVariable+" to a folder that can").Because(err)
	}
	defer from.Close()
	return PlacePinned(ctx, io.MultiReader(io.NewSectionReader(from, 0, length), bytes.NewReader(trailing)), path)
}

// PlacePinned writes the bytes of an artifact to a file beside path, verifies it, and renames it to path. It returns
// path.
func PlacePinned(ctx context.Context, from io.Reader, path string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".download-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name()) // unless it was renamed
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", FileError(path, err)
	}
	problems, err := Verify(ctx, f.Name())
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", FileError(path, err)
	case len(problems) > 0:
		return "", damaged(path, problems)
	}
	return path, os.Rename(f.Name(), path)
}

// damaged is the error for an artifact that does not pass Verify.
func damaged(path string, problems []format.Problem) error {
	p := problems[0]
	return wire.NewError(wire.CodeIndexCorrupt, fmt.Sprintf("%s: corrupt index: %s at byte %d: %s", path, p.Block, p.Offset, p.Text),
		"ask its publisher to build and publish it again")
}

// Whole says whether the file at path is an artifact with that root hash, and every byte of it as it was written.
// Otherwise the error says what is wrong.
func Whole(ctx context.Context, path, root string) error {
	f, err := format.Open(path)
	if err != nil {
		return FileError(path, err)
	}
	have := f.RootHash()
	f.Close()
	if hex.EncodeToString(have[:]) != root {
		return wire.NewError(wire.CodeIndexUntrusted, fmt.Sprintf("%s: its root hash is %x…, want %.16s…", path, have[:8], root), "")
	}
	problems, err := index.VerifyWithin(ctx, path)
	switch {
	case err != nil:
		return FileError(path, err)
	case len(problems) > 0:
		return damaged(path, problems)
	}
	return nil
}
