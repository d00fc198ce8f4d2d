package format

import "fmt"

// Index is an open artifact with a view of every block. It is safe for concurrent use; its methods fail (see Guard)
// where the file contradicts itself. Strings it returns are copies.
type Index struct {
	File *File
	Meta *Meta
	Text Text

	docN, sectionN, chunkN, nodeN int
	fieldRows                     [FieldCount]uint32

	strs, terms, names, facets     Dict
	docs, lists, secs, chunks      []column
	termLists, places, links       []column
	nameStarts, nameNodes          []column
	facetPlace                     []column
	nodes, out, edges, in, inEdges []column
	finds, fieldStarts, fields     []column
	duplicates                     []column // no rows without the block
	post, pos, bitmaps             *Block
	docHashes, chunkHashes         []byte
}

// OpenIndex opens the file at path and the views of its blocks. Close the index's File after use.
// Cost: Open, and one checksum over the blocks of rows and names (not of text, postings and vectors).
func OpenIndex(path string) (*Index, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	x, err := NewIndex(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

// NewIndex opens the views of an open file's blocks.
func NewIndex(f *File) (*Index, error) {
	x := &Index{File: f}
	err := x.load(func(_ Tag, err error) error { return err })
	if err != nil {
		return nil, err
	}
	return x, nil
}

// table returns where the columns of a block's table are kept.
func (x *Index) table(tag Tag) *[]column {
	switch tag {
	case tagDocs:
		return &x.docs
	case tagDocLists:
		return &x.lists
	case tagSections:
		return &x.secs
	case tagChunks:
		return &x.chunks
	case tagTermLists:
		return &x.termLists
	case tagLists:
		return &x.places
	case tagLinks:
		return &x.links
	case tagNameStarts:
		return &x.nameStarts
	case tagNameNodes:
		return &x.nameNodes
	case tagFacetPlace:
		return &x.facetPlace
	case tagNodes:
		return &x.nodes
	case tagOut:
		return &x.out
	case tagEdges:
		return &x.edges
	case tagIn:
		return &x.in
	case tagInEdges:
		return &x.inEdges
	case tagFindings:
		return &x.finds
	case tagFieldStart:
		return &x.fieldStarts
	case tagFields:
		return &x.fields
	case tagDuplicates:
		return &x.duplicates
	}
	panic("format: no table in block " + tag.String())
}

// dict returns where the dictionary of a block is kept, nil if the block holds none.
func (x *Index) dict(tag Tag) *Dict {
	switch tag {
	case tagStrings:
		return &x.strs
	case tagTerms:
		return &x.terms
	case tagNames:
		return &x.names
	case tagFacets:
		return &x.facets
	}
	return nil
}

// dictTags are the blocks that hold a dictionary.
var dictTags = [...]Tag{tagStrings, tagTerms, tagNames, tagFacets}

// load opens the views of all blocks. Each error goes to handle, which returns the error that ends the work, or nil to
// go on with an empty view of that block.
func (x *Index) load(handle func(Tag, error) error) error {
	step := func(tag Tag, open func(b *Block) error) error {
		err := Guard(func() error {
			b := x.File.Block(tag)
			if b == nil {
				return &CorruptError{Block: tag, Offset: -1, Reason: "the block is missing"}
			}
			return open(b)
		})
		if err != nil {
			return handle(tag, err)
		}
		return nil
	}
	rows := func(b *Block, got, extra uint64) error {
		if got < extra || got-extra != b.Rows {
			return &CorruptError{Block: b.Tag, Offset: -1, Reason: fmt.Sprintf("%d rows, of these %d extra, the directory says %d", got, extra, b.Rows)}
		}
		return nil
	}
	x.Meta = new(Meta)
	if err := step(tagMeta, func(b *Block) error {
		m, err := parseMeta(b)
		if err == nil {
			x.Meta = m
		}
		return err
	}); err != nil {
		return err
	}
	for _, tag := range dictTags {
		if err := step(tag, func(b *Block) error {
			d, err := parseDict(tag, b.All())
			if err == nil {
				err = rows(b, uint64(d.n), 0)
			}
			if err == nil {
				*x.dict(tag) = d
			}
			return err
		}); err != nil {
			return err
		}
	}
	openTable := func(spec *tableSpec) error {
		view := x.table(spec.tag)
		*view = make([]column, len(spec.columns))
		return step(spec.tag, func(b *Block) error {
			columns, err := parseTable(spec.tag, b.All(), spec.columns)
			if err == nil {
				err = rows(b, columns[0].rows, spec.extra)
			}
			if err == nil {
				*view = columns
			}
			return err
		})
	}
	for i := range tableSpecs {
		if err := openTable(&tableSpecs[i]); err != nil {
			return err
		}
	}
	x.duplicates = make([]column, dupColumns)
	if x.File.Block(tagDuplicates) != nil {
		if err := openTable(&duplicateSpec); err != nil {
			return err
		}
	}
	for _, t := range []struct {
		tag  Tag
		view **Block
	}{{tagPostings, &x.post}, {tagPositions, &x.pos}, {tagBitmaps, &x.bitmaps}} {
		*t.view = &Block{Entry: Entry{Tag: t.tag}}
		if err := step(t.tag, func(b *Block) error {
			*t.view = b
			return nil
		}); err != nil {
			return err
		}
	}
	x.Text.block = &Block{Entry: Entry{Tag: tagText}}
	if err := step(tagText, func(b *Block) (err error) {
		t, err := parseText(b)
		if err == nil {
			x.Text = t
		}
		return err
	}); err != nil {
		return err
	}
	if err := x.count(); err != nil {
		if err = handle(Tag{}, err); err != nil {
			return err
		}
	}
	for _, h := range []struct {
		tag  Tag
		data *[]byte
		rows int
	}{{tagDocHashes, &x.docHashes, x.docN}, {tagChunkHash, &x.chunkHashes, x.chunkN}} {
		if err := step(h.tag, func(b *Block) error {
			data := b.All()
			if uint64(len(data)) != uint64(h.rows)*32 {
				return &CorruptError{Block: h.tag, Offset: -1, Reason: fmt.Sprintf("%d bytes for %d hashes", len(data), h.rows)}
			}
			*h.data = data
			return nil
		}); err != nil {
			return err
		}
	}
	for _, t := range []struct {
		tag       Tag
		what      string
		got, want uint64
	}{
		{tagOut, "outgoing places", x.out[0].rows, uint64(x.nodeN) + 1}, {tagIn, "incoming places", x.in[0].rows, uint64(x.nodeN) + 1},
		{tagInEdges, "incoming edges", x.inEdges[0].rows, x.edges[0].rows}, {tagTermLists, "lists of terms", x.termLists[0].rows, uint64(x.terms.n)},
		{tagNameStarts, "name places", x.nameStarts[0].rows, uint64(x.names.n) + 1}, {tagFacetPlace, "facet places", x.facetPlace[0].rows, uint64(x.facets.n) + 1},
		{tagFieldStart, "front-matter places", x.fieldStarts[0].rows, uint64(x.docN) + 1},
	} {
		if t.got == t.want {
			continue
		}
		if err := handle(t.tag, &CorruptError{Block: t.tag, Offset: -1, Reason: fmt.Sprintf("%d %s, want %d", t.got, t.what, t.want)}); err != nil {
			return err
		}
	}
	return nil
}

// count derives the numbers of rows from the tables.
func (x *Index) count() error {
	x.docN, x.sectionN, x.chunkN = int(max(1, x.docs[0].rows)-1), int(max(1, x.secs[0].rows)-1), int(x.chunks[0].rows)
	nodes := x.docs[0].rows + x.secs[0].rows + x.nodes[0].rows
	if nodes > maxRows {
		return &CorruptError{Block: tagNodes, Offset: -1, Reason: fmt.Sprintf("%d nodes, at most %d", nodes, maxRows)}
	}
	x.nodeN = x.docN + x.sectionN + int(x.nodes[0].rows)
	x.fieldRows = [FieldCount]uint32{TitleField: uint32(x.docN), PathField: uint32(x.sectionN), BodyField: uint32(x.chunkN), LinkField: uint32(x.links[0].rows)}
	return nil
}
