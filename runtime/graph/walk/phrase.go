package walk

import (
	"strings"

	"kdd/format/index"
)

// verbs are the meanings of edge types in words, for the node that an edge comes from and for the node that it leads
// to.
var verbs = map[string][2]string{
	"DEPENDS_ON":            {"depends on", "is needed by"},
	"IMPLEMENTS":            {"implements", "is implemented by"},
	"SUPERSEDES":            {"supersedes", "is superseded by"},
	"DOMAIN_RELATION":       {"is related to", "is related to"},
	"ENTITY_RULE":           {"rules on", "is ruled by"},
	"ENTITY_POLICY":         {"governs", "is governed by"},
	"EMITS":                 {"emits", "is emitted by"},
	"CONSUMES":              {"consumes", "is consumed by"},
	"UC_APPLIES_RULE":       {"applies", "is applied by"},
	"UC_EXECUTES_CMD":       {"executes", "is executed by"},
	"UC_STORY":              {"serves", "is served by"},
	"VIEW_TRIGGERS_UC":      {"triggers", "is triggered by"},
	"VIEW_USES_COMPONENT":   {"uses", "is used by"},
	"COMPONENT_USES_ENTITY": {"shows", "is shown by"},
	"REQ_TRACES_TO":         {"traces to", "is traced to by"},
	"VALIDATES":             {"validates", "is validated by"},
	"DECIDES_FOR":           {"decides for", "is decided by"},
	"GLOSSARY_DEFINES":      {"defines", "is defined by"},
	"CROSS_DOMAIN_REF":      {"refers to", "is referred to by"},
	"REFERENCES":            {"refers to", "is referred to by"},
	"WIKI_LINK":             {"links to", "is linked from"},
	"LINK":                  {"links to", "is linked from"},
	"MENTIONS":              {"mentions", "is mentioned by"},
	"CONTAINS":              {"contains", "is part of"},
}

// Verb returns the meaning of an edge type in words: "executes", or with back "is executed by". A type that kdd.yaml
// adds is named by its own name.
func Verb(relation string, back bool) string {
	if v, ok := verbs[relation]; ok {
		if back {
			return v[1]
		}
		return v[0]
	}
	words := strings.ToLower(strings.ReplaceAll(relation, "_", " "))
	if back {
		return "is the target of “" + words + "” of"
	}
	return words
}

// Phrase says in words why the last node of a path (of Impact.Path) depends on the start: "UC-001 executes CMD-001,
// which implements RF-7". name returns the name of a node.
func Phrase(x *index.Index, start index.NodeID, path []Dependant, name func(index.NodeID) string) string {
	if len(path) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(name(path[len(path)-1].Node))
	for i := len(path) - 1; i >= 0; i-- {
		if i < len(path)-1 {
			b.WriteString(", which")
		}
		needed := start
		if i > 0 {
			needed = path[i-1].Node
		}
		kind, _ := x.EdgeType(path[i].Edge)
		verb := Verb(kind.Name, path[i].Back)
		if relation, _ := x.EdgeRelation(path[i].Edge); relation != "" && kind.Name == "DOMAIN_RELATION" && !path[i].Back {
			verb = relation
		}
		b.WriteString(" " + verb + " " + name(needed))
	}
	return b.String()
}
