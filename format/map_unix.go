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
	return data, info, keepMapping(data), nil
}

// reserve gives length bytes of memory for a file that lies elsewhere, over the pages of its cache if there is one. It
// maps the cache so that what others write into it is seen, and what is written here stays here.
func reserve(cache *os.File, length int64) ([]byte, func() error, error) {
	if length > math.MaxInt {
		return nil, nil, fmt.Errorf("%w: %d bytes cannot be mapped on this machine", ErrTooBig, length)
	}
	flags, fd := syscall.MAP_PRIVATE|syscall.MAP_ANON, -1
	if cache != nil {
		if info, err := cache.Stat(); err == nil && info.Size() == length {
			flags, fd = syscall.MAP_PRIVATE, int(cache.Fd())
		}
	}
	data, err := syscall.Mmap(fd, 0, int(length), syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, keepMapping(data), nil
}

// keepMapping counts a mapping among those of this package and returns what gives it up.
func keepMapping(data []byte) func() error {
	mappings.Store(&data[0], len(data))
	return func() error {
		mappings.Delete(&data[0])
		return syscall.Munmap(data)
	}
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
