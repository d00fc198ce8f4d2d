package main

import (
	"strings"
	"testing"

	"kdd/format"
)

func TestTable(t *testing.T) {
	small, large := format.Entry{Tag: format.Tag{'S', 'M', 'A', 'L'}, Length: 10}, format.Entry{Tag: format.Tag{'L', 'A', 'R', 'G'}, Length: 300}
	got := table("docs", []string{"lexical", "exact"}, map[string]*artifact{
		"lexical": {source: 100, file: 30, docs: 1, sections: 2, chunks: 3, blocks: []format.Entry{small}},
		"exact":   {source: 100, file: 400, docs: 1, sections: 2, chunks: 4, blocks: []format.Entry{small, large}},
	})
	want := `## docs

lexical: 100 bytes of markdown, 1 documents, 2 sections, 3 chunks, 10 bytes a chunk.  
exact: 100 bytes of markdown, 1 documents, 2 sections, 4 chunks, 100 bytes a chunk.  

| block | lexical | per byte | exact | per byte |
|---|---:|---:|---:|---:|
| LARG LARG | – | – | 300 | 3.0000 |
| SMAL SMAL | 10 | 0.1000 | 10 | 0.1000 |
| header, directory, padding, trailers | 20 | 0.2000 | 90 | 0.9000 |
| **file** | 30 | 0.3000 | 400 | 4.0000 |
`
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("table =\n%s\nwant\n%s", got, want)
	}
}
