package text

import (
	"math/rand/v2"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b         string
		plain, swaps int
	}{
		{"", "", 0, 0}, {"", "abc", 3, 3}, {"abc", "", 3, 3}, {"a", "a", 0, 0}, {"a", "b", 1, 1},
		{"kitten", "sitting", 3, 3}, {"form", "from", 2, 1}, {"ab", "ba", 2, 1}, {"ca", "abc", 3, 3},
		{"señal", "senal", 1, 1}, {"日本語", "日語", 1, 1}, {"abcd", "badc", 3, 2},
	} {
		a, b := []rune(test.a), []rune(test.b)
		if got := Distance(a, b, 9, NoSwaps); got != test.plain {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.plain)
		}
		if got := Distance(a, b, 9, Swaps); got != test.swaps {
			t.Errorf("Distance(%q, %q) with swaps = %d, want %d", test.a, test.b, got, test.swaps)
		}
	}
}

// TestDistanceLimit: a limit changes nothing but what is above it, and the order of the two does not matter.
func TestDistanceLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() []byte {
		w := make([]byte, random.IntN(8))
		for i := range w {
			w[i] = "abc"[random.IntN(3)]
		}
		return w
	}
	for range 20_000 {
		a, b := word(), word()
		for _, kind := range []Edit{NoSwaps, Swaps} {
			all := Distance(a, b, 99, kind)
			if back := Distance(b, a, 99, kind); back != all {
				t.Fatalf("kind %d: %q to %q = %d, back %d", kind, a, b, all, back)
			}
			for limit := range 5 {
				if got := Distance(a, b, limit, kind); got != min(all, limit+1) {
					t.Fatalf("kind %d: Distance(%q, %q, %d) = %d, want %d", kind, a, b, limit, got, min(all, limit+1))
				}
			}
		}
	}
}

// TestDistanceByMatrix compares the rolling rows with a full matrix.
func TestDistanceByMatrix(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "kitten", "sitting", "setup", "set-up", "steup", "entity", "entitty", "abcdef", "fedcba"}
	for _, a := range words {
		for _, b := range words {
			if got, want := Distance([]byte(a), []byte(b), 99, Swaps), editsByMatrix(a, b); got != want {
				t.Errorf("Distance(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func editsByMatrix(a, b string) int {
	m := make([][]int, len(a)+1)
	for i := range m {
		m[i] = make([]int, len(b)+1)
		for j := range m[i] {
			switch {
			case i == 0:
				m[i][j] = j
			case j == 0:
				m[i][j] = i
			default:
				m[i][j] = min(m[i-1][j], m[i][j-1]) + 1
				if a[i-1] == b[j-1] {
					m[i][j] = min(m[i][j], m[i-1][j-1])
				} else {
					m[i][j] = min(m[i][j], m[i-1][j-1]+1)
				}
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					m[i][j] = min(m[i][j], m[i-2][j-2]+1)
				}
			}
		}
	}
	return m[len(a)][len(b)]
}
