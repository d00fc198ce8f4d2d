package search

import (
	"context"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/search/fuse"
	"kdd/runtime/wire"
)

// Expand returns the hits of a ranking with related documents below them: below the last document that the query names,
// one neighbour by a typed edge; and n neighbours below each hit if n is above 0. A document is listed once: one that
// would come later comes here instead. So nothing moves a document that the query names, and the beginning of the list
// does not depend on its length.
//
// It does nothing for mode vector without n, where nothing is named. Cost: the edges of the hits.
func Expand(ctx context.Context, set *artifact.Set, r *Ranking, n int) ([]Result, error) {
	named := namedHits(r.Hits)
	if named == 0 && n == 0 {
		return r.Hits, nil
	}
	x := expander{ctx: ctx, set: set, r: r, seen: map[spot]bool{}, docs: map[spot]bool{}}
	for _, h := range r.Hits[:named] {
		x.emit(h)
	}
	if named < len(r.Hits) || !r.more { // the last of them is here
		for i := range named {
			if err := x.add(&r.Hits[i], max(n, 1), n == 0); err != nil {
				return nil, err
			}
			if n == 0 {
				break
			}
		}
	}
	for i := named; i < len(r.Hits); i++ {
		if x.emit(r.Hits[i]) && n > 0 {
			if err := x.add(&r.Hits[i], n, false); err != nil {
				return nil, err
			}
		}
	}
	return x.hits, nil
}

// namedHits counts the hits whose documents the query names: they are the first ones.
func namedHits(hits []Result) int {
	n := 0
	for n < len(hits) && hits[n].class <= index.TitleName {
		n++
	}
	return n
}

// spot identifies a section, document or group of duplicates of one artifact.
type spot struct {
	index int
	id    uint32
}

type expander struct {
	ctx  context.Context
	set  *artifact.Set
	r    *Ranking
	hits []Result
	seen map[spot]bool // sections
	docs map[spot]bool
}

// emit adds a hit to the list unless its section is there already.
func (x *expander) emit(h Result) bool {
	at := spot{h.Index, uint32(h.Section)}
	if x.seen[at] {
		return false
	}
	x.seen[at], x.docs[spot{h.Index, uint32(h.Doc)}] = true, true
	x.hits = append(x.hits, h)
	return true
}

// add adds up to n neighbours of a hit to the list; with typed only those that a followed type of edge joins.
func (x *expander) add(h *Result, n int, typed bool) error {
	a := x.set.Artifacts[h.Index]
	var types []string
	for i := range a.Meta.EdgeTypes {
		if t := &a.Meta.EdgeTypes[i]; t.Impact == index.ImpactFollow || !typed && t.Impact != index.ImpactNo {
			types = append(types, t.Name)
		}
	}
	if len(types) == 0 {
		return nil
	}
	around, _, err := walk.Related(x.ctx, a.Index, a.NodeOfDoc(h.Doc), walk.Options{Depth: 1, Types: types, Out: true, In: true})
	if err != nil {
		return err
	}
	scored := x.r.Scored[h.Index]
	for _, near := range around {
		d := a.NodeDoc(near.Node)
		kind, violation := a.EdgeType(near.Edge)
		if violation || d == h.Doc || x.docs[spot{h.Index, uint32(d)}] || !scored.scorer.Allowed(d) {
			continue
		}
		one, ok := representative(a, d, scored)
		if !ok {
			continue
		}
		one.Index = h.Index
		one.note = &wire.Neighbour{Of: a.DocNodeID(h.Doc), Relation: kind.Name, Direction: Direction(near.Out)}
		x.emit(one)
		if n--; n == 0 {
			break
		}
	}
	return nil
}

// Direction names the direction of an edge, seen from the node that it was reached from.
func Direction(out bool) string {
	if out {
		return "outgoing"
	}
	return "incoming"
}

// representative returns the section to show for a document: the best one, or the first one with text if none matches.
func representative(a *artifact.Artifact, d index.DocID, s *Scores) (Result, bool) {
	from, to := a.DocChunks(d)
	if from == to {
		return Result{}, false
	}
	w := &a.Meta.Weights
	h := Result{class: notNamed, Hit: fuse.Hit{Doc: d, Section: a.SectionOfChunk(from), Chunk: from}}
	for i, one := range fuse.Document(a.Rows(), w, &s.Signals, d, from, to) {
		if i == 0 || one.Score > h.Score {
			h.Hit = one
		}
	}
	h.Calibrated = s.calibrate(w, h.Score)
	return h, true
}
