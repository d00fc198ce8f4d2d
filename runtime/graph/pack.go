package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// candidate is a node whose text may be part of an answer.
type candidate struct {
	a       *artifact.Artifact
	index   string
	near    *walk.Surroundings
	at      int             // index in near.Nodes
	section index.SectionID // if only is set: the part of the document that is the candidate
	only    bool
	group   int

	taken, left int // pieces that are in the answer, and that are left out
}

// packer fills an answer with pieces of text up to a budget of tokens.
type packer struct {
	resp   *wire.ContextResponse
	budget int
	list   []*candidate
	used   [len(groupNames)]int
	texts  map[*artifact.Artifact]*texts
	packed []packed
	late   []late
}

// packed is an item and its place in the order of the answer.
type packed struct {
	item  wire.ContextItem
	order int // of its candidate
	start uint64
}

// late is a piece that did not fit into its group's share.
type late struct {
	order int
	piece piece
}

// piece is a run of text: a section or the beginning of one, or a whole document.
type piece struct {
	section    index.SectionID
	own        bool // without the sub-sections
	start, end uint64
	line       int
}

// texts reads the text of an artifact and counts its tokens.
type texts struct {
	reader *index.Reader
	count  func(string) int
	taken  map[index.DocID][][2]uint64 // ranges of bytes that pieces were cut from
}

// gather makes candidates of the nodes around the hints in one artifact.
func (p *packer) gather(set *artifact.Set, a *artifact.Artifact, near *walk.Surroundings) error {
	if p.texts == nil {
		p.texts = map[*artifact.Artifact]*texts{}
	}
	t := &texts{reader: set.Reader(a), count: countBytes, taken: map[index.DocID][][2]uint64{}}
	sem, err := a.Encoder()
	if err != nil {
		return err
	}
	if sem != nil && sem.Vocab != nil {
		t.count = func(s string) int { return max(sem.Vocab.Count(s), len(s)/16) }
	}
	p.texts[a] = t
	name := set.IndexName(a)
	for i := range near.Nodes {
		n := near.Nodes[i].Node
		c := candidate{a: a, index: name, near: near, at: i, group: groupOf(a, n)}
		if !a.NodeIsDoc(n) {
			c.section, c.only = a.NodeSection(n), true
		} else if c.group != groupRule {
			for _, s := range invariants(a, n) {
				rule := c
				rule.section, rule.only, rule.group = s, true, groupRule
				p.list = append(p.list, &rule)
			}
		}
		p.list = append(p.list, &c)
	}
	return nil
}

// countBytes estimates the number of tokens of a text if the artifact has no tokenizer.
func countBytes(s string) int { return (len(s) + 3) / 4 }

// minRoom is the smallest room, in tokens, for which another piece is looked for.
const minRoom = 24

// pack puts pieces into the answer, group by group: first up to each group's share of the budget, then the late pieces
// as long as they fit.
func (p *packer) pack(ctx context.Context) error {
	slices.SortStableFunc(p.list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.near.Nodes[a.at].Distance, b.near.Nodes[b.at].Distance))
	})
	for order, c := range p.list {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if p.room() < minRoom {
			c.left++
			continue
		}
		full := false // after one piece of a candidate did not fit, its later pieces wait too
		for _, piece := range p.pieces(c) {
			room := p.budget*groupShare[c.group]/100 - p.used[c.group]
			if full = full || !p.take(order, piece, min(room, p.room())); full {
				p.late = append(p.late, late{order, piece})
			}
		}
	}
	missed := -1 // the candidate of which a piece did not fit: its later pieces are left out
	for _, l := range p.late {
		if l.order == missed || !p.take(l.order, l.piece, p.room()) {
			missed = l.order
			p.list[l.order].left++
		}
	}
	p.begin()
	slices.SortStableFunc(p.packed, func(a, b packed) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.start, b.start))
	})
	for _, k := range p.packed {
		p.resp.Items = append(p.resp.Items, k.item)
		p.resp.Tokens += k.item.Tokens
	}
	p.leftOut()
	return nil
}

// room returns how many tokens of the budget are left.
func (p *packer) room() int {
	room := p.budget
	for _, n := range p.used {
		room -= n
	}
	return room
}

// pieces cuts the text of a candidate into pieces: the whole text if it has at most a quarter of the budget, else its
// sections, cut in the same way. Text that an earlier candidate has is left out.
func (p *packer) pieces(c *candidate) []piece {
	d := c.doc()
	return p.cut(c, d, p.whole(c, d))
}

// whole returns the text of a candidate as one piece.
func (p *packer) whole(c *candidate, d index.DocID) piece {
	if c.only {
		return sectionPiece(c.a, c.section)
	}
	root, _ := c.a.DocSections(d)
	return p.body(c.a, d, root)
}

// sectionPiece returns a section with its sub-sections.
func sectionPiece(a *artifact.Artifact, s index.SectionID) piece {
	sec := a.Section(s)
	return piece{section: s, start: sec.Start, end: sec.End, line: int(sec.LineStart)}
}

// body returns a document without its front matter.
func (p *packer) body(a *artifact.Artifact, d index.DocID, root index.SectionID) piece {
	sec := a.Section(root)
	whole := piece{section: root, start: sec.End, end: sec.End, line: int(sec.LineEnd)}
	if from, to := a.DocChunks(d); from < to {
		chunk := a.Chunk(from)
		whole.start, whole.line = chunk.Start, int(chunk.LineStart)
	}
	if _, to := a.DocSections(d); root+1 < to {
		if first := a.Section(root + 1); first.Start < whole.start {
			whole.start, whole.line = first.Start, int(first.LineStart)
		}
	}
	return whole
}

// cut returns a piece, or parts of it if it is too large or overlaps earlier pieces.
func (p *packer) cut(c *candidate, d index.DocID, whole piece) []piece {
	t := p.texts[c.a]
	overlaps := false
	for _, r := range t.taken[d] {
		if r[0] <= whole.start && whole.end <= r[1] {
			return nil
		}
		overlaps = overlaps || r[0] < whole.end && whole.start < r[1]
	}
	limit := max(p.budget/4, minRoom)
	if whole.start >= whole.end {
		return nil
	}
	small := whole.end-whole.start <= uint64(limit)*24 && t.count(p.text(c.a, d, whole)) <= limit
	if small && !overlaps {
		t.taken[d] = append(t.taken[d], [2]uint64{whole.start, whole.end})
		return []piece{whole}
	}
	var parts []piece
	if end := c.a.SectionEnd(whole.section); !whole.own && whole.section+1 < end {
		own := whole
		own.own, own.end = true, max(whole.start, c.a.Section(whole.section+1).Start)
		parts = append(parts, p.cut(c, d, own)...)
		for s := whole.section + 1; s < end; s = c.a.SectionEnd(s) {
			parts = append(parts, p.cut(c, d, sectionPiece(c.a, s))...)
		}
		return parts
	}
	if overlaps {
		return nil // the text of a section without sub-sections, of which an earlier piece has a part
	}
	return p.beginning(c, d, whole, limit)
}

// nodeOf identifies a node among several artifacts.
type nodeOf struct {
	a    *artifact.Artifact
	node index.NodeID
}

// doc returns the document of a candidate.
func (c *candidate) doc() index.DocID { return c.a.NodeDoc(c.near.Nodes[c.at].Node) }

func (c *candidate) node() nodeOf { return nodeOf{c.a, c.near.Nodes[c.at].Node} }

// beginning returns as many chunks from the beginning of a section's own text as fit into limit tokens.
func (p *packer) beginning(c *candidate, d index.DocID, whole piece, limit int) []piece {
	t := p.texts[c.a]
	part := whole
	part.own, part.end = true, whole.start
	from, to := c.a.SectionChunks(whole.section)
	for k := from; k < to; k++ {
		chunk := c.a.Chunk(k)
		longer := part
		longer.end = min(chunk.End, whole.end)
		if longer.end-longer.start > uint64(limit)*24 || t.count(p.text(c.a, d, longer)) > limit {
			break
		}
		part = longer
	}
	c.left++
	if part.end <= part.start {
		return nil
	}
	t.taken[d] = append(t.taken[d], [2]uint64{whole.start, whole.end})
	return []piece{part}
}

func (p *packer) text(a *artifact.Artifact, d index.DocID, k piece) string {
	return strings.ToValidUTF8(string(a.AppendText(nil, p.texts[a].reader, d, k.start, k.end)), "\uFFFD")
}

// take adds a piece to the answer if it fits into room tokens, and says whether it did.
func (p *packer) take(order int, k piece, room int) bool {
	c := p.list[order]
	a := c.a
	near := c.near.Nodes[c.at]
	d := a.NodeDoc(near.Node)
	text := p.text(a, d, k)
	trimmed := strings.TrimLeft(text, "\r\n")
	line := k.line + strings.Count(text[:len(text)-len(trimmed)], "\n")
	text = strings.TrimRight(trimmed, " \t\r\n")
	if text == "" || strings.HasPrefix(text, "#") && !strings.Contains(text, "\n") { // nothing but a heading
		return true
	}
	sec := a.Section(k.section)
	item := wire.ContextItem{
		Group: groupNames[c.group], NodeID: names.InfoOf(a, near.Node).ID, Kind: walk.Kind(a.Index, near.Node), Title: a.DocTitle(d), Path: a.DocPath(d),
		Lines: a.OwnLines(d, line, line+strings.Count(text, "\n")), Text: text, Index: c.index,
	}
	if a.IsStale(d) {
		item.Status, item.SupersededBy = a.DocStatus(d), a.Successors(d)
	}
	if sec.Level > 0 {
		item.Anchor = sec.Anchor
		if sec.Heading != item.Title {
			item.Title += " › " + sec.Heading
		}
	}
	if near.Distance > 0 {
		item.Via = c.way()
	}
	item.Tokens = p.texts[a].count(text) + p.texts[a].count(item.Title+" "+item.Path+"#"+item.Anchor)
	if item.Tokens > room {
		return false
	}
	p.used[c.group] += item.Tokens
	c.taken++
	p.packed = append(p.packed, packed{item, order, k.start})
	return true
}

// way returns the path of edges from a hint to the candidate.
func (c *candidate) way() []wire.ContextStep {
	var steps []wire.ContextStep
	for _, n := range c.near.Path(c.at) {
		step := wire.ContextStep{NodeID: names.InfoOf(c.a, n.Node).ID}
		if n.Distance > 0 {
			kind, _ := c.a.EdgeType(n.Edge)
			step.Relation, step.Direction = kind.Name, search.Direction(n.Out)
		}
		steps = append(steps, step)
	}
	return steps
}

// leftOut lists the nodes whose text is not complete in the answer, in the order of the answer.
func (p *packer) leftOut() {
	taken := map[nodeOf]int{}
	for _, c := range p.list {
		taken[c.node()] += c.taken
	}
	seen := map[nodeOf]bool{}
	for _, c := range p.list {
		k := c.node()
		if c.left == 0 || seen[k] {
			continue
		}
		seen[k] = true
		p.resp.LeftOutTotal++
		if len(p.resp.LeftOut) == maxLeftOut {
			continue
		}
		reason := "over the budget"
		if taken[k] > 0 {
			reason = fmt.Sprintf("in part: %d of %d pieces over the budget", c.left, c.left+taken[k])
		}
		p.resp.LeftOut = append(p.resp.LeftOut, wire.LeftOut{NodeID: names.InfoOf(c.a, k.node).ID, Reason: reason, Index: c.index})
	}
}
