package graph

import (
	"slices"
	"strings"
	"testing"

	"kdd/compiler/diag"
)

// TestNestedRelations has relations as strings, lists, mappings and lists of mappings.
func TestNestedRelations(t *testing.T) {
	for _, tt := range []struct{ name, front, edges, orphans string }{
		{"string", "depends_on: ADR-1", "DEPENDS_ON ADR-1", ""},
		{"list", "depends_on: [ADR-1, ADR-2]", "DEPENDS_ON ADR-1, DEPENDS_ON ADR-2", ""},
		{"list of mappings", "depends_on:\n  - id: ADR-1\n    why: it sets Payment\n  - {id: ADR-9}", "DEPENDS_ON ADR-1", "ADR-9"},
		{"mapping of lists", "depends_on:\n  required: [ADR-1]\n  optional: nothing", "DEPENDS_ON ADR-1", ""},
		{"mapping of words", "requires: {python: '>=3.9', since: Payment}", "", ""},
		{"relation in a relation", "depends_on: {adrs: [ADR-1]}", "DEPENDS_ON ADR-1", ""},
		{"relation in a reference", "related:\n  supersedes: [ADR-1]\n  adrs: [ADR-2, ADR-9]", "SUPERSEDES ADR-1, REFERENCES ADR-2", "ADR-9"},
		{"node ids", "depends_on: 'doc:p.md'\nrelated: ['ADR:ADR-1#one', 'ADR:ADR-9']", "DEPENDS_ON Payment, REFERENCES ADR-1", "ADR:ADR-9"},
		{"node ids between commas", "depends_on: 'ADR:ADR-1-a, doc:p.md'", "DEPENDS_ON Payment, DEPENDS_ON ADR-1", ""},
		{"URLs", "depends_on: ['https://example.com/ADR-1', 'mailto:ADR-1@example.com', 'ADR://ADR-1']", "", ""},
		{"id in a sentence", "depends_on:\n  - id: ADR-1\n    why: ADR-2 asks for it", "DEPENDS_ON ADR-1", ""},
		{"nothing between commas", "depends_on: 'ADR-1, none'", "DEPENDS_ON ADR-1", ""},
		{"status", "status: superseded by ADR-1", "SUPERSEDES from ADR-1", ""},
		{"status that is in force", "status: accepted with ADR-1", "", ""},
		{"kept together", "relations:\n  depends_on:\n    - id: ADR-1", "DEPENDS_ON ADR-1", ""},
		{"reversed", "superseded_by: [{id: ADR-1, date: 2024-01-01}]", "SUPERSEDES from ADR-1", ""},
		{"a title beside an id", "related_docs: [{id: ADR-1, title: What it is called}]", "REFERENCES ADR-1", ""},
		{"wiki link and path", "related: {notes: ['[[Payment]]'], more: adr/ADR-2-b.md}", "REFERENCES Payment, REFERENCES ADR-2", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := Build(t.Context(), parseTree("a.md", "---\n"+tt.front+"\n---\n# A\n", "adr/ADR-1-a.md", "# One\n", "adr/ADR-2-b.md", "# Two\n", "p.md", "# Payment\n"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			names := []string{"A", "ADR-1", "ADR-2", "Payment"}
			var edges, orphans []string
			for _, e := range g.Edges {
				if e.Found != FoundFrontMatter {
					continue
				}
				if from, _ := g.Place(e.From); from == 0 {
					to, _ := g.Place(e.To)
					edges = append(edges, e.Type+" "+names[to])
				} else {
					edges = append(edges, e.Type+" from "+names[from])
				}
			}
			for _, o := range g.Orphans {
				orphans = append(orphans, o.Target)
			}
			want := strings.Split(tt.edges, ", ")
			slices.Sort(edges)
			slices.Sort(want)
			if strings.Join(edges, ", ") != strings.Join(want, ", ") || strings.Join(orphans, ", ") != tt.orphans {
				t.Errorf("edges %q, orphans %q, want %q, %q", edges, orphans, tt.edges, tt.orphans)
			}
		})
	}
}

// TestOwnAnchors has front matter that leads to the document's own sections.
func TestOwnAnchors(t *testing.T) {
	g, err := Build(t.Context(), parseTree("a.md", "---\nsee: ['#here', '#nope', a.md#nor]\n---\n# A\n\n## Here\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range g.Diags {
		if d.Rule == "broken-anchor" {
			got = append(got, d.Text)
		}
	}
	if want := []string{`link "#nope": a.md has no anchor "nope"`, `link "a.md#nor": a.md has no anchor "nor"`}; !slices.Equal(got, want) {
		t.Errorf("broken anchors = %q, want %q", got, want)
	}
}

// TestNearNames has hints for links that almost have a name: an anchor's of the document that is meant, a document's,
// and no heading's.
func TestNearNames(t *testing.T) {
	g, err := Build(t.Context(), parseTree(
		"a.md", "# A\n\n[x](b.md#instal) [y](c.md#configuratin) [z](b.md#remov)\n\n[[Pressur]] [[Installatio]]\n",
		"b.md", "# B\n\n## Install\n\n## Remove\n\n## Installation\n",
		"c.md", "# C\n\n## One\n\n## Two\n\n## Three\n\n## Configuration\n",
		"d.md", "# Pressure\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range g.Diags {
		if d.Severity >= diag.Warning {
			got = append(got, d.Text+"; "+d.Hint)
		}
	}
	want := []string{
		`link "b.md#instal": b.md has no anchor "instal"; the nearest are "#install", "#installation"`,
		`link "c.md#configuratin": c.md has no anchor "configuratin"; did you mean "#configuration"?`,
		`link "b.md#remov": b.md has no anchor "remov"; did you mean "#remove"?`,
		`[[Pressur]]: nothing has this name; did you mean "Pressure"?`,
		`[[Installatio]]: nothing has this name; `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
