package vectorfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// Writer writes a file, row by row. Memory: 48 bytes a row.
type Writer struct {
	w       *bufio.Writer
	head    []byte
	dim     int
	entries []Entry
	record  []byte
}

const writeBuffer = 1 << 20

// NewWriter begins a file.
func NewWriter(f io.Writer, head *Head) (*Writer, error) {
	w := &Writer{w: bufio.NewWriterSize(f, writeBuffer), head: head.encode(), dim: head.Dim}
	_, err := w.w.Write(w.head)
	return w, err
}

// Resume goes on with what is in f if its head is the same, and says how many rows are kept: those that are whole and
// are of the first of keys, in their order. What comes behind them is cut off.
//
// Cost: a read of the file. Errors are those of reading and writing; whatever else is in f is overwritten.
func Resume(f *os.File, head *Head, keys []Key) (w *Writer, kept int, err error) {
	w = &Writer{w: bufio.NewWriterSize(f, writeBuffer), head: head.encode(), dim: head.Dim}
	r := bufio.NewReaderSize(f, writeBuffer)
	start := make([]byte, len(w.head))
	if n, err := io.ReadFull(r, start); err != nil && !short(err) {
		return nil, 0, err
	} else if !bytes.Equal(start[:n], w.head) {
		if err := rewind(f, 0); err != nil {
			return nil, 0, err
		}
		_, err := w.w.Write(w.head)
		return w, 0, err
	}
	record := make([]byte, head.recordBytes())
	for kept < len(keys) {
		if _, err := io.ReadFull(r, record); short(err) {
			break
		} else if err != nil {
			return nil, 0, err
		}
		e := Entry{Key: Key(record), check: [8]byte(record[sha256.Size:])}
		if e.Key != keys[kept] || e.check != checkOf(&e.Key, record[sha256.Size+8:]) {
			break
		}
		w.entries = append(w.entries, e)
		kept++
	}
	return w, kept, rewind(f, int64(len(w.head))+int64(kept)*head.recordBytes())
}

// short says that a file ended.
func short(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// rewind cuts a file off and goes to its end.
func rewind(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}

// Put adds a row, whose key is above all before. Its error is also that of what was written before.
func (w *Writer) Put(key Key, row []float32) error { return w.PutAged(Entry{Key: key}, row) }

// PutAged adds a row with its age.
func (w *Writer) PutAged(e Entry, row []float32) error {
	if len(row) != w.dim {
		return fmt.Errorf("a vector of %d numbers, want %d", len(row), w.dim)
	}
	if n := len(w.entries); n > 0 && compareKeys(&w.entries[n-1].Key, &e.Key) >= 0 {
		return fmt.Errorf("key %x after %x, want ascending keys", e.Key[:4], w.entries[n-1].Key[:4])
	}
	w.record = appendRow(w.record[:0], row)
	e.check = checkOf(&e.Key, w.record)
	w.entries = append(w.entries, e)
	w.w.Write(e.Key[:])
	w.w.Write(e.check[:])
	_, err := w.w.Write(w.record)
	return err
}

// Flush hands all rows to the system: a process that is killed later has them in its file.
func (w *Writer) Flush() error { return w.w.Flush() }

// Finish writes what makes the file a whole one.
func (w *Writer) Finish() error {
	sum := sha256.New()
	sum.Write(w.head)
	out := io.MultiWriter(w.w, sum)
	var entry []byte
	for i := range w.entries {
		entry = w.entries[i].append(entry[:0])
		if _, err := out.Write(entry); err != nil {
			return err
		}
	}
	if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(w.entries)))); err != nil {
		return err
	}
	w.w.Write(sum.Sum(nil))
	w.w.WriteString(endMagic)
	return w.w.Flush()
}
