package compiler

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/filetest"
)

// countingEngine counts how often each text is embedded.
type countingEngine struct {
	engine.Engine
	mu    sync.Mutex
	asked map[string]int
}

func (e *countingEngine) Embed(dst []float32, ids []int32) error {
	key := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		key = append(key, byte(id), byte(id>>8))
	}
	e.mu.Lock()
	e.asked[string(key)]++
	e.mu.Unlock()
	return e.Engine.Embed(dst, ids)
}

// TestEachTextOnce builds documents that say the same in many places, with nothing in a cache: each distinct text is
// embedded once, and equal texts have one vector.
func TestEachTextOnce(t *testing.T) {
	parent := t.TempDir()
	dir, small := filepath.Join(parent, "docs"), smallModel(t, 1, "")
	same := "# terms\n\n" + strings.Repeat("the people of the restaurant speak a language. ", 40) +
		"\n\n## more\n\nthe crab is out of the restaurant.\n"
	files := map[string]string{"other.md": "# other\n\nthe crab is out of the restaurant.\n"}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name+"/terms.md"] = same
	}
	filetest.Write(t, dir, files)
	e := &countingEngine{Engine: smallEngine(t, small, false), asked: map[string]int{}}
	o := withVectors(dir, small)
	o.Output, o.Embedder = filepath.Join(parent, "docs.kddx"), e
	r, _ := mustBuild(t, o)
	for key, n := range e.asked {
		if n != 1 {
			t.Errorf("a text of %d wordpieces is embedded %d times, want once", len(key)/2, n)
		}
	}
	if r.Counts.Chunks < 9 || r.Embedded != len(e.asked) || len(e.asked) >= r.Counts.Chunks {
		t.Errorf("%d texts embedded by %d calls for %d chunks, want fewer than chunks",
			r.Embedded, len(e.asked), r.Counts.Chunks)
	}
	verified(t, o.Output)
}
