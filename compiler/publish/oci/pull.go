package oci

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"kdd/compiler"
	"kdd/compiler/stall"
	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/source/oci"
	"kdd/runtime/wire"
)

// PullOptions says what Pull does besides.
type PullOptions struct {
	oci.Options
	Output   string            // the file to write; "" = what the artifact was called, in the working folder
	Progress Progress          // may be nil
	Notice   func(text string) // is told of mirrors that do not answer; may be nil
}

// PullReport is pull_report.v1.
type PullReport struct {
	SchemaVersion string `json:"schema_version"`
	IndexID       string `json:"index_id"`
	Path          string `json:"path"`       // of the file
	Reference     string `json:"reference"`  // that answered, with the digest of the manifest
	Digest        string `json:"digest"`     // of the manifest
	Layer         string `json:"layer"`      // digest of the file
	FileBytes     int64  `json:"file_bytes"` // of the file

	DownloadedBytes int64 `json:"downloaded_bytes"` // that came from the registry in this run
	ResumedBytes    int64 `json:"resumed_bytes"`    // that a run before had left
	ReusedBytes     int64 `json:"reused_bytes"`     // of the file that was there before
	Unchanged       bool  `json:"unchanged"`        // the file was the registry's already

	Model    string             `json:"model,omitempty"`    // as the manifest says
	Source   string             `json:"source,omitempty"`   // as the manifest says
	Revision string             `json:"revision,omitempty"` // the commit, as the manifest says
	Created  string             `json:"created,omitempty"`  // the commit's date, as the manifest says
	Seconds  map[string]float64 `json:"seconds"`            // total
}

// Pull fetches the artifact from the first of the references that answers. A file that is there is replaced once the new
// one is whole, has its digest and opens; a run that is stopped goes on the next time.
func Pull(ctx context.Context, references []string, o PullOptions) (*PullReport, error) {
	begun := time.Now()
	var refs []oci.Reference
	for _, text := range references {
		ref, err := oci.Parse(text)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	var first error
	for i, ref := range refs {
		report, err := pull(ctx, ref, o)
		if err == nil {
			report.Seconds = map[string]float64{"total": time.Since(begun).Seconds()}
			return report, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || errors.As(err, new(localError)) {
			return nil, err
		}
		if i < len(refs)-1 && o.Notice != nil {
			o.Notice(err.Error() + "; trying " + refs[i+1].String())
		}
	}
	return nil, first
}

// localError is one of this machine, which no mirror cures.
type localError struct{ error }

// Unwrap returns what went wrong.
func (e localError) Unwrap() error { return e.error }

// local marks an error as one of this machine.
func local(err error) error { return localError{wire.From(wire.CodeIO, "", err)} }

// pull fetches from one registry.
func pull(ctx context.Context, ref oci.Reference, o PullOptions) (*PullReport, error) {
	repo, err := oci.Connect(ctx, ref, o.Options)
	if err != nil {
		return nil, err
	}
	found, err := repo.Resolve(ctx)
	if err != nil {
		return nil, err
	}
	ref.Tag, ref.Digest = "", found.Digest
	r := &PullReport{SchemaVersion: "pull_report.v1", Path: cmp.Or(o.Output, fileName(ref, found.Layer.Title)), Reference: ref.String(),
		Digest: found.Digest, Layer: found.Layer.Digest, FileBytes: found.Layer.Size, Model: found.Model, Source: found.Source,
		Revision: found.Revision, Created: found.Created}
	if same(r.Path, found.Layer) {
		r.Unchanged = true
		r.IndexID, err = opened(r.Path, found, ref)
		return r, err
	}
	target, err := compiler.NewDownload(r.Path, strings.TrimPrefix(found.Layer.Digest, "sha256:"))
	if err != nil {
		return nil, local(err)
	}
	defer target.Close()
	d := &download{repo: repo, layer: found.Layer, file: target.File, sum: sha256.New(), wait: cmp.Or(o.Wait, time.Second), progress: o.Progress}
	if !d.adopt(ctx, found, r.Path) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := d.run(ctx); err != nil {
			if d.wrong {
				target.Discard()
			}
			return nil, err
		}
	}
	r.DownloadedBytes, r.ResumedBytes, r.ReusedBytes = d.fetched, d.resumed, d.reused
	if r.IndexID, err = opened(target.File.Name(), found, ref); err != nil {
		target.Discard()
		return nil, err
	}
	if err := target.Place(); err != nil {
		return nil, local(err)
	}
	return r, nil
}

// fileName returns the name of an artifact where none was told: that of the file which was pushed, if it is a harmless one,
// else the repository's.
func fileName(ref oci.Reference, title string) string {
	harmless := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_' || c == ' '
	}
	if len(title) <= 128 && filepath.Ext(title) == ".kddx" && !strings.ContainsAny(title[:1], ".- ") &&
		strings.IndexFunc(title, func(c rune) bool { return !harmless(c) }) < 0 {
		return title
	}
	return path.Base(ref.Name) + ".kddx"
}

// same says whether a file is the layer.
func same(path string, layer oci.Layer) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() != layer.Size {
		return false
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && digestOf(sum) == layer.Digest
}

func digestOf(sum hash.Hash) string { return "sha256:" + hex.EncodeToString(sum.Sum(nil)) }

// opened opens a file as an artifact, compares its root hash with what the manifest says, and returns its index id.
func opened(path string, found *oci.Artifact, ref oci.Reference) (id string, err error) {
	x, err := index.Open(path)
	if err != nil {
		code := wire.CodeIndexCorrupt
		if errors.Is(err, format.ErrVersion) {
			code = wire.CodeIndexVersion
		}
		return "", wire.From(code, ref.String()+": ", err)
	}
	defer x.File.Close()
	root := x.File.RootHash()
	if found.Root != "" && found.Root != hex.EncodeToString(root[:]) {
		return "", wire.NewError(wire.CodeIndexUntrusted, fmt.Sprintf("%s: its manifest says root hash %.12s…, the file has %.12s…", ref, found.Root,
			hex.EncodeToString(root[:])), "ask who pushed it")
	}
	return x.File.ID(), nil
}

// download brings one layer into a file.
type download struct {
	repo     *oci.Repository
	layer    oci.Layer
	file     *os.File
	sum      hash.Hash // of the bytes that the file has
	have     int64     // how many those are
	resumed  int64
	reused   int64 // of the file that was there before
	fetched  int64
	wrong    bool // what the file has is not worth keeping
	wait     time.Duration
	progress Progress
}

// attempts is how many attempts of a download in a row may bring nothing.
const attempts = 5

// run fetches what the file lacks, goes on where a connection breaks off, and compares the whole with the digest. What
// a run before has left and turns out wrong is fetched again once.
func (d *download) run(ctx context.Context) error {
	if err := d.resume(); err != nil {
		return local(err)
	}
	for {
		if err := d.fill(ctx); err != nil {
			return err
		}
		got := digestOf(d.sum)
		if got == d.layer.Digest {
			return nil
		}
		if d.resumed == 0 {
			d.wrong = true
			return wire.NewError(wire.CodeIndexUntrusted, fmt.Sprintf("%s: the registry sent bytes of digest %s, want %s", d.repo.Reference, got,
				d.layer.Digest), "name a mirror, or ask who runs the registry")
		}
		if err := d.restart(); err != nil {
			return local(err)
		}
	}
}

// resume reads what the file has.
func (d *download) resume() error {
	n, err := io.Copy(d.sum, io.NewSectionReader(d.file, 0, d.layer.Size))
	if err != nil {
		return err
	}
	if err := d.file.Truncate(n); err != nil {
		return err
	}
	d.have, d.resumed = n, n
	_, err = d.file.Seek(n, io.SeekStart)
	return err
}

// restart forgets what the file has.
func (d *download) restart() error {
	d.sum.Reset()
	d.have, d.resumed = 0, 0
	if err := d.file.Truncate(0); err != nil {
		return err
	}
	_, err := d.file.Seek(0, io.SeekStart)
	return err
}

// fill fetches the rest of the layer.
func (d *download) fill(ctx context.Context) error {
	for failures := 0; d.have < d.layer.Size; {
		before := d.have
		err := d.fetch(ctx)
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, new(localError)), oci.Final(err):
			return err
		}
		if failures++; d.have > before {
			failures = 1
		}
		if failures == attempts {
			return wire.NewError(wire.CodeIO, fmt.Sprintf("%v, after %d of %d bytes", err, d.have, d.layer.Size), "run the command again to go on").Because(err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(d.wait << (failures - 1)):
		}
	}
	return nil
}

// fetch asks for the rest of the layer once and writes what comes.
func (d *download) fetch(ctx context.Context) error {
	ctx, watch := stall.Start(ctx, stall.Limit, func() error {
		return fmt.Errorf("%s: no data for %v", d.repo.Reference, stall.Limit)
	})
	defer watch.Stop()
	body, from, err := d.repo.Fetch(ctx, d.layer, d.have)
	if err != nil {
		return err
	}
	defer body.Close()
	if from != d.have {
		if err := d.restart(); err != nil {
			return local(err)
		}
	}
	buffer := make([]byte, 256<<10)
	for {
		n, err := body.Read(buffer)
		watch.Seen()
		if n > 0 {
			if d.have == 0 && !format.Begins(buffer[:min(n, 8)]) && n >= 8 {
				d.wrong = true
				return d.foreign(buffer[:n])
			}
			if _, err := d.file.Write(buffer[:n]); err != nil {
				return local(err)
			}
			d.sum.Write(buffer[:n])
			d.have += int64(n)
			d.fetched += int64(n)
			if d.progress != nil {
				d.progress("pull", d.have, d.layer.Size)
			}
		}
		switch {
		case err == io.EOF && d.have < d.layer.Size:
			return fmt.Errorf("%s: the layer ends early", d.repo.Reference)
		case err == io.EOF:
			return nil
		case err != nil:
			return d.repo.Explain(ctx, err)
		}
	}
}

// foreign says what a layer is that is no .kddx.
func (d *download) foreign(head []byte) error {
	_, err := format.OpenBytes(head)
	return wire.From(wire.CodeIndexCorrupt, d.repo.Reference.String()+": its layer is ", err)
}
