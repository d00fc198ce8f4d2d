package sizes

import (
	"strings"
	"testing"

	"kdd/bench/internal/harness"
)

func TestTable(t *testing.T) {
	small, large := harness.Block{Tag: "CSHA", Bytes: 10}, harness.Block{Tag: "VECS", Bytes: 300}
	built := func(file uint64, chunks int, blocks ...harness.Block) *harness.BuildReport {
		r := &harness.BuildReport{SourceBytes: 100, FileBytes: file, Blocks: blocks}
		r.Counts.Documents, r.Counts.Sections, r.Counts.Chunks = 1, 2, chunks
		return r
	}
	got := table("docs", []string{"lexical", "exact"}, map[string]*harness.BuildReport{
		"lexical": built(30, 3, small),
		"exact":   built(400, 4, small, large),
	})
	want := `## docs

lexical: 100 bytes of markdown, 1 documents, 2 sections, 3 chunks, 10 bytes a chunk.  
exact: 100 bytes of markdown, 1 documents, 2 sections, 4 chunks, 100 bytes a chunk.  

| block | lexical | per byte | exact | per byte |
|---|---:|---:|---:|---:|
| VECS vectors (int8) | – | – | 300 | 3.0000 |
| CSHA chunk hashes | 10 | 0.1000 | 10 | 0.1000 |
| header, directory, padding, trailers | 20 | 0.2000 | 90 | 0.9000 |
| **file** | 30 | 0.3000 | 400 | 4.0000 |
`
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("table =\n%s\nwant\n%s", got, want)
	}
}
