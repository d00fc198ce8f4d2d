package runtime

import (
	"path/filepath"
	"sync"
	"testing"

	"kdd/compiler"
	"kdd/compiler/corpustest"
)

var (
	corporaMu sync.Mutex
	corpora   = map[string]func() ([]byte, error){}
)

// corpus compiles a corpus of testdata without vectors, once, and returns the path of a copy in a folder of the test's
// own, far from its sources.
func corpus(t testing.TB, name string) string {
	t.Helper()
	corporaMu.Lock()
	defer corporaMu.Unlock()
	if corpora[name] == nil {
		corpora[name] = corpustest.Once(compiler.Options{Sources: []string{filepath.Join("..", "testdata", "corpora", name)}, Version: "1.0.0"})
	}
	return corpustest.Copy(t, name+".kddx", corpora[name])
}
