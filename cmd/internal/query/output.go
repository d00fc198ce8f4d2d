package query

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kdd/runtime/shape"
)

// writeOutput writes a file that a flag names. An older one is replaced; what the command reads (inputs), an artifact and a
// folder are not.
func writeOutput(flag, path string, data []byte, inputs ...string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a folder")}
	}
	if err == nil {
		for _, input := range inputs {
			if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
				return lost(flag, path, "the command reads this file")
			}
		}
		if info.Mode().IsRegular() && isArtifact(path) {
			return lost(flag, path, "it is an index")
		}
	}
	if err != nil || !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	return replaceFile(path, info, data)
}

// replaceFile writes beside a file and renames, so that a full disk leaves what was there. A link stays one.
func replaceFile(path string, info fs.FileInfo, data []byte) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(real, os.O_WRONLY, 0) // changes nothing, but asks for permission
	if err != nil {
		return err
	}
	f.Close()
	out, err := os.CreateTemp(filepath.Dir(real), ".kdd-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // gone once it was renamed
	_, err = out.Write(data)
	for _, next := range []error{out.Chmod(info.Mode().Perm()), out.Close()} {
		if err == nil {
			err = next
		}
	}
	var cause *fs.PathError
	switch {
	case errors.As(err, &cause): // it names the file beside
		return &fs.PathError{Op: "write", Path: path, Err: cause.Err}
	case err != nil:
		return err
	}
	return os.Rename(out.Name(), real)
}

// lost says why a file is not overwritten.
func lost(flag, path, why string) error {
	return shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("--%s %s: %s, and would be overwritten", flag, shape.Clean(path), why), "name another file").With("field", flag)
}

// isArtifact says that a file begins as a .kddx does.
func isArtifact(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [8]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && bytes.Equal(head[:], []byte("KDDX\r\n\x1a\n"))
}
