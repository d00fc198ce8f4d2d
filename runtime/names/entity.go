package names

import (
	"cmp"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// FindNode finds the node that a name means, or the address or path of a document's source (see sourceOf). It returns
// the strongest match over all artifacts. If other nodes match equally well, the warning names up to three of them.
func FindNode(set *artifact.Set, name string) (a *artifact.Artifact, m place.Match, warning string, err error) {
	text, only := DocAddress(name)
	a, m, others, err := nodeNamed(set, text, only)
	if a == nil && err == nil {
		if path, index, ok := sourceOf(set, text); ok {
			a, m, others, err = nodeNamed(set, path, index)
		}
	}
	switch {
	case err != nil:
		return nil, m, "", err
	case a == nil:
		e := wire.NewError(wire.CodeNotFound, "nothing in the index is called "+wire.Quote(name), "search for it, or list the documents")
		return nil, m, "", wire.WithSuggestions(e, suggestions(set, text))
	case len(others) > 0:
		warning = wire.Quote(name) + " also names " + strings.Join(others, ", ")
	}
	return a, m, warning, nil
}

// nodeNamed is FindNode for text that is no address. It returns nil without an error if nothing has the path or name. A
// chunk or line stands for its section. only is the name of the artifact to look in, "" for all.
func nodeNamed(set *artifact.Set, text, only string) (_ *artifact.Artifact, first place.Match, others []string, _ error) {
	type found struct {
		a    *artifact.Artifact
		list []place.Match
	}
	var all []found
	best := -1
	var missing error
	for _, a := range set.Artifacts {
		if only != "" && only != a.Name {
			continue
		}
		for _, try := range tries(set, a, text) {
			list, err := matches(a, try)
			missing = cmp.Or(missing, err)
			if len(list) > 0 {
				if best < 0 || list[0].Class < all[best].list[0].Class {
					best = len(all)
				}
				all = append(all, found{a, list})
				break
			}
		}
	}
	if best < 0 {
		return nil, first, nil, missing
	}
	a := all[best].a
	first = all[best].list[0]
	for _, f := range all {
		for _, m := range f.list {
			if m.Class == first.Class && len(others) < 3 && (f.a != a || a.NodeDoc(m.Node) != a.NodeDoc(first.Node)) {
				id := InfoOf(f.a, m.Node).ID
				if f.a != a {
					id = f.a.Name + ":" + id
				}
				others = append(others, id)
			}
		}
	}
	return a, first, others, nil
}

// matches returns the nodes that a name, or the path of a document, its section or lines, means in one artifact. The error
// is of a document that lacks the section.
func matches(a *artifact.Artifact, name string) ([]place.Match, error) {
	if list := place.Resolve(a.Index, name); len(list) > 0 {
		return list, nil
	}
	p, err := placeIn(a, name, "")
	if p != nil {
		return []place.Match{{Node: p.node(), Class: index.PathName}}, nil
	}
	return nil, err
}

// Within returns the strongest node that a name means in one artifact.
func Within(a *artifact.Artifact, name string) (index.NodeID, bool) {
	list, _ := matches(a, name)
	if len(list) == 0 {
		return 0, false
	}
	return list[0].Node, true
}

// suggestions returns names near to one that means nothing, over all artifacts.
func suggestions(set *artifact.Set, name string) []string {
	var names []string
	for _, a := range set.Artifacts {
		var near []string
		for _, m := range Numbered(a.Index, name, false) {
			near = append(near, m.Name)
		}
		for _, n := range append(near, suggest(a.Index, name)...) {
			if n = wire.Clean(n); !slices.Contains(names, n) && len(names) < 5 {
				names = append(names, n)
			}
		}
	}
	return names
}

// Plain returns the node of the document for the node of the text before its first heading, and other nodes as they
// are.
func Plain(a *artifact.Artifact, n index.NodeID) index.NodeID {
	if a.NodeIsSection(n) && a.SectionLevel(a.NodeSection(n)) == 0 {
		return a.NodeOfDoc(a.NodeDoc(n))
	}
	return n
}

// FileHint finds a document or section by a path that begins above the source folder, as tools and editors give it. It
// drops leading folders until the rest is the path of a document.
func FileHint(a *artifact.Artifact, h string) []place.Match {
	for rest := strings.ReplaceAll(h, `\`, "/"); rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		if p, _ := placeIn(a, rest, ""); p != nil {
			return []place.Match{{Node: p.node(), Class: index.PathName}}
		}
	}
	return nil
}
