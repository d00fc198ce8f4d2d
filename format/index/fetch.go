package index

import (
	"math"
	"slices"
	"unicode/utf8"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// A file that lies elsewhere is read by page, and each read costs a round trip. So what an operation needs is fetched
// together as soon as it is known; where that is forgotten the operation is slower, and not wrong. For a file of this
// machine all of this does nothing.

// headBytes is what is read of a block before it is known what is needed of it: its header. Of strings and texts their
// index is read too, up to indexBytes.
const (
	headBytes  = 4096
	indexBytes = 1 << 16
)

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
			spans = append(spans, headSpan(b))
		}
	}
	whole := hot(lengths)
	for i, b := range blocks {
		if whole[i] {
			spans = append(spans, format.Span{Block: b, N: b.Len()})
			continue
		}
		spans = append(spans, headSpan(b))
	}
	if vocab := f.Block(TagVocab); meaning && vocab != nil {
		for _, tag := range []format.Tag{TagVocab, TagSelfTest, tagSketches, tagCentroids} {
			if b := f.Block(tag); b != nil && b.Len() <= meaningBytes {
				spans = append(spans, format.Span{Block: b, N: b.Len()})
			} else if b != nil {
				spans = append(spans, headSpan(b))
			}
		}
		for _, tag := range []format.Tag{tagClusters, TagFloats} {
			if b := f.Block(tag); b != nil {
				spans = append(spans, headSpan(b))
			}
		}
		spans = append(spans, format.Span{Block: f.Block(TagVectors), N: headBytes},
			format.Span{Block: f.Block(TagTable), N: 2*vocab.Rows + tableMapBytes})
	}
	return f.Fetch(spans...)
}

// headSpan returns what is read of a block before it is known what is needed of it.
func headSpan(b *format.Block) format.Span {
	n := uint64(0)
	switch b.Tag {
	case tagStrings:
		n = dict.IndexSpan(b, b.Rows).N
	case tagText:
		n = textHeader + b.Rows*textEntry
	}
	return format.Span{Block: b, N: max(headBytes, min(n, indexBytes))}
}

// How much is read of what compares meanings before the query is known: blocks of up to meaningBytes whole, and of the
// table, beside two bytes for each wordpiece, its header and keys.
const (
	meaningBytes  = 1 << 19
	tableMapBytes = 20 << 10
)

// opened says whether New reads the header of a block that is not hot.
func opened(tag format.Tag) bool {
	return tag == tagText || tag == TagPieces || slices.ContainsFunc(tableSpecs, func(s tableSpec) bool { return s.tag == tag })
}

// fetchCells reads cells of some rows of columns.
func (x *Index) fetchCells(rows []uint32, n uint32, columns ...*table.Column) error {
	spans := make([]format.Span, 0, len(rows)*len(columns))
	for _, c := range columns {
		for _, row := range rows {
			spans = append(spans, c.Spans(row, n)...)
		}
	}
	return x.File.Fetch(spans...)
}

// FetchKeys reads in one round what look-ups of terms, of all terms with a prefix, and of names read, and of all
// documents, sections and chunks what each search reads.
func (x *Index) FetchKeys(terms, prefixes, names []string) error {
	if !x.File.Remote() {
		return nil
	}
	spans := slices.Concat(
		x.docs[docTitleTokens].Spans(0, uint32(x.docN)), x.docs[docSections].Spans(0, uint32(x.docN)+1),
		x.docs[docChunks].Spans(0, uint32(x.docN)+1),
		x.secs[secPathTokens].Spans(0, uint32(x.sectionN)), x.secs[secChunks].Spans(0, uint32(x.sectionN)+1),
		x.chunks[chunkTokens].Spans(0, uint32(x.chunkN)))
	levels := x.topLevels()
	for _, key := range terms {
		spans = append(spans, x.keySpans(&levels[0], key, key)...)
	}
	for _, prefix := range prefixes {
		spans = append(spans, x.keySpans(&levels[0], prefix, prefix+string(utf8.MaxRune))...)
	}
	for _, key := range names {
		spans = append(spans, x.keySpans(&levels[1], key, key)...)
	}
	return x.File.Fetch(spans...)
}

// keySpans returns where the strings from one to another lie, with their rows in the tables beside the dictionary.
func (x *Index) keySpans(t *topLevel, from, to string) []format.Span {
	first, end := t.of.Rows(from, to)
	spans := t.of.Spans(first, end)
	if t.first.Len() == 0 {
		return spans
	}
	key, keys := first*dict.TopStrings, (end-first)*dict.TopStrings
	row := uint32(min(t.columns[topRows].At(first), math.MaxUint32))
	rows := uint32(min(t.columns[topRows].At(end), math.MaxUint32)) - row
	if t.tag == tagTermTop {
		return slices.Concat(spans, x.termLists[0].Spans(key, keys), x.places[placePost].Spans(row, rows+1),
			x.places[placePos].Spans(row, rows+1))
	}
	return slices.Concat(spans, x.nameStarts[0].Spans(key, keys+1), x.nameNodes[nameClass].Spans(row, rows),
		x.nameNodes[nameNode].Spans(row, rows))
}

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
	// Two and a half standard deviations about the row where a pair should lie: 98 in 100 are among them.
	around := uint32(1.25 * math.Sqrt(float64(x.Pairs())))
	for _, hash := range pairs {
		row := max(around, uint32(x.pairRow(hash))) - around
		spans = append(spans, x.pairs[pairHash].Spans(row, 2*around)...)
		spans = append(spans, x.pairs[pairChunks].Spans(row, 2*around)...)
	}
	return x.File.Fetch(spans...)
}

// Shown is a chunk that is shown, with its section and document.
type Shown struct {
	Doc     DocID
	Section SectionID
	Chunk   ChunkID
}

// unshown are the columns of documents that no hit shows.
var unshown = []int{docID, docLayer, docLines, docSize, docLists}

// unitsAround is how many chunks before and after one an answer may quote too.
const unitsAround = 2

// PlaceSpans returns where the rows of chunks lie, for File.Fetch.
func (x *Index) PlaceSpans(list []Shown) (spans []format.Span) {
	add := func(columns []table.Column, row, n uint32, without ...int) {
		for i := range columns {
			if !slices.Contains(without, i) {
				spans = append(spans, columns[i].Spans(row, n)...)
			}
		}
	}
	for _, p := range list {
		add(x.docs, uint32(p.Doc), 2, unshown...)
		add(x.secs, uint32(p.Section), 2)
		add(x.chunks, uint32(p.Chunk), 1)
		add(x.fieldStarts, uint32(p.Doc), 2)
		before := min(uint32(p.Chunk), unitsAround)
		add(x.unitPlace, uint32(p.Chunk)-before, before+unitsAround+2)
	}
	return spans
}

// TextSpans returns where the texts of chunks lie, and the strings of their documents and sections, for File.Fetch. It
// reads the rows of them.
func (x *Index) TextSpans(list []Shown) (spans []format.Span) {
	var strs []uint32
	for _, p := range list {
		strs = append(strs, stringsOf(tagDocs, x.docs, uint32(p.Doc), unshown...)...)
		strs = append(strs, stringsOf(tagSections, x.secs, uint32(p.Section))...)
		start, _ := x.DocText(p.Doc)
		c := x.Chunk(p.Chunk)
		for i := x.Text.frameOf(min(start+c.Start, x.Text.total)); i < len(x.Text.frames); i++ {
			f := &x.Text.frames[i]
			if f.start >= start+c.End {
				break
			}
			spans = append(spans, format.Span{Block: x.Text.block, At: f.at, N: uint64(f.size)})
		}
	}
	return append(spans, x.strs.SpansOf(strs)...)
}

// rowString returns a string of a row. Of a file that lies elsewhere the row's other strings are read with it.
func (x *Index) rowString(tag format.Tag, columns []table.Column, row uint32, column int) string {
	ordinal := columns[column].U32(row)
	if x.File.Remote() && !x.File.Has(x.strs.SpansOf([]uint32{ordinal})...) {
		if err := x.File.Fetch(x.strs.SpansOf(stringsOf(tag, columns, row))...); err != nil {
			panic(err) // as a read does
		}
	}
	return x.strs.At(ordinal)
}

// stringsOf returns the ordinals of the strings that a row of a table has.
func stringsOf(tag format.Tag, columns []table.Column, row uint32, without ...int) (list []uint32) {
	spec := &tableSpecs[slices.IndexFunc(tableSpecs, func(s tableSpec) bool { return s.tag == tag })]
	for i := range columns {
		if spec.columns[i].Of == stringCell && !slices.Contains(without, i) {
			list = append(list, columns[i].U32(row))
		}
	}
	return list
}
