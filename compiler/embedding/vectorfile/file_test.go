package vectorfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/embedding"
)

// textKey is the key of a text, and vectorOf a vector that tells the text.
func textKey(s string) Key { return sha256.Sum256([]byte(s)) }

func vectorOf(s string) []float32 {
	key := textKey(s)
	angle := float64(binary.LittleEndian.Uint32(key[:]))
	return []float32{float32(math.Sin(angle)), 0, float32(math.Cos(angle))}
}

var testHead = Head{Recipe: embedding.Recipe{ModelSHA256: "53aa", Engine: "go 1 test", Limit: 256}, Dim: 3, Shard: 1, Shards: 4, Texts: 3}

// texts in the order of their keys.
func byKey(texts ...string) []string {
	slices.SortFunc(texts, func(a, b string) int {
		x, y := textKey(a), textKey(b)
		return bytes.Compare(x[:], y[:])
	})
	return texts
}

// encoded returns a file of texts.
func encoded(t testing.TB, head Head, texts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, &head)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range byKey(texts...) {
		if err := w.Put(textKey(s), vectorOf(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// written writes a file and returns its path.
func written(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFile(t *testing.T) {
	data := encoded(t, testHead, "a", "b", "c")
	if want := testHead.FixedBytes() + 3*testHead.RowBytes(); int64(len(data)) != want {
		t.Errorf("%d bytes, want %d", len(data), want)
	}
	f, err := Open(written(t, "part-1.kddv", data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Head != testHead || f.Len() != 3 {
		t.Errorf("head %+v of %d rows, want %+v of 3", f.Head, f.Len(), testHead)
	}
	for _, s := range []string{"a", "b", "c"} {
		i, ok, err := f.Find(textKey(s))
		got := make([]float32, 3)
		if err != nil || !ok || f.Row(got, i) != nil || !slices.Equal(got, vectorOf(s)) {
			t.Errorf("%q: row %d, %v, %v: %v, want %v", s, i, ok, err, got, vectorOf(s))
		}
	}
	if i, ok, err := f.Find(textKey("d")); ok || err != nil {
		t.Errorf("a text that was not written is row %d, %v", i, err)
	}
}

func TestWriterRefuses(t *testing.T) {
	w, err := NewWriter(new(bytes.Buffer), &testHead)
	if err != nil {
		t.Fatal(err)
	}
	texts := byKey("a", "b")
	if err := w.Put(textKey(texts[1]), vectorOf("b")); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a key again":        w.Put(textKey(texts[1]), vectorOf("b")),
		"a key before":       w.Put(textKey(texts[0]), vectorOf("a")),
		"a vector too short": w.Put(Key{0xff, 0xff, 0xff}, []float32{1, 0}),
	} {
		if err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// TestFileDamaged changes every byte of a file and cuts it off everywhere: what is read is right or an error.
func TestFileDamaged(t *testing.T) {
	whole := encoded(t, testHead, "a", "b")
	path := written(t, "x.kddv", nil)
	for i := range whole {
		for name, damaged := range map[string][]byte{
			"changed": slices.Concat(whole[:i], []byte{whole[i] ^ 0x10}, whole[i+1:]), "cut off": whole[:i],
		} {
			if err := os.WriteFile(path, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := readAll(path); err == nil {
				t.Errorf("byte %d %s, and all is read", i, name)
			} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "; ") {
				t.Errorf("byte %d %s: %v, want the file's name and a cure", i, name, err)
			}
		}
	}
}

// readAll reads the vectors of a and b, and reports what is wrong with the file.
func readAll(path string) error {
	s, err := OpenSet([]string{path}, false)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, text := range []string{"a", "b"} {
		got := make([]float32, s.Head().Dim)
		if ok, err := s.Get(got, textKey(text)); err != nil {
			return err
		} else if !ok || !slices.Equal(got, vectorOf(text)) {
			return fmt.Errorf("%s: %q is %v, %v; want %v", path, text, ok, got, vectorOf(text))
		}
	}
	return nil
}

func TestSet(t *testing.T) {
	other := testHead
	other.Recipe.Engine = "go 1 other"
	longer := testHead
	longer.Dim = 4
	whole := written(t, "part-2.kddv", encoded(t, Head{Recipe: testHead.Recipe, Dim: 3, Shard: 2, Shards: 4}, "b", "c", "d"))
	first := written(t, "part-1.kddv", encoded(t, testHead, "a", "b"))
	agreed := testHead
	agreed.Recipe.Engine = "any 1 cpu"
	rounded := written(t, "part-1.kddv", encoded(t, agreed, "a", "b"))
	model := testHead
	model.Recipe.ModelSHA256 = "m"
	tests := []struct {
		name  string
		paths []string
		mixed bool
		want  string // of the error; "" = none
	}{
		{"two parts with a text in common", []string{first, whole}, false, ""},
		{"a part twice", []string{first, first}, false, ""},
		{"another engine", []string{first, written(t, "o.kddv", encoded(t, other, "z"))}, false, `vectors of engine "go 1 other", those of`},
		{"another engine, mixed", []string{first, written(t, "o.kddv", encoded(t, other, "z"))}, true, ""},
		{"another model, mixed", []string{first, written(t, "x.kddv", encoded(t, model, "z"))}, true, `vectors of model "m"`},
		{"other vectors of another engine, mixed", []string{first, written(t, "w2.kddv", wrongOf(t, &other))}, true, ""},
		{"vectors that disagree, mixed", []string{first, written(t, "w3.kddv", wrongOf(t, &testHead))}, true, "other vectors of the same text"},
		{"other lengths", []string{first, written(t, "l.kddv", slices.Clone(emptyFile(t, longer)))}, false, "vectors of 4 numbers, those of"},
		{"vectors that disagree", []string{first, written(t, "w.kddv", wrongOf(t, &testHead))}, false, "other vectors of the same text"},
		{"last bits that disagree", []string{first, written(t, "n.kddv", nearOf(t, &testHead))}, false, "other vectors of the same text"},
		{"last bits, of engines that agree once rounded", []string{rounded, written(t, "n.kddv", nearOf(t, &agreed))}, false, ""},
		{"vectors that disagree, of such engines", []string{rounded, written(t, "w.kddv", wrongOf(t, &agreed))}, false, "other vectors of the same text"},
		{"an older version", []string{written(t, "v.kddv", []byte("KDDVEC2\n\x03\x00\x00\x00"))}, false, `in the format "KDDVEC2" of another version of kdd, want "KDDVEC3"`},
		{"something else", []string{written(t, "m.kddv", []byte("# markdown, not vectors\n"))}, false, "no file of vectors; want what"},
		{"nothing", []string{written(t, "e.kddv", nil)}, false, "no file of vectors"},
		{"a folder", []string{t.TempDir()}, false, "no file of vectors"},
		{"none", []string{filepath.Join(t.TempDir(), "none")}, false, "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := OpenSet(tt.paths, tt.mixed)
			if err == nil {
				s.Close()
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("OpenSet = %v, want %q", err, tt.want)
			}
		})
	}
	s, err := OpenSet([]string{first, whole}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, text := range []string{"a", "b", "c", "d"} {
		got := make([]float32, 3)
		if ok, err := s.Get(got, textKey(text)); !ok || err != nil || !slices.Equal(got, vectorOf(text)) {
			t.Errorf("Get(%q) = %v, %v, %v, want %v", text, got, ok, err, vectorOf(text))
		}
	}
	if got, want := s.Absent(), []string{"0/4", "3/4"}; !slices.Equal(got, want) {
		t.Errorf("Absent = %q, want %q", got, want)
	}
}

// wrongOf is a file with a vector for "b" that is not b's.
func wrongOf(t *testing.T, head *Head) []byte { return fileOf(t, head, vectorOf("not b")) }

// nearOf is a file with a vector for "b" that has other last bits.
func nearOf(t *testing.T, head *Head) []byte {
	v := vectorOf("b")
	v[0] = math.Nextafter32(v[0], 0)
	return fileOf(t, head, v)
}

// fileOf is a file with a vector for "b".
func fileOf(t *testing.T, head *Head, v []float32) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, head)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(textKey("b"), v); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func emptyFile(t *testing.T, head Head) []byte { return encoded(t, head) }

// TestRowsThatAreNoVectors writes rows with right checks that no model makes.
func TestRowsThatAreNoVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range [][]float32{{nan, 0, 0}, {0, inf, 0}, {1, 1, 0}, {0, 0.5, 0}} {
		var b bytes.Buffer
		w, err := NewWriter(&b, &testHead)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Put(textKey("a"), row); err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if err := readAll(written(t, "x.kddv", b.Bytes())); err == nil || !strings.Contains(err.Error(), "a vector of length") {
			t.Errorf("row %v: %v, want its length", row, err)
		}
	}
}

// TestResume cuts a file off at every byte, writes the rest, and has the same file each time.
func TestResume(t *testing.T) {
	texts := byKey("a", "b", "c")
	keys := []Key{textKey(texts[0]), textKey(texts[1]), textKey(texts[2])}
	whole := encoded(t, testHead, texts...)
	record := int(testHead.recordBytes())
	start := len(testHead.encode())
	path := written(t, "x.partial", nil)
	resumed := func(name string, there []byte, want int) {
		t.Helper()
		if err := os.WriteFile(path, there, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, kept, err := Resume(f, &testHead, keys)
		if err != nil || kept != want {
			t.Fatalf("%s: %d rows are kept, %v, want %d", name, kept, err, want)
		}
		for _, s := range texts[kept:] {
			if err := w.Put(textKey(s), vectorOf(s)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("%s: the file is another one, %v", name, err)
		}
	}
	for n := range whole {
		resumed(fmt.Sprintf("cut off at %d", n), whole[:n], min(max(n-start, 0)/record, 3))
	}
	damaged := slices.Clone(whole)
	damaged[start+record+50] ^= 1
	resumed("the second row damaged", damaged, 1)
	other := testHead
	other.Recipe.Prefix = "x"
	resumed("of another recipe", encoded(t, other, texts...), 0)
	resumed("of other texts", encoded(t, testHead, "a", "b", "c", "e", "f", "g", "h"), sameFirst(texts, byKey("a", "b", "c", "e", "f", "g", "h")))
}

// sameFirst counts the elements that begin both.
func sameFirst(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// FuzzOpen reads whatever there is: what it gives are vectors.
func FuzzOpen(f *testing.F) {
	f.Add(encoded(f, testHead, "a", "b"))
	f.Add(encoded(f, testHead))
	f.Add([]byte("KDDVEC3\n\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(written(t, "x.kddv", data))
		if err != nil {
			return
		}
		defer file.Close()
		row := make([]float32, file.Head.Dim)
		for i := range file.Len() {
			if file.Row(row, i) != nil {
				continue
			}
			var sum float64
			for _, x := range row {
				sum += float64(x) * float64(x)
			}
			if sum != 0 && !(math.Abs(math.Sqrt(sum)-1) < 0.1) {
				t.Fatalf("row %d has length² %g", i, sum)
			}
		}
	})
}
