package bundle

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"kdd/compiler/diag"
)

// another is the cure where a name is taken.
const another = "name another kit with -o"

// place is where a kit goes. A temporary file beside it is made first, so that a folder that cannot be written to is
// found before minutes of packing.
type place struct {
	path string      // as told
	real string      // the file itself, where path is a symbolic link
	mode fs.FileMode // permissions of the file that is replaced; 0 if there is none
	temp *os.File
}

// newPlace checks that a kit can be written to path and that nothing else is lost by it: what is there has to begin as
// such an archive does, and may not be one of inputs.
func newPlace(path, begins string, inputs []string) (*place, error) {
	p := &place{path: path, real: path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		p.real = real
	}
	info, err := os.Stat(p.real)
	if err == nil {
		if err := p.replaceable(info, begins, inputs); err != nil {
			return nil, err
		}
	}
	folder := filepath.Dir(p.real)
	for {
		name := filepath.Join(folder, fmt.Sprintf(".kdd-bundle-%016x", rand.Uint64()))
		if p.temp, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Cure("make it, or "+another, "%s: the folder %s does not exist", path, folder)
	case errors.Is(err, syscall.ENOTDIR):
		return nil, diag.Cure(another, "%s: %s is no folder", path, folder)
	case err != nil:
		return nil, diag.Cure("permit it, or "+another, "%s: the folder %s cannot be written to: %w", path, folder, cause(err))
	}
	return p, nil
}

// replaceable reports why the file that is there must stay.
func (p *place) replaceable(info fs.FileInfo, begins string, inputs []string) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return diag.Cure("name a file in it with -o", "%s: a folder, want a file", p.path)
	case !mode.IsRegular():
		return diag.Cure(another, "%s: a pipe, socket or device, not a file", p.path)
	case mode.Perm()&0o222 == 0:
		return diag.Cure("permit writing, or "+another, "%s: the file is read-only", p.path)
	}
	for _, path := range inputs {
		if other, err := os.Stat(path); err == nil && os.SameFile(info, other) {
			return diag.Cure(another, "%s: %s, which is packed, would be overwritten", p.path, path)
		}
	}
	f, err := os.Open(p.real)
	if err != nil {
		return diag.Cure(another, "%s: cannot be replaced: %w", p.path, cause(err))
	}
	defer f.Close()
	head := make([]byte, len(begins))
	if n, _ := io.ReadFull(f, head); n > 0 && string(head[:n]) != begins {
		return diag.Cure("remove it, or "+another, "%s: a file that is no such archive would be overwritten", p.path)
	}
	p.mode = info.Mode().Perm()
	return nil
}

// discard removes the temporary file, if it has not become the kit.
func (p *place) discard() {
	p.temp.Close()
	os.Remove(p.temp.Name())
}

// write fills the temporary file and puts it in its place. What was there stays until then.
func (p *place) write(ctx context.Context, fill func(w io.Writer) error) (size int64, sum string, err error) {
	count := &counter{hash: sha256.New()}
	w := bufio.NewWriterSize(io.MultiWriter(p.temp, count), 1<<20)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil && p.mode != 0 {
		err = p.temp.Chmod(p.mode)
	}
	if err == nil {
		err = errors.Join(p.temp.Sync(), p.temp.Close())
	}
	if err == nil {
		err = os.Rename(p.temp.Name(), p.real)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: not written: %w", p.path, err)
	}
	return count.bytes, hex.EncodeToString(count.hash.Sum(nil)), err
}

// counter counts and hashes what is written.
type counter struct {
	hash  hash.Hash
	bytes int64
}

// Write takes all of b.
func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.hash.Write(b)
}

// cause returns what the system said, without operation and path: messages name the output as the user did.
func cause(err error) error {
	if path := new(fs.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}
