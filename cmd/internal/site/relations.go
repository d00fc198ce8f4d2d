package site

import (
	"cmp"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/render/draw"
)

// relation is a document that a page is related with.
type relation struct {
	Text, URL, Name string // Name says how: "depends on", "" for a link
}

const (
	maxRelations = 60 // of a page, each way
	maxDrawn     = 20 // documents of a picture
)

// edge is an edge between two documents.
type edge struct {
	from, to index.DocID
	name     string
	plain    bool
}

// nodesOf are the runs of nodes, first and last, that a document and its sections are.
func nodesOf(x *index.Index, d index.DocID) [][2]index.NodeID {
	first, last := x.DocSections(d)
	return [][2]index.NodeID{{x.NodeOfDoc(d), x.NodeOfDoc(d)}, {x.NodeOfSection(first), x.NodeOfSection(last - 1)}}
}

// edgesOf returns the edges that leave a document or lead to it, once for each type and document.
func (s *site) edgesOf(d index.DocID) (out, in []edge) {
	x := s.x
	seen := map[edge]bool{}
	add := func(list *[]edge, e uint32) {
		kind, _ := x.EdgeType(e)
		at := edge{x.NodeDoc(x.EdgeFrom(e)), x.NodeDoc(x.EdgeTo(e)), kind.Name, draw.IsPlain(kind.Name)}
		if at.from == at.to || s.plan.byDoc[at.from] == nil || s.plan.byDoc[at.to] == nil || seen[at] {
			return
		}
		seen[at] = true
		*list = append(*list, at)
	}
	for _, run := range nodesOf(x, d) {
		from, to := x.Out(run[0], run[1])
		for e := from; e < to; e++ {
			add(&out, e)
		}
		from, to = x.In(run[0], run[1])
		for i := from; i < to; i++ {
			add(&in, x.InEdge(i))
		}
	}
	order := func(a, b edge) int {
		typed := func(e edge) int {
			if e.plain {
				return 1
			}
			return 0
		}
		return cmp.Or(
			cmp.Compare(typed(a), typed(b)),
			strings.Compare(a.name, b.name),
			natural(x.DocPath(a.from)+x.DocPath(a.to), x.DocPath(b.from)+x.DocPath(b.to)),
		)
	}
	slices.SortFunc(out, order)
	slices.SortFunc(in, order)
	return out, in
}

// relations lists the other ends of edges.
func (s *site) relations(at *page, edges []edge, other func(edge) index.DocID) []relation {
	var list []relation
	typed := map[index.DocID]bool{}
	for _, e := range edges {
		d := other(e)
		if e.plain && typed[d] || len(list) == maxRelations {
			continue
		}
		typed[d] = true
		p := s.plan.byDoc[d]
		name := ""
		if !e.plain {
			name = strings.ToLower(strings.ReplaceAll(e.name, "_", " "))
		}
		list = append(list, relation{p.title, reference(at.file, p.file), name})
	}
	return list
}

// picture draws the documents around one; "" if it stands alone.
func (s *site) picture(at *page, out, in []edge) string {
	docs := []index.DocID{at.doc}
	near := slices.Concat(out, in)
	slices.SortStableFunc(near, func(a, b edge) int {
		if a.plain == b.plain {
			return 0
		}
		if a.plain {
			return 1
		}
		return -1
	})
	for _, e := range near {
		for _, d := range []index.DocID{e.from, e.to} {
			if len(docs) < maxDrawn && !slices.Contains(docs, d) {
				docs = append(docs, d)
			}
		}
	}
	if len(docs) == 1 {
		return ""
	}
	g := &draw.Graph{Name: "Documents around " + at.title}
	for _, d := range docs {
		p := s.plan.byDoc[d]
		label := cmp.Or(s.x.DocFrontID(d), p.title)
		title := ""
		if label != p.title {
			title = p.title
		}
		g.Nodes = append(
			g.Nodes,
			draw.Node{ID: p.path, Label: label, Title: title, Kind: s.x.DocKind(d), Path: p.path, Focus: d == at.doc,
				Link: reference(at.file, p.file)},
		)
	}
	for _, e := range near {
		i, j := slices.Index(docs, e.from), slices.Index(docs, e.to)
		if i >= 0 && j >= 0 {
			g.Edges = append(g.Edges, draw.Edge{From: i, To: j, Label: e.name, Plain: e.plain, Weak: e.plain, Count: 1})
		}
	}
	return g.SVG()
}
