//go:build !unix

package format

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
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

// reserve gives length bytes of memory for a file that lies elsewhere.
func reserve(_ *os.File, length int64) ([]byte, func() error, error) {
	if length > math.MaxInt {
		return nil, nil, fmt.Errorf("%w: %d bytes do not fit this machine's memory", ErrTooBig, length)
	}
	return make([]byte, length), func() error { return nil }, nil
}

// mapped says whether an address lies in a mapping: there is none on this system.
func mapped(uintptr) bool { return false }
