package graph

import (
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/format/index"
)

// maxRelations bounds the values of one front-matter field that are read as relations.
const maxRelations = 10_000

// frontMatterEdges makes the edges of the relations in the front matter of document d.
func (b *builder) frontMatterEdges(d int) {
	fm := b.docs[d].FrontMatter
	if fm == nil {
		return
	}
	b.statusEdges(d)
	for i := range fm.Fields {
		field := &fm.Fields[i]
		if isEmpty(field) || b.hasMeaning(fieldName(field.Name)) {
			continue
		}
		rel, loose, known := b.rules.relationOf(field.Name)
		if !known {
			rel, known = b.edgeField(field.Name)
		}
		if known && (field.Type == markdown.BoolValue || field.Type == markdown.FloatValue) && !field.List {
			continue // such as "related: true"
		}
		for j, value := range field.Values {
			if j == maxRelations {
				break
			}
			switch {
			case known && !loose:
				b.relationValue(d, field, rel, value, true)
			case known && b.isID(d, value):
				b.relationValue(d, field, rel, value, false)
			default:
				b.looseValue(d, field, value)
			}
		}
	}
}

// isID reports whether a value is an id that something has, with nothing beside it.
func (b *builder) isID(d int, value string) bool {
	value = strings.TrimSpace(value)
	_, id, ok := b.idOf(value, b.placeOf(d))
	return ok && id == value
}

// statusEdges reads "status: superseded by ADR-0012" as the relation that it is.
func (b *builder) statusEdges(d int) {
	status := b.facts[d].info.Status
	if !b.isStale(status) {
		return
	}
	field := b.facts[d].fields.first(b.rules.fields.status)
	for _, id := range b.idsIn(status, b.placeOf(d)) {
		doc, _ := b.g.Place(id.node)
		b.relate(d, field, relation{edge: index.SupersedesEdge, reverse: true}, id.text, target{node: id.node, doc: doc}, "", true)
	}
}

// hasMeaning reports whether a field says something about the document itself.
func (b *builder) hasMeaning(name string) bool {
	f := &b.rules.fields
	for _, list := range [][]string{f.id, f.kind, f.status, f.domain, f.tags, f.aliases, f.date, f.paths} {
		if slices.Contains(list, name) {
			return true
		}
	}
	return name == "title" || name == "description"
}

// edgeField reads a field that is called as an edge type is: "uc_applies_rule: [BR-1]".
func (b *builder) edgeField(name string) (relation, bool) {
	name = strings.ToUpper(fieldName(name))
	switch name {
	case index.ContainsEdge, Mentions, Link, WikiLink:
		return relation{}, false
	}
	if _, ok := b.rules.edgeIndex[name]; ok {
		return relation{edge: name}, true
	}
	return relation{}, false
}

// nothing are the words that people write where there is no relation.
var nothing = map[string]bool{
	"": true, "-": true, "--": true, "—": true, "~": true, "none": true, "null": true, "nil": true, "n/a": true, "na": true,
	"tbd": true, "todo": true, "ninguno": true, "ninguna": true, "no": true, "false": true, "true": true, "{}": true, "[]": true,
}

// looseValue reads a value of a field that is no relation: only wiki links and paths of documents count, and a path
// with a folder in it that leads nowhere is worth a note.
func (b *builder) looseValue(d int, field *markdown.Field, value string) {
	value = strings.TrimSpace(value)
	if len(value) > maxTargetBytes {
		return
	}
	if strings.Contains(value, "[[") || isPathName(value) && !strings.ContainsAny(value, "*?\n") {
		before := len(b.out[d].diags)
		b.relationValue(d, field, relation{edge: Reference}, value, strings.Contains(value, "/") && !strings.ContainsAny(value, " \t["))
		for i := before; i < len(b.out[d].diags); i++ {
			b.out[d].diags[i].Severity = diag.Note
		}
	}
}

// relationValue adds the edges of one value: wiki links, a markdown link, a path, an id, a name, or several of these
// between commas. With mustLead, what leads nowhere becomes an orphan.
func (b *builder) relationValue(d int, field *markdown.Field, rel relation, value string, mustLead bool) {
	value = strings.TrimSpace(value)
	if nothing[strings.ToLower(value)] || len(value) > 4*maxTargetBytes {
		return
	}
	if wikis := wikiLinksIn(value); len(wikis) > 0 {
		for _, w := range wikis {
			t, reason := b.wikiTarget(d, w.domain, w.target)
			if reason == foundURL || reason == foundAsset {
				continue
			}
			b.relate(d, field, rel, w.target, t, reason, mustLead)
		}
		return
	}
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, ")") {
		if i := strings.Index(value, "]("); i > 0 {
			value = strings.TrimSpace(value[i+2 : len(value)-1])
		}
	}
	if target, external := b.local(value); external && !b.rules.isNodeID(value) {
		return
	} else if !external {
		value = target
	}
	if t, ok := b.relationTarget(d, value); ok {
		b.relate(d, field, rel, value, t, "", mustLead)
		return
	}
	if strings.ContainsAny(value, ",;") && !field.List {
		parts := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' })
		for _, part := range parts {
			part = strings.TrimSpace(part)
			if nothing[strings.ToLower(part)] || hasScheme(part) && !b.rules.isNodeID(part) {
				continue
			}
			t, ok := b.relationTarget(d, part)
			b.relate(d, field, rel, part, t, reasonOf(ok), mustLead)
		}
		return
	}
	// "DC-012 (agent tools)": the ids in a phrase count if they exist.
	any := false
	for _, id := range b.idsIn(value, b.placeOf(d)) {
		doc, _ := b.g.Place(id.node)
		b.relate(d, field, rel, value, target{node: id.node, doc: doc}, "", mustLead)
		any = true
	}
	if !any && !isAssetPath(value) {
		b.relate(d, field, rel, value, target{}, NoSuchDocument, mustLead)
	}
}

// isNodeID reports whether a value that begins as a URL does is a node id: what stands before the colon is a kind's
// prefix.
func (r *Rules) isNodeID(value string) bool {
	prefix, rest, _ := strings.Cut(value, ":")
	return rest != "" && !strings.HasPrefix(rest, "//") && (prefix == "doc" || slices.ContainsFunc(r.kinds, func(k kind) bool { return k.prefix == prefix }))
}

func reasonOf(ok bool) string {
	if ok {
		return ""
	}
	return NoSuchDocument
}

// relationTarget resolves an id, name or path of the front matter.
func (b *builder) relationTarget(d int, value string) (target, bool) {
	t, reason := b.wikiTarget(d, "", value)
	if reason == "" {
		return t, true
	}
	if strings.Contains(value, "/") || isPathName(value) {
		if r := b.route(d, value); r.outcome == isDocument {
			t := b.withAnchor(r.doc, r.fragment)
			t.moved = r.moved
			return t, true
		}
	}
	return target{}, false
}

// relate adds one edge from the front matter, or an orphan.
func (b *builder) relate(d int, field *markdown.Field, rel relation, written string, t target, reason string, mustLead bool) {
	out := &b.out[d]
	e := Edge{From: NodeID(d), To: t.node, Type: rel.edge, Found: FoundFrontMatter, Doc: d, Line: field.Line}
	if rel.edge == Reference {
		e.Relation = clip(field.Name)
	}
	if reason == "" {
		if t.doc == d && t.node == NodeID(d) {
			if mustLead && t.broken != "" { // "#nope" of its own
				b.reportTarget(d, field.Line, 0, written, t, false)
			}
			return
		}
		if rel.reverse {
			e.From, e.To = e.To, e.From
		}
		if mustLead {
			b.reportTarget(d, field.Line, 0, written, t, false)
		}
		out.edges = append(out.edges, e)
		return
	}
	if !mustLead {
		return
	}
	finding := diag.At(diag.BrokenRelation, b.docs[d].Path, field.Line, 0, "%s: nothing has the name %q", clip(field.Name), clip(written))
	if len(strings.Fields(written)) > 4 {
		finding.Severity = diag.Note // a sentence rather than a name
	}
	b.orphan(d, Orphan{
		From: NodeID(d), Type: rel.edge, Found: FoundFrontMatter, Doc: d, Line: field.Line, Target: clip(written), Reason: reason,
	}, finding, written, nearName)
}

type wikiText struct{ domain, target string }

// wikiLinksIn finds [[domain::target|alias]] in a front-matter value.
func wikiLinksIn(value string) []wikiText {
	var list []wikiText
	for {
		_, rest, _ := strings.Cut(value, "[[")
		inner, after, closed := strings.Cut(rest, "]]")
		if !closed {
			return list
		}
		value = after
		inner, _, _ = strings.Cut(inner, "|")
		domain, name, ok := strings.Cut(inner, "::")
		if !ok {
			domain, name = "", inner
		}
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, wikiText{strings.TrimSpace(domain), name})
		}
	}
}
