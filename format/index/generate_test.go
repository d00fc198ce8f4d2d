package index

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/format"
)

// generator makes contents that are consistent in all that Verify checks.
type generator struct {
	r     *rand.Rand
	cuts  *rand.Rand // of chunks into units
	c     *Content
	terms map[string]*List
	in    map[string]map[ChunkID]bool // chunks by term, through title, path or body
	text  bytes.Buffer
	texts [][]byte
	line  uint32 // lines written
}

// generate returns a content of n documents: with every feature, and always the same for a seed.
func generate(seed uint64, n int) *Content {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), cuts: rand.New(rand.NewPCG(seed, 2)), c: &Content{}, terms: map[string]*List{}, in: map[string]map[ChunkID]bool{}}
	m := &g.c.Meta
	*m = Meta{
		MadeBy: "kdd test", Title: "Generated", Roots: []Root{{Base: "docs"}}, TreeHash: "00", OptionsHash: "11",
		Analyzer: 1, Chunker: Chunker{1, "words", 160}, Weights: Weights{K1: 1.2, B: .75, Title: 2, Path: 1, Calibration: []Calibration{{"lexical", 3, -1, 0.5}}},
		ChunkTypes: []string{"DEFAULT", "TABLE"}, FoundBy: []string{"link", "structure"}, Severities: []string{"note", "warning", "error"}, Encoder: "none",
		EdgeTypes: []EdgeType{{"CONTAINS", "from", .5, "no"}, {"LINK", "from", 1, "follow"}},
	}
	for d := range n {
		g.doc(d)
	}
	g.graph()
	for t, l := range g.terms {
		l.Chunks = uint32(len(g.in[t]))
	}
	g.c.Terms = slices.Sorted(maps.Keys(g.terms))
	var lists listSlice
	for i, t := range g.c.Terms {
		g.c.TermList = append(g.c.TermList, uint32(i))
		lists = append(lists, *g.terms[t])
	}
	g.c.Lists, g.c.Texts = lists, PackTexts(g.texts)
	g.meta()
	return g.c
}

// listSlice is Lists in memory.
type listSlice []List

// Len returns the number of lists.
func (s listSlice) Len() int { return len(s) }

// Reader returns what points at one of the lists.
func (s listSlice) Reader() func(i int) *List { return func(i int) *List { return &s[i] } }

// memory returns the lists of a generated content, which may be changed.
func memory(c *Content) listSlice { return c.Lists.(listSlice) }

// word returns a word; low numbers are frequent.
func (g *generator) word() string {
	return fmt.Sprintf("w%d", int(g.r.ExpFloat64()*g.r.ExpFloat64()*40))
}

func (g *generator) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = g.word()
	}
	return strings.Join(list, " ")
}

// index adds a text as a row of a field and returns its tokens.
func (g *generator) index(field FieldID, row uint32, text string, chunks ...ChunkID) uint32 {
	words := strings.Fields(text)
	for pos, w := range words {
		l := g.terms[w]
		if l == nil {
			l = &List{}
			g.terms[w], g.in[w] = l, map[ChunkID]bool{}
		}
		p := &l.Fields[field]
		if n := len(p.Rows); n > 0 && p.Rows[n-1] == row {
			p.Freqs[n-1]++
		} else {
			p.Rows, p.Freqs = append(p.Rows, row), append(p.Freqs, 1)
		}
		if field != LinkField {
			p.Positions = append(p.Positions, uint32(pos))
		}
		for _, c := range chunks {
			g.in[w][c] = true
		}
	}
	return uint32(len(words))
}

func (g *generator) write(line string) (from, to uint64) {
	from = uint64(g.text.Len())
	g.text.WriteString(line)
	to = uint64(g.text.Len())
	g.text.WriteString("\n")
	g.line++
	return from, to
}

func (g *generator) doc(d int) {
	c := g.c
	g.text.Reset()
	g.line = 0
	doc := Doc{
		Path: fmt.Sprintf("dir%02d/doc%04d.md", d/10, d), Title: g.words(1 + g.r.IntN(4)), NodeID: fmt.Sprintf("doc:%d", d), Kind: []string{"document", "guide"}[d%2],
		Language: []string{"en", "de", ""}[d%3], ChunkType: uint8(d % 2), Layer: int8(d%6) - 1, FirstSection: SectionID(len(c.Sections)), FirstChunk: ChunkID(len(c.Chunks)),
		Tags: []string{"all", fmt.Sprintf("t%d", d%4)}[:d%3], Aliases: []string{"Größe ✓"}[:d%2], Date: "2024-01-02",
	}
	first := len(c.Sections)
	c.Sections = append(c.Sections, Section{Heading: doc.Title, LineStart: 1, LineEnd: 1, FirstChunk: doc.FirstChunk})
	open := []int{first}
	closeTo := func(level uint8) {
		for len(open) > 1 && c.Sections[open[len(open)-1]].Level >= level {
			s := &c.Sections[open[len(open)-1]]
			s.End, s.LineEnd = uint64(g.text.Len()), g.line
			open = open[:len(open)-1]
		}
	}
	paragraphs := func() {
		for range g.r.IntN(3) {
			from, to := g.write(g.words(5 + g.r.IntN(40)))
			k := Chunk{Start: from, End: to, LineStart: g.line, LineEnd: g.line}
			id := ChunkID(len(c.Chunks))
			k.BodyTokens = g.index(BodyField, uint32(id), g.text.String()[from:to], id)
			k.SHA256 = sha256.Sum256([]byte{byte(id)})
			c.Chunks, c.Units = append(c.Chunks, k), append(c.Units, g.units(from, to))
		}
	}
	if d%7 != 6 { // the rest are empty
		paragraphs()
		for i := range 1 + g.r.IntN(5) {
			level := uint8(1 + g.r.IntN(3))
			closeTo(level)
			heading := g.words(2)
			from, _ := g.write(strings.Repeat("#", int(level)) + " " + heading + "\r")
			s := Section{Heading: heading, Anchor: fmt.Sprintf("a%d", i), Level: level, Explicit: i == 0, Start: from, LineStart: g.line, FirstChunk: ChunkID(len(c.Chunks))}
			s.Parent = uint32(len(c.Sections) - open[len(open)-1])
			open = append(open, len(c.Sections))
			c.Sections = append(c.Sections, s)
			paragraphs()
		}
	}
	closeTo(0)
	own := &c.Sections[first]
	own.End, own.LineEnd = uint64(g.text.Len()), max(1, g.line)
	text := bytes.Clone(g.text.Bytes())
	doc.Lines, doc.Size, doc.SHA256 = g.line, uint64(len(text)), sha256.Sum256(text)
	if d%5 == 4 { // as if transcoded from another encoding
		doc.Size, doc.SHA256 = 2*doc.Size+1, sha256.Sum256([]byte("the file"))
	}
	chunksFrom := func(s int) (list []ChunkID) {
		to := len(c.Chunks)
		if s+1 < len(c.Sections) {
			to = int(c.Sections[s+1].FirstChunk)
		}
		for k := int(c.Sections[s].FirstChunk); k < to; k++ {
			list = append(list, ChunkID(k))
		}
		return list
	}
	var all []ChunkID
	for s := first; s < len(c.Sections); s++ {
		own := chunksFrom(s)
		all = append(all, own...)
		if s > first {
			c.Sections[s].PathTokens = g.index(PathField, uint32(s), c.Sections[s].Heading, own...)
		}
	}
	doc.TitleTokens = g.index(TitleField, uint32(d), doc.Title, all...)
	c.Docs, g.texts = append(c.Docs, doc), append(g.texts, text)
	for i := range min(2, int(doc.Lines)) {
		c.Fields = append(c.Fields, Field{Doc: DocID(d), Name: "owner", Value: g.word(), Type: 1, List: i == 1, Line: uint32(i + 1)})
	}
	if d%3 == 0 {
		c.Findings = append(c.Findings, Finding{Path: doc.Path, Rule: "broken-link", Code: "KDD201", Text: g.words(3), Hint: "look", Severity: uint8(d % 2), Line: 1, Col: 2})
	}
}

// units returns the encoded units of a chunk: its words, of all kinds, some of them left out.
func (g *generator) units(from, to uint64) []byte {
	var list []Unit
	for at := from; at < to; {
		end := min(to, at+1+uint64(g.cuts.IntN(60)))
		u := Unit{Kind: UnitKind(g.cuts.IntN(int(HeadUnit))), Marks: UnitMark(g.cuts.IntN(1 << unitMarkCount)), Subject: uint8(g.cuts.IntN(MaxUnitSubject + 1)), Start: at, End: end}
		if u.Kind.listed() {
			u.Depth = uint8(g.cuts.IntN(MaxUnitDepth + 1))
		} else {
			u.Marks &^= BeginsItem
		}
		if u.Kind == RowUnit && end-at > 8 {
			list = append(list, Unit{Kind: HeadUnit, Marks: BeginsBlock, Start: at, End: at + 4})
			u.Start += 5
		}
		if g.cuts.IntN(5) > 0 || u.Kind == RowUnit {
			list = append(list, u)
		}
		at = end + uint64(g.cuts.IntN(3))
	}
	return AppendUnits(nil, from, list)
}

// graph adds links, names, facets, nodes and edges, and near duplicates.
func (g *generator) graph() {
	c := g.c
	for i := ChunkID(0); int(i)+12 < len(c.Chunks); i += 12 {
		c.Duplicates = append(c.Duplicates, []ChunkID{i + 1, i + 4, i + 9}[:2+int(i)%3/2], []ChunkID{i + 2, i + 12})
	}
	for hash := uint32(g.r.IntN(1 << 20)); len(c.Pairs) < len(c.Chunks); hash += 1 + uint32(g.r.IntN(1<<20)) {
		c.Pairs = append(c.Pairs, PairCount{hash, uint32(min(MinPairChunks+g.r.IntN(5), len(c.Chunks)))})
	}
	for d := range c.Docs {
		hashes := make([]uint32, d%5*g.r.IntN(9))
		for i := range hashes {
			hashes[i] = g.r.Uint32()
		}
		c.PairFilters = append(c.PairFilters, PairFilter(hashes))
	}
	if len(c.Docs) == 0 {
		return
	}
	docs, sections := len(c.Docs), len(c.Sections)
	for i := range docs / 2 {
		d := DocID(g.r.IntN(docs))
		c.Nodes = append(c.Nodes, Node{ID: fmt.Sprintf("RULE-%d", i), Kind: "rule", Type: "must", Name: g.words(2), Doc: d, Section: c.Docs[d].FirstSection})
	}
	nodes := docs + sections + len(c.Nodes)
	for d := range docs {
		c.Edges = append(c.Edges, Edge{From: NodeID(d), To: NodeID(docs + int(c.Docs[d].FirstSection)), Type: 0, Found: 1, Doc: DocID(d), Line: 1})
		for range g.r.IntN(4) {
			c.Edges = append(c.Edges, Edge{From: NodeID(d), To: NodeID(g.r.IntN(nodes)), Type: 1, Doc: DocID(d), Line: 2, Text: g.words(2), Relation: "uses", Cardinality: "1:n", Violation: g.r.IntN(5) == 0})
		}
	}
	texts := map[string]LinkText{}
	for _, e := range c.Edges {
		if e.Text != "" {
			key := fmt.Sprintf("%08d %s", e.To, e.Text)
			l := texts[key]
			texts[key] = LinkText{Target: e.To, Text: e.Text, Count: l.Count + 1, IDF: 1.5}
		}
	}
	for i, key := range slices.Sorted(maps.Keys(texts)) {
		l := texts[key]
		l.Tokens = g.index(LinkField, uint32(i), l.Text)
		c.Links = append(c.Links, l)
	}
	names := map[Name]bool{}
	for d := range docs {
		names[Name{c.Docs[d].Title, 1, NodeID(d)}] = true
	}
	for s := range sections {
		if h := c.Sections[s].Heading; h != "" {
			names[Name{h, 3, NodeID(docs + s)}] = true
		}
	}
	c.Names = slices.SortedFunc(maps.Keys(names), func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Node, b.Node))
	})
	facets := map[[2]string][]uint32{}
	for d := range docs {
		for _, f := range [][2]string{{"kind", c.Docs[d].Kind}, {"language", c.Docs[d].Language}, {".n", fmt.Sprint(d % 17)}} {
			facets[f] = append(facets[f], uint32(d))
		}
	}
	for f, ids := range facets {
		c.Facets = append(c.Facets, Facet{f[0], f[1], ids})
	}
	slices.SortFunc(c.Facets, func(a, b Facet) int { return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Value, b.Value)) })
}

func (g *generator) meta() {
	c, m := g.c, &g.c.Meta
	languages, kinds := map[string]int{}, map[string]bool{}
	for d := range c.Docs {
		m.SourceBytes += uint64(len(g.texts[d]))
		languages[c.Docs[d].Language]++
		kinds[c.Docs[d].Kind] = true
		title := uint64(c.Docs[d].TitleTokens)
		m.Lengths.Title += title
		to := len(c.Sections)
		if d+1 < len(c.Docs) {
			to = int(c.Docs[d+1].FirstSection)
		}
		for s := int(c.Docs[d].FirstSection); s < to; s++ {
			path := uint64(c.Sections[s].PathTokens)
			m.Lengths.Path += path
			end := len(c.Chunks)
			if s+1 < len(c.Sections) {
				end = int(c.Sections[s+1].FirstChunk)
			}
			for _, k := range c.Chunks[c.Sections[s].FirstChunk:end] {
				m.Lengths.Body += uint64(k.BodyTokens)
				m.Lengths.Chunks += uint64(k.BodyTokens) + 2*title + path
			}
		}
	}
	for _, l := range slices.Sorted(maps.Keys(languages)) {
		m.Languages = append(m.Languages, LanguageDocs{l, languages[l]})
	}
	m.Kinds = slices.Sorted(maps.Keys(kinds))
	for _, l := range c.Links {
		m.Lengths.Link += uint64(l.Tokens)
	}
	for _, f := range c.Findings {
		if f.Severity > 0 {
			m.Warnings++
		}
	}
}

// image encodes content to the bytes of a file.
func image(t testing.TB, c *Content) []byte {
	t.Helper()
	im, err := Encode(c)
	if err != nil {
		t.Fatalf("Encode = %v", err)
	}
	return written(t, im)
}

func written(t testing.TB, im *format.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := im.WriteTo(&b); err != nil || n != int64(b.Len()) || n != im.Bytes() {
		t.Fatalf("WriteTo = %d, %v of %d bytes, Bytes() = %d", n, err, b.Len(), im.Bytes())
	}
	return b.Bytes()
}

// open opens the index of a file in memory.
func open(t testing.TB, data []byte) *Index {
	t.Helper()
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatalf("OpenBytes = %v", err)
	}
	x, err := New(f)
	if err != nil {
		t.Fatalf("New = %v", err)
	}
	return x
}

// rawBlocks takes a file apart: what Lay was given for it.
func rawBlocks(t testing.TB, data []byte) []format.RawBlock {
	t.Helper()
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatalf("OpenBytes = %v", err)
	}
	return f.Raw()
}

// changed returns the file with a block changed and all hashes made right again: what only its content betrays.
func changed(t testing.TB, data []byte, tag format.Tag, change func(b *format.RawBlock)) []byte {
	t.Helper()
	list := rawBlocks(t, data)
	for i := range list {
		if list[i].Tag == tag {
			change(&list[i])
		}
	}
	im, err := format.Lay(list)
	if err != nil {
		t.Fatalf("Lay = %v", err)
	}
	return written(t, im)
}

// writeFile writes data to a file and returns its path.
func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
