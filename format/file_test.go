package format

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestLayRejects(t *testing.T) {
	many := make([]RawBlock, maxEntries)
	for i := range many {
		many[i].Tag = Tag{'A', 'A', 'A' + byte(i/16), 'A' + byte(i%16)}
	}
	tests := []struct {
		name   string
		blocks []RawBlock
		want   string
	}{
		{"a tag twice", []RawBlock{{Tag: Tag{'D', 'O', 'C', 'S'}}, {Tag: Tag{'D', 'O', 'C', 'S'}}}, "twice"},
		{"checksums", []RawBlock{{Tag: TagSums}}, "made by the writer"},
		{"page hashes", []RawBlock{{Tag: TagTree}}, "made by the writer"},
		{"no tag", []RawBlock{{}}, "printable"},
		{"too many", many, "blocks, at most"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Lay(tt.blocks); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Lay = %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Lay(many[2:]); err != nil {
		t.Errorf("Lay of as many blocks as fit = %v", err)
	}
}

// fullDisk is a writer that fails after n bytes.
type fullDisk struct{ n int }

func (w *fullDisk) Write(b []byte) (int, error) {
	if len(b) > w.n {
		return w.n, errors.New("disk full")
	}
	w.n -= len(b)
	return len(b), nil
}

func TestWriteToFails(t *testing.T) {
	im, err := Lay(demoBlocks())
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < int(im.Bytes()); n += 1000 {
		if done, err := im.WriteTo(&fullDisk{n}); err == nil || done != int64(n) {
			t.Errorf("WriteTo a disk of %d bytes = %d, %v, want an error", n, done, err)
		}
	}
}

func TestChanged(t *testing.T) {
	data := demo(t)
	tests := []struct {
		name string
		do   func(path string) error
		want Change
	}{
		{"nothing", func(string) error { return nil }, Same},
		{"removed", os.Remove, Replaced},
		{"renamed over", func(path string) error {
			if err := os.WriteFile(path+".new", data, 0o644); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}, Replaced},
		{"appended to", func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString("x")
			return err
		}, Written},
		{"touched", func(path string) error { return os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)) }, Written},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := saved(t, data)
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := tt.do(path); err != nil {
				t.Fatal(err)
			}
			if got := f.Changed(); got != tt.want {
				t.Errorf("Changed = %d, want %d", got, tt.want)
			}
		})
	}
	f, err := OpenBytes(data)
	if err != nil || f.Changed() != Same {
		t.Errorf("Changed of a file in memory is not Same, %v", err)
	}
}
