// Package filetest writes files for tests. It knows nothing of kdd, so that the tests of every package can use it.
//
//	filetest.Write(t, t.TempDir(), map[string]string{"docs/a.md": "# A\n"})
package filetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Write writes files, by path with "/", below dir, and makes the folders. The test ends where that fails.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
