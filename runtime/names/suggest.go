package names

import (
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
