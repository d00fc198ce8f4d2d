package lexicon

import (
	"context"
	"runtime"

	"kdd/compiler/parallel"
	"kdd/format/index"
	"kdd/format/text"
)

// Document is what is indexed of one document. Its rows are numbered from the bases that come before it.
type Document struct {
	Language text.Lang
	Title    string
	Sections []Section
	Bytes    int // of its text: how runs are balanced
}

// Section is one section: the headings above it and its own, and the bodies of its chunks.
type Section struct {
	Path   []string
	Chunks []string
}

// Link is a distinct text of links that point at a node.
type Link struct {
	Target   index.NodeID
	Text     string
	Count    uint32
	Language text.Lang
}

// Lexicon is the inverted index, in the shapes of package format.
type Lexicon struct {
	Terms    []string
	TermList []uint32
	Lists    *Lists
	Links    []index.LinkText
	Pairs    []index.PairCount // of terms that stand side by side, by hash

	PairFilters [][]byte // of such pairs, by document

	TitleTokens []uint32 // by document
	PathTokens  []uint32 // by section
	BodyTokens  []uint32 // by chunk
}

// Build inverts documents and links. It forgets each document's texts once they are inverted, and ends early with ctx's
// error. Cost: linear in the text, in parallel.
func Build(ctx context.Context, docs []Document, links []Link) (*Lexicon, error) {
	places := newPlaces(docs)
	runs := cut(docs, 4*runtime.GOMAXPROCS(0))
	parts := make([]*run, len(runs))
	lx := &Lexicon{TitleTokens: make([]uint32, len(docs))}
	var sections, chunks int
	for i, r := range runs {
		parts[i] = newRun(lx)
		parts[i].docs, parts[i].doc, parts[i].section, parts[i].chunk = docs[r.from:r.to], r.from, sections, chunks
		for _, d := range docs[r.from:r.to] {
			sections += len(d.Sections)
			for _, s := range d.Sections {
				chunks += len(s.Chunks)
			}
		}
	}
	lx.PathTokens, lx.BodyTokens = make([]uint32, sections), make([]uint32, chunks)
	err := parallel.With(ctx, 0, len(parts), func() func(i int) error {
		used := &scratch{}
		return func(i int) error {
			parts[i].scratch = used
			return parts[i].invert(ctx)
		}
	})
	if err != nil {
		return nil, err
	}
	var counted []pairList
	for _, r := range parts {
		counted, lx.PairFilters = append(counted, r.counted...), append(lx.PairFilters, r.filters...)
		r.counted, r.filters = nil, nil
	}
	lx.Pairs = joinPairs(counted)
	lx.join(places, append(parts, lx.addLinks(links)))
	lx.weighLinks(links)
	return lx, nil
}

type span struct{ from, to int }

// cut splits documents into at most n runs of about equal bytes.
func cut(docs []Document, n int) []span {
	var total int
	for _, d := range docs {
		total += d.Bytes
	}
	each := total/n + 1
	var runs []span
	at, size := 0, 0
	for i, d := range docs {
		if size += d.Bytes; size >= each {
			runs = append(runs, span{at, i + 1})
			at, size = i+1, 0
		}
	}
	if at < len(docs) {
		runs = append(runs, span{at, len(docs)})
	}
	return runs
}
