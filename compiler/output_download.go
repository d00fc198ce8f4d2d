package compiler

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/source"
	"kdd/format"
)

// Download is an artifact that comes from elsewhere. Its bytes go to a file beside its place, where the next run goes
// on, and which gets the artifact's name once it is whole.
type Download struct {
	File    *os.File
	out     *output
	release func()
}

// sumDigits is how much of a checksum the name of a download has.
const sumDigits = 12

// NewDownload opens the file of the artifact that is to be at path and has the SHA-256 sum, in hex. It has the bytes that
// a run before has fetched. The place is checked as that of a build is; what is there stays until Place.
func NewDownload(path, sum string) (*Download, error) {
	out, err := newOutput(artifactOutput, path, &source.Tree{})
	if err != nil {
		return nil, err
	}
	name := out.partName(sum[:sumDigits])
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, diag.Cure("remove it, or "+another, "%s: not a file", name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be written: %w", name, cause(err))
	}
	release, ok := hold(f)
	if !ok {
		f.Close()
		return nil, diag.Cure("wait for it, or "+another, "%s: another kdd writes it", name)
	}
	d := &Download{f, out, release}
	var head [8]byte
	if n, _ := io.ReadFull(f, head[:]); n == len(head) && !format.Begins(head[:]) {
		d.Close()
		return nil, diag.Cure("remove it, or "+another, "%s: a file that kdd has not made would be overwritten", name)
	}
	return d, nil
}

// partName is what a download is called: FILE.SUM.partial.
func (out *output) partName(sum string) string { return out.real + "." + sum + ".partial" }

// Place gives the file the artifact's name and removes what other versions have left beside it. Close it all the same.
func (d *Download) Place() error {
	if err := d.out.place(d.File); err != nil {
		return fmt.Errorf("%s: not written, what was there before is untouched: %w", d.out.path, cause(err))
	}
	dir, base := filepath.Split(d.out.real)
	entries, _ := os.ReadDir(filepath.Clean(dir)) // those that can be read
	for _, e := range entries {
		sum := strings.TrimSuffix(strings.TrimPrefix(e.Name(), base+"."), ".partial")
		if len(sum) != sumDigits || e.Name() != filepath.Base(d.out.partName(sum)) {
			continue
		}
		if _, release, err := openLocked(filepath.Join(dir, e.Name())); err == nil { // else another kdd writes it
			os.Remove(filepath.Join(dir, e.Name()))
			release()
		}
	}
	return nil
}

// Discard removes the file.
func (d *Download) Discard() error { return os.Remove(d.File.Name()) }

// Close ends the writing; what is there stays for the next run.
func (d *Download) Close() error {
	defer d.release()
	if err := d.File.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
