package compiler

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kdd/compiler/chunk"
	"kdd/compiler/units"
	"kdd/format"
	"kdd/format/index"
)

// TestUnitsOfCorpora checks that the units of each file are those that its texts are cut into when they are read anew.
func TestUnitsOfCorpora(t *testing.T) {
	corpora := filepath.Join("..", "testdata", "corpora")
	names, err := os.ReadDir(corpora)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[index.UnitKind]int{}
	for _, name := range names {
		out := filepath.Join(t.TempDir(), "a.kddx")
		if _, err := Build(t.Context(), Options{Sources: []string{filepath.Join(corpora, name.Name())}, Output: out}); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer x.File.Close()
		if err := format.Guard(func() error { compareUnits(t, x, kinds); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for kind := index.SentenceUnit; kind <= index.HeadUnit; kind++ {
		if kinds[kind] == 0 {
			t.Errorf("no corpus has a unit of kind %d", kind)
		}
	}
}

// compareUnits compares the units of a file with those of its texts, and counts them by kind.
func compareUnits(t *testing.T, x *index.Index, kinds map[index.UnitKind]int) {
	for d := range index.DocID(x.Docs()) {
		from, to := x.DocText(d)
		text := x.AppendText(nil, x.Text.Reader(), d, 0, to-from)
		var chunks []chunk.Chunk
		first, last := x.DocChunks(d)
		for c := first; c < last; c++ {
			row := x.Chunk(c)
			chunks = append(chunks, chunk.Chunk{Section: int(x.SectionOfChunk(c)), Start: int(row.Start), End: int(row.End)})
		}
		for i, want := range units.Of(text, chunks) {
			got := x.Units(d, first+index.ChunkID(i))
			if !slices.Equal(got, want) {
				t.Errorf("%s, chunk %d: units\n%+v, cut anew\n%+v", x.DocPath(d), i, got, want)
			}
			for _, u := range got {
				kinds[u.Kind]++
			}
		}
	}
}
