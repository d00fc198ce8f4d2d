package index

import (
	"slices"

	"kdd/format"
	"kdd/format/internal/table"
)

// A file that lies elsewhere is read by page, and each read costs a round trip. So what an operation needs is fetched
// together as soon as it is known; where that is forgotten the operation is slower, and not wrong. For a file of this
// machine all of this does nothing.

// headBytes is what is read of a block before it is known what is needed of it: its header.
const headBytes = 4096

// FetchHot reads in one round what every search needs, and the beginning of each other block that New opens; with
// meaning also what the comparison of meanings needs before it knows the query.
func FetchHot(f *format.File, meaning bool) error {
	if !f.Remote() {
		return nil
	}
	var lengths []uint64
	var blocks []*format.Block
	var spans []format.Span
	for _, known := range blockNames {
		b := f.Block(known.tag)
		switch {
		case b == nil || known.tag == format.TagTree || known.tag == format.TagSums:
		case known.hot:
			blocks, lengths = append(blocks, b), append(lengths, b.Len())
		case opened(known.tag):
			spans = append(spans, format.Span{Block: b, N: headBytes})
		}
	}
	whole := hot(lengths)
	for i, b := range blocks {
		n := b.Len()
		if i >= whole {
			n = headBytes
		}
		spans = append(spans, format.Span{Block: b, N: n})
	}
	if vocab := f.Block(TagVocab); meaning && vocab != nil {
		for _, tag := range []format.Tag{TagVocab, TagSelfTest, tagSketches} {
			if b := f.Block(tag); b != nil && b.Len() <= meaningBytes {
				spans = append(spans, format.Span{Block: b, N: b.Len()})
			}
		}
		spans = append(spans, format.Span{Block: f.Block(TagVectors), N: headBytes},
			format.Span{Block: f.Block(TagTable), N: 2*vocab.Rows + tableMapBytes})
	}
	return f.Fetch(spans...)
}

// How much is read of what compares meanings before the query is known: blocks of up to meaningBytes whole, and of the
// table, beside two bytes for each wordpiece, its header and keys.
const (
	meaningBytes  = 1 << 19
	tableMapBytes = 20 << 10
)

// opened says whether New reads the header of a block.
func opened(tag format.Tag) bool {
	return tag == tagText || slices.ContainsFunc(tableSpecs, func(s tableSpec) bool { return s.tag == tag })
}

// fetchCells reads cells of some rows of columns.
func (x *Index) fetchCells(rows []uint32, n uint32, columns ...*table.Column) error {
	spans := make([]format.Span, 0, len(rows)*len(columns))
	for _, c := range columns {
		for _, row := range rows {
			spans = append(spans, c.Span(row, n))
		}
	}
	return x.File.Fetch(spans...)
}

// pairsAround is how many rows about the one where a pair should lie are read: of 50,000 pairs 19 in 20 are among them.
const pairsAround = 220

// FetchTerms reads the postings of terms, with their positions, and what PairChunks needs of pairs.
func (x *Index) FetchTerms(terms []TermID, pairs []uint32) error {
	if !x.File.Remote() {
		return nil
	}
	rows := make([]uint32, len(terms))
	for i, t := range terms {
		rows[i] = uint32(t)
	}
	if err := x.fetchCells(rows, 1, &x.termLists[0]); err != nil {
		return err
	}
	for i, t := range terms {
		rows[i] = x.ListOf(t)
	}
	if err := x.fetchCells(rows, 2, &x.places[placePost], &x.places[placePos]); err != nil {
		return err
	}
	var spans []format.Span
	for _, list := range rows {
		from, to := x.places[placePost].Pair(list, x.post.Len())
		posFrom, posTo := x.places[placePos].Pair(list, x.pos.Len())
		spans = append(spans, format.Span{Block: x.post, At: from, N: to - from},
			format.Span{Block: x.pos, At: posFrom, N: posTo - posFrom})
	}
	for _, hash := range pairs {
		row := max(pairsAround, uint32(x.pairRow(hash))) - pairsAround
		spans = append(spans, x.pairs[pairHash].Span(row, 2*pairsAround), x.pairs[pairChunks].Span(row, 2*pairsAround))
	}
	return x.File.Fetch(spans...)
}

// Passage is bytes [From, To) of a document's text.
type Passage struct {
	Doc      DocID
	From, To uint64
}

// TextSpans returns what AppendText reads of passages, for File.Fetch.
func (x *Index) TextSpans(list []Passage) (spans []format.Span) {
	for _, p := range list {
		start, _ := x.DocText(p.Doc)
		for i := x.Text.frameOf(min(start+p.From, x.Text.total)); i < len(x.Text.frames); i++ {
			f := &x.Text.frames[i]
			if f.start >= start+p.To {
				break
			}
			spans = append(spans, format.Span{Block: x.Text.block, At: f.at, N: uint64(f.size)})
		}
	}
	return spans
}
