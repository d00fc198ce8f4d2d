package index

import (
	"sync"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
	"kdd/format/text"
)

// Index is an open artifact with a view of every block. It is safe for concurrent use; its methods fail (see Guard)
// where the file contradicts itself. Strings it returns are copies.
type Index struct {
	File *format.File
	Meta *Meta
	Text Text

	docN, sectionN, chunkN, nodeN int
	fieldRows                     [FieldCount]uint32

	strs, terms, names, facets     dict.Dict
	firstTerms, firstNames         dict.Dict // the upper levels of terms and names, empty where there is none
	pieces, firstPieces            dict.Dict // empty without their blocks
	termTops, nameTops, pieceTops  []table.Column
	docs, lists, secs, chunks      []table.Column
	termLists, places, links       []table.Column
	nameStarts, nameNodes          []table.Column
	facetPlace                     []table.Column
	nodes, out, edges, in, inEdges []table.Column
	finds, fieldStarts, fields     []table.Column
	duplicates, pairs, filterPlace []table.Column // no rows without the block
	included, origins              []table.Column // no rows without the blocks
	unitPlace                      []table.Column
	post, pos, bitmaps, filters    *format.Block
	units                          *format.Block
	docHashes, chunkHashes         *format.Block // 32 bytes a row
	includedHashes                 *format.Block // 32 bytes a row, empty without the block

	firstLetters func() []rune
}

// Dict is a view of a dictionary: strings in ascending order, each of which has its rank as its ordinal.
type Dict = dict.Dict

// Near is a string of a dictionary at a small distance from the one asked for; see Dict.Near.
type Near = dict.Near

// Open opens the file at path and the views of its blocks. Close the index's File after use.
// Cost: Open, and the check of the pages that hold the metadata, the headers of tables and the places of texts.
func Open(path string) (*Index, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	x, err := New(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

// New opens the views of an open file's blocks.
func New(f *format.File) (*Index, error) {
	x := &Index{File: f}
	for _, e := range f.Entries() {
		if e.Critical && !known(e.Tag) {
			return nil, &format.VersionError{Got: format.Version, Min: format.Version, Block: e.Tag}
		}
	}
	if err := x.load(func(_ format.Tag, err error) error { return err }); err != nil {
		return nil, err
	}
	x.firstLetters = sync.OnceValue(func() []rune { return x.terms.FirstLetters(text.FirstFold) })
	return x, nil
}

// tables returns where the columns of each block's table are kept.
func (x *Index) tables() map[format.Tag]*[]table.Column {
	return map[format.Tag]*[]table.Column{
		tagDocs: &x.docs, tagDocLists: &x.lists, tagSections: &x.secs, tagChunks: &x.chunks,
		tagTermLists: &x.termLists, tagLists: &x.places,
		tagLinks: &x.links, tagNameStarts: &x.nameStarts, tagNameNodes: &x.nameNodes, tagFacetPlace: &x.facetPlace,
		tagNodes: &x.nodes,
		tagOut:   &x.out, tagEdges: &x.edges, tagIn: &x.in, tagInEdges: &x.inEdges, tagFindings: &x.finds,
		tagFieldStart:   &x.fieldStarts,
		tagTermTopPlace: &x.termTops, tagNameTopPlace: &x.nameTops, tagPieceTopPlace: &x.pieceTops,
		tagFields: &x.fields, tagDuplicates: &x.duplicates, tagPairs: &x.pairs, tagFilterPlace: &x.filterPlace,
		tagUnitPlace: &x.unitPlace, tagIncluded: &x.included, tagOrigins: &x.origins,
	}
}

// dictView is where the dictionary of a block is kept.
type dictView struct {
	tag  format.Tag
	dict *dict.Dict
}

func (x *Index) dicts() [8]dictView {
	return [...]dictView{{tagStrings, &x.strs}, {tagTerms, &x.terms}, {tagNames, &x.names}, {tagFacets, &x.facets},
		{tagTermTop, &x.firstTerms}, {tagNameTop, &x.firstNames}, {TagPieces, &x.pieces}, {tagPieceTop, &x.firstPieces}}
}

// loader opens the views of blocks. Each error goes to handle, which returns the error that ends the work, or nil to
// go on with an empty view of that block.
type loader struct {
	*Index
	handle func(format.Tag, error) error
}

// load opens the views of all blocks.
func (x *Index) load(handle func(format.Tag, error) error) error {
	l := loader{x, handle}
	for _, part := range []func() error{l.meta, l.openDicts, l.openTables, l.openStreams, l.numbers, l.hashes, l.ends, l.tops} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// block calls open with a block that has to be there.
func (l *loader) block(tag format.Tag, open func(b *format.Block) error) error {
	err := format.Guard(func() error {
		b := l.File.Block(tag)
		if b == nil {
			return format.Corrupt(tag, "the block is missing")
		}
		return open(b)
	})
	if err != nil {
		return l.handle(tag, err)
	}
	return nil
}

// checkRows compares the rows that were read with those that the directory gives a block; extra of them do not count.
func checkRows(b *format.Block, got, extra uint64) error {
	if got < extra || got-extra != b.Rows {
		return format.Corrupt(b.Tag, "%d rows, of these %d extra, the directory says %d", got, extra, b.Rows)
	}
	return nil
}

func (l *loader) meta() error {
	l.Meta = new(Meta)
	return l.block(tagMeta, func(b *format.Block) error {
		m, err := parseMeta(b)
		if err == nil {
			l.Meta = m
		}
		return err
	})
}

func (l *loader) openDicts() error {
	for _, view := range l.dicts() {
		if optional(view.tag) && l.File.Block(view.tag) == nil {
			continue // there is none
		}
		if err := l.block(view.tag, func(b *format.Block) error {
			d, err := dict.Parse(b)
			if err == nil {
				err = checkRows(b, uint64(d.Len()), 0)
			}
			if err == nil {
				*view.dict = d
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) openTables() error {
	views := l.tables()
	for i := range tableSpecs {
		spec := &tableSpecs[i]
		view := views[spec.tag]
		*view = make([]table.Column, len(spec.columns))
		if optional(spec.tag) && l.File.Block(spec.tag) == nil {
			continue // there is none
		}
		if err := l.block(spec.tag, func(b *format.Block) error {
			columns, err := table.Parse(b, spec.columns)
			if err == nil {
				err = checkRows(b, columns[0].Rows, spec.extra)
			}
			if err == nil {
				err = checkPlaces(spec, columns)
			}
			if err == nil {
				*view = columns
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// maxPlace is the largest place in a document that the header of a column may allow. A column of places up to
// MaxDocumentBytes has a base of that at most, and cells of 27 bits.
const maxPlace = MaxDocumentBytes + 1<<27 - 1

// checkPlaces checks, by the headers of its columns, that no row of a table can name places beyond any document.
func checkPlaces(spec *tableSpec, columns []table.Column) error {
	for i := range columns {
		if most := columns[i].Most(); spec.columns[i].Of == placeCell && most > maxPlace {
			return format.Corrupt(spec.tag, "column %s holds up to %d, places in a document are at most %d",
				spec.columns[i].Name, most, MaxDocumentBytes)
		}
	}
	return nil
}

// optional says that a file without that table or dictionary is whole.
func optional(block format.Tag) bool {
	switch block {
	case tagDuplicates, tagPairs, tagFilterPlace, tagTermTop, tagTermTopPlace, tagNameTop, tagNameTopPlace,
		TagPieces, tagPieceTop, tagPieceTopPlace, tagIncluded, tagOrigins:
		return true
	default:
		return false
	}
}

// openStreams opens the blocks that tables point into.
func (l *loader) openStreams() error {
	for _, stream := range []struct {
		tag  format.Tag
		view **format.Block
	}{{tagPostings, &l.post}, {tagPositions, &l.pos}, {tagBitmaps, &l.bitmaps}, {tagFilters, &l.filters},
		{tagUnits, &l.units}} {
		*stream.view = &format.Block{Entry: format.Entry{Tag: stream.tag}}
		if stream.tag == tagFilters && l.File.Block(tagFilterPlace) == nil {
			continue // there is none
		}
		if err := l.block(stream.tag, func(b *format.Block) error {
			*stream.view = b
			return nil
		}); err != nil {
			return err
		}
	}
	l.Text.block = &format.Block{Entry: format.Entry{Tag: tagText}}
	return l.block(tagText, func(b *format.Block) error {
		t, err := parseText(b)
		if err == nil {
			l.Text = t
		}
		return err
	})
}

func (l *loader) numbers() error {
	if err := l.count(); err != nil {
		return l.handle(format.Tag{}, err)
	}
	return nil
}

// hashes opens the blocks of hashes, which no search reads: their pages are checked on use.
func (l *loader) hashes() error {
	for _, h := range []struct {
		tag  format.Tag
		view **format.Block
		rows int
	}{
		{tagDocHashes, &l.docHashes, l.docN}, {tagChunkHash, &l.chunkHashes, l.chunkN},
		{tagIncludedHashes, &l.includedHashes, l.Includes()},
	} {
		*h.view = &format.Block{Entry: format.Entry{Tag: h.tag}}
		if h.tag == tagIncludedHashes && h.rows == 0 && l.File.Block(h.tag) == nil {
			continue // there is none
		}
		if err := l.block(h.tag, func(b *format.Block) error {
			if b.Len() != uint64(h.rows)*32 {
				return format.Corrupt(h.tag, "%d bytes for %d hashes", b.Len(), h.rows)
			}
			*h.view = b
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// ends checks the number of rows of each table that gives a range for each row of another one.
func (l *loader) ends() error {
	for _, t := range []struct {
		tag       format.Tag
		what      string
		got, want uint64
	}{
		{tagOut, "outgoing places", l.out[0].Rows, uint64(l.nodeN) + 1},
		{tagIn, "incoming places", l.in[0].Rows, uint64(l.nodeN) + 1},
		{tagInEdges, "incoming edges", l.inEdges[0].Rows, l.edges[0].Rows},
		{tagTermLists, "lists of terms", l.termLists[0].Rows, uint64(l.terms.Len())},
		{tagNameStarts, "name places", l.nameStarts[0].Rows, uint64(l.names.Len()) + 1},
		{tagFacetPlace, "facet places", l.facetPlace[0].Rows, uint64(l.facets.Len()) + 1},
		{tagFieldStart, "front-matter places", l.fieldStarts[0].Rows, uint64(l.docN) + 1},
		{tagUnitPlace, "unit places", l.unitPlace[0].Rows, uint64(l.chunkN) + 1},
	} {
		if t.got == t.want {
			continue
		}
		if err := l.handle(t.tag, format.Corrupt(t.tag, "%d %s, want %d", t.got, t.what, t.want)); err != nil {
			return err
		}
	}
	return nil
}

// count derives the numbers of rows from the tables.
func (x *Index) count() error {
	x.docN, x.sectionN, x.chunkN = int(max(1, x.docs[0].Rows)-1), int(max(1, x.secs[0].Rows)-1), int(x.chunks[0].Rows)
	nodes := x.docs[0].Rows + x.secs[0].Rows + x.nodes[0].Rows
	if nodes > table.MaxRows {
		return format.Corrupt(tagNodes, "%d nodes, at most %d", nodes, table.MaxRows)
	}
	x.nodeN = x.docN + x.sectionN + int(x.nodes[0].Rows)
	x.fieldRows = [FieldCount]uint32{TitleField: uint32(x.docN), PathField: uint32(x.sectionN),
		BodyField: uint32(x.chunkN), LinkField: uint32(x.links[0].Rows)}
	return nil
}

// RootHint returns the path of a source folder below the top of its repository, as far as the file knows it; else its
// name. It is the name too of a file that lies elsewhere, since the sources are not beside it, and of one whose
// signature was asked for: the signature does not cover the path.
func (x *Index) RootHint(root int) string {
	if !x.File.Remote() && !x.File.Hashed() {
		if hints := x.File.Provenance().Roots; root < len(hints) {
			return hints[root]
		}
	}
	return x.Meta.Roots[root].Base
}
