package graph

import (
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
)

// begin adds the first lines of each node that a hint named and of which no piece fits.
func (p *packer) begin() {
	taken := map[nodeOf]bool{}
	for _, c := range p.list {
		taken[c.node()] = taken[c.node()] || c.taken > 0
	}
	for order, c := range p.list {
		if c.near.Nodes[c.at].Distance > 0 || taken[c.node()] {
			continue
		}
		a, d := c.a, c.doc()
		part := p.whole(c, d)
		whole := part
		// tries less and less text, since the item's title needs room too
		for limit := p.room(); limit >= minRoom && !taken[c.node()]; limit = limit * 3 / 4 {
			part.end = whole.start + uint64(p.lines(a, d, whole, limit))
			taken[c.node()] = part.end > part.start && p.take(order, part, p.room())
		}
		if taken[c.node()] && part.end == whole.end {
			c.left = 0
		}
	}
}

// lines returns the size in bytes of the first lines of a piece that fit into limit tokens.
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
