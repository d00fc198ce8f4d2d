package encoder

import (
	"os"
	"path/filepath"
	"testing"
)

// modelFile returns the bytes of a file of all-MiniLM-L6-v2, which is looked for below KDD_MODELS, else below the
// repository's .cache/models. It skips the test if the model is not there.
func modelFile(tb testing.TB, name string) []byte {
	tb.Helper()
	folder := os.Getenv("KDD_MODELS")
	if folder == "" {
		folder = filepath.Join("..", "..", ".cache", "models")
	}
	data, err := os.ReadFile(filepath.Join(folder, "all-MiniLM-L6-v2", name))
	if os.IsNotExist(err) {
		tb.Skipf("weights are absent: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
