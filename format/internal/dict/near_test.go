package dict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// alignment is the optimal string alignment distance by the full table.
func alignment(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for k := range d[i] {
			switch {
			case i == 0:
				d[i][k] = k
			case k == 0:
				d[i][k] = i
			default:
				cost := 1
				if a[i-1] == b[k-1] {
					cost = 0
				}
				d[i][k] = min(d[i-1][k]+1, d[i][k-1]+1, d[i-1][k-1]+cost)
				if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
					d[i][k] = min(d[i][k], d[i-2][k-2]+1)
				}
			}
		}
	}
	return d[len(a)][len(b)]
}

func without(s string, skip func(rune) bool) []rune {
	var list []rune
	for _, r := range s {
		if skip == nil || !skip(r) {
			list = append(list, r)
		}
	}
	return list
}

// naiveNear looks at every key.
func naiveNear(keys []string, key, from, to string, most int, skip func(rune) bool) (list []Near) {
	want := without(key, skip)
	if len(want) == 0 || len(want) > maxNearRunes {
		return nil
	}
	for i, k := range keys {
		if k < from || to != "" && k >= to {
			continue
		}
		got := without(k, skip)
		if len(got) > len(want)+most {
			continue
		}
		if n := alignment(want, got); n <= most {
			list = append(list, Near{uint32(i), k, n})
		}
	}
	return sortNear(list)
}

func joint(r rune) bool { return r == '-' || r == ' ' || r == '.' }

// nearKeys returns words of few letters, so that many are near to each other.
func nearKeys(r *rand.Rand, n int) []string {
	letters := []string{"a", "b", "c", "é", "検", "-", " ", "d"}
	set := map[string]bool{}
	for range n {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(letters[min(r.IntN(len(letters)), r.IntN(len(letters)))])
		}
		if r.IntN(20) == 0 {
			b.WriteByte(byte(0x80 + r.IntN(128))) // no valid UTF-8
		}
		set[b.String()] = true
	}
	list := make([]string, 0, n)
	for key := range set {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

func checkNear(t *testing.T, d *Dict, keys []string, key, from, to string, most int, skip func(rune) bool) {
	t.Helper()
	want := naiveNear(keys, key, from, to, most, skip)
	got, complete := d.Near(key, from, to, most, skip)
	if !complete || !slices.Equal(got, want) {
		t.Fatalf("Near(%q, %q, %q, %d) = %v, %v, want %v", key, from, to, most, got, complete, want)
	}
}

// TestNear compares the walk with a look at every key.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	found := 0
	for _, n := range []int{0, 1, 15, 16, 17, 33, 300, 2000} {
		keys := nearKeys(r, n)
		d := newDict(t, keys)
		probes := append(nearKeys(r, 30), "", "---", strings.Repeat("a", maxNearRunes), strings.Repeat("a", maxNearRunes+1), "\xe6\xa4", "zzzz")
		for _, key := range probes {
			for most := range 4 {
				for _, skip := range []func(rune) bool{nil, joint} {
					checkNear(t, d, keys, key, "", "", most, skip)
					checkNear(t, d, keys, key, "b", "", most, skip)
					checkNear(t, d, keys, key, "b", "c", most, skip)
					list, _ := d.Near(key, "", "", most, skip)
					found += len(list)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d strings are near to any", found)
	}
}

// TestNearIsBounded checks that a dictionary where everything is near ends the walk.
func TestNearIsBounded(t *testing.T) {
	keys := make([]string, maxNearSteps+10)
	for i := range keys {
		keys[i] = fmt.Sprintf("%06d", i)
	}
	d := newDict(t, keys)
	if list, complete := d.Near("abcdef", "", "", 6, nil); complete || len(list) != maxNearSteps {
		t.Errorf("Near = %d strings, complete %v, want %d and false", len(list), complete, maxNearSteps)
	}
	if list, complete := d.Near("000017", "", "", 1, nil); !complete || len(list) == 0 || list[0].Key != "000017" || list[0].Distance != 0 {
		t.Errorf("Near = %v, complete %v", list, complete)
	}
}

func FuzzNear(f *testing.F) {
	f.Add("render\nrenders\nrendering\nstate\n", "rendre", uint8(1))
	f.Add("a\xe6\na\xe6\xa4\x9c\nab\n", "a検", uint8(2))
	f.Add("br-document-001\nbr-document-002\n", "br documnt 001", uint8(2))
	f.Fuzz(func(t *testing.T, text, key string, most uint8) {
		if len(text) > 2000 || len(key) > 200 {
			return
		}
		keys := strings.Split(text, "\n")
		slices.Sort(keys)
		keys = slices.Compact(keys)
		d := newDict(t, keys)
		checkNear(t, d, keys, key, "", "", int(most%4), joint)
		checkNear(t, d, keys, key, "", "", int(most%4), nil)
	})
}

func BenchmarkNear(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{10_000, 150_000} {
		set := map[string]bool{}
		for len(set) < n {
			word := make([]byte, 4+r.IntN(10))
			for i := range word {
				word[i] = "etaoinshrdlucmfwypvbgk"[min(r.IntN(22), r.IntN(22))]
			}
			set[string(word)] = true
		}
		keys := make([]string, 0, n)
		for key := range set {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		d := newDict(b, keys)
		for most := 1; most <= 2; most++ {
			b.Run(fmt.Sprintf("n=%d/most=%d", n, most), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if list, complete := d.Near(keys[n/3], "", "", most, nil); !complete || list[0].Distance != 0 {
						b.Fatal("the string itself is not near")
					}
				}
			})
		}
	}
}

// TestFirstLetters compares the walk with a look at every key.
func TestFirstLetters(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{0, 1, 17, 300, 2000} {
		keys := nearKeys(r, n)
		d := newDict(t, keys)
		for _, from := range []string{"\x01", "b", "c", "zzz"} {
			var want []rune
			for _, key := range keys {
				if first, _ := utf8.DecodeRuneInString(key); key >= from && first != utf8.RuneError &&
					(len(want) == 0 || want[len(want)-1] != first) {
					want = append(want, first)
				}
			}
			if got := d.FirstLetters(from); !slices.Equal(got, want) {
				t.Fatalf("FirstLetters(%q) of %d = %q, want %q", from, n, got, want)
			}
		}
	}
}
