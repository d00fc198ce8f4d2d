package vectorfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"kdd/compiler/diag"
)

// File is an open file of vectors. Its methods may be called from several goroutines. Memory: 8 bytes a row.
type File struct {
	Head   Head
	Path   string
	file   *os.File
	at     int64    // of the first row
	table  int64    // of the first entry
	prefix []uint64 // the beginning of each key, ascending
}

// Open opens a file and checks its head and table.
//
// Errors name the file and say what is wrong with it: none of kdd's, of another version, cut short, damaged.
// Cost: a read of the table, 48 bytes a row.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, file: file}
	if err := f.read(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// damaged is the cure of a file whose bytes were changed.
const damaged = `make it again with "kdd embed"`

func (f *File) read() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return diag.Cure(`want what "kdd embed" makes`, "no file of vectors")
	}
	head, start, err := readHead(f.file)
	if err != nil {
		return err
	}
	f.Head, f.at = *head, int64(len(start))
	size := info.Size()
	foot := make([]byte, footerBytes)
	if size < f.at+int64(footerBytes) {
		return diag.Cure(cut, "cut short after %d bytes", size)
	}
	if _, err := f.file.ReadAt(foot, size-int64(footerBytes)); err != nil {
		return err
	}
	count := binary.LittleEndian.Uint64(foot)
	sum, end := foot[8:8+sha256.Size], foot[8+sha256.Size:]
	rows := (size - f.at - int64(footerBytes)) / f.Head.RowBytes()
	if string(end) != endMagic || count != uint64(rows) || f.at+rows*f.Head.RowBytes()+int64(footerBytes) != size {
		return diag.Cure(cut, "cut short after %d bytes", size)
	}
	f.table = f.at + rows*f.Head.recordBytes()
	h := sha256.New()
	h.Write(start)
	r := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(f.file, f.table, rows*entryBytes), h), writeBuffer)
	f.prefix = make([]uint64, rows)
	var before Key
	entry := make([]byte, entryBytes)
	for i := range f.prefix {
		if _, err := io.ReadFull(r, entry); err != nil {
			return err
		}
		key := Key(entry)
		if i > 0 && compareKeys(&before, &key) >= 0 {
			return diag.Cure(damaged, "damaged: the keys of rows %d and %d do not ascend", i-1, i)
		}
		f.prefix[i], before = prefixOf(&key), key
	}
	h.Write(foot[:8])
	if !bytes.Equal(h.Sum(nil), sum) {
		return diag.Cure(damaged, "damaged: its table has another checksum")
	}
	return nil
}

// Len is the number of rows.
func (f *File) Len() int { return len(f.prefix) }

// Entry returns what the table says of row i.
func (f *File) Entry(i int) (Entry, error) {
	b := make([]byte, entryBytes)
	if _, err := f.file.ReadAt(b, f.table+int64(i)*entryBytes); err != nil {
		return Entry{}, err // it names the file
	}
	return readEntry(b), nil
}

// Find returns the row of a text. Cost: a search, and a read of its entry.
func (f *File) Find(key Key) (i int, ok bool, err error) { return f.find(&key) }

func (f *File) find(key *Key) (int, bool, error) {
	prefix := prefixOf(key)
	i, _ := slices.BinarySearch(f.prefix, prefix)
	for ; i < len(f.prefix) && f.prefix[i] == prefix; i++ {
		if e, err := f.Entry(i); err != nil || e.Key == *key {
			return i, err == nil, err
		}
	}
	return 0, false, nil
}

// Row reads row i, [Head.Dim], of unit length.
//
// Errors: of reading, and where the row is not as it was written or is no vector.
func (f *File) Row(dst []float32, i int) error {
	record := make([]byte, f.Head.recordBytes())
	if _, err := f.file.ReadAt(record, f.at+int64(i)*int64(len(record))); err != nil {
		return err
	}
	key, row := Key(record), record[sha256.Size+8:]
	if checkOf(&key, row) != [8]byte(record[sha256.Size:]) {
		return diag.Cure(damaged, "%s: damaged: row %d has another checksum", f.Path, i)
	}
	if prefixOf(&key) != f.prefix[i] {
		return diag.Cure(damaged, "%s: damaged: row %d is not that of the table", f.Path, i)
	}
	if err := decodeRow(dst, row); err != nil {
		return diag.Cure(damaged, "%s: row %d: %v", f.Path, i, err)
	}
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
