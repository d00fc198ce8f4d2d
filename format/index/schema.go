package index

import (
	"kdd/format"
	"kdd/format/internal/table"
)

// The kinds of cells: what the numbers of a column count or name, which gives their limit.
const (
	numberCell    table.Cell = iota // up to 2^56
	u32Cell                         // up to 32 bits
	stringCell                      // ordinal of the strings block
	docCell                         // document
	sectionCell                     // section
	chunkCell                       // chunk
	nodeCell                        // node
	edgeCell                        // edge
	listCell                        // posting list
	docListCell                     // row of the list table
	nameCell                        // row of the name nodes table
	fieldCell                       // row of the front-matter table
	textCell                        // byte of all texts
	placeCell                       // byte of a document's text, or a number of them
	postCell                        // byte of the postings
	posCell                         // byte of the positions
	bitmapCell                      // byte of the facet bitmaps
	filterCell                      // byte of the pair filters
	unitCell                        // byte of the units
	termByteCell                    // byte of the groups of the dictionary of terms
	nameByteCell                    // byte of the groups of the dictionary of names
	pieceByteCell                   // byte of the groups of the dictionary of wordpieces
	rootCell                        // source folder of meta
	chunkTypeCell                   // chunk type of meta
	edgeTypeCell                    // edge type of meta, doubled, with a flag
	foundCell                       // way of finding of meta
	severityCell                    // severity of meta
	layerCell                       // layer + 1
	flagCell                        // 0 or 1
	levelCell                       // section level, doubled, with a flag
	byteCell                        // up to 8 bits
	includedCell                    // included file + 1
	floatCell                       // bits of a float32
)

// tableSpec is a table of packed columns, FORMAT.md §10. It has extra rows beyond those of the directory: the end of
// the last range.
type tableSpec struct {
	tag     format.Tag
	extra   uint64
	columns []table.Spec
}

var tableSpecs = []tableSpec{
	{tagDocs, 1, []table.Spec{
		docPath:        plain("path", stringCell),
		docTitle:       plain("title", stringCell),
		docNode:        plain("node", stringCell),
		docID:          plain("id", stringCell),
		docKind:        plain("kind", stringCell),
		docDomain:      plain("domain", stringCell),
		docStatus:      plain("status", stringCell),
		docLanguage:    plain("language", stringCell),
		docDate:        plain("date", stringCell),
		docChunkType:   plain("chunk_type", chunkTypeCell),
		docLayer:       plain("layer", layerCell),
		docTitleTokens: plain("title_tokens", u32Cell),
		docRoot:        plain("root", rootCell),
		docLines:       plain("lines", u32Cell),
		docSize:        plain("size", numberCell),
		docText:        rising("text", textCell),
		docSections:    rising("sections", sectionCell),
		docChunks:      rising("chunks", chunkCell),
		docLists:       rising("lists", docListCell),
	}},
	{tagDocLists, 0, []table.Spec{listKind: plain("kind", flagCell), listValue: plain("value", stringCell)}},
	{tagSections, 1, []table.Spec{
		secHeading:    plain("heading", stringCell),
		secAnchor:     plain("anchor", stringCell),
		secParent:     plain("parent", u32Cell),
		secLevel:      plain("level", levelCell),
		secStart:      plain("start", placeCell),
		secLength:     plain("bytes", placeCell),
		secLine:       plain("line", u32Cell),
		secLines:      plain("more_lines", u32Cell),
		secPathTokens: plain("path_tokens", u32Cell),
		secChunks:     rising("chunks", chunkCell),
	}},
	{tagChunks, 0, []table.Spec{
		chunkStart:  plain("start", placeCell),
		chunkLength: plain("bytes", placeCell),
		chunkLine:   plain("line", u32Cell),
		chunkLines:  plain("more_lines", u32Cell),
		chunkTokens: plain("body_tokens", u32Cell),
	}},
	{tagTermLists, 0, []table.Spec{plain("list", listCell)}},
	{tagLists, 1, []table.Spec{placePost: rising("postings", postCell), placePos: rising("positions", posCell)}},
	{tagLinks, 0, []table.Spec{
		linkTarget: plain("target", nodeCell),
		linkText:   plain("text", stringCell),
		linkTokens: plain("tokens", u32Cell),
		linkCount:  plain("links", u32Cell),
		linkIDF:    plain("idf", floatCell),
	}},
	{tagNameStarts, 1, []table.Spec{rising("names", nameCell)}},
	{tagNameNodes, 0, []table.Spec{nameClass: plain("class", byteCell), nameNode: plain("node", nodeCell)}},
	{tagFacetPlace, 1, []table.Spec{rising("bitmaps", bitmapCell)}},
	{tagNodes, 0, []table.Spec{
		nodeID:      plain("id", stringCell),
		nodeKind:    plain("kind", stringCell),
		nodeType:    plain("type", stringCell),
		nodeName:    plain("name", stringCell),
		nodeDoc:     plain("document", docCell),
		nodeSection: plain("section", sectionCell),
	}},
	{tagOut, 1, []table.Spec{rising("edges", edgeCell)}},
	{tagEdges, 0, []table.Spec{
		edgeTo:          plain("to", nodeCell),
		edgeType:        plain("type", edgeTypeCell),
		edgeFound:       plain("found", foundCell),
		edgeDoc:         plain("document", docCell),
		edgeLine:        plain("line", u32Cell),
		edgeText:        plain("text", stringCell),
		edgeRelation:    plain("relation", stringCell),
		edgeCardinality: plain("cardinality", stringCell),
	}},
	{tagIn, 1, []table.Spec{rising("edges", edgeCell)}},
	{tagInEdges, 0, []table.Spec{plain("edge", edgeCell)}},
	{tagFindings, 0, []table.Spec{
		findPath:     plain("path", stringCell),
		findRule:     plain("rule", stringCell),
		findCode:     plain("code", stringCell),
		findText:     plain("text", stringCell),
		findHint:     plain("hint", stringCell),
		findSeverity: plain("severity", severityCell),
		findLine:     plain("line", u32Cell),
		findCol:      plain("col", u32Cell),
	}},
	{tagFieldStart, 1, []table.Spec{rising("fields", fieldCell)}},
	{tagFields, 0, []table.Spec{
		fieldName:  plain("name", stringCell),
		fieldValue: plain("value", stringCell),
		fieldType:  plain("type", byteCell),
		fieldLine:  plain("line", u32Cell),
	}},
	{tagDuplicates, 0, []table.Spec{
		dupChunk:  plain("chunk", chunkCell),
		dupLeader: plain("leader", chunkCell),
		dupNext:   plain("next", u32Cell),
	}},
	{tagIncluded, 0, []table.Spec{
		incPath: plain("path", stringCell),
		incRoot: plain("root", rootCell),
		incSize: plain("size", numberCell),
	}},
	{tagOrigins, 0, []table.Spec{
		originDoc:   plain("document", docCell),
		originLine:  plain("line", u32Cell),
		originLines: plain("lines", u32Cell),
		originOwn:   plain("own", u32Cell),
		originFile:  plain("file", includedCell),
		originFirst: plain("first", u32Cell),
	}},
	{tagPairs, 0, []table.Spec{pairHash: plain("hash", u32Cell), pairChunks: plain("chunks", u32Cell)}},
	{tagUnitPlace, 1, []table.Spec{rising("units", unitCell)}},
	{tagFilterPlace, 1, []table.Spec{rising("filters", filterCell)}},
	{tagTermTopPlace, 1, []table.Spec{topData: rising("bytes", termByteCell), topRows: rising("lists", listCell)}},
	{tagNameTopPlace, 1, []table.Spec{topData: rising("bytes", nameByteCell), topRows: rising("nodes", nameCell)}},
	{tagPieceTopPlace, 1, []table.Spec{topData: rising("bytes", pieceByteCell)}},
}

// plain describes a column of values in no order.
func plain(name string, of table.Cell) table.Spec { return table.Spec{Name: name, Of: of} }

// rising describes a column of offsets.
func rising(name string, of table.Cell) table.Spec {
	return table.Spec{Name: name, Of: of, Rising: true}
}

// cellLimits says how many values cells of each kind may have (they lie below it, and ranges end at it), and which
// blocks that number is taken from: none where it is a constant.
var cellLimits = [...]struct {
	values func(x *Index) uint64
	blocks []format.Tag
}{
	numberCell:    {fixed(1 << table.MaxWidth), nil},
	u32Cell:       {fixed(1 << 32), nil},
	stringCell:    {func(x *Index) uint64 { return uint64(x.strs.Len()) }, []format.Tag{tagStrings}},
	docCell:       {func(x *Index) uint64 { return uint64(x.docN) }, []format.Tag{tagDocs}},
	sectionCell:   {func(x *Index) uint64 { return uint64(x.sectionN) }, []format.Tag{tagSections}},
	chunkCell:     {func(x *Index) uint64 { return uint64(x.chunkN) }, []format.Tag{tagChunks}},
	nodeCell:      {func(x *Index) uint64 { return uint64(x.nodeN) }, []format.Tag{tagDocs, tagSections, tagNodes}},
	edgeCell:      {func(x *Index) uint64 { return x.edges[0].Rows }, []format.Tag{tagEdges}},
	listCell:      {func(x *Index) uint64 { return max(1, x.places[0].Rows) - 1 }, []format.Tag{tagLists}},
	docListCell:   {func(x *Index) uint64 { return x.lists[0].Rows }, []format.Tag{tagDocLists}},
	nameCell:      {func(x *Index) uint64 { return x.nameNodes[0].Rows }, []format.Tag{tagNameNodes}},
	fieldCell:     {func(x *Index) uint64 { return x.fields[0].Rows }, []format.Tag{tagFields}},
	textCell:      {func(x *Index) uint64 { return x.Text.total }, []format.Tag{tagText}},
	placeCell:     {fixed(MaxDocumentBytes + 1), nil},
	postCell:      {func(x *Index) uint64 { return x.post.Len() }, []format.Tag{tagPostings}},
	posCell:       {func(x *Index) uint64 { return x.pos.Len() }, []format.Tag{tagPositions}},
	bitmapCell:    {func(x *Index) uint64 { return x.bitmaps.Len() }, []format.Tag{tagBitmaps}},
	unitCell:      {func(x *Index) uint64 { return x.units.Len() }, []format.Tag{tagUnits}},
	filterCell:    {func(x *Index) uint64 { return x.filters.Len() }, []format.Tag{tagFilters}},
	termByteCell:  {func(x *Index) uint64 { return x.terms.Bytes() }, []format.Tag{tagTerms}},
	nameByteCell:  {func(x *Index) uint64 { return x.names.Bytes() }, []format.Tag{tagNames}},
	pieceByteCell: {func(x *Index) uint64 { return x.pieces.Bytes() }, []format.Tag{TagPieces}},
	rootCell:      {func(x *Index) uint64 { return uint64(len(x.Meta.Roots)) }, []format.Tag{tagMeta}},
	chunkTypeCell: {func(x *Index) uint64 { return uint64(len(x.Meta.ChunkTypes)) }, []format.Tag{tagMeta}},
	edgeTypeCell:  {func(x *Index) uint64 { return 2 * uint64(len(x.Meta.EdgeTypes)) }, []format.Tag{tagMeta}},
	foundCell:     {func(x *Index) uint64 { return uint64(len(x.Meta.FoundBy)) }, []format.Tag{tagMeta}},
	severityCell:  {func(x *Index) uint64 { return uint64(len(x.Meta.Severities)) }, []format.Tag{tagMeta}},
	layerCell:     {fixed(maxLayer + 2), nil},
	flagCell:      {fixed(2), nil},
	levelCell:     {fixed(256), nil},
	byteCell:      {fixed(256), nil},
	includedCell:  {func(x *Index) uint64 { return x.included[0].Rows + 1 }, []format.Tag{tagIncluded}},
	floatCell:     {fixed(1 << 32), nil},
}

func fixed(n uint64) func(*Index) uint64 { return func(*Index) uint64 { return n } }

// limit returns how many values cells of that kind may have.
func (x *Index) limit(of table.Cell) uint64 { return cellLimits[of].values(x) }
