// Package corpustest makes small corpora for tests.
//
//	x := corpustest.Index(t, map[string]string{"a.md": "# Apples\n", "cellar/b.md": "# Cellar\n"})
//
// It is used by tests only.
package corpustest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format/index"
)

// Index compiles documents without vectors. The artifact is open until the test ends.
func Index(t testing.TB, documents map[string]string) *index.Index {
	t.Helper()
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "corpus.kddx")
	filetest.Write(t, dir, documents)
	if _, err := compiler.Build(context.Background(), compiler.Options{Sources: []string{dir}, Output: path, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.File.Close() })
	return x
}

// Once returns a function that compiles without vectors the first time it is called, and returns the bytes of the
// artifact.
func Once(o compiler.Options) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "kdd-corpus")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		o.Output, o.NoVectors = filepath.Join(dir, "corpus.kddx"), true
		if _, err := compiler.Build(context.Background(), o); err != nil {
			return nil, err
		}
		return os.ReadFile(o.Output)
	})
}

// Copy writes an artifact that Once gives to a file in a folder of its own, far from its sources, and returns the path.
func Copy(t testing.TB, name string, artifact func() ([]byte, error)) string {
	t.Helper()
	data, err := artifact()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
