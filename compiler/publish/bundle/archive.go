package bundle

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// archive writes the files of a kit one by one.
type archive interface {
	add(name string, mode fs.FileMode, size int64, content io.Reader) error
	Close() error
}

// kinds are the archives that a kit may be, by the ending of its name.
var kinds = []struct {
	ending string
	begins string // the first bytes of such a file
	open   func(w io.Writer, at time.Time) archive
}{
	{".tar.gz", "\x1f\x8b", newTar},
	{".tgz", "\x1f\x8b", newTar},
	{".zip", "PK", newZip},
}

// tarArchive is a tar archive in gzip. Its header names no file, time or system.
type tarArchive struct {
	*tar.Writer
	gzip *gzip.Writer
	time time.Time
}

func newTar(w io.Writer, at time.Time) archive {
	z := gzip.NewWriter(w)
	return &tarArchive{tar.NewWriter(z), z, at}
}

func (t *tarArchive) add(name string, mode fs.FileMode, size int64, content io.Reader) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: size, ModTime: t.time}
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err := io.Copy(t.Writer, content)
	return err
}

// Close writes the end of both.
func (t *tarArchive) Close() error { return errors.Join(t.Writer.Close(), t.gzip.Close()) }

// zipArchive is a zip archive, which Windows opens without a program.
type zipArchive struct {
	*zip.Writer
	time time.Time
}

func newZip(w io.Writer, at time.Time) archive { return &zipArchive{zip.NewWriter(w), at} }

func (z *zipArchive) add(name string, mode fs.FileMode, _ int64, content io.Reader) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.time}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = io.Copy(w, content)
	}
	return err
}

// folderOf returns the folder that a kit of that name unpacks to, and which of kinds it is; -1 for none.
func folderOf(output string) (folder string, kind int) {
	base := path.Base(strings.ReplaceAll(output, `\`, "/"))
	for i, k := range kinds {
		if end := len(base) - len(k.ending); end > 0 && strings.EqualFold(base[end:], k.ending) {
			return base[:end], i
		}
	}
	return base, -1
}
