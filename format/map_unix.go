//go:build unix

package format

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"reflect"
	"sync"
	"syscall"
)

// mapFile maps the file read-only and shared; pages are loaded as they are read and belong to the page cache.
func mapFile(path string) ([]byte, fs.FileInfo, func() error, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	if info.Size() == 0 {
		return nil, info, func() error { return nil }, nil
	}
	if info.Size() > math.MaxInt {
		return nil, nil, nil, fmt.Errorf("%w: %d bytes cannot be mapped on this machine", ErrTooBig, info.Size())
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	mappings.Store(&data[0], len(data))
	return data, info, func() error {
		mappings.Delete(&data[0])
		return syscall.Munmap(data)
	}, nil
}

// mappings has the length of each mapping (int) by its first byte (*byte).
var mappings sync.Map

// mapped says whether an address lies in a mapping of this package.
func mapped(address uintptr) bool {
	found := false
	mappings.Range(func(first, length any) bool {
		start := reflect.ValueOf(first).Pointer()
		found = address >= start && address-start < uintptr(length.(int))
		return !found
	})
	return found
}
