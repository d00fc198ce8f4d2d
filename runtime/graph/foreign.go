package graph

import (
	"fmt"
	"slices"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// Links that lead from one artifact of a set to another are no edges of either graph: an artifact has findings about
// its links to others, and what they lead to is looked up when both are asked together.

// The relation of such links, and how they were found, as edges of wiki links have them.
const (
	foreignRelation = "WIKI_LINK"
	foreignFound    = "wiki"
)

// foreignTarget looks up what the link of a finding leads to. there says whether the set has an artifact of the name.
func foreignTarget(set *artifact.Set, f *index.Finding) (a *artifact.Artifact, n index.NodeID, there, ok bool) {
	name, target, ok := f.Foreign()
	if !ok {
		return nil, 0, false, false
	}
	at := slices.IndexFunc(set.Artifacts, func(a *artifact.Artifact) bool { return names.Called(a, name) })
	if at < 0 {
		return nil, 0, false, false
	}
	a = set.Artifacts[at]
	n, ok = names.Within(a, target)
	return a, n, true, ok
}

// foreignRelatives returns what a node is linked with in the other artifacts of the set: where its own links lead, then
// what leads to it. Cost: the findings of all artifacts, and a look-up for each link.
func foreignRelatives(set *artifact.Set, a *artifact.Artifact, n index.NodeID, q *wire.RelatedRequest,
	types []string) []wire.Relative {
	wanted := len(types) == 0 || slices.Contains(types, foreignRelation)
	if !set.Several() || !wanted || !a.NodeIsDoc(n) && !a.NodeIsSection(n) {
		return nil
	}
	var out, in []wire.Relative
	for _, from := range set.Artifacts {
		own := from == a
		if own && q.Direction == "in" || !own && q.Direction == "out" {
			continue
		}
		for i := range uint32(from.Findings()) {
			f := from.Finding(i)
			d, found := from.FindDoc(f.Path)
			if f.Rule != index.ForeignRule || !found {
				continue
			}
			at := nodeAt(from, d, f.Line)
			to, target, _, ok := foreignTarget(set, &f)
			switch {
			case !ok || to == from:
			case own && covers(a, n, at):
				out = append(out, foreignRelative(set, from, &f, d, to, target, true))
			case to == a && covers(a, n, target):
				in = append(in, foreignRelative(set, from, &f, d, from, at, false))
			}
		}
	}
	return append(out, in...)
}

// foreignRelative is the node at the other end of a link: n of artifact at. The link stands in document d of from.
func foreignRelative(set *artifact.Set, from *artifact.Artifact, f *index.Finding, d index.DocID,
	at *artifact.Artifact, n index.NodeID, out bool) wire.Relative {
	node := names.InfoOf(at, n)
	r := wire.Relative{Name: node.Name, NodeID: node.ID, Type: node.Kind, Kind: node.DocKind,
		Relation: foreignRelation, Direction: search.Direction(out), Distance: 1,
		Path: node.Path, Anchor: node.Anchor, Lines: node.Lines, FoundBy: foreignFound, Index: at.Name}
	if r.SourceURL, _ = set.Where(from).URL(d, ""); f.Line > 0 {
		r.SourceURL += fmt.Sprintf("#L%d", f.Line)
	}
	return r
}

// nodeAt returns the section that has a line of a document; the document for a heading that only repeats its title.
func nodeAt(a *artifact.Artifact, d index.DocID, line uint32) index.NodeID {
	from, to := a.DocSections(d)
	node := a.NodeOfDoc(d)
	for s := from; s < to; s++ {
		if sec := a.Section(s); sec.LineStart <= line && line <= sec.LineEnd {
			if node = a.NodeOfSection(s); sec.Heading == a.DocTitle(d) {
				node = a.NodeOfDoc(d)
			}
		}
	}
	return names.Plain(a, node)
}

// covers says whether a node is n, or a part of it: a section of a document, a section below a section.
func covers(a *artifact.Artifact, n, part index.NodeID) bool {
	switch {
	case n == part:
		return true
	case a.NodeIsDoc(n):
		return (a.NodeIsDoc(part) || a.NodeIsSection(part)) && a.NodeDoc(part) == a.NodeDoc(n)
	case a.NodeIsSection(n) && a.NodeIsSection(part):
		s := a.NodeSection(n)
		return s <= a.NodeSection(part) && a.NodeSection(part) < a.SectionEnd(s)
	}
	return false
}
