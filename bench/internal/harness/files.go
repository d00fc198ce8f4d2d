package harness

import (
	"context"
	"os"
	"path/filepath"

	"kdd/compiler"
)

// WriteFiles writes files, which are named by their paths below dir, and makes the folders above them.
func WriteFiles(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// BuildWords compiles a folder in this process, without vectors, into the file at path.
func BuildWords(ctx context.Context, folder, path string) error {
	_, err := compiler.Build(ctx, compiler.Options{Sources: []string{folder}, Output: path, NoVectors: true, Version: "1.0.0"})
	return err
}
