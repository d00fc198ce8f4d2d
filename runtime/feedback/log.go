package feedback

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"kdd/runtime/wire"
)

// DefaultFileBytes is the size at which a file is put aside.
const DefaultFileBytes = 10 << 20

// Log appends records to a file. It is safe for concurrent use.
type Log struct {
	mu    sync.Mutex
	path  string
	max   int64
	file  *os.File
	bytes int64
	known [2]map[string]struct{} // ids of the records in the file and in the one put aside
	now   func() time.Time
}

// Open opens a log for appending. It creates the file if there is none, readable only by its owner. If a crash cut off
// the last line, it adds a line end, so that the next record has a line of its own. max bounds the file; 0 is
// DefaultFileBytes. Cost: it reads both files.
func Open(path string, max int64) (*Log, error) {
	l := &Log{path: path, max: cmp.Or(max, DefaultFileBytes), now: time.Now}
	for i, name := range []string{path, Aside(path)} {
		l.known[i] = map[string]struct{}{}
		records, _, err := readFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, r := range records {
			l.known[i][r.ID] = struct{}{}
		}
	}
	return l, l.open()
}

// Aside returns the path to which a log's file is renamed when it has grown.
func Aside(path string) string { return path + ".1" }

func (l *Log) open() error {
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	size, err := endLine(f)
	if err != nil {
		f.Close()
		return err
	}
	l.file, l.bytes = f, size
	return nil
}

// endLine adds a line end to a file whose last line has none, and returns the file's size.
func endLine(f *os.File) (size int64, err error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: errors.New("not a file")}
	}
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	last := []byte{'\n'}
	if _, err := f.ReadAt(last, info.Size()-1); err != nil && err != io.EOF {
		return 0, err
	}
	if last[0] == '\n' {
		return info.Size(), nil
	}
	_, err = f.WriteString("\n")
	return info.Size() + 1, err
}

// Add checks a record and appends it; it is on the disk when Add returns. added is false if the log has it already.
//
// Errors: invalid_input, too_large, io_error. Cost: one fsync.
func (l *Log) Add(r Record) (added bool, err error) {
	if err := r.Check(); err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ids := range l.known {
		if _, ok := ids[r.ID]; ok {
			return false, nil
		}
	}
	r.Time = l.now().UTC().Format(time.RFC3339)
	line := append(wire.Encode(r), '\n')
	if err := l.append(line); err != nil {
		return false, wire.NewError(wire.CodeIO, "the feedback cannot be written", "").Because(err)
	}
	l.known[0][r.ID] = struct{}{}
	return true, nil
}

// append writes the whole line or, after an error, nothing.
func (l *Log) append(line []byte) error {
	if err := l.follow(); err != nil {
		return err
	}
	if l.bytes > 0 && l.bytes+int64(len(line)) > l.max {
		if err := l.rotate(); err != nil {
			return err
		}
	}
	_, err := l.file.Write(line)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.file.Truncate(l.bytes)
		return err
	}
	l.bytes += int64(len(line))
	return nil
}

// follow opens the file again if the last rotation failed, or if another program has moved or removed the file: nobody
// would read a file without a name. It also updates the size, since another program may have emptied the file.
func (l *Log) follow() error {
	if l.file == nil {
		return l.open()
	}
	own, err := l.file.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(l.path); err == nil && os.SameFile(own, named) {
		l.bytes = own.Size()
		return nil
	}
	l.file.Close()
	l.file = nil
	return l.begin()
}

// begin begins another file; the file before it is the one that was put aside.
func (l *Log) begin() error {
	l.known[0], l.known[1] = map[string]struct{}{}, l.known[0]
	return l.open()
}

// rotate puts the file aside and begins another.
func (l *Log) rotate() error {
	l.file.Close()
	l.file = nil
	if err := os.Rename(l.path, Aside(l.path)); err != nil {
		return err
	}
	return l.begin()
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Read returns the records of a log and of the file that was put aside, oldest first, and how many lines are no
// records. It is an error if there is no file.
func Read(path string) (records []Record, broken int, err error) {
	records, broken, err = readFile(Aside(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	newer, more, newerErr := readFile(path)
	if newerErr != nil && (err != nil || !errors.Is(newerErr, fs.ErrNotExist)) {
		return nil, 0, newerErr
	}
	return append(records, newer...), broken + more, nil
}

// maxReadBytes bounds a file that is read.
const maxReadBytes = 1 << 30

func readFile(path string) (records []Record, broken int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxReadBytes {
		return nil, 0, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a file of at most 1 GiB")}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	records, broken = Parse(data)
	return records, broken, nil
}

// Parse returns the records in the bytes of a file, and how many lines are no records.
func Parse(data []byte) (records []Record, broken int) {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		r, ok := parseLine(line)
		if !ok {
			broken++
			continue
		}
		records = append(records, r)
	}
	return records, broken
}
