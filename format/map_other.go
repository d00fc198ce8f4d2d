//go:build !unix

package format

import (
	"io"
	"io/fs"
)

// mapFile reads the file into memory: where a mapped file cannot be replaced, an open artifact must not be mapped.
func mapFile(path string) ([]byte, fs.FileInfo, func() error, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, nil, err
	}
	return data, info, func() error { return nil }, nil
}

// mapped says whether an address lies in a mapping: there is none on this system.
func mapped(uintptr) bool { return false }
