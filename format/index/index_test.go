package index

import (
	"bytes"
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"

	"kdd/format"
)

func TestMappedIsRead(t *testing.T) {
	data := withTrailers(image(t, generate(2, 80)))
	x, err := Open(writeFile(t, "a.kddx", data))
	if err != nil {
		t.Fatalf("Open = %v", err)
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
		im, err := format.Lay(append(list[:len(list):len(list)], format.RawBlock{Tag: format.Tag([]byte(tag)), Critical: critical, Rows: 7, Data: []byte("new")}))
		if err != nil {
			t.Fatal(err)
		}
		return written(t, im)
	}
	for _, tag := range []string{"AAAA", "ZZZZ"} {
		data := extra(tag, false)
		x := open(t, data)
		if b := x.File.Block(format.Tag([]byte(tag))); b == nil || string(b.All()) != "new" {
			t.Errorf("Block(%s) = %v, want its bytes", tag, b)
		}
		if problems, err := verifyBytes(data); err != nil || problems != nil {
			t.Errorf("Verify with an unknown optional block = %v, %v, want none", problems, err)
		}
		var version *format.VersionError
		if _, err := openBytes(extra(tag, true)); !errors.As(err, &version) || version.Block.String() != tag || !strings.Contains(err.Error(), "update kdd") {
			t.Errorf("New with an unknown critical block = %v, want a VersionError naming %s", err, tag)
		}
	}
}

func TestWriterIsDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []byte
	for _, n := range []int{1, 4, 1, 3} {
		runtime.GOMAXPROCS(n)
		data := image(t, generate(3, 200))
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Errorf("GOMAXPROCS=%d gives other bytes", n)
		}
	}
}

func BenchmarkOpenIndex(b *testing.B) {
	path := writeFile(b, "a.kddx", image(b, generate(3, 500)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		x.File.Close()
	}
}
