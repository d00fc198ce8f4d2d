package engine

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	goruntime "runtime"
	"slices"

	"kdd/compiler/embedding/modeldir"
)

// The largest files that are unpacked: the library has 25 MB, its notices 350 kB.
const (
	maxLibraryBytes = 512 << 20
	maxNoticeBytes  = 16 << 20
)

// IsLibraryArchive says whether a file is an archive with ONNX Runtime's library in it, of whatever system, as its
// Python package is.
func IsLibraryArchive(file string) bool {
	z, err := zip.OpenReader(file)
	if err != nil {
		return false
	}
	defer z.Close()
	return slices.ContainsFunc(z.File, func(m *zip.File) bool {
		dir, base := path.Split(m.Name)
		library := windowsLibrary.MatchString(base) || macLibrary.MatchString(base) || elfLibrary.MatchString(base)
		return dir == "onnxruntime/capi/" && library
	})
}

// ImportLibrary takes ONNX Runtime's library out of its Python package into a folder of models, with its licence, and
// returns its path. It has to be a pinned release for this system. What is there already is replaced, whole or not at
// all.
func ImportLibrary(file, models string) (string, error) {
	label := filepath.Base(file)
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", fmt.Errorf("%s: not a wheel or zip archive: %w", label, err)
	}
	defer z.Close()
	parent := filepath.Join(models, modeldir.LibraryFolder)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(parent, ".import-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	name, err := unpackLibrary(&z.Reader, temp)
	if err == nil {
		err = errors.Join(checkPinned(filepath.Join(temp, name)), checkLibrary(filepath.Join(temp, name)))
	}
	var wrong *LibraryError
	if errors.As(err, &wrong) { // of a file that is gone when it is read
		wrong.Path, wrong.Do = label, "want release "+modeldir.LibraryVersion+" for "+goruntime.GOOS+"/"+goruntime.GOARCH
	}
	if err != nil {
		return "", err
	}
	if err := os.Chmod(temp, 0o755); err != nil { // temporary folders are private
		return "", err
	}
	target := filepath.Join(parent, modeldir.LibraryVersion)
	if err := os.RemoveAll(target); err != nil {
		return "", err
	}
	return filepath.Join(target, name), os.Rename(temp, target)
}

// unpackLibrary writes this system's library and its notices to a folder, and returns the library's name.
func unpackLibrary(z *zip.Reader, dir string) (name string, err error) {
	pattern := libraryPattern()
	for _, m := range z.File {
		folder, base := path.Split(m.Name)
		library := folder == "onnxruntime/capi/" && pattern.MatchString(base)
		if !library && (folder != "onnxruntime/" || !slices.Contains(besidePinned, base)) {
			continue
		}
		limit := int64(maxNoticeBytes)
		if library {
			limit = maxLibraryBytes
			if name != "" {
				return "", &LibraryError{Reason: "two libraries: " + name + " and " + base}
			}
			name = base
		}
		if err := unpack(m, filepath.Join(dir, base), limit); err != nil {
			return "", fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	if name == "" {
		return "", &LibraryError{Reason: "no library for this system"}
	}
	return name, nil
}

// unpack writes a member that is a plain file of at most limit bytes.
func unpack(m *zip.File, to string, limit int64) error {
	if !m.Mode().IsRegular() || m.UncompressedSize64 > uint64(limit) {
		return fmt.Errorf("%v of %d bytes, want a plain file of at most %d", m.Mode().Type(), m.UncompressedSize64, limit)
	}
	r, err := m.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, io.LimitReader(r, limit)); err != nil {
		f.Close()
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
