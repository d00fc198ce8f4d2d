package lexical

import (
	"kdd/format/index"
)

// Rows has the section, document and length of every chunk. It is made once per open artifact.
type Rows struct {
	Section []uint32
	Doc     []uint32
	Length  []float32 // body + title and heading path by their weights, in tokens
	First   []uint32  // by document: its first chunk; and the number of chunks
}

// NewRows walks documents, sections and chunks once. Cost: 12 bytes and a few nanoseconds per chunk.
func NewRows(x *index.Index) *Rows {
	n := x.Chunks()
	r := &Rows{Section: make([]uint32, n), Doc: make([]uint32, n), Length: make([]float32, n), First: make([]uint32, x.Docs()+1)}
	w := &x.Meta.Weights
	for d := range index.DocID(x.Docs()) {
		title := float32(w.Title) * float32(x.DocTitleTokens(d))
		first, last := x.DocChunks(d)
		r.First[d], r.First[d+1] = uint32(first), uint32(last)
		from, to := x.DocSections(d)
		for s := from; s < to; s++ {
			path := float32(w.Path) * float32(x.SectionPathTokens(s))
			first, last := x.SectionChunks(s)
			for c := first; c < last; c++ {
				r.Section[c], r.Doc[c] = uint32(s), uint32(d)
				r.Length[c] = title + path + float32(x.ChunkTokens(c))
			}
		}
	}
	return r
}

// AverageLength is the mean length of the chunks of all artifacts together, at least one token if they have none.
func AverageLength(xs []*index.Index) float32 {
	var sum, n float64
	for _, x := range xs {
		sum += float64(x.Meta.Lengths.Chunks)
		n += float64(x.Chunks())
	}
	if n == 0 || sum <= 0 {
		return 1
	}
	return float32(sum / n)
}
