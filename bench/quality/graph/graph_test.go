package graph

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// The figures that the graph is judged by, on the specifications that it is compared on.
func TestFigures(t *testing.T) {
	var out bytes.Buffer
	if code := Run([]string{"../../../testdata/corpora/kdd-specs"}, &out, os.Stderr); code != 0 {
		t.Fatalf("run = %d, want 0", code)
	}
	for _, want := range []string{
		"documents as nodes                 46 markdown, 8 features",
		"orphan edges                       3 of ",
		"UC_EXECUTES_CMD resolved           11, 0 orphans in use cases",
		"layer violations                   23 pairs of documents, ",
		"ids, right document first          46: find-spec 46, search 46",
		"titles, right document first       39: find-spec 39, search 39",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line begins with %q in\n%s", want, out.String())
		}
	}
	if code := Run(nil, &out, &out); code != 2 {
		t.Errorf("run() = %d, want 2", code)
	}
}

// synthetic writes n requirements with five typed or plain references each, and compiles them.
func synthetic(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	r := rand.New(rand.NewPCG(7, 9))
	for i := range n {
		var text strings.Builder
		fmt.Fprintf(&text, "---\nid: T-%05d\ntitle: Thing %d\ndepends_on: [T-%05d, T-%05d]\nimplements: T-%05d\n---\n# Thing %d\n\n", i, i, r.IntN(n), r.IntN(n), r.IntN(n), i)
		fmt.Fprintf(&text, "See [[T-%05d]] and [[T-%05d]].\n", r.IntN(n), r.IntN(n))
		sub := filepath.Join(dir, "docs", fmt.Sprintf("d%02d", i%50))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("T-%05d.md", i)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	file := filepath.Join(dir, "docs.kddx")
	if err := harness.BuildWords(b.Context(), filepath.Join(dir, "docs"), file); err != nil {
		b.Fatal(err)
	}
	return file
}

// BenchmarkGraph asks what lies around and what depends on things of 10,000 documents with 50,000 edges, warm.
func BenchmarkGraph(b *testing.B) {
	const n = 10_000
	s := runtime.New(runtime.Config{Index: []string{synthetic(b, n)}})
	defer s.Close()
	id := func(i int) string { return fmt.Sprintf("T-%05d", i*7919%n) }
	b.Run("related/depth=3", func(b *testing.B) {
		b.ReportAllocs()
		i, total := 0, 0
		for b.Loop() {
			v, err := s.Related(b.Context(), wire.RelatedRequest{Entity: id(i), Depth: 3})
			if err != nil {
				b.Fatal(err)
			}
			i, total = i+1, total+v.Total
		}
		b.ReportMetric(float64(total)/float64(i), "nodes/op")
	})
	b.Run("impact/depth=3", func(b *testing.B) {
		b.ReportAllocs()
		i, total := 0, 0
		for b.Loop() {
			v, err := s.Impact(b.Context(), wire.ImpactRequest{Entity: id(i), Depth: 3})
			if err != nil {
				b.Fatal(err)
			}
			i, total = i+1, total+v.Total
		}
		b.ReportMetric(float64(total)/float64(i), "nodes/op")
	})
	b.Run("context/depth=2", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if _, err := s.Context(b.Context(), wire.ContextRequest{Hints: []string{id(i)}, Depth: 2}); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}
