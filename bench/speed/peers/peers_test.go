package peers

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kdd/bench/speed/peers/corpus"
	"kdd/compiler"
)

// TestRows: an engine that is absent or failed has its reason in place of figures, never zeros.
func TestRows(t *testing.T) {
	got := rows([]result{
		{Engine: "a", Version: "1", BuildS: 1.5, Bytes: 2_000_000, MemoryMB: 30, MS: []float64{3, 1, 2}},
		{Engine: "b", Absent: "No module named 'b'"},
		{Engine: "c", Failed: "exit status 1:\nx|y"},
	})
	want := "| a | 1 | 1.50 | 2.0 | 30 | 2.00 | 3.00 |\n| b | No module named 'b' |||||\n| c | exit status 1: x/y |||||\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("rows:\n%s\nwant at the end\n%s", got, want)
	}
}

// TestOwn: the chunks of a small corpus are exported, and kdd answers its queries from it.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	docs := corpus.New(1, 20)
	if err := docs.Write(filepath.Join(dir, "corpus")); err != nil {
		t.Fatal(err)
	}
	artifact := filepath.Join(dir, "corpus.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join(dir, "corpus")}, Output: artifact, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	if err := export(artifact, dir, docs.Queries(3)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := own(t.Context(), &out, artifact, "lexical", dir, 5); err != nil {
		t.Fatal(err)
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || len(r.MS) != 3 || len(r.Hits) != 3 || len(r.Hits[0]) == 0 {
		t.Errorf("%s: %v", out.String(), err)
	}
}
