package walk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/text"
)

// edgeTypes are the rows that the tests use: name, depends, impact, weight.
var edgeTypes = []index.EdgeType{
	{Name: "DEPENDS_ON", Depends: "from", Weight: 100, Impact: "follow"},
	{Name: "IMPLEMENTS", Depends: "from", Weight: 100, Impact: "follow"},
	{Name: "EMITS", Depends: "to", Weight: 90, Impact: "follow"},
	{Name: "CONSUMES", Depends: "from", Weight: 90, Impact: "follow"},
	{Name: "UC_EXECUTES_CMD", Depends: "from", Weight: 95, Impact: "follow"},
	{Name: "VALIDATES", Depends: "to", Weight: 90, Impact: "follow"},
	{Name: "WIKI_LINK", Depends: "from", Weight: 40, Impact: "direct"},
	{Name: "MENTIONS", Depends: "from", Weight: 20, Impact: "direct"},
	{Name: "CONTAINS", Depends: "from", Weight: 10, Impact: "no"},
	{Name: "OWNS_TEAM", Depends: "from", Weight: 50, Impact: "follow"},
}

// made is an index made of lines such as "A EMITS B" or "A -EMITS B", the latter breaking the layer rule. A name is a
// document; "A#s" is a section of it; "A!s" a thing that it defines.
type made struct {
	*index.Index
	nodes map[string]index.NodeID
	names map[index.NodeID]string
}

func build(t testing.TB, lines ...string) *made {
	t.Helper()
	sections, things := map[string][]string{}, map[string][]string{}
	note := func(name string) {
		doc, section, isSection := strings.Cut(name, "#")
		doc, thing, isThing := strings.Cut(doc, "!")
		if _, ok := sections[doc]; !ok {
			sections[doc] = nil
		}
		if isSection && !slices.Contains(sections[doc], section) {
			sections[doc] = append(sections[doc], section)
		}
		if isThing && !slices.Contains(things[doc], thing) {
			things[doc] = append(things[doc], thing)
		}
	}
	for _, l := range lines {
		fields := strings.Fields(l)
		if len(fields) != 3 && len(fields) != 1 {
			t.Fatalf("line %q: want A TYPE B, or A", l)
		}
		note(fields[0])
		note(fields[len(fields)-1])
	}
	docs := make([]string, 0, len(sections))
	for name := range sections {
		docs = append(docs, name)
	}
	slices.Sort(docs)
	c := &index.Content{Meta: index.Meta{
		Analyzer: text.Version, Roots: []index.Root{{Base: "docs"}}, EdgeTypes: edgeTypes, FoundBy: []string{"section"},
		ChunkTypes: []string{"DEFAULT"}, Severities: []string{"note", "warning", "error"}, Kinds: []string{"document"}, Encoder: "none",
	}}
	m := &made{nodes: map[string]index.NodeID{}, names: map[index.NodeID]string{}}
	give := func(name string, n int) {
		m.nodes[name], m.names[index.NodeID(n)] = index.NodeID(n), name
	}
	var texts [][]byte
	total := len(docs)
	for _, name := range docs {
		total += len(sections[name])
	}
	for i, name := range docs {
		give(name, i)
		text := []byte("# " + name + "\n")
		c.Docs = append(c.Docs, index.Doc{
			Path: name + ".md", Title: name, NodeID: "doc:" + name + ".md", Kind: "document", Layer: -1, Lines: 1, Size: uint64(len(text)),
			FirstSection: index.SectionID(len(c.Sections)),
		})
		texts = append(texts, text)
		c.Sections = append(c.Sections, index.Section{Heading: name, End: uint64(len(text)), LineStart: 1, LineEnd: 1})
		for k, s := range sections[name] {
			give(name+"#"+s, len(docs)+len(c.Sections))
			c.Sections = append(c.Sections, index.Section{
				Heading: s, Anchor: s, Parent: uint32(k + 1), Level: 2, Start: uint64(len(text)), End: uint64(len(text)), LineStart: 1, LineEnd: 1,
			})
		}
	}
	c.Texts = index.PackTexts(texts)
	for i, name := range docs {
		for _, thing := range things[name] {
			give(name+"!"+thing, len(docs)+len(c.Sections)+len(c.Nodes))
			c.Nodes = append(c.Nodes, index.Node{
				ID: "SCN:" + thing, Kind: "scenario", Type: "scenario", Name: thing, Doc: index.DocID(i), Section: c.Docs[i].FirstSection,
			})
		}
	}
	for n, l := range lines {
		f := strings.Fields(l)
		if len(f) != 3 {
			continue
		}
		name, violation := strings.CutPrefix(f[1], "-")
		kind := slices.IndexFunc(edgeTypes, func(t index.EdgeType) bool { return t.Name == name })
		if kind < 0 {
			t.Fatalf("line %q: no such type", l)
		}
		c.Edges = append(c.Edges, index.Edge{From: m.nodes[f[0]], To: m.nodes[f[2]], Type: uint8(kind), Line: uint32(n + 1), Violation: violation})
	}
	slices.SortStableFunc(c.Edges, func(a, b index.Edge) int { return int(a.From) - int(b.From) })
	image, err := index.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	var data strings.Builder
	if _, err := image.WriteTo(&data); err != nil {
		t.Fatal(err)
	}
	f, err := format.OpenBytes([]byte(data.String()))
	if err != nil {
		t.Fatal(err)
	}
	if m.Index, err = index.New(f); err != nil {
		t.Fatal(err)
	}
	return m
}

// shownImpact is an impact in one line for each item.
func (m *made) shownImpact(i *Impact) string {
	var b strings.Builder
	name := func(n index.NodeID) string { return m.names[n] }
	for _, list := range [][]Dependant{i.Direct, i.Transitive} {
		for _, d := range list {
			fmt.Fprintf(&b, "%d %s: %s\n", d.Distance, m.names[d.Place], Phrase(m.Index, i.Start, i.Path(d), name))
		}
	}
	for _, c := range i.Checks {
		fmt.Fprintf(&b, "check %s of %s\n", m.names[c.Scenario], m.names[c.Checked])
	}
	return b.String()
}
