package dict

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"kdd/format"
)

// dictKeys returns n distinct keys in order, many with common prefixes.
func dictKeys(r *rand.Rand, n int) []string {
	set := map[string]bool{}
	for len(set) < n {
		key := strings.Repeat("ab", r.IntN(4)) + fmt.Sprint(r.IntN(4*n+1))
		if r.IntN(10) == 0 {
			key = string([]byte{byte(r.Uint32()), byte(r.Uint32())}[:r.IntN(3)])
		}
		if r.IntN(200) == 0 {
			key = strings.Repeat("x", MaxString-3) + fmt.Sprintf("%03d", r.IntN(1000))
		}
		set[key] = true
	}
	list := make([]string, 0, n)
	for key := range set {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

func newDict(t testing.TB, keys []string) *Dict {
	t.Helper()
	d, err := Parse(format.Bare(testDict, Encode(keys)))
	if err != nil {
		t.Fatalf("Parse = %v", err)
	}
	return &d
}

var testDict = format.Tag{'T', 'E', 'S', 'T'}

// topped is newDict with an upper level.
func topped(t testing.TB, keys []string) *Dict {
	d := newDict(t, keys)
	first, at := Top(keys, Encode(keys), TopStrings)
	d.SetTop(newDict(t, first), func(row uint32) uint64 { return at[row] }, TopStrings)
	return d
}

func TestDict(t *testing.T) {
	for name, open := range map[string]func(testing.TB, []string) *Dict{"plain": newDict, "topped": topped} {
		t.Run(name, func(t *testing.T) { testDictionary(t, open) })
	}
}

func testDictionary(t *testing.T, open func(testing.TB, []string) *Dict) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			keys := dictKeys(r, n)
			d := open(t, keys)
			if d.Len() != n {
				t.Fatalf("Len = %d, want %d", d.Len(), n)
			}
			probes := slices.Clone(keys)
			for _, k := range keys { // and between keys
				probes = append(probes, k+"\x00", k+"\xff", k[:len(k)/2])
			}
			probes = append(probes, "", "\xff\xff\xff", strings.Repeat("z", MaxString+1))
			for _, p := range probes {
				at := sort.SearchStrings(keys, p)
				found := at < n && keys[at] == p
				if i, ok := d.Find(p); ok != found || ok && int(i) != at {
					t.Fatalf("Find(%.20q) = %d, %t, want %d, %t", p, i, ok, at, found)
				}
				next := at
				for i, key := range d.From(p) {
					if int(i) != next || string(key) != keys[next] {
						t.Fatalf("From(%.20q) gives %d %.20q, want %d %.20q", p, i, key, next, keys[next])
					}
					if next++; next > at+20 {
						break
					}
				}
				if next < min(n, at+20) {
					t.Fatalf("From(%.20q) ends at %d of %d", p, next, n)
				}
				next = at
				for i := range d.Prefix(p) {
					if int(i) != next || !strings.HasPrefix(keys[next], p) {
						t.Fatalf("Prefix(%.20q) gives %d, want %d", p, i, next)
					}
					next++
				}
				if next < n && strings.HasPrefix(keys[next], p) {
					t.Fatalf("Prefix(%.20q) ends before %.20q", p, keys[next])
				}
			}
			for i, key := range keys {
				if got := d.At(uint32(i)); got != key {
					t.Fatalf("At(%d) = %.20q, want %.20q", i, got, key)
				}
			}
			if err := format.Guard(func() error { d.At(uint32(n)); return nil }); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("At(%d) of %d = %v, want a corrupt index", n, n, err)
			}
		})
	}
}

func TestAppendDictPanics(t *testing.T) {
	for _, keys := range [][]string{{"b", "a"}, {"a", "a"}, {strings.Repeat("a", MaxString+1)}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Encode of %d keys that are out of order or too long does not panic", len(keys))
				}
			}()
			Encode(keys)
		}()
	}
}

func BenchmarkDictFind(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("term%08d", i*7)
		}
		d := newDict(b, keys)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				key := keys[i*7919%n]
				if got, ok := d.Find(key); !ok || int(got) != i*7919%n {
					b.Fatalf("Find(%q) = %d, %t", key, got, ok)
				}
				i++
			}
		})
	}
}

// TestDictSpans asks that all strings between two lie in the spans of their rows, and that these are no more than the
// rows from the one before the first to the last.
func TestDictSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	keys := dictKeys(r, 3000)
	d := topped(t, keys)
	probes := append(slices.Clone(keys[:500]), "", "\xff\xff\xff")
	for range 2000 {
		from, to := probes[r.IntN(len(probes))], probes[r.IntN(len(probes))]
		if r.IntN(8) == 0 {
			to = ""
		} else if from > to {
			from, to = to, from
		}
		first, end := d.Rows(from, to)
		low, high := sort.SearchStrings(keys, from), sort.Search(len(keys), func(i int) bool { return to != "" && keys[i] > to })
		if int(first) > low/TopStrings || int(end)*TopStrings < high || low < high && int(end)-int(first) > (high-1)/TopStrings-low/TopStrings+2 {
			t.Fatalf("Rows(%.20q, %.20q) = %d, %d; the strings are %d to %d", from, to, first, end, low, high)
		}
		spans := d.Spans(first, end)
		for i := low; i < high; i += 7 {
			at, after := d.place(uint32(i) / dictGroup)
			if group := spans[1]; at < group.At || after > group.At+group.N {
				t.Fatalf("string %d lies at [%d, %d), the span is [%d, +%d)", i, at, after, group.At, group.N)
			}
			if at, index := uint64(dictHeader+i/dictGroup*4), spans[0]; at < index.At || at+4 > index.At+index.N {
				t.Fatalf("string %d has its place at %d, the span is [%d, +%d)", i, at, index.At, index.N)
			}
		}
	}
}

func FuzzDict(f *testing.F) {
	f.Add(Encode(nil), "a")
	f.Add(Encode([]string{"", "a", "ab", "abc", "b"}), "ab")
	var keys []string
	for c := 'a'; c <= 'z'; c++ {
		keys = append(keys, "key "+string(c))
	}
	f.Add(Encode(keys), "key m")
	f.Fuzz(func(t *testing.T, b []byte, key string) {
		d, err := Parse(format.Bare(testDict, b))
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("Parse = %v, want a corrupt index", err)
			}
			return
		}
		n := 0
		err = format.Guard(func() error {
			d.Find(key)
			for range d.Prefix(key) {
			}
			for i := range d.From("") {
				d.At(i)
				n++
			}
			return nil
		})
		var corrupt *format.CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block != testDict) {
			t.Fatalf("walk = %v, want a CorruptError of the dictionary", err)
		}
		if n > d.Len() {
			t.Fatalf("walked over %d strings of %d", n, d.Len())
		}
	})
}
