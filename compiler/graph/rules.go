package graph

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// Rules is the table that says what kinds of document there are and which edges their parts give. It is made by
// Default and ParseRules and does not change afterwards.
type Rules struct {
	kinds      []kind
	layers     []string
	domains    [][]string // folder patterns, by segment
	indexFiles map[string]bool
	stale      map[string]bool // folded
	invariants map[string]bool // headings, folded
	comments   []string        // first words of comments that stand for headings
	ids        []*regexp.Regexp
	fields     fields
	relations  map[string]relation // by normalised field name
	wildcards  []wildcard          // longest first
	sections   []sectionRule
	columns    columns
	edges      []EdgeType
	coverage   []index.Coverage

	kindIndex map[string]int // by normalised name and alias
	edgeIndex map[string]int
	folders   []folderRule // most segments first, then longest, then table order
	headings  map[headingKey][]int
	anywhere  map[string][]int // section rules without a heading, by kind
}

type kind struct {
	name, prefix, linkPrefix string
	id                       *regexp.Regexp // nil: any
	folders, extensions      []string
	chunk                    string
	required                 []string
	statuses                 map[string]bool // folded; nil: any
	aliases                  []string
	signs                    []sign
	aside                    bool
	asked                    []string        // words that ask for an aside, folded
	asideHeadings            map[string]bool // folded: of sections that are asides
}

// fields are lists of normalised field names, strongest first.
type fields struct {
	id, kind, kindIfKnown, status, domain, tags, aliases, date, paths []string
}

type relation struct {
	edge    string
	reverse bool
}

type wildcard struct {
	prefix string
	relation
}

type sectionRule struct {
	kinds, headings, targets, except []string
	edge                             string
	reverse, table, mentions         bool
}

type columns struct{ relation, cardinality, target map[string]bool }

type folderRule struct {
	segments []string
	kind     int
}

type headingKey struct{ kind, heading string }

// Kinds returns the names of all kinds in the order of the table. The caller owns the slice.
func (r *Rules) Kinds() []string {
	names := make([]string, len(r.kinds))
	for i := range r.kinds {
		names[i] = r.kinds[i].name
	}
	return names
}

// index builds the look-up tables from the lists.
func (r *Rules) index() {
	r.kindIndex = map[string]int{}
	r.folders = nil
	for i := range r.kinds {
		k := &r.kinds[i]
		r.kindIndex[k.name] = i
		for _, folder := range k.folders {
			r.folders = append(r.folders, folderRule{strings.Split(folder, "/"), i})
		}
	}
	for i := range r.kinds {
		for _, alias := range r.kinds[i].aliases {
			if _, taken := r.kindIndex[alias]; !taken {
				r.kindIndex[alias] = i
			}
		}
	}
	slices.SortStableFunc(r.folders, func(a, b folderRule) int {
		return cmp.Or(len(b.segments)-len(a.segments), len(strings.Join(b.segments, "/"))-len(strings.Join(a.segments, "/")))
	})
	r.edgeIndex = map[string]int{}
	for i := range r.edges {
		r.edgeIndex[r.edges[i].Name] = i
	}
	r.headings = map[headingKey][]int{}
	r.anywhere = map[string][]int{}
	for i := range r.sections {
		s := &r.sections[i]
		for _, kindName := range s.kinds {
			if len(s.headings) == 0 {
				r.anywhere[kindName] = append(r.anywhere[kindName], i)
			}
			for _, heading := range s.headings {
				key := headingKey{kindName, heading}
				if !slices.Contains(r.headings[key], i) {
					r.headings[key] = append(r.headings[key], i)
				}
			}
		}
	}
	r.wildcards = nil
	for name, rel := range r.relations {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			r.wildcards = append(r.wildcards, wildcard{prefix, rel})
		}
	}
	slices.SortFunc(r.wildcards, func(a, b wildcard) int {
		return cmp.Or(len(b.prefix)-len(a.prefix), strings.Compare(a.prefix, b.prefix))
	})
}

// newRules returns an empty table.
func newRules() *Rules {
	return &Rules{
		indexFiles: map[string]bool{}, stale: map[string]bool{}, invariants: map[string]bool{}, relations: map[string]relation{},
		columns: columns{map[string]bool{}, map[string]bool{}, map[string]bool{}},
	}
}

// Invariants returns the headings, folded and ascending, of sections that state what always holds.
func (r *Rules) Invariants() []string { return slices.Sorted(maps.Keys(r.invariants)) }

// HeadingComments returns the first words of comments that stand for a heading; "*" at the end stands for any ending.
func (r *Rules) HeadingComments() []string { return r.comments }

// kindOf finds a kind by its name or an alias, in any case, with "_" or a space for "-".
func (r *Rules) kindOf(name string) (int, bool) {
	i, ok := r.kindIndex[kindName(name)]
	return i, ok
}

// kindName normalises the name of a kind: "Business Rule" is business-rule.
func kindName(name string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(text.Fold(name))
}

// fieldName normalises the name of a front-matter field: dependsOn, Depends-On and "depends on" are depends_on.
func fieldName(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r == '-' || r == ' ':
			r = '_'
		case 'A' <= r && r <= 'Z' && lower:
			b.WriteByte('_')
		}
		lower = 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		b.WriteRune(r)
	}
	return text.Fold(b.String())
}

// relationOf returns what a front-matter field says about the documents that it names.
//
// A field inside a relation, such as "depends_on.id" of a list of mappings, has the meaning of the relation. Keys that
// name documents have it for all their values, other keys, such as "why" and "required", only for values that are ids
// (loose). Inside a relation that merely refers, a field that is a relation by itself keeps its own meaning.
func (r *Rules) relationOf(field string) (rel relation, loose, ok bool) {
	name := fieldName(field)
	if first, rest, nested := strings.Cut(name, "."); nested {
		switch first { // the usual ways to keep relations together
		case "relations", "relationships", "relaciones", "links", "trace", "traceability":
			name = rest
		}
	}
	name, inner, nested := strings.Cut(name, ".")
	if rel, ok = r.plainRelation(name); !ok || !nested {
		return rel, false, ok
	}
	key := inner[strings.LastIndexByte(inner, '.')+1:]
	if own, known := r.plainRelation(key); known {
		if rel.edge == Reference {
			rel = own
		}
		return rel, false, true
	}
	switch key {
	case "id", "ref", "doc", "document", "path", "file":
		return rel, false, true
	}
	return rel, true, true
}

// plainRelation returns the relation of a field that lies in no other.
func (r *Rules) plainRelation(name string) (relation, bool) {
	if rel, ok := r.relations[name]; ok && !strings.HasSuffix(name, "*") {
		return rel, true
	}
	for _, w := range r.wildcards {
		if strings.HasPrefix(name, w.prefix) {
			return w.relation, true
		}
	}
	return relation{}, false
}

// folderKinds returns the kinds of the longest folder rule that dir lies in, and the rule's folder.
func (r *Rules) folderKinds(dir string) ([]int, string) {
	if dir == "." || dir == "" {
		return nil, ""
	}
	segments := strings.Split(dir, "/")
	var found []int
	var folder []string
	for _, rule := range r.folders {
		if folder != nil && !slices.Equal(folder, rule.segments) {
			if len(rule.segments) < len(folder) {
				break
			}
			continue
		}
		if containsRun(segments, rule.segments) {
			folder = rule.segments
			if !slices.Contains(found, rule.kind) {
				found = append(found, rule.kind)
			}
		}
	}
	slices.Sort(found)
	return found, strings.Join(folder, "/")
}

// containsRun reports whether run stands in segments, in one piece.
func containsRun(segments, run []string) bool {
	for i := 0; i+len(run) <= len(segments); i++ {
		if slices.Equal(segments[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// foldersOf returns the names of the folders above a file; none at the top.
func foldersOf(docPath string) []string {
	if dir := path.Dir(docPath); dir != "." {
		return strings.Split(dir, "/")
	}
	return nil
}

// layerOf returns the layer of a path: the number of the first segment that names one, and what stands before it.
func (r *Rules) layerOf(docPath string) (layer int, root string) {
	segments := foldersOf(docPath)
	for i, segment := range segments {
		if layer := slices.Index(r.layers, segment); layer >= 0 {
			return layer, strings.Join(segments[:i], "/")
		}
	}
	return -1, ""
}

// domainOf returns the domain that a rule gives a path, or "".
func (r *Rules) domainOf(docPath string) string {
	segments := foldersOf(docPath)
	for _, pattern := range r.domains {
		for i := 0; i+len(pattern) <= len(segments); i++ {
			domain, ok := "", true
			for j, want := range pattern {
				if want == "*" {
					domain = segments[i+j]
				} else if want != segments[i+j] {
					ok = false
					break
				}
			}
			if ok {
				return domain
			}
		}
	}
	return ""
}
