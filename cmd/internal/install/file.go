package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"kdd/cmd/internal/replace"
	"kdd/runtime/wire"
)

// maxFileBytes bounds a file that is read; Claude Code's grows with its history.
const maxFileBytes = 64 << 20

// file is a host's file as it was found.
type file struct {
	path string // as it is named
	real string // where links lead
	data []byte
	info fs.FileInfo // nil: it does not exist
}

// load reads a file; one that does not exist is empty. The error names the file and a cure.
func load(path string) (*file, error) {
	f := &file{path: path, real: path}
	link, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, f.failed(err)
	}
	if link.Mode()&fs.ModeSymlink != 0 {
		if f.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, wire.NewError(wire.CodeIO, path+": a link that leads to no file",
				"make the file that it names, or remove the link").Because(err)
		}
	}
	if f.info, err = os.Stat(f.real); err != nil {
		return nil, f.failed(err)
	}
	switch {
	case f.info.IsDir():
		return nil, wire.NewError(wire.CodeIO, path+": it is a folder, want a file", "")
	case !f.info.Mode().IsRegular():
		return nil, wire.NewError(wire.CodeIO, path+": it is not a regular file", "")
	case f.info.Size() > maxFileBytes:
		return nil, wire.NewError(wire.CodeTooLarge,
			fmt.Sprintf("%s: %d bytes, at most %d are read", path, f.info.Size(), maxFileBytes), "")
	}
	if f.data, err = os.ReadFile(f.real); err != nil {
		return nil, f.failed(err)
	}
	switch {
	case bytes.HasPrefix(f.data, []byte("\xff\xfe")), bytes.HasPrefix(f.data, []byte("\xfe\xff")):
		return nil, f.refused(errors.New("1:1: the text is UTF-16, want UTF-8"), "save it as UTF-8")
	case !utf8.Valid(f.data):
		at := 0
		for rest := f.data; ; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				break
			}
			at, rest = at+n, rest[n:]
		}
		return nil, f.refused(syntaxAt(f.data, at, "a byte that is no UTF-8"), "save it as UTF-8")
	}
	return f, nil
}

// within says whether a file is, or would be made, in a folder once links are followed. A project's links came with it,
// and a person who registers a server for the project means no file outside.
func within(folder, file string) bool {
	relative, err := filepath.Rel(realPath(folder), realPath(file))
	return err == nil && filepath.IsLocal(relative)
}

// realPath follows the links of a path as far as it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return path
}

func (f *file) failed(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return wire.NewError(wire.CodeIO, f.path+": "+err.Error(), "").Because(err)
}

// refused says that the file is not what the host reads; nothing was written.
func (f *file) refused(err error, cure string) error {
	if cure == "" {
		cure = "mend it and run this again; nothing was changed"
	}
	return wire.NewError(wire.CodeInvalidInput, f.path+":"+err.Error(), cure).Because(err)
}

// backupSuffix is behind a file's name in its copy's name.
const backupSuffix = ".kdd-backup"

// maxBackups bounds the copies beside a file.
const maxBackups = 99

// backup copies the file as it was found to a new file beside it, unless one of the copies is that already. It returns
// the copy's path.
func (f *file) backup() (string, error) {
	for i := 1; i <= maxBackups; i++ {
		name := f.real + backupSuffix
		if i > 1 {
			name += fmt.Sprintf("-%d", i)
		}
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(f.data)) {
				if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, f.data) {
					return name, nil
				}
			}
			continue
		}
		if err != nil {
			return "", f.failed(err)
		}
		_, err = out.Write(f.data)
		if err = errors.Join(err, out.Chmod(f.info.Mode().Perm()), out.Sync(), out.Close()); err != nil {
			os.Remove(name)
			return "", f.failed(err)
		}
		return name, nil
	}
	message := fmt.Sprintf("%s: %d copies %s-N are beside it", f.path, maxBackups, filepath.Base(f.real)+backupSuffix)
	return "", wire.NewError(wire.CodeIO, message, "remove those that you do not need")
}

// writable refuses a file that its owner made read-only: a rename would not ask.
func (f *file) writable() error {
	if f.info != nil && f.info.Mode().Perm()&0o200 == 0 {
		return wire.NewError(wire.CodeIO, f.path+": it is read-only", "make it writable (chmod u+w) and run this again")
	}
	return nil
}

// write replaces the file by rename, with its permissions and owner; a new one gets perm, and its folders are made.
func (f *file) write(data []byte, perm fs.FileMode) error {
	if f.info == nil {
		if err := os.MkdirAll(filepath.Dir(f.real), 0o755); err != nil {
			return f.failed(err)
		}
	}
	err := replace.File(f.real, data, f.info, perm, f.unchanged)
	var known *wire.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return f.failed(err)
}

// remove deletes the file.
func (f *file) remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.real); err != nil {
		return f.failed(err)
	}
	return nil
}

// unchanged makes sure that nobody wrote the file since it was read.
func (f *file) unchanged() error {
	now, err := os.ReadFile(f.real)
	if f.info == nil && errors.Is(err, fs.ErrNotExist) || f.info != nil && err == nil && bytes.Equal(now, f.data) {
		return nil
	}
	return wire.NewError(wire.CodeIO, f.path+": another program changed it meanwhile; nothing was written",
		"run this again")
}
