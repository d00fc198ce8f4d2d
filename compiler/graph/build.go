package graph

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/compiler/markdown"
	"kdd/compiler/parallel"
	"kdd/format/index"
)

// Options says how Build reads documents.
type Options struct {
	Rules   *Rules // nil: Default
	SiteURL string // absolute links below it count as "/…"; "" = none

	// Sites are those that generators make of the documents. Nil: none is known.
	Sites *dialect.Sites

	// Exists reports whether a file that is no document is there, by its path relative to the source root. Nil: not
	// known, and links to such files are counted only. It is called by several goroutines at once.
	Exists func(path string) bool
}

// builder is the state of one Build. After the names are complete, only the slots of a document's own index are
// written, each by one goroutine.
type builder struct {
	rules *Rules
	docs  []*markdown.Document
	forms []string // of the site's URL
	opts  Options
	g     *Graph

	facts        []docFacts
	dirs         []string // folder of each document, "" for the root
	titleSection []int
	scenarios    [][]NodeID // by document, by section: the extra node that takes a section's place; nil without any
	roots        map[string]bool
	names        *nameTable
	ids          *nameTable
	paths        *pathTable
	pages        []page // by document
	anchors      []anchors
	domains      map[string]bool // folded
	domainNames  []string        // the same, sorted
	out          []docOut

	nearWork int      // pairs of bytes compared for suggestions
	nearKeys []string // what fragments are compared with: the anchors of document nearDoc, by section
	nearDoc  int
}

// docOut is what one document gives.
type docOut struct {
	edges   []Edge
	orphans []Orphan
	diags   []diag.Diagnostic
	stats   Stats
	near    []nearWanted
}

// Build makes the graph of docs, which must be sorted by path. It never fails but for ctx: what is wrong with the
// documents is in Graph.Diags.
//
// The result depends on docs and o only. Cost: linear in documents, sections, links and running text, but for sorting.
func Build(ctx context.Context, docs []*markdown.Document, o Options) (*Graph, error) {
	b := newBuilder(docs, o)
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	return b.g, nil
}

func newBuilder(docs []*markdown.Document, o Options) *builder {
	b := &builder{
		rules: o.Rules, docs: docs, opts: o, forms: siteForms(o.SiteURL),
		g: &Graph{Docs: make([]DocInfo, len(docs)), sectionBase: make([]int, len(docs)+1)},
	}
	if b.rules == nil {
		b.rules = Default()
	}
	b.facts = make([]docFacts, len(docs))
	b.dirs = make([]string, len(docs))
	b.titleSection = make([]int, len(docs))
	b.scenarios = make([][]NodeID, len(docs))
	b.anchors = make([]anchors, len(docs))
	b.out = make([]docOut, len(docs))
	for d, doc := range docs {
		b.g.sectionBase[d+1] = b.g.sectionBase[d] + len(doc.Sections)
	}
	return b
}

func (b *builder) run(ctx context.Context) error {
	for _, phase := range []func() error{
		func() error { return b.each(ctx, b.readFacts) },
		func() error { b.findScenarios(); return nil },
		func() error { return b.fillTables(ctx) },
		func() error { return b.each(ctx, b.findEdges) },
		func() error { b.collect(); return nil },
	} {
		if err := phase(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for every document, several at a time.
func (b *builder) each(ctx context.Context, f func(d int)) error {
	return parallel.Each(ctx, 0, len(b.docs), func(d int) error { f(d); return nil })
}

func (b *builder) readFacts(d int) {
	doc := b.docs[d]
	b.facts[d] = b.rules.facts(doc)
	b.g.Docs[d] = b.facts[d].info
	if b.dirs[d] = path.Dir(doc.Path); b.dirs[d] == "." {
		b.dirs[d] = ""
	}
	b.titleSection[d] = titleSectionOf(doc)
}

// fillTables makes the tables that targets are looked up in.
func (b *builder) fillTables(ctx context.Context) error {
	b.roots = map[string]bool{}
	b.domains = map[string]bool{}
	for d := range b.docs {
		if b.facts[d].info.Layer >= 0 {
			b.roots[b.facts[d].root] = true
		}
		if domain := b.facts[d].info.Domain; domain != "" {
			b.domains[keyOf(domain)] = true
		}
	}
	b.domainNames = slices.Sorted(maps.Keys(b.domains))
	rowsOf := make([][]row, len(b.docs))
	if err := b.each(ctx, func(d int) { rowsOf[d] = b.namesOf(d) }); err != nil {
		return err
	}
	rows := b.extraNames()
	rows = append(rows, slices.Concat(rowsOf...)...)
	var ids []row
	for i := range rows {
		if b.isMentionID(&rows[i]) {
			ids = append(ids, rows[i])
		}
	}
	b.names = newNameTable(rows, b.where)
	b.ids = newNameTable(ids, b.where)
	b.paths = newPathTable(b.docs, b.rules, b.facts)
	b.fillSites()
	return nil
}

// findEdges resolves all that document d refers to.
func (b *builder) findEdges(d int) {
	b.contains(d)
	b.frontMatterEdges(d)
	b.linkEdges(d)
	b.mentionEdges(d)
	b.ownFindings(d)
	out := &b.out[d]
	for i := range out.edges {
		out.edges[i].Violation = b.violates(&out.edges[i])
	}
	b.layerFindings(d)
	slices.SortFunc(out.edges, compareEdges)
	out.edges = slices.CompactFunc(out.edges, sameEdge)
}

// contains gives each heading its CONTAINS edge; see the package comment for what holds what.
func (b *builder) contains(d int) {
	doc := b.docs[d]
	b.out[d].edges = slices.Grow(b.out[d].edges, len(doc.Sections)-1)
	for s := 1; s < len(doc.Sections); s++ {
		parent := doc.Sections[s].Parent
		if parent == b.titleSection[d] {
			parent = 0
		}
		b.out[d].edges = append(b.out[d].edges, Edge{
			From: b.node(d, parent), To: b.node(d, s), Type: index.ContainsEdge, Found: FoundStructure,
			Doc: d, Line: doc.Sections[s].LineStart,
		})
	}
}

// violates says whether an edge goes from a layer to a higher one. Layer 0 may refer to all, and no layer to any.
func (b *builder) violates(e *Edge) bool {
	if e.Type == index.ContainsEdge {
		return false
	}
	from, to := b.docsOf(e)
	return b.facts[from].info.Layer > 0 && b.facts[from].info.Layer < b.facts[to].info.Layer
}

func compareEdges(a, b Edge) int {
	return cmp.Or(
		cmp.Compare(a.From, b.From), strings.Compare(a.Type, b.Type), cmp.Compare(a.To, b.To), cmp.Compare(a.Line, b.Line),
		strings.Compare(a.Text, b.Text), cmp.Compare(a.Doc, b.Doc), strings.Compare(a.Found, b.Found), strings.Compare(a.Relation, b.Relation),
		strings.Compare(a.Cardinality, b.Cardinality),
	)
}

// sameEdge reports whether two edges are the same one, found twice: such as by a link in a table's row and by the row.
func sameEdge(a, b Edge) bool {
	return a.From == b.From && a.To == b.To && a.Type == b.Type && a.Doc == b.Doc && a.Line == b.Line && a.Text == b.Text
}

// collect joins what the documents gave, in their order, and looks at the whole.
func (b *builder) collect() {
	g := b.g
	edges, orphans := 0, 0
	for d := range b.out {
		edges += len(b.out[d].edges)
		orphans += len(b.out[d].orphans)
	}
	g.Edges = make([]Edge, 0, edges)
	g.Stats.Orphans = map[string]int{}
	b.suggest()
	for d := range b.out {
		out := &b.out[d]
		g.Edges = append(g.Edges, out.edges...)
		g.Orphans = append(g.Orphans, out.orphans...)
		g.Diags = append(g.Diags, b.facts[d].diags...)
		g.Diags = append(g.Diags, out.diags...)
		g.Stats.Links += out.stats.Links
		g.Stats.Resolved += out.stats.Resolved
		g.Stats.Assets += out.stats.Assets
		g.Stats.Folders += out.stats.Folders
		g.Stats.URLs += out.stats.URLs
		g.Stats.Outside += out.stats.Outside
		for i := range out.orphans {
			g.Stats.Orphans[out.orphans[i].Reason]++
		}
		*out = docOut{}
	}
	slices.SortFunc(g.Edges, compareEdges)
	slices.SortStableFunc(g.Orphans, func(a, b Orphan) int {
		return cmp.Or(a.Doc-b.Doc, a.Line-b.Line, strings.Compare(a.Type, b.Type), strings.Compare(a.Target, b.Target))
	})
	g.Names = b.names.names()
	b.wholeFindings()
	g.Diags = diag.Sort(g.Diags)
}

// docsOf returns the documents of an edge's ends.
func (b *builder) docsOf(e *Edge) (from, to int) {
	from, _ = b.g.Place(e.From)
	to, _ = b.g.Place(e.To)
	return from, to
}

// node returns the node of a section: a scenario's own node where it takes the section's place.
func (b *builder) node(d, s int) NodeID {
	if extras := b.scenarios[d]; extras != nil && extras[s] != 0 {
		return extras[s]
	}
	return b.g.Node(d, s)
}

func (g *Graph) extraNode(i int) NodeID {
	return NodeID(len(g.Docs) + g.sectionBase[len(g.Docs)] + i)
}

// placeOf returns the last i with base[i] <= n that has room for it.
func placeOf(base []int, n int) int {
	return sort.Search(len(base), func(i int) bool { return base[i] > n }) - 1
}
