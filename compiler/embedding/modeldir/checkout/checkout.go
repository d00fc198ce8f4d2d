// Package checkout has tests find the models that "make cache" put below the checkout's .cache, and no others. It is for
// tests alone: programs look where package modeldir says.
package checkout

import (
	"os"
	"path/filepath"

	"kdd/compiler/embedding/modeldir"
)

// Use sets KDD_MODELS to .cache/models of the checkout that the working folder is in, unless it is set. It is for init
// functions of tests, and panics outside of a checkout.
func Use() {
	if os.Getenv(modeldir.Variable) != "" {
		return
	}
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			panic("no go.mod above the working folder")
		}
		dir = parent
	}
	if err := os.Setenv(modeldir.Variable, filepath.Join(dir, ".cache", "models")); err != nil {
		panic(err)
	}
}
