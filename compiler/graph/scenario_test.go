package graph

import (
	"slices"
	"testing"
)

// TestScenarioIDs has names and tags that give a scenario its id, and those that say what it is about.
func TestScenarioIDs(t *testing.T) {
	docs := []string{
		"02-behavior/use-cases/UC-001-Order.md", "# Order\n",
		"04-verification/criteria/r.md", "---\nid: REQ-001\nkind: requirement\n---\n# R\n\n## RF-AUTH-001: Login\n",
	}
	for _, tt := range []struct{ name, tags, scenario, want, validates string }{
		{"own id", "", "SCN-Order-001 — works", "SCN:SCN-Order-001", ""},
		{"own id about another", "", "SCN-Order-001 of UC-001", "SCN:SCN-Order-001", "UC:UC-001-Order"},
		{"own id of no kind", "", "TC-7: works", "SCN:TC-7", ""},
		{"id of a document", "", "REQ-001 works", "SCN:f/req-001-works", "REQ:REQ-001"},
		{"id of a stem", "", "UC-001 — works", "SCN:f/uc-001--works", "UC:UC-001-Order"},
		{"id of a heading", "", "RF-AUTH-001: works", "SCN:f/rf-auth-001-works", "REQ:REQ-001"},
		{"id of another kind that nothing has", "", "CMD-009 works", "SCN:f/cmd-009-works", ""},
		{"tag", "@slow @SCN-Order-002 @UC-001", "works", "SCN:SCN-Order-002", "UC:UC-001-Order"},
		{"tag of a document", "@REQ-001", "works", "SCN:f/works", "REQ:REQ-001"},
		{"name before tag", "@SCN-Order-002", "SCN-Order-001 works", "SCN:SCN-Order-001", ""},
		{"tag and document in the name", "@SCN-Order-002", "REQ-001 works", "SCN:SCN-Order-002", "REQ:REQ-001"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			feature := "Feature: f\n\n  " + tt.tags + "\n  Scenario: " + tt.scenario + "\n    Given x\n"
			g, err := Build(t.Context(), parseTree(append(slices.Clone(docs), "04-verification/examples/f.feature", feature)...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(g.Extra) != 1 || g.Extra[0].ID != tt.want {
				t.Fatalf("scenarios = %+v, want %s", g.Extra, tt.want)
			}
			validates := ""
			for _, e := range g.Edges {
				if e.Type == "VALIDATES" {
					to, _ := g.Place(e.To)
					validates += g.Docs[to].NodeID
				}
			}
			if validates != tt.validates {
				t.Errorf("VALIDATES leads to %q, want %q", validates, tt.validates)
			}
		})
	}
}
