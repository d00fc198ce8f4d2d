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
	err := Guard(x.open)
	if err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Index) need(tag Tag) (*Block, error) {
	b := x.File.Block(tag)
	if b == nil {
		return nil, &CorruptError{Block: tag, Offset: -1, Reason: "the block is missing"}
	}
	return b, nil
}

func (x *Index) open() (err error) {
	var b *Block
	if b, err = x.need(tagMeta); err != nil {
		return err
	}
	if x.Meta, err = parseMeta(b); err != nil {
		return err
	}
	for _, t := range []struct {
		tag     Tag
		dict    *Dict
		table   *[]column
		columns int
		extra   uint64 // rows of the table beyond those of the directory
	}{
		{tag: tagStrings, dict: &x.strs},
		{tag: tagTerms, dict: &x.terms},
		{tag: tagNames, dict: &x.names},
		{tag: tagFacets, dict: &x.facets},
		{tag: tagDocs, table: &x.docs, columns: docColumns, extra: 1},
		{tag: tagDocLists, table: &x.lists, columns: listColumns},
		{tag: tagSections, table: &x.secs, columns: secColumns, extra: 1},
		{tag: tagChunks, table: &x.chunks, columns: chunkColumns},
		{tag: tagTermLists, table: &x.termLists, columns: 1},
		{tag: tagLists, table: &x.places, columns: placeColumns, extra: 1},
		{tag: tagLinks, table: &x.links, columns: linkColumns},
		{tag: tagNameStarts, table: &x.nameStarts, columns: 1, extra: 1},
		{tag: tagNameNodes, table: &x.nameNodes, columns: nameColumns},
		{tag: tagFacetPlace, table: &x.facetPlace, columns: 1, extra: 1},
		{tag: tagNodes, table: &x.nodes, columns: nodeColumns},
		{tag: tagOut, table: &x.out, columns: 1, extra: 1},
		{tag: tagEdges, table: &x.edges, columns: edgeColumns},
		{tag: tagIn, table: &x.in, columns: 1, extra: 1},
		{tag: tagInEdges, table: &x.inEdges, columns: 1},
		{tag: tagFindings, table: &x.finds, columns: findColumns},
		{tag: tagFieldStart, table: &x.fieldStarts, columns: 1, extra: 1},
		{tag: tagFields, table: &x.fields, columns: fieldColumns},
	} {
		if b, err = x.need(t.tag); err != nil {
			return err
		}
		var rows uint64
		if t.dict != nil {
			if *t.dict, err = parseDict(t.tag, b.All()); err != nil {
				return err
			}
			rows = uint64(t.dict.Len())
		} else {
			if *t.table, err = parseTable(t.tag, b.All(), t.columns); err != nil {
				return err
			}
			rows = (*t.table)[0].rows
		}
		if rows != b.Rows+t.extra {
			return &CorruptError{Block: t.tag, Offset: -1, Reason: fmt.Sprintf("%d rows, the directory says %d", rows, b.Rows)}
		}
	}
	for _, t := range []struct {
		tag   Tag
		block **Block
	}{{tagPostings, &x.post}, {tagPositions, &x.pos}, {tagBitmaps, &x.bitmaps}} {
		if *t.block, err = x.need(t.tag); err != nil {
			return err
		}
	}
	if b, err = x.need(tagText); err != nil {
		return err
	}
	if x.Text, err = parseText(b); err != nil {
		return err
	}
	x.docN, x.sectionN, x.chunkN = int(x.docs[0].rows)-1, int(x.secs[0].rows)-1, int(x.chunks[0].rows)
	x.nodeN = x.docN + x.sectionN + int(x.nodes[0].rows)
	x.fieldRows = [FieldCount]uint32{TitleField: uint32(x.docN), PathField: uint32(x.sectionN), BodyField: uint32(x.chunkN), LinkField: uint32(x.links[0].rows)}
	for _, h := range []struct {
		tag  Tag
		data *[]byte
		rows int
	}{{tagDocHashes, &x.docHashes, x.docN}, {tagChunkHash, &x.chunkHashes, x.chunkN}} {
		if b, err = x.need(h.tag); err != nil {
			return err
		}
		if *h.data = b.All(); len(*h.data) != h.rows*32 {
			return &CorruptError{Block: h.tag, Offset: -1, Reason: fmt.Sprintf("%d bytes for %d hashes", len(*h.data), h.rows)}
		}
	}
	for _, t := range []struct {
		what      string
		got, want uint64
	}{
		{"outgoing places", x.out[0].rows, uint64(x.nodeN) + 1}, {"incoming places", x.in[0].rows, uint64(x.nodeN) + 1},
		{"incoming edges", x.inEdges[0].rows, x.edges[0].rows}, {"lists of terms", x.termLists[0].rows, uint64(x.terms.Len())},
		{"name places", x.nameStarts[0].rows, uint64(x.names.Len()) + 1}, {"facet places", x.facetPlace[0].rows, uint64(x.facets.Len()) + 1},
		{"front-matter places", x.fieldStarts[0].rows, uint64(x.docN) + 1},
	} {
		if t.got != t.want {
			return &CorruptError{Offset: -1, Reason: fmt.Sprintf("%d %s, want %d", t.got, t.what, t.want)}
		}
	}
	return nil
}
