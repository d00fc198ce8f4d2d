package format

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"
)

func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMappedIsRead(t *testing.T) {
	data := withTrailers(image(t, generate(2, 80)))
	x, err := OpenIndex(writeFile(t, "a.kddx", data))
	if err != nil {
		t.Fatalf("OpenIndex = %v", err)
	}
	defer x.File.Close()
	mapped, read := walk(x), walk(open(t, data))
	if !maps.Equal(mapped, read) {
		t.Errorf("mapped %v, read into memory %v", mapped, read)
	}
	if x.File.Bytes() != int64(len(data)) {
		t.Errorf("Bytes = %d, want %d", x.File.Bytes(), len(data))
	}
	if err := x.File.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := x.File.Close(); err != nil {
		t.Errorf("Close a second time = %v", err)
	}
}

func TestUnknownBlocks(t *testing.T) {
	list := rawBlocks(t, image(t, generate(2, 5)))
	extra := func(tag string, critical bool) []byte {
		im, err := Lay(append(list[:len(list):len(list)], RawBlock{Tag: Tag([]byte(tag)), Critical: critical, Rows: 7, Data: []byte("new")}))
		if err != nil {
			t.Fatal(err)
		}
		return written(t, im)
	}
	for _, tag := range []string{"AAAA", "ZZZZ"} {
		data := extra(tag, false)
		x := open(t, data)
		if b := x.File.Block(Tag([]byte(tag))); b == nil || string(b.All()) != "new" {
			t.Errorf("Block(%s) = %v, want its bytes", tag, b)
		}
		if problems, err := Verify(data); err != nil || problems != nil {
			t.Errorf("Verify with an unknown optional block = %v, %v, want none", problems, err)
		}
		var version *VersionError
		if _, err := OpenBytes(extra(tag, true)); !errors.As(err, &version) || version.Block.String() != tag || !strings.Contains(err.Error(), "update kdd") {
			t.Errorf("OpenBytes with an unknown critical block = %v, want a VersionError naming %s", err, tag)
		}
	}
}

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
		{"a tag twice", []RawBlock{{Tag: tagDocs}, {Tag: tagDocs}}, "twice"},
		{"checksums", []RawBlock{{Tag: tagSums}}, "made by the writer"},
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
	if _, err := Lay(many[1:]); err != nil {
		t.Errorf("Lay of as many blocks as fit = %v", err)
	}
}

func TestWriterIsDeterministic(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(0))
	var first []byte
	for _, n := range []int{1, 4, 1, 3} {
		goruntime.GOMAXPROCS(n)
		data := image(t, generate(3, 200))
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Errorf("GOMAXPROCS=%d gives other bytes", n)
		}
	}
}

// failingWriter fails after n bytes.
type failingWriter struct{ n int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if len(b) > w.n {
		return w.n, errors.New("disk full")
	}
	w.n -= len(b)
	return len(b), nil
}

func TestWriteToFails(t *testing.T) {
	im, err := Encode(generate(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < int(im.Bytes()); n += 1000 {
		if done, err := im.WriteTo(&failingWriter{n}); err == nil || done != int64(n) {
			t.Errorf("WriteTo a disk of %d bytes = %d, %v, want an error", n, done, err)
		}
	}
}

func TestChanged(t *testing.T) {
	data := image(t, generate(1, 2))
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
			path := writeFile(t, "a.kddx", data)
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

func BenchmarkOpenIndex(b *testing.B) {
	path := writeFile(b, "a.kddx", image(b, generate(3, 500)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := OpenIndex(path)
		if err != nil {
			b.Fatal(err)
		}
		x.File.Close()
	}
}

func BenchmarkColumn(b *testing.B) {
	t := newTable(100_000)
	t.plain(func(i int) uint64 { return uint64(i*7919) % 5000 })
	t.rising(func(i int) uint64 { return uint64(i) * 3 })
	columns, err := parseTable(tagDocs, t.bytes(), []columnSpec{{"a", numberCell, false}, {"b", numberCell, true}})
	if err != nil {
		b.Fatal(err)
	}
	for i, kind := range []string{"plain", "rising"} {
		b.Run("At/"+kind, func(b *testing.B) {
			row, sum := uint32(0), uint64(0)
			for b.Loop() {
				sum += columns[i].at(row)
				if row += 7; row >= 100_000 {
					row = 0
				}
			}
			if sum == 0 {
				b.Fatal("all cells are zero")
			}
		})
	}
}
