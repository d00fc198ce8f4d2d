package graph

import (
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
)

// begin takes the first lines of what a hint named and of which no piece is small enough: better than nothing of it.
func (p *packer) begin() {
	taken := map[nodeOf]bool{}
	for _, c := range p.list {
		taken[c.node()] = taken[c.node()] || c.taken > 0
	}
	for order, c := range p.list {
		if c.near.Nodes[c.at].Distance > 0 || taken[c.node()] {
			continue
		}
		a, d := c.a, c.a.NodeDoc(c.near.Nodes[c.at].Node)
		root, _ := a.DocSections(d)
		part := p.body(a, d, root)
		if c.only {
			sec := a.Section(c.section)
			part = piece{section: c.section, start: sec.Start, end: sec.End, line: int(sec.LineStart)}
		}
		whole := part
		// the item's title counts too
		for limit := p.room(); limit >= least && !taken[c.node()]; limit = limit * 3 / 4 {
			part.end = whole.start + uint64(p.lines(a, d, whole, limit))
			taken[c.node()] = part.end > part.start && p.take(order, part, p.room())
		}
		if taken[c.node()] && part.end == whole.end {
			c.left = 0
		}
	}
}

// lines returns how many bytes the first lines of a piece have for which the limit has room.
func (p *packer) lines(a *artifact.Artifact, d index.DocID, whole piece, limit int) (n int) {
	whole.end = min(whole.end, whole.start+uint64(limit)*24)
	for line := range strings.Lines(string(a.AppendText(nil, p.texts[a].reader, d, whole.start, whole.end))) {
		if limit -= p.texts[a].count(strings.ToValidUTF8(line, "\uFFFD")); limit < 0 || !strings.HasSuffix(line, "\n") {
			break
		}
		n += len(line)
	}
	return n
}
