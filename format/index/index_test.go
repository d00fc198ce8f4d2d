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

// TestForeignFiles checks that what is no index is refused alike, whatever is to be done with it.
func TestForeignFiles(t *testing.T) {
	good := image(t, generate(1, 2))
	newer := bytes.Clone(good)
	newer[8] = 200
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"text", []byte("# A markdown file\n"), format.ErrNotKddx},
		{"empty", nil, format.ErrNotKddx},
		{"newer", newer, format.ErrVersion},
		{"half a header", good[:60], format.ErrCorrupt},
		{"half", good[:len(good)/2], format.ErrCorrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := writeFile(t, "a.kddx", tt.data)
			if _, err := Open(path); !errors.Is(err, tt.want) {
				t.Errorf("Open = %v, want %v", err, tt.want)
			}
			problems, err := Verify(path)
			if tt.want == format.ErrCorrupt && (err != nil || len(problems) == 0) ||
				tt.want != format.ErrCorrupt && !errors.Is(err, tt.want) {
				t.Errorf("Verify = %v, %v, want %v", problems, err, tt.want)
			}
			if err := Dump(new(bytes.Buffer), path, format.DumpOptions{}); err != nil && !errors.Is(err, tt.want) {
				t.Errorf("Dump = %v, want %v", err, tt.want)
			}
		})
	}
}

// TestFingerprint checks what of a finding its fingerprint stands for.
func TestFingerprint(t *testing.T) {
	f := func(rule, path, text string) string {
		return (&Finding{Rule: rule, Path: path, Text: text}).Fingerprint()
	}
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"lines move", f("r", "a.md", "see line 12 of a.md:3:4"), f("r", "a.md", "see line 13 of a.md:5:6"), true},
		{"another wording", f("r", "a.md", `no "x" here`), f("r", "a.md", `"x" is missing`), true},
		{"another name", f("r", "a.md", `no "x" here`), f("r", "a.md", `no "y" here`), false},
		{"a wiki link", f("r", "a.md", "no [[x]]"), f("r", "a.md", "no [[y]]"), false},
		{"another file", f("r", "a.md", "x"), f("r", "b.md", "x"), false},
		{"another rule", f("r", "a.md", "x"), f("s", "a.md", "x"), false},
		{"names of others", f("duplicate-id", "a.md", `"x", also in "b.md"`), f("duplicate-id", "a.md", `"x", also in "c.md"`), true},
		{"a list that grows", f("coverage-hole", "a.md", `lacks "x"`), f("coverage-hole", "a.md", `lacks "x", "y"`), true},
	}
	for _, tt := range tests {
		if (tt.a == tt.b) != tt.same || len(tt.a) != 16 {
			t.Errorf("%s: fingerprints %s and %s, want the same: %t", tt.name, tt.a, tt.b, tt.same)
		}
	}
}
