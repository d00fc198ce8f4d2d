package artifact

import (
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// maxSuccessors bounds the documents that are named as superseding one.
const maxSuccessors = 3

// Successors returns the paths of the documents that supersede a document that is no longer in force. Cost: a look-up,
// and for such a document the edges that lead to it.
func (a *Artifact) Successors(d index.DocID) []string {
	if !a.IsStale(d) {
		return nil
	}
	var list []string
	seen := map[index.DocID]bool{d: true}
	first, last := a.DocSections(d)
	for _, run := range [][2]index.NodeID{{a.NodeOfDoc(d), a.NodeOfDoc(d)}, {a.NodeOfSection(first), a.NodeOfSection(last - 1)}} {
		from, to := a.In(run[0], run[1])
		for place := from; place < to && len(list) < maxSuccessors; place++ {
			edge := a.InEdge(place)
			if kind, _ := a.EdgeType(edge); kind.Name != index.SupersedesEdge {
				continue
			}
			if by := a.NodeDoc(a.EdgeFrom(edge)); !seen[by] {
				seen[by] = true
				list = append(list, a.DocPath(by))
			}
		}
	}
	return list
}

// DocVersion returns the version in a document's front matter, or "".
func (a *Artifact) DocVersion(d index.DocID) string {
	for _, f := range a.FrontMatter(d) {
		if text.Fold(f.Name) == "version" {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}
