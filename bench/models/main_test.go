package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
)

// What is written can be imported.
func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "large")
	if code := run([]string{"-pieces", "300", "-hidden", "32", "-layers", "1", dir}, io.Discard); code != 0 {
		t.Fatalf("run = %d, want 0", code)
	}
	m, err := model.Import(t.Context(), dir, model.ImportOptions{Dir: t.TempDir(), Engine: engine.Options{Kind: engine.Go}})
	if err != nil || m.Dim != 32 || m.Info.Vocab != 300 {
		t.Errorf("Import = %+v, %v, want 300 pieces and 32 dimensions", m, err)
	}
	for _, args := range [][]string{{}, {"-pieces", "5", dir}, {"-hidden", "33", dir}, {"-nosuch"}} {
		if code := run(args, io.Discard); code != 2 {
			t.Errorf("run(%q) = %d, want 2", args, code)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if code := run([]string{"-pieces", "100", "-hidden", "32", "-layers", "1", filepath.Join(file, "x")}, io.Discard); code != 1 {
		t.Errorf("run below a file = %d, want 1", code)
	}
}
