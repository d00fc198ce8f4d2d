package compiler

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kdd/format"
)

// write puts the image under a temporary name beside path, syncs it and renames it: path is the old file or the whole
// new one, whatever happens.
func write(ctx context.Context, path string, image *format.Image, trailer []byte) (err error) {
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: it is no regular file; name another output with -o", path)
	}
	f, err := os.CreateTemp(dir, ".kddx-*")
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s: the folder %s does not exist; make it, or name another output with -o", path, dir)
		}
		return fmt.Errorf("%s: cannot be written: %w", path, err)
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := image.WriteTo(&cancelled{ctx, w}); err != nil {
		return wrote(path, err)
	}
	if _, err := w.Write(trailer); err != nil {
		return wrote(path, err)
	}
	if err := w.Flush(); err != nil {
		return wrote(path, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return wrote(path, err)
	}
	if err := f.Sync(); err != nil {
		return wrote(path, err)
	}
	if err := f.Close(); err != nil {
		return wrote(path, err)
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := os.Rename(temp, path); err != nil {
		return wrote(path, err)
	}
	return syncDir(dir)
}

func wrote(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: not written, what was there before is untouched: %w", path, err)
}

// syncDir makes the rename durable; where folders cannot be synced that is no error.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	d.Sync()
	return nil
}

// cancelled is a writer that ends with its context.
type cancelled struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancelled) Write(b []byte) (int, error) {
	var n int
	for len(b) > 0 {
		if c.ctx.Err() != nil {
			return n, context.Cause(c.ctx)
		}
		part := b[:min(len(b), 1<<20)]
		k, err := c.w.Write(part)
		n += k
		if err != nil {
			return n, err
		}
		b = b[len(part):]
	}
	return n, nil
}
