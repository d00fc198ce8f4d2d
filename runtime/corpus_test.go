package runtime

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kdd/compiler"
)

var (
	corporaMu sync.Mutex
	corpora   = map[string][]byte{}
)

// corpus compiles a corpus of testdata without vectors, once, and returns the path of a copy in a folder of the test's
// own, far from its sources.
func corpus(t testing.TB, name string) string {
	t.Helper()
	corporaMu.Lock()
	defer corporaMu.Unlock()
	if corpora[name] == nil {
		output := filepath.Join(t.TempDir(), name+".kddx")
		_, err := compiler.Build(context.Background(), compiler.Options{
			Sources: []string{filepath.Join("..", "testdata", "corpora", name)}, Output: output, NoVectors: true, Version: "1.0.0",
		})
		if err != nil {
			t.Fatal(err)
		}
		if corpora[name], err = os.ReadFile(output); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name+".kddx")
	if err := os.WriteFile(path, corpora[name], 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
