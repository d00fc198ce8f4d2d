package graph

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/compiler/diag"
	"kdd/format/index"
)

// Coverage returns the table of what kinds should have, in its order. The caller owns the slice.
func (r *Rules) Coverage() []index.Coverage { return slices.Clone(r.coverage) }

type yamlCoverage struct {
	Kinds  []string `yaml:"kinds"`
	Name   string   `yaml:"name"`
	Edges  []string `yaml:"edges"`
	Side   string   `yaml:"side"`
	Others []string `yaml:"others"`
	Off    bool     `yaml:"off"`
}

// mergeCoverage adds one row for each kind, in the place of the one with the same kind and name.
func mergeCoverage(r *Rules, raw *yamlCoverage, at func(string) *yaml.Node, p *rulesParser) {
	if raw.Name == "" || len(raw.Kinds) == 0 {
		p.add(at(""), "coverage %q: want a name and kinds, such as {kinds: [use-case], name: scenarios, edges: [VALIDATES], side: in}", raw.Name)
		return
	}
	if len(raw.Edges) == 0 && !raw.Off {
		p.add(at(""), "coverage %q: want edges, or off: true", raw.Name)
		return
	}
	side := cmp.Or(raw.Side, index.SideAny)
	p.oneOf(at("side"), "side", side, []string{index.SideOut, index.SideIn, index.SideAny})
	for _, edge := range raw.Edges {
		checkEdge(r, edge, at("edges"), p)
	}
	others := kindNames(r, raw.Others, at("others"), p)
	for _, kind := range kindNames(r, raw.Kinds, at("kinds"), p) {
		row := index.Coverage{Kind: kind, Name: raw.Name, Edges: raw.Edges, Side: side, Others: others}
		i := slices.IndexFunc(r.coverage, func(c index.Coverage) bool { return c.Kind == kind && c.Name == raw.Name })
		switch {
		case raw.Off && i >= 0:
			r.coverage = slices.Delete(r.coverage, i, i+1)
		case raw.Off:
			p.add(at(""), "coverage %q: the kind %s has no such row to turn off; it has %s", raw.Name, kind, cmp.Or(strings.Join(rowNames(r, kind), ", "), "none"))
		case i >= 0:
			r.coverage[i] = row
		default:
			r.coverage = append(r.coverage, row)
		}
	}
}

// rowNames returns the names of a kind's rows.
func rowNames(r *Rules, kind string) []string {
	var names []string
	for i := range r.coverage {
		if c := &r.coverage[i]; c.Kind == kind {
			names = append(names, c.Name)
		}
	}
	return names
}

// coverageHoles reports what documents of trees in layers lack of what their kinds should have. What a document's
// sections and scenarios have, it has.
func (b *builder) coverageHoles() {
	type need struct {
		row  int
		side string
		edge string
	}
	rows := map[string][]int{} // kind → rows
	needs := map[need]bool{}
	for i := range b.rules.coverage {
		c := &b.rules.coverage[i]
		rows[c.Kind] = append(rows[c.Kind], i)
		for _, edge := range c.Edges {
			needs[need{i, index.SideOut, edge}] = c.Side != index.SideIn
			needs[need{i, index.SideIn, edge}] = c.Side != index.SideOut
		}
	}
	has := map[[2]int]bool{} // document, row
	look := func(doc, other int, otherNode NodeID, edge, side string) {
		for _, i := range rows[b.facts[doc].info.Kind] {
			if c := &b.rules.coverage[i]; needs[need{i, side, edge}] && (len(c.Others) == 0 || slices.Contains(c.Others, b.kindName(otherNode, other))) {
				has[[2]int{doc, i}] = true
			}
		}
	}
	for i := range b.g.Edges {
		e := &b.g.Edges[i]
		if from, to := b.docsOf(e); from != to {
			look(from, to, e.To, e.Type, index.SideOut)
			look(to, from, e.From, e.Type, index.SideIn)
		}
	}
	for d, doc := range b.docs {
		info := &b.facts[d].info
		if len(rows[info.Kind]) == 0 || !b.inLayers(d) {
			continue
		}
		var missing []string
		for _, i := range rows[info.Kind] {
			if !has[[2]int{d, i}] {
				c := &b.rules.coverage[i]
				missing = append(missing, c.Name+" ("+strings.Join(c.Edges, ", ")+")")
			}
		}
		if len(missing) > 0 {
			b.find(diag.New(diag.CoverageHole, doc.Path, "%s has no %s", info.NodeID, strings.Join(missing, ", no ")))
		}
	}
}
