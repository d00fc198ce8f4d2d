package place

import (
	"net/url"
	"path"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// Names is what places are looked up in: an *index.Index, or documents that are being compiled.
type Names interface {
	Docs() int
	FindDoc(path string) (index.DocID, bool)
	FindName(key string) []index.Name // of a folded name, strongest class first

	DocPath(index.DocID) string
	DocSections(index.DocID) (from, to index.SectionID)
	SectionAnchor(index.SectionID) string
	SectionHeading(index.SectionID) string
	SectionLevel(index.SectionID) int
	SectionChunks(index.SectionID) (from, to index.ChunkID)

	NodeIsDoc(index.NodeID) bool
	NodeDoc(index.NodeID) index.DocID
	NodeSection(index.NodeID) index.SectionID
	NodeOfDoc(index.DocID) index.NodeID
	NodeOfSection(index.SectionID) index.NodeID
}

// Match is a node that a name means, and which kind of name of the node it is.
type Match struct {
	Node  index.NodeID
	Class index.NameClass
}

// Resolve returns the nodes that entity names, strongest class first: exact node id, front-matter id, file name without
// extension, path, alias, title or heading (case and accents do not matter). If there is none, entity may be the end of
// a path, or NAME#ANCHOR. Nodes of one class are in node order.
func Resolve(x Names, entity string) []Match {
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

// Strongest returns the matches of the strongest class, and of these only documents if there are any.
func Strongest(x Names, list []Match) []Match {
	var best []Match
	documents := false
	for _, m := range list {
		isDoc := x.NodeIsDoc(m.Node)
		switch {
		case len(best) > 0 && m.Class > best[0].Class, documents && !isDoc:
			continue
		case isDoc && !documents:
			best, documents = best[:0], true
		}
		best = append(best, m)
	}
	return best
}

// findName returns the nodes that have a name. If there are none and the name ends like a file name, it returns the
// documents whose path ends so: the dictionary has file names without extension only.
func findName(x Names, entity string) []index.Name {
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
func findSection(x Names, entity string) (list []Match) {
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
			if s, ok := FindAnchor(x, x.NodeDoc(name.Node), entity[at+1:]); ok {
				list = append(list, Match{x.NodeOfSection(s), name.Class})
			}
		}
	}
	return list
}

// findPath reads PATH and PATH#ANCHOR, also with the prefix doc: of node ids.
func findPath(x Names, entity string) (index.NodeID, bool) {
	entity = strings.TrimPrefix(entity, "doc:")
	d, anchor, ok := FindFile(x, entity)
	if !ok {
		return 0, false
	}
	if anchor == "" {
		return x.NodeOfDoc(d), true
	}
	s, ok := FindAnchor(x, d, anchor)
	if !ok {
		return 0, false
	}
	return x.NodeOfSection(s), true
}

// maxPath is the length of the longest path, in bytes, so that a text with thousands of "#" costs nothing.
const maxPath = 8192

// FindFile splits FILE[#ANCHOR], where FILE is the longest part that is the path of a document. It ignores a leading
// "./".
func FindFile(x Names, file string) (d index.DocID, anchor string, ok bool) {
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

// FindAnchor returns the section of an anchor in a document. It tries the anchor as written, then with case and accents
// folded, then percent-decoded, then as a heading, and last as the anchor that GitHub makes of a heading: published
// pages have that anchor even if the source gives the section another.
func FindAnchor(x Names, d index.DocID, anchor string) (index.SectionID, bool) {
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
