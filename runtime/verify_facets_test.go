package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
)

// TestVerifyFacets changes what is stored of which documents have a value: every sum of the file is right, and filters
// would give other documents than lists show.
func TestVerifyFacets(t *testing.T) {
	docs := []index.Doc{
		{Path: "a.md", NodeID: "doc:a.md", Lines: 1, Kind: "Guide", Status: "active", Tags: []string{"Café"}, Size: 6, FirstSection: 0, FirstChunk: 0},
		{Path: "b.md", NodeID: "doc:b.md", Lines: 1, Kind: "guide", Size: 6, FirstSection: 1, FirstChunk: 1},
	}
	fields := []index.Field{{Doc: 1, Name: "Owner", Value: "Ana", Line: 1}}
	find := func(list []index.Facet, field string) *index.Facet {
		for i := range list {
			if list[i].Field == field {
				return &list[i]
			}
		}
		return nil
	}
	tests := []struct {
		name   string
		change func(list []index.Facet) []index.Facet
		want   string // part of the only problem; "" = none
	}{
		{"as they say", func(l []index.Facet) []index.Facet { return l }, ""},
		{"out of force", func(l []index.Facet) []index.Facet {
			return append(l, index.Facet{Field: index.StaleField, Value: index.StaleValue, Docs: []uint32{1}})
		}, ""},
		{"a document less", func(l []index.Facet) []index.Facet { find(l, "kind").Docs = []uint32{0}; return l }, `facet kind "guide": lacks document "b.md"`},
		{"a document more", func(l []index.Facet) []index.Facet { find(l, "tag").Docs = []uint32{0, 1}; return l }, `facet tag "cafe": holds document "b.md"`},
		{"another", func(l []index.Facet) []index.Facet { find(l, ".owner").Value = "bo"; return l[:len(l):len(l)] }, `facet .owner "ana": lacks document "b.md"`},
		{"one that none says", func(l []index.Facet) []index.Facet {
			return append(l, index.Facet{Field: "domain", Value: "x", Docs: []uint32{0}})
		}, `facet domain "x": no document says so`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &index.Content{
				Meta:     index.Meta{Analyzer: text.Version, ChunkTypes: []string{"DEFAULT"}, Roots: []index.Root{{Base: "d"}}},
				Docs:     docs,
				Sections: []index.Section{{End: 6, LineStart: 1, LineEnd: 1}, {End: 6, LineStart: 1, LineEnd: 1, FirstChunk: 1}},
				Chunks:   []index.Chunk{{End: 6, LineStart: 1, LineEnd: 1}, {End: 6, LineStart: 1, LineEnd: 1}},
				Texts:    index.PackTexts([][]byte{[]byte("parcel"), []byte("letter")}),
				Fields:   fields,
			}
			c.Facets = test.change(index.Facets(docs, fields, c.Meta.ChunkTypes, text.Fold))
			image := must(index.Encode(c))
			path := filepath.Join(t.TempDir(), "a.kddx")
			f := must(os.Create(path))
			if _, err := image.WriteTo(f); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			x := must(index.Open(path))
			defer x.File.Close()
			var got []string
			for _, p := range x.FacetProblems(text.Fold) {
				got = append(got, p.String())
			}
			if (test.want == "") != (len(got) == 0) || test.want != "" && !strings.Contains(strings.Join(got, "\n"), test.want) {
				t.Errorf("FacetProblems = %q, want %q", got, test.want)
			}
		})
	}
}

// TestVerifyReadsFacets moves a document of a compiled artifact into the kind of another, with all sums made anew.
func TestVerifyReadsFacets(t *testing.T) {
	path := tree{"a.md": "---\nkind: guide\n---\n# A\n", "b.md": "---\nkind: note\n---\n# B\n"}.compile(t)
	if problems, err := artifact.Verify(t.Context(), path); err != nil || len(problems) > 0 {
		t.Fatalf("Verify = %v, %v, want nothing", problems, err)
	}
	f := must(format.Open(path))
	blocks := f.Raw()
	f.Close()
	bitmaps := &blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag == format.Tag{'F', 'B', 'M', 'P'} })]
	// one container with document 1 alone, FORMAT.md
	one := []byte{0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0}
	at := bytes.Index(bitmaps.Data, one)
	if at < 0 {
		t.Fatal("no facet of document 1 alone")
	}
	bitmaps.Data[at+len(one)-2] = 0
	out := filepath.Join(t.TempDir(), "a.kddx")
	lay(t, out, blocks)
	problems, err := artifact.Verify(t.Context(), out)
	if err != nil || len(problems) != 2 || problems[0].Block != "FBMP" || !strings.Contains(problems[0].Text, `facet .kind "note": lacks document "b.md"`) {
		t.Errorf("Verify = %v, %v, want that the facet of note lacks b.md and holds a.md", problems, err)
	}
}
