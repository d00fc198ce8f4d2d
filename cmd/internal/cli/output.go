package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kdd/cmd/internal/replace"
	"kdd/format"
	"kdd/runtime/wire"
)

// writeOutput writes a file that a flag names. An older one is replaced; what the command reads (inputs), an artifact
// and a folder are not.
func writeOutput(flag, path string, data []byte, inputs ...string) error {
	if path == "-" {
		return usageError("--%s -: want a file, it is not printed; name one, such as ./- if that is its name", flag)
	}
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
	err = replace.File(real, data, info, 0, nil)
	var cause *fs.PathError
	if errors.As(err, &cause) { // it names the file beside
		return &fs.PathError{Op: "write", Path: path, Err: cause.Err}
	}
	return err
}

// lost says why a file is not overwritten.
func lost(flag, path, why string) error {
	return wire.NewError(wire.CodeInvalidInput,
		fmt.Sprintf("--%s %s: %s, and would be overwritten", flag, wire.Clean(path), why), "name another file").
		With("field", flag)
}

// isArtifact says that a file begins as a .kddx does.
func isArtifact(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head) // a shorter file has what it has
	return format.Begins(head[:n])
}

// Size is a number of bytes as people read it.
func Size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	case bytes < 1000_000_000:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
}
