package names

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// ClassName names a class of names for people.
func ClassName(class index.NameClass) string {
	if class >= NearName {
		return "near " + ClassName(class-NearName)
	}
	names := [...]string{"node_id", "id", "stem", "id", "path", "alias", "title", "heading"}
	if int(class) < len(names) {
		return names[class]
	}
	return "name"
}

// Match is a node that a name means, and which kind of name of the node it is.
type Match struct {
	Node  index.NodeID
	Class index.NameClass
}

// Resolve returns the nodes that entity names, strongest class first: exact node id, front-matter id, file name without
// extension, path, alias, title or heading (case and accents do not matter). If there is none, entity may be the end of
// a path, or NAME#ANCHOR. Nodes of one class are in node order.
func Resolve(x *index.Index, entity string) []Match {
	entity = strings.TrimSpace(entity)
	if n, ok := findPath(x, entity); ok {
		return []Match{{Node: n, Class: index.PathName}}
	}
	var list []Match
	seen := map[index.NodeID]bool{}
	for _, name := range findName(x, entity) {
		if !seen[name.Node] {
			seen[name.Node] = true
			list = append(list, Match{name.Node, name.Class})
		}
	}
	if len(list) == 0 {
		list = findSection(x, entity)
	}
	return list
}

// findName returns the nodes that have a name. If there are none and the name ends like a file name, it returns the
// documents whose path ends so: the dictionary has file names without extension only.
func findName(x *index.Index, entity string) []index.Name {
	names := x.FindName(text.Fold(entity))
	base := path.Base(entity)
	ext := path.Ext(base)
	if len(names) > 0 || len(ext) < 2 || len(ext) == len(base) || len(entity) > maxPath {
		return names
	}
	file := "/" + text.Fold(strings.TrimPrefix(entity, "/"))
	for _, name := range x.FindName(text.Fold(strings.TrimSuffix(base, ext))) {
		if x.NodeIsDoc(name.Node) && name.Class == index.StemName && strings.HasSuffix("/"+text.Fold(x.DocPath(x.NodeDoc(name.Node))), file) {
			names = append(names, name)
		}
	}
	return names
}

// findSection reads NAME#ANCHOR, where NAME is a name of a document: ids of sections have this form.
func findSection(x *index.Index, entity string) (list []Match) {
	const maxTries = 8 // places of "#" that are tried
	tried := 0
	for at := strings.LastIndexByte(entity, '#'); at > 0 && len(list) == 0 && tried < maxTries; at = strings.LastIndexByte(entity[:at], '#') {
		tried++
		var last index.NodeID = index.None
		for _, name := range findName(x, entity[:at]) {
			if !x.NodeIsDoc(name.Node) || name.Node == last {
				continue
			}
			last = name.Node
			if s, ok := findAnchor(x, x.NodeDoc(name.Node), entity[at+1:]); ok {
				list = append(list, Match{x.NodeOfSection(s), name.Class})
			}
		}
	}
	return list
}

// findPath reads PATH and PATH#ANCHOR, also with the prefix doc: of node ids.
func findPath(x *index.Index, entity string) (index.NodeID, bool) {
	entity = strings.TrimPrefix(entity, "doc:")
	d, anchor, ok := findFile(x, entity)
	if !ok {
		return 0, false
	}
	if anchor == "" {
		return x.NodeOfDoc(d), true
	}
	s, ok := findAnchor(x, d, anchor)
	return x.NodeOfSection(s), ok
}

// maxPath is the length of the longest path, in bytes, so that a text with thousands of "#" costs nothing.
const maxPath = 8192

// findFile splits FILE[#ANCHOR], where FILE is the longest part that is the path of a document. It ignores a leading
// "./".
func findFile(x *index.Index, file string) (d index.DocID, anchor string, ok bool) {
	for strings.HasPrefix(file, "./") {
		file = file[2:]
	}
	if len(file) > maxPath {
		return 0, "", false
	}
	for path := file; ; {
		if d, ok := x.FindDoc(path); ok {
			return d, strings.TrimPrefix(file[len(path):], "#"), true
		}
		at := strings.LastIndexByte(path, '#')
		if at < 0 {
			return 0, "", false
		}
		path = path[:at]
	}
}

// findAnchor returns the section of an anchor in a document. It tries the anchor as written, then with case and accents
// folded, then percent-decoded, then as a heading, and last as the anchor that GitHub makes of a heading: published
// pages have that anchor even if the source gives the section another.
func findAnchor(x *index.Index, d index.DocID, anchor string) (index.SectionID, bool) {
	from, to := x.DocSections(d)
	find := func(same func(s index.SectionID) bool) (index.SectionID, bool) {
		for s := from; s < to; s++ {
			if same(s) {
				return s, true
			}
		}
		return 0, false
	}
	if s, ok := find(func(s index.SectionID) bool { return x.SectionAnchor(s) == anchor }); ok {
		return s, true
	}
	folded := func(want string) (index.SectionID, bool) {
		return find(func(s index.SectionID) bool {
			got := x.SectionAnchor(s)
			return got != "" && text.Fold(got) == want
		})
	}
	want := text.Fold(anchor)
	if s, ok := folded(want); ok {
		return s, true
	}
	plain, err := url.PathUnescape(anchor)
	if err != nil {
		plain = anchor
	}
	decoded := text.Fold(plain)
	if plain != anchor {
		if s, ok := folded(decoded); ok {
			return s, true
		}
	}
	return find(func(s index.SectionID) bool {
		if x.SectionLevel(s) == 0 || want == "" {
			return false
		}
		heading := x.SectionHeading(s)
		return text.Fold(heading) == want || text.Fold(text.Slug(heading)) == decoded
	})
}

// The bounds of suggest.
const (
	maxSuggestions = 5
	maxSuggested   = 200 // bytes of a name for which names a few edits away are looked for
)

// suggest returns, for a name that no node has, the names that begin with it, and then those that are a few edits away,
// as the documents write them.
func suggest(x *index.Index, entity string) []string {
	want := text.Fold(strings.TrimSpace(entity))
	if want == "" {
		return nil
	}
	var list []index.Near
	dict := x.NameDict()
	if utf8.RuneCountInString(want) >= 3 {
		for ordinal, key := range dict.Prefix(want) {
			if list = append(list, index.Near{Ordinal: ordinal, Key: string(key)}); len(list) == maxSuggestions {
				break
			}
		}
	}
	if edits := min(2, len(want)/3); edits > 0 && len(want) <= maxSuggested {
		near, _ := dict.Near(want, "", "", edits, nil)
		for _, n := range near {
			if n.Distance > 0 {
				list = append(list, n)
			}
		}
	}
	var names []string
	for _, n := range list {
		if len(names) == maxSuggestions {
			break
		}
		if name := written(x, n.Ordinal, n.Key); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// written returns a folded name in the form in which the strongest of its nodes has it.
func written(x *index.Index, ordinal uint32, key string) string {
	named := x.Named(ordinal)
	if len(named) == 0 {
		return key
	}
	n := named[0].Node
	var forms []string
	switch {
	case x.NodeIsDoc(n):
		d := x.NodeDoc(n)
		file := path.Base(x.DocPath(d))
		stem := strings.TrimSuffix(file, path.Ext(file))
		forms = append([]string{x.DocFrontID(d), stem, x.DocPath(d), x.DocTitle(d), x.DocNodeID(d)}, x.DocAliases(d)...)
		for i := range stem { // the beginning of a stem: UC-001 of UC-001-IndexDocument
			if i > 0 && (stem[i] == '-' || stem[i] == '_' || stem[i] == ' ') {
				forms = append(forms, stem[:i])
			}
		}
	case x.NodeIsSection(n):
		s := x.NodeSection(n)
		forms = []string{x.SectionHeading(s), x.SectionAnchor(s), x.DocNodeID(x.NodeDoc(n)) + "#" + x.SectionAnchor(s)}
	default:
		extra := x.ExtraNode(n)
		forms = []string{extra.Name, extra.ID}
		if _, id, ok := strings.Cut(extra.ID, ":"); ok {
			forms = append(forms, id)
		}
	}
	for _, f := range forms {
		if f != "" && text.Fold(f) == key {
			return f
		}
	}
	return key
}
