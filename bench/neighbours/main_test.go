package main

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
)

func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 3, 4, 200} {
		scores := make([]float32, n)
		want := make([]uint32, n)
		for i := range scores {
			scores[i], want[i] = float32(r.IntN(9)), uint32(i)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
		if got := best(scores, make([]uint32, n), 4); !slices.Equal(got, want[:min(4, n)]) {
			t.Errorf("best of %v = %v, want %v", scores, got, want[:min(4, n)])
		}
	}
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{"../../testdata/corpora/handbook"}, Output: path, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no artifact", nil, 2, "Usage"},
		{"none to keep", []string{"-keep", "0", path}, 2, "Usage"},
		{"no vectors", []string{path}, 1, "it has no vectors"},
		{"no file", []string{path + "x"}, 1, "no such file"},
	} {
		var stdout, stderr strings.Builder
		if code := run(tt.args, &stdout, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%s: run = %d with %q, want %d with %q", tt.name, code, stderr.String(), tt.code, tt.want)
		}
	}
}
