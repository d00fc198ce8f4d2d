package runtime

import (
	"context"

	"kdd/format"
	"kdd/runtime/fuse"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// expand returns the hits of a ranking with documents that are related with them below them: one typed neighbour below the
// last of the documents that the query names, and n of each hit if n is above 0. A document that the list has already is not
// put there again; one that would come later comes here instead. So nothing pushes a document that the query names from its
// place, and the beginning of the list does not depend on how long it is.
//
// It does nothing for mode vector without n, where nothing is named. Cost: the edges of the hits.
func (set *set) expand(ctx context.Context, r *ranking, n int) ([]ranked, error) {
	x := expander{ctx: ctx, set: set, r: r, seen: map[spot]bool{}, docs: map[spot]bool{}}
	named := namedHits(r.hits)
	for _, h := range r.hits[:named] {
		x.emit(h)
	}
	if named < len(r.hits) || r.total <= len(r.hits) { // the last of them is here
		for i := range named {
			if err := x.add(&r.hits[i], max(n, 1), n == 0); err != nil {
				return nil, err
			}
			if n == 0 {
				break
			}
		}
	}
	for i := named; i < len(r.hits); i++ {
		if x.emit(r.hits[i]) && n > 0 {
			if err := x.add(&r.hits[i], n, false); err != nil {
				return nil, err
			}
		}
	}
	return x.hits, nil
}

// namedHits counts the hits whose documents the query names: they come first.
func namedHits(hits []ranked) int {
	n := 0
	for n < len(hits) && hits[n].class <= format.TitleName {
		n++
	}
	return n
}

// spot is a section, or with section 0 of it a document, of one artifact.
type spot struct {
	index int
	id    uint32
}

type expander struct {
	ctx  context.Context
	set  *set
	r    *ranking
	hits []ranked
	seen map[spot]bool // sections
	docs map[spot]bool
}

// emit adds a hit unless its section is there.
func (x *expander) emit(h ranked) bool {
	at := spot{h.index, uint32(h.Section)}
	if x.seen[at] {
		return false
	}
	x.seen[at], x.docs[spot{h.index, uint32(h.Doc)}] = true, true
	x.hits = append(x.hits, h)
	return true
}

// add puts up to n neighbours of a hit behind what is there; with typed only those that an edge of a followed type joins.
func (x *expander) add(h *ranked, n int, typed bool) error {
	a := x.set.artifacts[h.index]
	var types []string
	for i := range a.Meta.EdgeTypes {
		if t := &a.Meta.EdgeTypes[i]; t.Impact == format.ImpactFollow || !typed && t.Impact != format.ImpactNo {
			types = append(types, t.Name)
		}
	}
	if len(types) == 0 {
		return nil
	}
	around, _, err := graph.Related(x.ctx, a.Index, a.NodeOfDoc(h.Doc), graph.Options{Depth: 1, Types: types, Out: true, In: true})
	if err != nil {
		return err
	}
	scored := x.r.scored[h.index]
	for _, near := range around {
		d := a.NodeDoc(near.Node)
		kind, violation := a.EdgeType(near.Edge)
		if violation || d == h.Doc || x.docs[spot{h.index, uint32(d)}] || !scored.scorer.Allowed(d) {
			continue
		}
		one, ok := a.standIn(d, scored)
		if !ok {
			continue
		}
		one.index = h.index
		one.note = &wire.Neighbour{Of: a.DocNodeID(h.Doc), Relation: kind.Name, Direction: direction(near.Out)}
		x.emit(one)
		if n--; n == 0 {
			break
		}
	}
	return nil
}

func direction(out bool) string {
	if out {
		return "outgoing"
	}
	return "incoming"
}

// standIn returns the section to show for a document: its best, or its first with text if none has any evidence.
func (a *artifact) standIn(d format.DocID, s *scored) (ranked, bool) {
	from, to := a.DocChunks(d)
	if from == to {
		return ranked{}, false
	}
	w := &a.Meta.Weights
	h := ranked{class: notNamed, Hit: fuse.Hit{Doc: d, Section: a.SectionOfChunk(from), Chunk: from}}
	for i, one := range fuse.Document(a.rows(), w, &s.signals, d, from, to) {
		if i == 0 || one.Score > h.Score {
			h.Hit = one
		}
	}
	h.score = s.calibrate(w, h.Score)
	return h, true
}
