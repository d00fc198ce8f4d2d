package artifact

import (
	"kdd/format/index"
	"kdd/runtime/wire"
)

// OwnLines returns the lines of a document's own file that lines of its text stand for: lines that come from another
// file stand for the line that includes it. Cost: two binary searches.
func (a *Artifact) OwnLines(d index.DocID, first, last int) [2]int {
	return [2]int{int(a.OwnLine(d, uint32(first))), int(a.OwnLine(d, uint32(last)))}
}

// maxIncludedLines is how many places in other files are named for a passage.
const maxIncludedLines = 3

// IncludedIn returns the lines of other files that lines of a document's text come from, in the order of the text, up
// to maxIncludedLines places. Cost: a binary search for each place.
func (a *Artifact) IncludedIn(d index.DocID, first, last int) []wire.IncludedLines {
	var list []wire.IncludedLines
	a.EachOrigin(d, uint32(first), uint32(last), func(file, from, to uint32) bool {
		path := a.IncludedPath(file)
		n := len(list)
		if n > 0 && list[n-1].Path == path && list[n-1].Lines[1] < int(from) && int(from) <= list[n-1].Lines[1]+2 {
			list[n-1].Lines[1] = int(to) // a line between them is left out, such as the comment of an anchor
			return true
		}
		if n == maxIncludedLines {
			return false
		}
		list = append(list, wire.IncludedLines{Path: path, Lines: [2]int{int(from), int(to)}})
		return true
	})
	return list
}

// IncludedFile finds an included file below the folder of its root; stale says that its size has changed since it was
// compiled.
func (l *Locator) IncludedFile(i uint32) (file string, stale, ok bool) {
	root := l.Artifact.IncludedRoot(i)
	folder := l.SourceFolder(root)
	if folder == "" {
		return "", false, false
	}
	return l.file(folder, root, l.Artifact.IncludedPath(i), l.Artifact.IncludedSize(i))
}
