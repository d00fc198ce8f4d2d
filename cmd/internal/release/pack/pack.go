// Package pack writes the archives of a release. The same files give the same bytes: members are sorted, owned by
// nobody, of one time and of two modes.
package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	kflate "github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// File is one file of a folder or archive, by its path with forward slashes.
type File struct {
	Name       string
	Data       []byte
	Executable bool
}

// mode is what the file may be used for.
func (f *File) mode() fs.FileMode {
	if f.Executable {
		return 0o755
	}
	return 0o644
}

// Time is that of all members: the first that a zip archive can have.
var Time = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// sorted returns the files by name, and refuses names that an archive cannot have.
func sorted(files []File) ([]File, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	for i, f := range files {
		if !fs.ValidPath(f.Name) || i > 0 && f.Name == files[i-1].Name {
			return nil, fmt.Errorf("%s is no path in an archive, or is there twice", f.Name)
		}
	}
	return files, nil
}

// Zip writes files as a zip archive.
func Zip(w io.Writer, files []File) error {
	files, err := sorted(files)
	if err != nil {
		return err
	}
	out := zip.NewWriter(w)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return kflate.NewWriter(w, flate.DefaultCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: Time}
		h.SetMode(f.mode())
		part, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := io.Copy(part, bytes.NewReader(f.Data)); err != nil {
			return err
		}
	}
	return out.Close()
}

// Tar writes files as a tar archive, with the folders that they lie in.
func Tar(w io.Writer, files []File) error {
	files, err := sorted(files)
	if err != nil {
		return err
	}
	out := tar.NewWriter(w)
	made := map[string]bool{}
	for _, f := range files {
		for i, r := range f.Name {
			if folder := f.Name[:i] + "/"; r == '/' && !made[folder] {
				made[folder] = true
				h := &tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755, ModTime: Time}
				if err := out.WriteHeader(h); err != nil {
					return err
				}
			}
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Mode: int64(f.mode()), Size: int64(len(f.Data)), ModTime: Time}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.Data); err != nil {
			return err
		}
	}
	return out.Close()
}

// TarGz writes them as a compressed tar archive.
func TarGz(w io.Writer, files []File) error {
	out := gzip.NewWriter(w)
	if err := Tar(out, files); err != nil {
		return err
	}
	return out.Close()
}
