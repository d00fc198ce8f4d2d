package index

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kdd/format/internal/dict"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// content reads everything back from an index.
func content(x *Index) *Content {
	c := &Content{Meta: *x.Meta}
	var texts [][]byte
	for d := range DocID(x.Docs()) {
		from, _ := x.DocSections(d)
		chunk, _ := x.DocChunks(d)
		c.Docs = append(c.Docs, Doc{
			Path: x.DocPath(d), Title: x.DocTitle(d), NodeID: x.DocNodeID(d), ID: x.DocFrontID(d), Kind: x.DocKind(d), Domain: x.DocDomain(d), Status: x.DocStatus(d),
			Language: x.DocLanguage(d), Date: x.DocDate(d), ChunkType: uint8(slices.Index(x.Meta.ChunkTypes, x.DocChunkType(d))), Layer: int8(x.docLayer(d)),
			TitleTokens: x.DocTitleTokens(d), Root: uint8(x.DocRoot(d)), Lines: x.docLines(d), SHA256: x.DocSHA256(d), Size: x.DocSize(d),
			Tags: x.DocTags(d), Aliases: x.DocAliases(d), FirstSection: from, FirstChunk: chunk,
		})
		a, b := x.DocText(d)
		texts = append(texts, x.AppendText([]byte{}, x.Text.Reader(), d, 0, b-a))
		c.Fields = append(c.Fields, x.FrontMatter(d)...)
	}
	c.Texts = PackTexts(texts)
	for s := range SectionID(x.Sections()) {
		row := x.Section(s)
		row.FirstChunk, _ = x.SectionChunks(s)
		c.Sections = append(c.Sections, row)
	}
	for k := range ChunkID(x.Chunks()) {
		row := x.Chunk(k)
		row.SHA256 = x.ChunkSHA256(k)
		c.Chunks = append(c.Chunks, row)
		c.Units = append(c.Units, AppendUnits(nil, row.Start, x.Units(x.DocOfSection(x.SectionOfChunk(k)), k)))
	}
	var lists listSlice
	for i := range uint32(x.Terms()) {
		c.Terms = append(c.Terms, x.TermDict().At(i))
		c.TermList = append(c.TermList, i)
		lists = append(lists, x.list(x.ListOf(TermID(i))))
	}
	c.Lists = lists
	for i := range uint32(x.LinkTexts()) {
		c.Links = append(c.Links, x.LinkText(i))
	}
	for i, key := range x.NameDict().From("") {
		for _, n := range x.Named(i) {
			n.Key = string(key)
			c.Names = append(c.Names, n)
		}
	}
	for _, f := range x.FacetFields() {
		values, _ := x.FacetValues(f)
		for _, v := range values {
			c.Facets = append(c.Facets, Facet{f, v, x.Facet(f, v).ToArray()})
		}
	}
	for n := NodeID(x.Docs() + x.Sections()); int(n) < x.Nodes(); n++ {
		c.Nodes = append(c.Nodes, x.ExtraNode(n))
	}
	for e := range uint32(x.Edges()) {
		edge := Edge{From: x.EdgeFrom(e), To: x.EdgeTo(e), Text: x.EdgeText(e)}
		typ, violation := x.EdgeType(e)
		edge.Type, edge.Violation = uint8(slices.Index(x.Meta.EdgeTypes, *typ)), violation
		found, doc, line := x.EdgeSource(e)
		edge.Found, edge.Doc, edge.Line = uint8(slices.Index(x.Meta.FoundBy, found)), doc, line
		edge.Relation, edge.Cardinality = x.EdgeRelation(e)
		c.Edges = append(c.Edges, edge)
	}
	for i := range uint32(x.Findings()) {
		c.Findings = append(c.Findings, x.Finding(i))
	}
	for k := range ChunkID(x.Chunks()) {
		if leader, ok := x.DuplicateLeader(k); ok && leader == k {
			c.Duplicates = append(c.Duplicates, slices.Collect(x.Duplicates(k)))
		}
	}
	for i := range uint32(x.Pairs()) {
		c.Pairs = append(c.Pairs, x.Pair(i))
	}
	for d := range DocID(max(1, x.filterPlace[0].Rows) - 1) {
		c.PairFilters = append(c.PairFilters, slices.Clone(x.DocPairs(d).filter))
	}
	return c
}

func TestRoundTrip(t *testing.T) {
	emptyDoc := generate(1, 0)
	emptyDoc.Docs = []Doc{{Path: "a.md", Layer: -1, SHA256: [32]byte{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55}}}
	emptyDoc.Texts = PackTexts([][]byte{{}})
	emptyDoc.Sections = []Section{{LineStart: 1, LineEnd: 1}}
	emptyDoc.Meta.Languages, emptyDoc.Meta.Kinds = []LanguageDocs{{"", 1}}, []string{""}
	tests := []struct {
		name string
		c    *Content
	}{
		{"no documents", generate(1, 0)},
		{"one empty document", emptyDoc},
		{"one document", generate(2, 1)},
		{"every feature", generate(3, 40)},
		{"several frames of text", generate(4, 300)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := image(t, tt.c)
			x := open(t, data)
			got := content(x)
			a, b := reflect.ValueOf(got).Elem(), reflect.ValueOf(tt.c).Elem()
			for i := range a.NumField() {
				f, w := a.Field(i), b.Field(i)
				if f.Kind() == reflect.Slice && f.Len() == 0 && w.Len() == 0 {
					continue
				}
				// nil and empty lists are alike
				if diff := cmp.Diff(w.Interface(), f.Interface(), cmpopts.EquateEmpty(), cmp.AllowUnexported(Texts{})); diff != "" {
					t.Errorf("%s (-want +got):\n%s", a.Type().Field(i).Name, diff)
				}
			}
			if problems, err := verifyBytes(data); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v, want none", problems, err)
			}
			for part, got := range walk(x) {
				if strings.Contains(got, "error") {
					t.Errorf("walk over %s = %s", part, got)
				}
			}
		})
	}
}

// Strings that are too long for a dictionary are cut, and facets that are equal once cut are one.
func TestEncodeLongStrings(t *testing.T) {
	c := generate(5, 2)
	long := strings.Repeat("é", dict.MaxString)
	c.Docs[0].Title = long
	c.Facets = []Facet{{"f", long + "a", []uint32{0}}, {"f", long + "b", []uint32{1}}, {"f\x00g", "v", []uint32{0}}, {"f g", "v", []uint32{0, 1}}}
	x := open(t, image(t, c))
	if got := x.DocTitle(0); len(got) < dict.MaxString/4-4 || !strings.HasPrefix(long, got) {
		t.Errorf("DocTitle = %d bytes, want the first %d or so of the title", len(got), dict.MaxString/4)
	}
	if got := x.Facet("f", long).ToArray(); !slices.Equal(got, []uint32{0, 1}) {
		t.Errorf("Facet of a long value = %d, want [0 1]", got)
	}
	if got := x.Facet("f g", "v").ToArray(); !slices.Equal(got, []uint32{0, 1}) {
		t.Errorf("Facet = %d, want [0 1]", got)
	}
	if got := x.FacetFields(); !slices.Equal(got, []string{"f", "f g"}) {
		t.Errorf("FacetFields = %q, want f and f g", got)
	}
}

// FacetFields and FacetValues against a map, for fields that are prefixes of each other.
func TestFacetFields(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		want := map[string]map[string]int{}
		c := generate(7, 20)
		c.Facets = nil
		for range r.IntN(40) {
			field, value := strings.Repeat("a", r.IntN(4))+strings.Repeat("\x01", r.IntN(2)), strings.Repeat("b", r.IntN(4))
			if want[field] == nil {
				want[field] = map[string]int{}
			}
			if _, ok := want[field][value]; ok {
				continue
			}
			ids := []uint32{uint32(r.IntN(10)), uint32(10 + r.IntN(10))}
			c.Facets = append(c.Facets, Facet{field, value, ids})
			want[field][value] = len(ids)
		}
		x := open(t, image(t, c))
		fields := x.FacetFields()
		if len(fields) != len(want) || !slices.IsSorted(fields) {
			t.Fatalf("FacetFields = %q, want the %d of %v", fields, len(want), want)
		}
		for _, f := range fields {
			values, docs := x.FacetValues(f)
			if len(values) != len(want[f]) || !slices.IsSorted(values) {
				t.Fatalf("FacetValues(%q) = %q, want %v", f, values, want[f])
			}
			for i, v := range values {
				if docs[i] != want[f][v] {
					t.Errorf("FacetValues(%q): %d documents have %q, want %d", f, docs[i], v, want[f][v])
				}
			}
		}
	}
}
