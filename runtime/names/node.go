package names

import (
	"kdd/format/index"
	"kdd/runtime/artifact"
)

// NodeInfo describes a node in an answer.
type NodeInfo struct {
	ID, Name, Kind, DocKind string // kind: document, section, or the extra node's own type
	Doc                     index.DocID
	Path, Anchor            string
	Lines                   [2]int
}

// InfoOf returns the description of a node.
func InfoOf(a *artifact.Artifact, n index.NodeID) NodeInfo {
	d, s := a.NodeDoc(n), a.NodeSection(n)
	sec := a.Section(s)
	lines := a.OwnLines(d, int(sec.LineStart), int(sec.LineEnd))
	info := NodeInfo{Doc: d, Path: a.DocPath(d), Anchor: sec.Anchor, Lines: lines, DocKind: a.DocKind(d)}
	switch {
	case a.NodeIsDoc(n):
		info.ID, info.Name, info.Kind = a.DocNodeID(d), a.DocTitle(d), "document"
	case a.NodeIsSection(n):
		info.ID, info.Name, info.Kind = a.DocNodeID(d)+"#"+sec.Anchor, sec.Heading, "section"
		if sec.Level == 0 {
			info.ID = a.DocNodeID(d)
		}
	default:
		extra := a.ExtraNode(n)
		info.ID, info.Name, info.Kind, info.DocKind = extra.ID, extra.Name, extra.Type, extra.Kind
	}
	return info
}
