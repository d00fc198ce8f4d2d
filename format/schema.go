package format

// What the numbers of a column count or name, which gives their limit.
const (
	numberCell    cell = iota // up to 2^56
	u32Cell                   // up to 32 bits
	stringCell                // ordinal of the strings block
	docCell                   // document
	sectionCell               // section
	chunkCell                 // chunk
	nodeCell                  // node
	edgeCell                  // edge
	listCell                  // posting list
	docListCell               // row of the list table
	nameCell                  // row of the name nodes table
	fieldCell                 // row of the front-matter table
	textCell                  // byte of all texts
	postCell                  // byte of the postings
	posCell                   // byte of the positions
	bitmapCell                // byte of the facet bitmaps
	rootCell                  // source folder of meta
	chunkTypeCell             // chunk type of meta
	edgeTypeCell              // edge type of meta, doubled, with a flag
	foundCell                 // way of finding of meta
	severityCell              // severity of meta
	layerCell                 // layer + 1
	flagCell                  // 0 or 1
	levelCell                 // section level, doubled, with a flag
	byteCell                  // up to 8 bits
	floatCell                 // bits of a float32
)

// tableSpec is a table of packed columns, FORMAT.md §10. It has extra rows beyond those of the directory: the end of
// the last range.
type tableSpec struct {
	tag     Tag
	extra   uint64
	columns []columnSpec
}

var tableSpecs = []tableSpec{
	{tagDocs, 1, []columnSpec{
		docPath: {"path", stringCell, false}, docTitle: {"title", stringCell, false}, docNode: {"node", stringCell, false}, docID: {"id", stringCell, false},
		docKind: {"kind", stringCell, false}, docDomain: {"domain", stringCell, false}, docStatus: {"status", stringCell, false},
		docLanguage: {"language", stringCell, false}, docDate: {"date", stringCell, false}, docChunkType: {"chunk_type", chunkTypeCell, false},
		docLayer: {"layer", layerCell, false}, docTitleTokens: {"title_tokens", u32Cell, false}, docRoot: {"root", rootCell, false},
		docLines: {"lines", u32Cell, false}, docSize: {"size", numberCell, false}, docText: {"text", textCell, true},
		docSections: {"sections", sectionCell, true}, docChunks: {"chunks", chunkCell, true}, docLists: {"lists", docListCell, true},
	}},
	{tagDocLists, 0, []columnSpec{listKind: {"kind", flagCell, false}, listValue: {"value", stringCell, false}}},
	{tagSections, 1, []columnSpec{
		secHeading: {"heading", stringCell, false}, secAnchor: {"anchor", stringCell, false}, secParent: {"parent", u32Cell, false}, secLevel: {"level", levelCell, false},
		secStart: {"start", numberCell, false}, secLength: {"bytes", numberCell, false}, secLine: {"line", u32Cell, false}, secLines: {"more_lines", u32Cell, false},
		secPathTokens: {"path_tokens", u32Cell, false}, secChunks: {"chunks", chunkCell, true},
	}},
	{tagChunks, 0, []columnSpec{
		chunkStart: {"start", numberCell, false}, chunkLength: {"bytes", numberCell, false}, chunkLine: {"line", u32Cell, false},
		chunkLines: {"more_lines", u32Cell, false}, chunkTokens: {"body_tokens", u32Cell, false},
	}},
	{tagTermLists, 0, []columnSpec{{"list", listCell, false}}},
	{tagLists, 1, []columnSpec{placePost: {"postings", postCell, true}, placePos: {"positions", posCell, true}}},
	{tagLinks, 0, []columnSpec{
		linkTarget: {"target", nodeCell, false}, linkText: {"text", stringCell, false}, linkTokens: {"tokens", u32Cell, false},
		linkCount: {"links", u32Cell, false}, linkIDF: {"idf", floatCell, false},
	}},
	{tagNameStarts, 1, []columnSpec{{"names", nameCell, true}}},
	{tagNameNodes, 0, []columnSpec{nameClass: {"class", byteCell, false}, nameNode: {"node", nodeCell, false}}},
	{tagFacetPlace, 1, []columnSpec{{"bitmaps", bitmapCell, true}}},
	{tagNodes, 0, []columnSpec{
		nodeID: {"id", stringCell, false}, nodeKind: {"kind", stringCell, false}, nodeType: {"type", stringCell, false},
		nodeName: {"name", stringCell, false}, nodeDoc: {"document", docCell, false}, nodeSection: {"section", sectionCell, false},
	}},
	{tagOut, 1, []columnSpec{{"edges", edgeCell, true}}},
	{tagEdges, 0, []columnSpec{
		edgeTo: {"to", nodeCell, false}, edgeType: {"type", edgeTypeCell, false}, edgeFound: {"found", foundCell, false}, edgeDoc: {"document", docCell, false},
		edgeLine: {"line", u32Cell, false}, edgeText: {"text", stringCell, false}, edgeRelation: {"relation", stringCell, false}, edgeCardinality: {"cardinality", stringCell, false},
	}},
	{tagIn, 1, []columnSpec{{"edges", edgeCell, true}}},
	{tagInEdges, 0, []columnSpec{{"edge", edgeCell, false}}},
	{tagFindings, 0, []columnSpec{
		findPath: {"path", stringCell, false}, findRule: {"rule", stringCell, false}, findCode: {"code", stringCell, false}, findText: {"text", stringCell, false},
		findHint: {"hint", stringCell, false}, findSeverity: {"severity", severityCell, false}, findLine: {"line", u32Cell, false}, findCol: {"col", u32Cell, false},
	}},
	{tagFieldStart, 1, []columnSpec{{"fields", fieldCell, true}}},
	{tagFields, 0, []columnSpec{
		fieldName: {"name", stringCell, false}, fieldValue: {"value", stringCell, false}, fieldType: {"type", byteCell, false}, fieldLine: {"line", u32Cell, false},
	}},
	{tagDuplicates, 0, []columnSpec{dupChunk: {"chunk", chunkCell, false}, dupLeader: {"leader", chunkCell, false}, dupNext: {"next", u32Cell, false}}},
}

// cellLimits says how many values cells of each kind may have (they lie below it, and ranges end at it), and which blocks that
// number is taken from: none where it is a constant.
var cellLimits = [...]struct {
	values func(x *Index) uint64
	blocks []Tag
}{
	numberCell:    {fixed(1 << maxCellWidth), nil},
	u32Cell:       {fixed(1 << 32), nil},
	stringCell:    {func(x *Index) uint64 { return uint64(x.strs.Len()) }, []Tag{tagStrings}},
	docCell:       {func(x *Index) uint64 { return uint64(x.docN) }, []Tag{tagDocs}},
	sectionCell:   {func(x *Index) uint64 { return uint64(x.sectionN) }, []Tag{tagSections}},
	chunkCell:     {func(x *Index) uint64 { return uint64(x.chunkN) }, []Tag{tagChunks}},
	nodeCell:      {func(x *Index) uint64 { return uint64(x.nodeN) }, []Tag{tagDocs, tagSections, tagNodes}},
	edgeCell:      {func(x *Index) uint64 { return x.edges[0].rows }, []Tag{tagEdges}},
	listCell:      {func(x *Index) uint64 { return max(1, x.places[0].rows) - 1 }, []Tag{tagLists}},
	docListCell:   {func(x *Index) uint64 { return x.lists[0].rows }, []Tag{tagDocLists}},
	nameCell:      {func(x *Index) uint64 { return x.nameNodes[0].rows }, []Tag{tagNameNodes}},
	fieldCell:     {func(x *Index) uint64 { return x.fields[0].rows }, []Tag{tagFields}},
	textCell:      {func(x *Index) uint64 { return x.Text.total }, []Tag{tagText}},
	postCell:      {func(x *Index) uint64 { return x.post.Len() }, []Tag{tagPostings}},
	posCell:       {func(x *Index) uint64 { return x.pos.Len() }, []Tag{tagPositions}},
	bitmapCell:    {func(x *Index) uint64 { return x.bitmaps.Len() }, []Tag{tagBitmaps}},
	rootCell:      {func(x *Index) uint64 { return uint64(len(x.Meta.Roots)) }, []Tag{tagMeta}},
	chunkTypeCell: {func(x *Index) uint64 { return uint64(len(x.Meta.ChunkTypes)) }, []Tag{tagMeta}},
	edgeTypeCell:  {func(x *Index) uint64 { return 2 * uint64(len(x.Meta.EdgeTypes)) }, []Tag{tagMeta}},
	foundCell:     {func(x *Index) uint64 { return uint64(len(x.Meta.FoundBy)) }, []Tag{tagMeta}},
	severityCell:  {func(x *Index) uint64 { return uint64(len(x.Meta.Severities)) }, []Tag{tagMeta}},
	layerCell:     {fixed(maxLayer + 2), nil},
	flagCell:      {fixed(2), nil},
	levelCell:     {fixed(256), nil},
	byteCell:      {fixed(256), nil},
	floatCell:     {fixed(1 << 32), nil},
}

func fixed(n uint64) func(*Index) uint64 { return func(*Index) uint64 { return n } }

// limit returns how many values cells of that kind may have.
func (x *Index) limit(of cell) uint64 { return cellLimits[of].values(x) }
