package graph

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/format/index"
	"kdd/format/text"
)

var chunkTypes = []string{"ENTITY", "USE_CASE", "RULE", "PROCESS", "DEFAULT"}

var edgeName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`)

// merge adds raw to r; mistakes go to p.
func merge(r *Rules, raw *yamlRules, at places, p *rulesParser) {
	for i := range raw.Edges {
		mergeEdge(r, &raw.Edges[i], at.item("edges", i), p)
	}
	r.index()
	for i := range raw.Kinds {
		mergeKind(r, &raw.Kinds[i], at.item("kinds", i), p)
	}
	r.index()
	if raw.Layers != nil {
		r.layers = raw.Layers
	}
	for i, pattern := range raw.Domains {
		segments := strings.Split(strings.Trim(pattern, "/"), "/")
		if !slices.Contains(segments, "*") {
			p.add(at.item("domains", i)(""), `domain folder %q: want one segment to be "*", such as services/*/docs`, pattern)
			continue
		}
		r.domains = append(r.domains, segments)
	}
	addAll(r.indexFiles, raw.IndexFiles, strings.ToLower)
	addAll(r.stale, raw.Stale, text.Fold)
	addAll(r.invariants, raw.Invariants, text.Fold)
	r.comments = append(r.comments, raw.Comments...)
	for i, pattern := range raw.IDs {
		if re := compileID(pattern, at.item("ids", i)(""), p); re != nil {
			r.ids = append(r.ids, re)
		}
	}
	mergeFields(&r.fields, &raw.Fields)
	for _, name := range slices.Sorted(maps.Keys(raw.Relations)) {
		rel := raw.Relations[name]
		place := at.in("relations", name)
		checkEdge(r, rel.Edge, place, p)
		field := fieldName(name)
		if strings.Contains(strings.TrimSuffix(field, "*"), "*") || field == "*" || field == "" {
			p.add(place, `field %q: "*" may only stand at the end of a name`, name)
			continue
		}
		r.relations[field] = relation{rel.Edge, rel.Reverse}
	}
	for i := range raw.Sections {
		mergeSection(r, &raw.Sections[i], at.item("sections", i), p)
	}
	for i := range raw.Coverage {
		mergeCoverage(r, &raw.Coverage[i], at.item("coverage", i), p)
	}
	addAll(r.columns.relation, raw.Columns.Relation, text.Fold)
	addAll(r.columns.cardinality, raw.Columns.Cardinality, text.Fold)
	addAll(r.columns.target, raw.Columns.Target, text.Fold)
	r.index()
}

func mergeEdge(r *Rules, raw *yamlEdge, at func(string) *yaml.Node, p *rulesParser) {
	if !edgeName.MatchString(raw.Name) {
		p.add(at("name"), "edge name %q: want capitals, digits and _, such as DEPENDS_ON", raw.Name)
		return
	}
	i := slices.IndexFunc(r.edges, func(e EdgeType) bool { return e.Name == raw.Name })
	if i < 0 {
		i = len(r.edges)
		r.edges = append(r.edges, EdgeType{Name: raw.Name, Depends: index.DependsFrom, Weight: 60, Impact: index.ImpactFollow})
	}
	edge := &r.edges[i]
	edge.Depends, edge.Weight = cmp.Or(raw.Depends, edge.Depends), cmp.Or(raw.Weight, edge.Weight)
	edge.Impact, edge.About = cmp.Or(raw.Impact, edge.Impact), cmp.Or(raw.About, edge.About)
	p.oneOf(at("depends"), "depends", edge.Depends, []string{index.DependsFrom, index.DependsTo})
	p.oneOf(at("impact"), "impact", edge.Impact, []string{index.ImpactFollow, index.ImpactDirect, index.ImpactNo})
	if edge.Weight < 1 || edge.Weight > 100 {
		p.add(at("weight"), "weight %d: want 1 to 100", edge.Weight)
	}
}

func mergeKind(r *Rules, raw *yamlKind, at func(string) *yaml.Node, p *rulesParser) {
	name := kindName(raw.Name)
	if name == "" || name == "document" || strings.ContainsAny(name, ":#/") {
		p.add(at("name"), `kind name %q: want a word other than "document", without ":", "#" and "/"`, raw.Name)
		return
	}
	i := slices.IndexFunc(r.kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		i = len(r.kinds)
		r.kinds = append(r.kinds, kind{name: name, chunk: "DEFAULT"})
	}
	k := &r.kinds[i]
	k.prefix, k.linkPrefix = cmp.Or(raw.Prefix, k.prefix), cmp.Or(raw.LinkPrefix, k.linkPrefix)
	k.chunk = cmp.Or(raw.Chunk, k.chunk)
	if strings.ContainsAny(k.prefix, ":#/ ") || k.prefix == "doc" {
		p.add(at("prefix"), `prefix %q of kind %q: want a word other than "doc", such as RUN, for node ids like RUN:name`, k.prefix, name)
	}
	if raw.ID != "" {
		k.id = compileID(raw.ID, at("id"), p)
	}
	p.oneOf(at("chunk"), "chunk", k.chunk, chunkTypes)
	for _, folder := range raw.Folders {
		folder = strings.Trim(folder, "/")
		if folder == "" || strings.Contains(folder, "*") {
			p.add(at("folders"), "folder %q of kind %q: want a path such as ops/runbooks, without *", folder, name)
			continue
		}
		k.folders = append(k.folders, folder)
	}
	withDot := func(extension string) string { return "." + strings.TrimPrefix(strings.ToLower(extension), ".") }
	k.extensions = appendAll(k.extensions, raw.Extensions, withDot)
	k.aliases = appendAll(k.aliases, raw.Aliases, kindName)
	k.required = appendAll(k.required, raw.Required, fieldName)
	if len(raw.Statuses) > 0 {
		k.statuses = map[string]bool{}
		addAll(k.statuses, raw.Statuses, text.Fold)
	}
	if raw.Aside != nil {
		k.aside = *raw.Aside
	}
	k.asked = appendAll(k.asked, raw.Asked, text.Fold)
	if k.asideHeadings == nil {
		k.asideHeadings = map[string]bool{}
	}
	addAll(k.asideHeadings, raw.AsideHeadings, text.Fold)
	if raw.Signs != nil {
		k.signs = nil
		for i := range raw.Signs {
			k.signs = append(k.signs, mergeSign(&raw.Signs[i], name, at("signs"), p))
		}
	}
}

// mergeSign compiles a sign of a kind.
func mergeSign(raw *yamlSign, kind string, place *yaml.Node, p *rulesParser) sign {
	if len(raw.Headings) == 0 && raw.Stem == "" && raw.Folder == "" && raw.Title == "" && len(raw.Fields) == 0 {
		p.add(place, "a sign of kind %q: want one of stem, folder, title, fields, headings", kind)
	}
	if raw.AtLeast < 0 || raw.Share < 0 || raw.Share > 100 {
		p.add(place, "a sign of kind %q: got at_least %d and share %d, want 0 or more, and 0 to 100", kind, raw.AtLeast, raw.Share)
	}
	s := sign{dated: raw.Dated, atLeast: raw.AtLeast, share: raw.Share, fields: appendAll(nil, raw.Fields, fieldName)}
	compile := func(what, pattern string) *regexp.Regexp {
		if pattern == "" {
			return nil
		}
		return compileWhole(what, pattern, place, p)
	}
	s.stem, s.folder, s.title = compile("stem", raw.Stem), compile("folder", raw.Folder), compile("title", raw.Title)
	for _, pattern := range raw.Headings {
		if re := compileWhole("heading", pattern, place, p); re != nil {
			s.headings = append(s.headings, re)
		}
	}
	return s
}

func mergeSection(r *Rules, raw *yamlSection, at func(string) *yaml.Node, p *rulesParser) {
	s := sectionRule{edge: raw.Edge, reverse: raw.Reverse, table: raw.Table, mentions: raw.Mentions}
	checkEdge(r, raw.Edge, at("edge"), p)
	if len(raw.Kinds) == 0 {
		p.add(at(""), "section rule for %q: want kinds, the kinds of document that it reads", raw.Edge)
	}
	kindsOf := func(key string, names []string) []string { return kindNames(r, names, at(key), p) }
	s.kinds, s.targets, s.except = kindsOf("kinds", raw.Kinds), kindsOf("targets", raw.Targets), kindsOf("except", raw.Except)
	s.headings = appendAll(nil, raw.Headings, headingName)
	r.sections = append(r.sections, s)
}

// kindNames returns the kinds that names mean; those that do not exist are reported.
func kindNames(r *Rules, names []string, place *yaml.Node, p *rulesParser) (kinds []string) {
	for _, name := range names {
		i, ok := r.kindOf(name)
		if !ok {
			p.add(place, "unknown kind %q (%s)", name, cureOf(kindName(name), r.Kinds(), "add it to kinds"))
			continue
		}
		kinds = append(kinds, r.kinds[i].name)
	}
	return kinds
}

func mergeFields(f *fields, raw *yamlFields) {
	for _, pair := range []struct {
		to   *[]string
		from []string
	}{
		{&f.id, raw.ID}, {&f.kind, raw.Kind}, {&f.kindIfKnown, raw.KindIfKnown}, {&f.status, raw.Status},
		{&f.domain, raw.Domain}, {&f.tags, raw.Tags}, {&f.aliases, raw.Aliases}, {&f.date, raw.Date}, {&f.paths, raw.Paths},
	} {
		*pair.to = slices.Clip(*pair.to)
		for _, name := range pair.from {
			if name = fieldName(name); !slices.Contains(*pair.to, name) {
				*pair.to = append(*pair.to, name)
			}
		}
	}
}

// checkEdge reports an edge type that is not in the table.
func checkEdge(r *Rules, name string, place *yaml.Node, p *rulesParser) {
	if _, ok := r.edgeIndex[name]; ok {
		return
	}
	names := make([]string, len(r.edges))
	for i := range r.edges {
		names[i] = r.edges[i].Name
	}
	p.add(place, "unknown edge type %q (%s)", name, cureOf(name, names, "add it to edges"))
}

func (p *rulesParser) oneOf(place *yaml.Node, what, got string, want []string) {
	if !slices.Contains(want, got) {
		p.add(place, "%s %q: want %s", what, got, strings.Join(want, ", "))
	}
}

// compileID compiles a pattern that an id must match as a whole.
func compileID(pattern string, place *yaml.Node, p *rulesParser) *regexp.Regexp {
	return compileWhole("id", pattern, place, p)
}

// compileWhole compiles a pattern that a text must match as a whole; nil, and a problem, if it is none.
func compileWhole(what, pattern string, place *yaml.Node, p *rulesParser) *regexp.Regexp {
	re, err := regexp.Compile(`^(?:` + pattern + `)$`)
	switch {
	case err != nil:
		text, _ := strings.CutPrefix(err.Error(), "error parsing regexp: ")
		p.add(place, "%s pattern %q: %s", what, pattern, text)
	case re.MatchString(""):
		p.add(place, "%s pattern %q: it matches the empty text", what, pattern)
	default:
		return re
	}
	return nil
}

func addAll(set map[string]bool, names []string, normal func(string) string) {
	for _, name := range names {
		set[normal(name)] = true
	}
}

// appendAll appends names to a list as normal makes them.
func appendAll(list, names []string, normal func(string) string) []string {
	for _, name := range names {
		list = append(list, normal(name))
	}
	return list
}

// places finds the lines of what has been decoded: "kinds", 3 is the fourth kind.
type places struct{ root *yaml.Node }

// item returns what finds the nodes of item i of a list: of its field of a key, or the item's own if it has no such
// field. Where there is no item it is the list's.
func (s places) item(list string, i int) func(key string) *yaml.Node {
	return func(key string) *yaml.Node {
		n := valueOf(s.root, list)
		if n == nil || n.Kind != yaml.SequenceNode || i >= len(n.Content) {
			return n
		}
		return cmp.Or(valueOf(n.Content[i], key), n.Content[i])
	}
}

// in returns the node of a value of a map.
func (s places) in(mapping, key string) *yaml.Node {
	n := valueOf(s.root, mapping)
	return cmp.Or(valueOf(n, key), n)
}
