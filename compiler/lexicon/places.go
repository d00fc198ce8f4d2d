package lexicon

import (
	"math"

	"kdd/format/index"
)

// places knows which chunks a title's and a heading path's words stand for.
type places struct {
	docs     []span // by document: its chunks
	sections []span // by section: its own chunks
}

func newPlaces(docs []Document) *places {
	p := &places{}
	chunk := 0
	for _, d := range docs {
		first := chunk
		for _, s := range d.Sections {
			p.sections = append(p.sections, span{chunk, chunk + len(s.Chunks)})
			chunk += len(s.Chunks)
		}
		p.docs = append(p.docs, span{first, chunk})
	}
	return p
}

// count returns in how many chunks a term stands, through title, heading path or body.
func (p *places) count(l *index.List) uint32 {
	title, path, body := l.Fields[index.TitleField].Rows, l.Fields[index.PathField].Rows, l.Fields[index.BodyField].Rows
	n, done := 0, 0 // chunks below done are counted
	for len(title) > 0 || len(path) > 0 || len(body) > 0 {
		next := span{math.MaxInt, 0}
		var take *[]uint32
		if len(title) > 0 {
			next, take = p.docs[title[0]], &title
		}
		if len(path) > 0 && p.sections[path[0]].from < next.from {
			next, take = p.sections[path[0]], &path
		}
		if len(body) > 0 && int(body[0]) < next.from {
			next, take = span{int(body[0]), int(body[0]) + 1}, &body
		}
		if take == nil { // only an empty span is left at the end
			break
		}
		*take = (*take)[1:]
		if next.to > done {
			n += next.to - max(next.from, done)
			done = next.to
		}
	}
	return uint32(n)
}
