package compiler

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/graph"
	"kdd/compiler/lexicon"
	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// languageDocs lists documents by language as META has them.
func languageDocs(docs map[string]int) (list []index.LanguageDocs) {
	for lang, n := range docs {
		list = append(list, index.LanguageDocs{Language: lang, Documents: n})
	}
	slices.SortFunc(list, func(a, b index.LanguageDocs) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Language, b.Language))
	})
	return list
}

// stemLanguage returns the language in which words are stemmed where a document's own is not known: the main one, if
// there is one. Otherwise a few such documents would give each frequent word a list beside that of its stem.
func stemLanguage(units []unit) text.Lang {
	docs := map[string]int{}
	for i := range units {
		docs[string(units[i].language)]++
	}
	return text.Lang(index.MainLanguage(languageDocs(docs)))
}

// lexiconInput hands the builders of the lexicon what they index, in id order.
func lexiconInput(units []unit) []lexicon.Document {
	docs := make([]lexicon.Document, len(units))
	otherwise := stemLanguage(units)
	for i, u := range units {
		d := lexicon.Document{Language: cmp.Or(u.language, otherwise), Title: u.doc.Title, Bytes: int(u.file.Size),
			Sections: make([]lexicon.Section, len(u.doc.Sections))}
		for s := range u.doc.Sections {
			d.Sections[s].Path = headingPath(u.doc, s)
		}
		for _, c := range u.chunks {
			d.Sections[c.Section].Chunks = append(d.Sections[c.Section].Chunks, c.Text)
		}
		docs[i] = d
	}
	return docs
}

// maxHeadingBytes is how much of a heading is indexed with each section below it. A hostile one of megabytes above
// thousands of sections would otherwise be indexed thousands of times.
const maxHeadingBytes = 1 << 10

// headingPath returns the headings from the top to section s, without the document's own title.
func headingPath(doc *markdown.Document, s int) []string {
	var path []string
	for ; s > 0; s = doc.Sections[s].Parent {
		if h := doc.Sections[s].Heading; h != doc.Title {
			path = append(path, text.CutWords(h, maxHeadingBytes))
		}
	}
	slices.Reverse(path)
	return path
}

// linkTexts returns the distinct texts of links by target document or section, in target order.
func linkTexts(g *graph.Graph, units []unit) []lexicon.Link {
	type key struct {
		target graph.NodeID
		text   string
	}
	counts := map[key]*lexicon.Link{}
	otherwise := stemLanguage(units)
	for i := range g.Edges {
		e := &g.Edges[i]
		text := strings.Join(strings.Fields(e.Text), " ")
		if text == "" {
			continue
		}
		k := key{e.To, text}
		if counts[k] == nil {
			counts[k] = &lexicon.Link{Target: index.NodeID(e.To), Text: text, Language: cmp.Or(units[e.Doc].language, otherwise)}
		}
		counts[k].Count++
	}
	links := make([]lexicon.Link, 0, len(counts))
	for _, l := range counts {
		links = append(links, *l)
	}
	slices.SortFunc(links, func(a, b lexicon.Link) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Text, b.Text))
	})
	return links
}

// assemble puts everything into the file's shapes; ids are positions.
func assemble(o *Options, l *loaded, g *graph.Graph, rules *graph.Rules, lx *lexicon.Lexicon, texts *index.Texts,
	diags []diag.Diagnostic, limit chunk.Limit) *index.Content {
	c := &index.Content{
		Terms: lx.Terms, TermList: lx.TermList, Lists: lx.Lists, Links: lx.Links, Pairs: lx.Pairs, PairFilters: lx.PairFilters,
		Texts: texts, Docs: make([]index.Doc, 0, len(l.units)),
		Sections: make([]index.Section, 0, len(lx.PathTokens)), Chunks: make([]index.Chunk, 0, len(lx.BodyTokens)),
	}
	for i, u := range l.units {
		info := &g.Docs[i]
		d := index.Doc{
			Path: u.doc.Path, Title: u.doc.Title, NodeID: info.NodeID, ID: info.ID, Kind: info.Kind, Domain: info.Domain, Status: info.Status,
			Language: string(u.language), Date: info.Date, ChunkType: uint8(max(0, slices.Index(chunkTypes, info.ChunkType))), Layer: int8(info.Layer),
			TitleTokens: lx.TitleTokens[i], Root: uint8(u.file.Dir), Lines: u.lines, SHA256: u.file.SHA256, Size: uint64(u.file.Size),
			Tags: info.Tags, Aliases: info.Aliases, FirstSection: index.SectionID(len(c.Sections)), FirstChunk: index.ChunkID(len(c.Chunks)),
		}
		c.Docs = append(c.Docs, d)
		c.Units = append(c.Units, u.answers...)
		next := 0
		for s := range u.doc.Sections {
			sec := &u.doc.Sections[s]
			row := index.Section{
				Heading: sec.Heading, Anchor: sec.Anchor, Level: uint8(sec.Level), Explicit: sec.Explicit, Start: uint64(sec.Start), End: uint64(sec.End),
				LineStart: uint32(sec.LineStart), LineEnd: uint32(max(sec.LineEnd, sec.LineStart)), PathTokens: lx.PathTokens[len(c.Sections)], FirstChunk: index.ChunkID(len(c.Chunks)),
			}
			if sec.Parent >= 0 {
				row.Parent = uint32(s - sec.Parent)
			}
			c.Sections = append(c.Sections, row)
			for next < len(u.chunks) && u.chunks[next].Section == s {
				k := &u.chunks[next]
				c.Chunks = append(c.Chunks, index.Chunk{
					Start: uint64(k.Start), End: uint64(k.End), LineStart: uint32(k.LineStart), LineEnd: uint32(max(k.LineStart, k.LineEnd)),
					BodyTokens: lx.BodyTokens[len(c.Chunks)], SHA256: u.hashes[next],
				})
				next++
			}
		}
		if u.doc.FrontMatter != nil {
			for _, f := range u.doc.FrontMatter.Fields {
				for _, v := range f.Values {
					c.Fields = append(c.Fields, index.Field{Doc: index.DocID(i), Name: f.Name, Value: v, Type: uint8(f.Type), List: f.List, Line: uint32(f.Line)})
				}
			}
		}
	}
	addGraph(c, g, rules)
	l.addIncludes(c)
	c.Facets = facets(c, g.Docs)
	c.Findings = make([]index.Finding, 0, len(diags))
	for _, d := range diags {
		c.Findings = append(c.Findings, index.Finding{Path: d.Path, Rule: d.Rule, Code: d.Code, Text: d.Text, Hint: d.Hint, Severity: uint8(d.Severity), Line: uint32(d.Line), Col: uint32(d.Col)})
	}
	fillMeta(&c.Meta, o, l, c, diags, limit)
	return c
}

func lines(text []byte) uint32 {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return uint32(n)
}

// addGraph puts nodes, names and edges into the file's shapes, edge types and ways of finding as numbers.
func addGraph(c *index.Content, g *graph.Graph, rules *graph.Rules) {
	types := map[string]uint8{}
	for _, t := range rules.EdgeTypes() {
		types[t.Name] = uint8(len(c.Meta.EdgeTypes))
		c.Meta.EdgeTypes = append(c.Meta.EdgeTypes, index.EdgeType{Name: t.Name, Depends: t.Depends, Weight: float64(t.Weight), Impact: t.Impact})
	}
	c.Meta.Coverage = rules.Coverage()
	c.Meta.Invariants = rules.Invariants()
	for _, aside := range rules.Asides() {
		if slices.ContainsFunc(c.Docs, func(d index.Doc) bool { return d.Kind == aside.Kind }) {
			c.Meta.Asides = append(c.Meta.Asides, aside)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(g.Stats.Orphans)) {
		c.Meta.Orphans = append(c.Meta.Orphans, index.Orphans{Reason: reason, Edges: g.Stats.Orphans[reason]})
	}
	found := map[string]uint8{}
	for i := range g.Edges {
		e := &g.Edges[i]
		if _, ok := found[e.Found]; !ok {
			found[e.Found] = 0
			c.Meta.FoundBy = append(c.Meta.FoundBy, e.Found)
		}
	}
	slices.Sort(c.Meta.FoundBy)
	for i, f := range c.Meta.FoundBy {
		found[f] = uint8(i)
	}
	c.Edges = make([]index.Edge, 0, len(g.Edges))
	for i := range g.Edges {
		e := &g.Edges[i]
		c.Edges = append(c.Edges, index.Edge{
			From: index.NodeID(e.From), To: index.NodeID(e.To), Type: types[e.Type], Found: found[e.Found],
			Doc: index.DocID(e.Doc), Line: uint32(e.Line), Text: strings.Join(strings.Fields(e.Text), " "), Relation: e.Relation, Cardinality: e.Cardinality, Violation: e.Violation,
		})
	}
	for _, n := range g.Extra {
		c.Nodes = append(c.Nodes, index.Node{ID: n.ID, Kind: n.Kind, Type: n.Type, Name: n.Name, Doc: index.DocID(n.Doc), Section: c.Docs[n.Doc].FirstSection + index.SectionID(n.Section)})
	}
	c.Names = make([]index.Name, 0, len(g.Names))
	for _, n := range g.Names {
		c.Names = append(c.Names, index.Name{Key: n.Key, Class: n.Class, Node: index.NodeID(n.Node)})
	}
	c.Meta.LongestName = index.LongestName(c.Names)
}

// facets returns the facets of the content, with the one of documents that are no longer in force.
func facets(c *index.Content, docs []graph.DocInfo) []index.Facet {
	stale := index.Facet{Field: index.StaleField, Value: index.StaleValue}
	for i := range docs {
		if docs[i].Stale {
			stale.Docs = append(stale.Docs, uint32(i))
		}
	}
	list := index.Facets(c.Docs, c.Fields, chunkTypes, text.Fold)
	if len(stale.Docs) > 0 {
		list = append(list, stale)
	}
	return list
}

// fillMeta says what the artifact is and what made it.
func fillMeta(m *index.Meta, o *Options, l *loaded, c *index.Content, diags []diag.Diagnostic, limit chunk.Limit) {
	m.MadeBy = "kdd " + o.Version
	m.Title, m.BaseURL = o.Title, strings.TrimSuffix(o.BaseURL, "/")
	for _, r := range l.tree.Roots {
		m.Roots = append(m.Roots, index.Root{Base: r.Base})
	}
	m.Sites = l.records()
	m.TreeHash = hex.EncodeToString(l.tree.Hash[:])
	m.Analyzer = text.Version
	m.Chunker = index.Chunker{Version: chunk.Version, Unit: "words", Limit: limit.Max}
	m.Weights = defaultWeights()
	m.ChunkTypes = chunkTypes
	for s := diag.Note; s <= diag.Error; s++ {
		m.Severities = append(m.Severities, s.String())
	}
	for _, r := range diag.Rules() {
		m.Rules = append(m.Rules, index.Rule{Code: r.Code(), Name: r.Name, Severity: r.Severity.String(), About: r.About})
	}
	m.Encoder = "none"
	for _, d := range diags {
		if d.Severity >= diag.Warning {
			m.Warnings++
		}
	}
	languages, kinds := map[string]int{}, map[string]bool{}
	for i := range c.Docs {
		languages[c.Docs[i].Language]++
		kinds[c.Docs[i].Kind] = true
		m.Lengths.Title += uint64(c.Docs[i].TitleTokens)
	}
	m.SourceBytes = c.Texts.Bytes()
	m.Languages = languageDocs(languages)
	m.Kinds = slices.Sorted(maps.Keys(kinds))
	for i := range c.Links {
		m.Lengths.Link += uint64(c.Links[i].Tokens)
	}
	doc := 0
	for s := range c.Sections {
		for doc+1 < len(c.Docs) && int(c.Docs[doc+1].FirstSection) <= s {
			doc++
		}
		m.Lengths.Path += uint64(c.Sections[s].PathTokens)
		to := len(c.Chunks)
		if s+1 < len(c.Sections) {
			to = int(c.Sections[s+1].FirstChunk)
		}
		for k := int(c.Sections[s].FirstChunk); k < to; k++ {
			m.Lengths.Body += uint64(c.Chunks[k].BodyTokens)
			m.Lengths.Chunks += uint64(c.Chunks[k].BodyTokens) + uint64(m.Weights.Title)*uint64(c.Docs[doc].TitleTokens) + uint64(m.Weights.Path)*uint64(c.Sections[s].PathTokens)
		}
	}
}
