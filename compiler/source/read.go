package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"os"
	"slices"

	"kdd/compiler/diag"
	"kdd/compiler/parallel"
	"kdd/format/index"
)

// result is what became of one candidate.
type result struct {
	file   File
	reason string // why it is skipped; "" if it is not
	diags  []diag.Diagnostic
}

// read reads all that was taken, in parallel, and returns the files sorted by path.
func (w *walker) read(limit int64) ([]File, error) {
	slices.SortFunc(w.taken, func(a, b candidate) int { return cmp.Compare(a.path, b.path) })
	results := make([]result, len(w.taken))
	err := parallel.With(w.ctx, 0, len(results), func() func(i int) error {
		var buf bytes.Buffer
		return func(i int) error {
			results[i] = load(w.ctx, w.taken[i], limit, &buf)
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	files := make([]File, 0, len(results))
	for i := range results {
		r := &results[i]
		w.diags = append(w.diags, r.diags...)
		if r.reason != "" {
			w.skip(w.taken[i].path, r.reason)
			continue
		}
		files = append(files, r.file)
	}
	return files, nil
}

// load reads, hashes and classifies one file. buf is memory for reading.
func load(ctx context.Context, c candidate, limit int64, buf *bytes.Buffer) result {
	data, why, d := readFile(ctx, c, limit, buf)
	if d.Code != "" {
		return result{reason: why, diags: []diag.Diagnostic{d}}
	}
	r := classify(c.path, data)
	if n := len(r.file.Data); int64(n) > limit { // UTF-8 may be longer than UTF-16
		return result{reason: ReasonTooLarge, diags: []diag.Diagnostic{tooLarge(c.path, limit, "%d bytes as UTF-8", n)}}
	}
	r.file.Path, r.file.Dir, r.file.Rel = c.path, c.dir, c.rel
	r.file.Size = int64(len(data))
	r.file.SHA256 = sha256.Sum256(data)
	return r
}

// maxReadBuffer is how much memory for reading is kept from one file to the next.
const maxReadBuffer = 1 << 20

// readFile returns a file's bytes, or the reason why not and a diagnostic.
func readFile(ctx context.Context, c candidate, limit int64, buf *bytes.Buffer) ([]byte, string, diag.Diagnostic) {
	failed := func(err error) ([]byte, string, diag.Diagnostic) {
		return nil, ReasonUnreadable, unreadable(c.path, "file", err)
	}
	root := c.mount.root
	if root == nil {
		opened, err := os.OpenRoot(c.mount.real)
		if err != nil {
			return failed(err)
		}
		defer opened.Close()
		root = opened
	}
	f, err := root.OpenFile(c.name, openFlags, 0)
	if err != nil {
		return failed(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return failed(err)
	}
	if !info.Mode().IsRegular() {
		return nil, ReasonSpecial, diag.New(diag.SpecialFile, c.path, "a %s, not a file", kindOf(info.Mode()))
	}
	size := info.Size()
	buf.Reset()
	if size <= limit {
		buf.Grow(int(size) + bytes.MinRead)
		// One byte more than the limit shows a file that grew since it was measured.
		size, err = buf.ReadFrom(&cancelReader{ctx, io.LimitReader(f, limit+1)})
		if err != nil {
			return failed(err)
		}
	}
	if size > limit {
		return nil, ReasonTooLarge, tooLarge(c.path, limit, "%d bytes", info.Size())
	}
	if buf.Cap() > maxReadBuffer {
		data := buf.Bytes()
		*buf = bytes.Buffer{}
		return data, "", diag.Diagnostic{}
	}
	return bytes.Clone(buf.Bytes()), "", diag.Diagnostic{} // no larger than it has to be: all files are kept
}

// cancelReader stops reading once ctx is done.
type cancelReader struct {
	ctx context.Context
	r   io.Reader
}

// cancelBytes is how much is read between two looks at the context.
const cancelBytes = 1 << 20

// Read reads at most cancelBytes. The error is r's, or ctx's cause once it has ended.
func (c *cancelReader) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(p[:min(len(p), cancelBytes)])
}

// tooLarge says that a file has more bytes than the limit. One that is the format's own cannot be raised.
func tooLarge(path string, limit int64, size string, n any) diag.Diagnostic {
	d := diag.New(diag.TooLarge, path, size+", the limit is %d", n, limit)
	if limit >= index.MaxDocumentBytes {
		d.Hint = "split it, or name it in .kddignore"
	}
	return d
}
