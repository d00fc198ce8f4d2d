package graph

import (
	"slices"
	"testing"

	"kdd/format/index"
)

func TestEdgeTypes(t *testing.T) {
	depends := map[string]string{"EMITS": "to", "VALIDATES": "to", "DEPENDS_ON": "from", "UC_EXECUTES_CMD": "from", "CONSUMES": "from"}
	impact := map[string]string{
		index.ContainsEdge: index.ImpactNo, Link: index.ImpactDirect, WikiLink: index.ImpactDirect, Mentions: index.ImpactDirect, Reference: index.ImpactDirect,
		"DEPENDS_ON": index.ImpactFollow, "DOMAIN_RELATION": index.ImpactFollow,
	}
	types := Default().EdgeTypes()
	names := make([]string, len(types))
	for i, e := range types {
		names[i] = e.Name
		if want, ok := depends[e.Name]; ok && e.Depends != want {
			t.Errorf("EdgeTypes()[%s].Depends = %q, want %q", e.Name, e.Depends, want)
		}
		if want, ok := impact[e.Name]; ok && e.Impact != want {
			t.Errorf("EdgeTypes()[%s].Impact = %q, want %q", e.Name, e.Impact, want)
		}
		if e.About == "" || e.Weight < 1 || e.Weight > 100 {
			t.Errorf("EdgeTypes()[%s] = %+v, want a weight and a description", e.Name, e)
		}
	}
	want := []string{
		"WIKI_LINK", "LINK", "SUPERSEDES", "DEPENDS_ON", "IMPLEMENTS", "REFERENCES", "MENTIONS", "CONTAINS", "DOMAIN_RELATION",
		"ENTITY_RULE", "ENTITY_POLICY", "EMITS", "CONSUMES", "UC_APPLIES_RULE", "UC_EXECUTES_CMD", "UC_STORY", "VIEW_TRIGGERS_UC",
		"VIEW_USES_COMPONENT", "COMPONENT_USES_ENTITY", "REQ_TRACES_TO", "VALIDATES", "DECIDES_FOR", "CROSS_DOMAIN_REF",
		"GLOSSARY_DEFINES",
	}
	for _, name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("EdgeTypes() has no %s", name)
		}
	}
	types[0].Name = "changed"
	if Default().EdgeTypes()[0].Name == "changed" {
		t.Error("EdgeTypes() shares its table with the caller")
	}
}
