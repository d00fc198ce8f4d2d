package format

// The blocks, FORMAT.md §10. Critical ones must be known to a reader; the others may be skipped.
var (
	tagMeta       = Tag{'M', 'E', 'T', 'A'}
	tagStrings    = Tag{'S', 'T', 'R', 'S'}
	tagDocs       = Tag{'D', 'O', 'C', 'S'}
	tagDocHashes  = Tag{'D', 'S', 'H', 'A'}
	tagDocLists   = Tag{'D', 'L', 'S', 'T'}
	tagSections   = Tag{'S', 'E', 'C', 'S'}
	tagChunks     = Tag{'C', 'H', 'N', 'K'}
	tagChunkHash  = Tag{'C', 'S', 'H', 'A'}
	tagText       = Tag{'T', 'E', 'X', 'T'}
	tagTerms      = Tag{'T', 'E', 'R', 'M'}
	tagTermLists  = Tag{'T', 'R', 'L', 'S'}
	tagLists      = Tag{'P', 'L', 'S', 'T'}
	tagPostings   = Tag{'P', 'O', 'S', 'T'}
	tagPositions  = Tag{'P', 'O', 'S', 'N'}
	tagLinks      = Tag{'L', 'N', 'K', 'T'}
	tagNames      = Tag{'N', 'A', 'M', 'E'}
	tagNameStarts = Tag{'N', 'M', 'O', 'F'}
	tagNameNodes  = Tag{'N', 'M', 'N', 'D'}
	tagFacets     = Tag{'F', 'A', 'C', 'T'}
	tagFacetPlace = Tag{'F', 'C', 'O', 'F'}
	tagBitmaps    = Tag{'F', 'B', 'M', 'P'}
	tagNodes      = Tag{'G', 'N', 'O', 'D'}
	tagOut        = Tag{'G', 'O', 'U', 'T'}
	tagEdges      = Tag{'G', 'E', 'D', 'G'}
	tagIn         = Tag{'G', 'I', 'N', 'C'}
	tagInEdges    = Tag{'G', 'I', 'N', 'E'}
	tagFindings   = Tag{'F', 'I', 'N', 'D'}
	tagFieldStart = Tag{'F', 'M', 'O', 'F'}
	tagFields     = Tag{'F', 'M', 'F', 'D'}
)

// The optional blocks; FORMAT.md §11. Those of the query encoder belong to package format/encoder.
var (
	TagVectors  = Tag{'V', 'E', 'C', 'S'} // int8 rows with a float32 scale
	TagSketches = Tag{'V', 'S', 'K', 'T'} // 1-bit sign sketches
	TagFloats   = Tag{'V', 'F', '3', '2'} // float32 rows
	TagVocab    = Tag{'E', 'V', 'O', 'C'} // wordpieces
	TagTable    = Tag{'E', 'T', 'A', 'B'} // distilled query encoder
	TagExact    = Tag{'E', 'E', 'X', 'A'} // the transformer's int8 weights
	TagSelfTest = Tag{'E', 'T', 'S', 'T'} // a text and its vector
	TagGolden   = Tag{'G', 'O', 'L', 'D'} // a question set

	tagDuplicates = Tag{'D', 'U', 'P', 'S'} // groups of near duplicates
)

// blockNames describes every block that this version knows, for stats and dumps.
var blockNames = []struct {
	tag  Tag
	name string
}{
	{tagMeta, "meta"}, {TagSums, "checksums"}, {tagStrings, "strings"}, {tagDocs, "documents"}, {tagDocHashes, "document hashes"},
	{tagDocLists, "tags and aliases"}, {tagSections, "sections"}, {tagChunks, "chunks"}, {tagChunkHash, "chunk hashes"}, {tagText, "text"},
	{tagTerms, "dictionary"}, {tagTermLists, "posting list of each term"}, {tagLists, "posting list places"}, {tagPostings, "postings"},
	{tagPositions, "positions"}, {tagLinks, "link texts"}, {tagNames, "names"}, {tagNameStarts, "name places"}, {tagNameNodes, "name nodes"},
	{tagFacets, "facets"}, {tagFacetPlace, "facet places"}, {tagBitmaps, "facet bitmaps"}, {tagNodes, "nodes"}, {tagOut, "outgoing edges (CSR)"},
	{tagEdges, "edges"}, {tagIn, "incoming edges (CSR)"}, {tagInEdges, "incoming edge numbers"}, {tagFindings, "findings"},
	{tagFieldStart, "front-matter places"}, {tagFields, "front matter"},
	{TagVectors, "vectors (int8)"}, {TagSketches, "vector sketches"}, {TagFloats, "vectors (float32)"}, {TagVocab, "wordpieces"},
	{TagTable, "query encoder (distilled)"}, {TagExact, "query encoder (exact)"}, {TagSelfTest, "encoder self-test"}, {TagGolden, "question set"},
	{tagDuplicates, "near duplicates"},
}

// BlockName describes a block in a word or two; it is the tag itself for one that this version does not know.
func BlockName(t Tag) string {
	for _, b := range blockNames {
		if b.tag == t {
			return b.name
		}
	}
	return t.String()
}

// known says whether this version knows the block; it must know those that are critical.
func known(t Tag) bool {
	for _, b := range blockNames {
		if b.tag == t {
			return true
		}
	}
	return false
}
