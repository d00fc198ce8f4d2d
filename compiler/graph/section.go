package graph

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// docRules are the section rules that hold in one document.
type docRules struct {
	bySection [][]int // indices into Rules.sections, by section; nil if the document has no section rules
	anywhere  []int
	mentions  []int // of these, the ones that mentioned ids follow
}

// headingName normalises a heading for the table: folded, without numbering, remarks in brackets and a colon.
func headingName(heading string) string {
	if len(heading) > maxKeyBytes {
		return ""
	}
	name := text.Fold(heading)
	if i := strings.IndexByte(name, '('); i > 0 {
		name = name[:i]
	}
	name = strings.TrimLeftFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.TrimRightFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// sectionRules finds the rules for each section: those of its own heading, else those of the section above.
func (b *builder) sectionRules(d int) *docRules {
	doc, kind := b.docs[d], b.facts[d].info.Kind
	r := &docRules{anywhere: b.rules.anywhere[kind]}
	for _, i := range r.anywhere {
		if b.rules.sections[i].mentions {
			r.mentions = append(r.mentions, i)
		}
	}
	if b.facts[d].kind < 0 {
		return r
	}
	r.bySection = make([][]int, len(doc.Sections))
	for s := 1; s < len(doc.Sections); s++ {
		section := &doc.Sections[s]
		if own := b.rules.headings[headingKey{kind, headingName(section.Heading)}]; own != nil {
			r.bySection[s] = own
		} else if section.Parent > 0 {
			r.bySection[s] = r.bySection[section.Parent]
		}
	}
	return r
}

func (r *docRules) of(section int) []int {
	if r.bySection == nil {
		return nil
	}
	return r.bySection[section]
}

// typedEdges adds the edges that the rules of e's section give beside e.
func (b *builder) typedEdges(d int, e Edge, link *markdown.Link, rules *docRules) {
	for _, list := range [][]int{rules.of(link.Section), rules.anywhere} {
		for _, i := range list {
			b.typedEdge(d, e, &b.rules.sections[i], link)
		}
	}
}

// typedEdge adds what one rule makes of an edge, if anything.
func (b *builder) typedEdge(d int, e Edge, rule *sectionRule, link *markdown.Link) {
	to, _ := b.g.Place(e.To)
	if !rule.accepts(b.kindName(e.To, to)) || to == d && !rule.table {
		return
	}
	typed := Edge{From: e.From, To: e.To, Type: rule.edge, Found: FoundSection, Doc: d, Line: e.Line, Text: e.Text}
	if rule.reverse {
		typed.From, typed.To = e.To, NodeID(d)
	}
	if rule.table && link != nil {
		row, ok := b.tableRow(d, link)
		if ok && row.target != "" && !strings.Contains(row.target, link.Text) {
			return // a link in another column only explains
		}
		typed.Relation, typed.Cardinality = row.relation, row.cardinality
	}
	b.out[d].edges = append(b.out[d].edges, typed)
}

func (s *sectionRule) accepts(kind string) bool {
	return !slices.Contains(s.except, kind) && (len(s.targets) == 0 || slices.Contains(s.targets, kind))
}

// relationRow is what a row of a relation table says.
type relationRow struct{ relation, cardinality, target string }

// tableRow finds the row of a relation table that a link stands in.
func (b *builder) tableRow(d int, link *markdown.Link) (relationRow, bool) {
	blocks := b.docs[d].Sections[link.Section].Blocks
	// Blocks are in source order: the one that holds the link begins at or before it.
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].Start > link.Offset }) - 1
	if i < 0 || blocks[i].Kind != markdown.Table {
		return relationRow{}, false
	}
	rows := blocks[i].Rows
	j := sort.Search(len(rows), func(j int) bool { return rows[j].Line >= link.Line })
	if j == len(rows) || rows[j].Line != link.Line {
		return relationRow{}, false
	}
	return b.relationRow(&blocks[i], &rows[j]), true
}

// maxRelationColumns bounds the columns of a table that are asked for a relation: each link of a row asks for them.
const maxRelationColumns = 64

func (b *builder) relationRow(table *markdown.Block, row *markdown.Row) relationRow {
	var r relationRow
	c := &b.rules.columns
	for i, cell := range row.Cells[:min(len(row.Cells), len(table.Header), maxRelationColumns)] {
		switch name := headingName(table.Header[i]); {
		case c.target[name] && r.target == "":
			r.target = cell
		case c.cardinality[name] && r.cardinality == "":
			r.cardinality = clip(cell)
		case c.relation[name] && r.relation == "":
			r.relation = clip(cell)
		}
	}
	return r
}

// tableRows adds the edges of relation tables whose target is a bare name: "| belongs to | N:1 | Customer |".
func (b *builder) tableRows(d int, rules *docRules) {
	doc := b.docs[d]
	for s := range doc.Sections {
		for _, i := range rules.of(s) {
			rule := &b.rules.sections[i]
			if !rule.table {
				continue
			}
			linked := map[int]bool{}
			for l := b.firstLink(d, s); l < len(doc.Links) && doc.Links[l].Section == s; l++ {
				linked[doc.Links[l].Line] = true
			}
			for k := range doc.Sections[s].Blocks {
				block := &doc.Sections[s].Blocks[k]
				for j := range block.Rows {
					if row := &block.Rows[j]; !linked[row.Line] {
						b.bareRow(d, s, rule, b.relationRow(block, row), row.Line)
					}
				}
			}
		}
	}
}

// firstLink returns the first link of a section: links are in source order, and so are sections.
func (b *builder) firstLink(d, s int) int {
	links := b.docs[d].Links
	return sort.Search(len(links), func(i int) bool { return links[i].Section >= s })
}

func (b *builder) bareRow(d, s int, rule *sectionRule, row relationRow, line int) {
	if row.target == "" || len(row.target) > maxKeyBytes {
		return
	}
	f, ok := b.names.resolve(row.target, asker{place: b.placeOf(d)}, index.TitleName)
	if !ok || f.others > 0 {
		return
	}
	to, _ := b.g.Place(f.node)
	if b.facts[to].kind < 0 || !rule.accepts(b.kindName(f.node, to)) {
		return
	}
	e := Edge{
		From: b.node(d, s), To: f.node, Type: rule.edge, Found: FoundSection, Doc: d, Line: line, Text: row.target,
		Relation: row.relation, Cardinality: row.cardinality,
	}
	if rule.reverse {
		e.From, e.To = f.node, NodeID(d)
	}
	b.out[d].edges = append(b.out[d].edges, e)
}
