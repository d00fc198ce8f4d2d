package compiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/source"
)

// newPartOutput returns where a part goes: to a name that ends in .kddv as told, else into the folder of that name, which
// is made if it is not there, or the working folder, by the number of its shard.
func newPartOutput(path string, p Part, tree *source.Tree) (*output, error) {
	name := "part-" + strconv.Itoa(p.Shard) + vectorfile.Extension
	if path == "" {
		path = name
	} else if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, name)
	} else if filepath.Ext(path) != vectorfile.Extension {
		if err == nil {
			return nil, diag.Cure("name a folder, or a file that ends in "+vectorfile.Extension, "%s: no folder", path)
		}
		if err := os.MkdirAll(path, 0o777); err != nil {
			return nil, fmt.Errorf("%s: cannot be written: %w", path, cause(err))
		}
		path = filepath.Join(path, name)
	}
	return newOutput(partOutput, path, tree)
}

// resume makes the output of what write adds to the rows that a run before has left. A run that ends early leaves its
// own, for the next.
func (out *output) resume(ctx context.Context, head *vectorfile.Head, keys []vectorfile.Key, write func(w *vectorfile.Writer, kept int) error) error {
	f, release, err := out.partial()
	if err != nil {
		return err
	}
	defer release()
	defer f.Close()
	err = func() error {
		w, kept, err := vectorfile.Resume(f, head, keys)
		if err != nil {
			return err
		}
		if err := write(w, kept); err != nil {
			w.Flush()
			return err
		}
		if err := w.Finish(); err != nil {
			return err
		}
		return out.place(f)
	}()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: not written, what was made is in %s: %w", out.path, f.Name(), cause(err))
	}
	return err
}

// partial opens the file of a run with --resume, which no other may write.
func (out *output) partial() (f *os.File, release func(), err error) {
	name := out.real + ".partial"
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, nil, diag.Cure("remove it, or "+another, "%s: not a file", name)
	}
	if f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, nil, fmt.Errorf("%s: cannot be written: %w", name, cause(err))
	}
	release, ok := hold(f)
	if !ok {
		f.Close()
		return nil, nil, diag.Cure("wait for it, or "+another, "%s: another kdd writes it", name)
	}
	var first [8]byte
	n, err := f.ReadAt(first[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", name, cause(err))
	} else if err = nil; !vectorfile.Begins(first[:n]) {
		err = diag.Cure("remove it, or "+another, "%s: a file that kdd has not made would be overwritten", name)
	}
	if err != nil {
		release()
		f.Close()
		return nil, nil, err
	}
	return f, release, nil
}
