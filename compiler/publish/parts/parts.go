// Package parts writes an artifact as small files that any web host can serve: see format/parts for how they lie.
//
// A reader never sees half of an artifact: parts come first, each under a temporary name until it is whole, and the
// manifest last. Parts of former versions stay for those who still read them, until Prune removes what no manifest in
// the folder names.
//
// The folder is another's as far as it was there before: what is not a part or a manifest is neither replaced nor
// removed, and no link in it leads out of it.
package parts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"kdd/compiler/diag"
	format "kdd/format/parts"
)

// Options say what is written where.
type Options struct {
	Name   string      // of the artifact, without a folder
	File   io.ReaderAt // the artifact, which the caller has verified
	Bytes  int64
	Root   [32]byte // its root hash
	Dir    string   // is made if it is not there
	Prune  bool     // remove parts that no manifest in Dir names
	DryRun bool     // write and remove nothing, but report it
	// Ready is called when all parts are written; an error of it is returned, and there is no new manifest
	Ready func() error
}

// Report is site_report.v1: what was written.
type Report struct {
	SchemaVersion string `json:"schema_version"`
	Manifest      string `json:"manifest"`          // its path
	Bytes         int64  `json:"bytes"`             // of the artifact
	Parts         int    `json:"parts"`             // of the artifact, counted once each
	Written       int    `json:"written"`           // parts that were not there before
	WrittenBytes  int64  `json:"written_bytes"`     // of those parts
	Removed       int    `json:"removed"`           // parts that no manifest names
	DryRun        bool   `json:"dry_run,omitempty"` // nothing was written or removed
}

// Write writes parts and manifest, and removes old parts if it is told to.
//
// Memory: one part. Cost: the file is read once, and those parts that are there already.
func Write(ctx context.Context, o Options) (*Report, error) {
	name := format.ManifestName(o.Name)
	r := &Report{SchemaVersion: "site_report.v1", Manifest: join(o.Dir, name), Bytes: o.Bytes, DryRun: o.DryRun}
	w := &writer{o: o, seen: map[string]bool{}, report: r}
	if err := w.open(); err != nil {
		return nil, err
	}
	defer w.close()
	old, err := w.manifest(name)
	if err != nil {
		return nil, err
	}
	var kept map[string]bool
	if o.Prune { // what is wrong with a manifest shows before anything is written
		if kept, err = w.named(name); err != nil {
			return nil, err
		}
	}
	manifest, err := w.parts(ctx)
	if err == nil {
		err = o.Ready()
	}
	if err != nil {
		return nil, err
	}
	if !o.DryRun && !bytes.Equal(manifest, old) {
		if err := w.place(name, manifest); err != nil {
			return nil, err
		}
	}
	if o.Prune {
		err = w.prune(kept)
	}
	return r, err
}

// writer writes to one folder.
type writer struct {
	o      Options
	root   *os.Root        // nil in a dry run in a folder that is not there
	seen   map[string]bool // the artifact's parts
	report *Report
}

// join is the path of a file in the folder as the user named that.
func join(dir, name string) string {
	return strings.TrimSuffix(dir, string(os.PathSeparator)) + string(os.PathSeparator) + name
}

// open opens the folder, and makes it.
func (w *writer) open() error {
	if !w.o.DryRun {
		if err := os.MkdirAll(w.o.Dir, 0o777); err != nil {
			return w.wrong("", err)
		}
	}
	root, err := os.OpenRoot(w.o.Dir)
	switch {
	case w.o.DryRun && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return w.wrong("", err)
	}
	w.root = root
	return nil
}

func (w *writer) close() {
	if w.root != nil {
		w.root.Close()
	}
}

// wrong is an error about a file of the folder, "" for the folder itself.
func (w *writer) wrong(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	place := w.o.Dir
	if name != "" {
		place = join(place, name)
	}
	return diag.Cure("name another folder with -o", "%s: cannot be written: %w", place, err)
}

// read returns a file of the folder, of at most so many bytes; nil if there is none.
func (w *writer) read(name string, most int64) ([]byte, error) {
	if w.root == nil {
		return nil, nil
	}
	f, err := w.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("is no file"))
	}
	return io.ReadAll(io.LimitReader(f, most+1))
}

// manifest returns what stands in the place of a manifest, which has to be one.
func (w *writer) manifest(name string) ([]byte, error) {
	data, err := w.read(name, format.MaxManifestBytes)
	if err != nil {
		return nil, w.wrong(name, err)
	}
	if data == nil {
		return nil, nil
	}
	if _, err := format.Parse(data); err != nil {
		return nil, diag.Cure("remove it, or name another folder with -o", "%s: %w", join(w.o.Dir, name), err)
	}
	return data, nil
}

// parts writes the parts that are not there and returns the manifest.
func (w *writer) parts(ctx context.Context) ([]byte, error) {
	m := format.New(w.o.Name, w.o.Bytes, w.o.Root)
	buf := make([]byte, m.PartBytes)
	for i, at := 0, int64(0); at < w.o.Bytes; i, at = i+1, at+m.PartBytes {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		part := buf[:m.Size(i)]
		if _, err := w.o.File.ReadAt(part, at); err != nil && err != io.EOF { // EOF beside all bytes is none
			return nil, fmt.Errorf("%s: %w", w.o.Name, err)
		}
		sum := m.Append(part)
		if w.seen[sum] {
			continue
		}
		w.seen[sum] = true
		w.report.Parts++
		// A part that is there and has other bytes is left of a machine that lost power.
		if there, err := w.read(format.Path(sum), m.PartBytes); err != nil {
			return nil, w.wrong(format.Path(sum), err)
		} else if there != nil && bytes.Equal(there, part) {
			continue
		}
		w.report.Written++
		w.report.WrittenBytes += int64(len(part))
		if w.o.DryRun {
			continue
		}
		if err := w.place(format.Path(sum), part); err != nil {
			return nil, err
		}
	}
	return m.Encode()
}
