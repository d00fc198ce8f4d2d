package embedding

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"kdd/compiler"
	"kdd/compiler/embedding/model"
)

// recorder is an engine that keeps what a build has it embed, and the progress that tells chunks from sentences.
type recorder struct {
	mu    sync.Mutex
	dim   int
	phase string
	asked map[string][][]int32 // by phase
}

// Name is that of no engine.
func (r *recorder) Name() string { return "recorder" }

// Version is that of no engine.
func (r *recorder) Version() string { return "1" }

// CPU is that of no engine.
func (r *recorder) CPU() string { return "any" }

// Dim is the model's.
func (r *recorder) Dim() int { return r.dim }

// Close does nothing.
func (r *recorder) Close() error { return nil }

// Embed keeps ids, and gives a vector that depends on them.
func (r *recorder) Embed(dst []float32, ids []int32) error {
	sum := 0
	for _, id := range ids {
		sum += int(id)
	}
	dst[sum%r.dim] = 1
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[r.phase] = append(r.asked[r.phase], slices.Clone(ids))
	return nil
}

// Phase begins a phase of the build.
func (r *recorder) Phase(name string, _ int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = name
}

// Step does nothing.
func (r *recorder) Step(int) {}

// kinds are the phases of a build that embed, and what they embed.
var kinds = [...]struct{ phase, name string }{{"embed", "chunks"}, {"sentences", "sentences"}}

// corpus is what a build of a folder embeds.
type corpus struct {
	chunks int                  // of the documents, equal ones included
	texts  map[string][][]int32 // wordpieces by phase, sorted
}

// record builds folder with an engine that only notes what it is asked for.
func record(ctx context.Context, m *model.Model, folder string) (*corpus, error) {
	dir, err := os.MkdirTemp("", "kdd-embedding")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &recorder{dim: m.Dim, asked: map[string][][]int32{}}
	report, err := compiler.Build(ctx, compiler.Options{
		Sources: []string{folder}, Output: filepath.Join(dir, "docs.kddx"), Model: m.Path,
		CacheDir: "-", Embedder: r, Progress: r, Version: "1.0.0",
	})
	if err != nil {
		return nil, err
	}
	c := &corpus{chunks: report.Counts.Chunks, texts: r.asked}
	for _, texts := range c.texts {
		slices.SortFunc(texts, slices.Compare)
	}
	if len(c.texts[kinds[0].phase]) == 0 {
		return nil, fmt.Errorf("%s: no chunks", folder)
	}
	return c, nil
}

// distinct is how many of sorted texts differ in their wordpieces.
func distinct(texts [][]int32) int { return len(slices.CompactFunc(slices.Clone(texts), slices.Equal)) }

// spread returns n of the texts, or all if there are fewer or n is 0.
func spread(texts [][]int32, n int) [][]int32 {
	if n == 0 || n >= len(texts) {
		return texts
	}
	some := make([][]int32, n)
	for i := range some {
		some[i] = texts[i*len(texts)/n]
	}
	return some
}

// count is how many wordpieces the texts have.
func count(texts [][]int32) (n int) {
	for _, t := range texts {
		n += len(t)
	}
	return n
}
