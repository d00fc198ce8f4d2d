package index

import (
	"slices"

	"kdd/format"
)

// The blocks, FORMAT.md §10. Critical ones must be known to a reader; the others may be skipped.
var (
	tagMeta       = format.Tag{'M', 'E', 'T', 'A'}
	tagStrings    = format.Tag{'S', 'T', 'R', 'S'}
	tagDocs       = format.Tag{'D', 'O', 'C', 'S'}
	tagDocHashes  = format.Tag{'D', 'S', 'H', 'A'}
	tagDocLists   = format.Tag{'D', 'L', 'S', 'T'}
	tagSections   = format.Tag{'S', 'E', 'C', 'S'}
	tagChunks     = format.Tag{'C', 'H', 'N', 'K'}
	tagChunkHash  = format.Tag{'C', 'S', 'H', 'A'}
	tagText       = format.Tag{'T', 'E', 'X', 'T'}
	tagTerms      = format.Tag{'T', 'E', 'R', 'M'}
	tagTermLists  = format.Tag{'T', 'R', 'L', 'S'}
	tagLists      = format.Tag{'P', 'L', 'S', 'T'}
	tagPostings   = format.Tag{'P', 'O', 'S', 'T'}
	tagPositions  = format.Tag{'P', 'O', 'S', 'N'}
	tagLinks      = format.Tag{'L', 'N', 'K', 'T'}
	tagNames      = format.Tag{'N', 'A', 'M', 'E'}
	tagNameStarts = format.Tag{'N', 'M', 'O', 'F'}
	tagNameNodes  = format.Tag{'N', 'M', 'N', 'D'}
	tagFacets     = format.Tag{'F', 'A', 'C', 'T'}
	tagFacetPlace = format.Tag{'F', 'C', 'O', 'F'}
	tagBitmaps    = format.Tag{'F', 'B', 'M', 'P'}
	tagNodes      = format.Tag{'G', 'N', 'O', 'D'}
	tagOut        = format.Tag{'G', 'O', 'U', 'T'}
	tagEdges      = format.Tag{'G', 'E', 'D', 'G'}
	tagIn         = format.Tag{'G', 'I', 'N', 'C'}
	tagInEdges    = format.Tag{'G', 'I', 'N', 'E'}
	tagFindings   = format.Tag{'F', 'I', 'N', 'D'}
	tagFieldStart = format.Tag{'F', 'M', 'O', 'F'}
	tagFields     = format.Tag{'F', 'M', 'F', 'D'}
)

// The optional blocks; FORMAT.md §11. Those of the query encoder belong to package format/encoder.
var (
	TagVectors  = format.Tag{'V', 'E', 'C', 'S'} // int8 rows with a float32 scale
	tagSketches = format.Tag{'V', 'S', 'K', 'T'} // 1-bit sign sketches
	TagFloats   = format.Tag{'V', 'F', '3', '2'} // float32 rows
	TagVocab    = format.Tag{'E', 'V', 'O', 'C'} // wordpieces
	TagTable    = format.Tag{'E', 'T', 'A', 'B'} // distilled query encoder
	TagExact    = format.Tag{'E', 'E', 'X', 'A'} // the transformer's int8 weights
	TagSelfTest = format.Tag{'E', 'T', 'S', 'T'} // a text and its vector
	TagGolden   = format.Tag{'G', 'O', 'L', 'D'} // a question set

	tagDuplicates = format.Tag{'D', 'U', 'P', 'S'} // groups of near duplicates
	tagPairs      = format.Tag{'P', 'A', 'I', 'R'} // chunks that hold a pair of neighbouring terms
	// which pairs a document may have
	tagFilterPlace = format.Tag{'P', 'F', 'O', 'F'}
	tagFilters     = format.Tag{'P', 'F', 'I', 'L'}
)

// blockNames describes every block that this version knows, for stats and dumps. It has them in the order of the file:
// what every search reads, what it reads of what was found, what it does not read.
var blockNames = []blockName{
	{tagMeta, "meta", false}, {format.TagTree, "page hashes", false},

	{tagDocs, "documents", false}, {tagSections, "sections", false}, {tagChunks, "chunks", false},
	{tagFilterPlace, "pair filter places", false}, {tagTerms, "dictionary", false},
	{tagTermLists, "posting list of each term", false}, {tagLists, "posting list places", false},
	{tagLinks, "link texts", false}, {tagNames, "names", false}, {tagNameStarts, "name places", false},
	{tagNameNodes, "name nodes", false}, {tagFacets, "facets", false}, {tagFacetPlace, "facet places", false},
	{tagBitmaps, "facet bitmaps", false}, {tagDocLists, "tags and aliases", false},
	{tagFieldStart, "front-matter places", false}, {tagFields, "front matter", false},
	{tagDuplicates, "near duplicates", false}, {tagStrings, "strings", false},

	{tagPostings, "postings", true}, {tagPairs, "pairs of terms", true}, {tagFilters, "pair filters", true},
	{TagSelfTest, "encoder self-test", false}, {TagVocab, "wordpieces", false},
	{TagTable, "query encoder (distilled)", true}, {tagSketches, "vector sketches", false},
	{TagVectors, "vectors (int8)", true}, {tagText, "text", true}, {tagPositions, "positions", true},

	{tagNodes, "nodes", true}, {tagOut, "outgoing edges (CSR)", true}, {tagEdges, "edges", true},
	{tagIn, "incoming edges (CSR)", true}, {tagInEdges, "incoming edge numbers", true},
	{tagFindings, "findings", false}, {TagExact, "query encoder (exact)", false},
	{TagFloats, "vectors (float32)", true}, {TagGolden, "question set", false},
	{tagDocHashes, "document hashes", true}, {tagChunkHash, "chunk hashes", true}, {format.TagSums, "checksums", false},
}

type blockName struct {
	tag  format.Tag
	name string
	fine bool // rows or lists are read one by one, so its pages are small; see format.RawBlock
}

// arrange puts blocks in the order of the file, those that this version does not know last.
func arrange(blocks []format.RawBlock) {
	place := func(t format.Tag) int {
		i := slices.IndexFunc(blockNames, func(b blockName) bool { return b.tag == t })
		if i < 0 {
			return len(blockNames)
		}
		return i
	}
	slices.SortStableFunc(blocks, func(a, b format.RawBlock) int { return place(a.Tag) - place(b.Tag) })
	for i := range blocks {
		if at := place(blocks[i].Tag); at < len(blockNames) {
			blocks[i].Fine = blockNames[at].fine
		}
	}
}

// BlockName describes a block in a word or two; it is the tag itself for one that this version does not know.
func BlockName(t format.Tag) string {
	for _, b := range blockNames {
		if b.tag == t {
			return b.name
		}
	}
	return t.String()
}

// known says whether this version knows the block; it must know those that are critical.
func known(t format.Tag) bool {
	for _, b := range blockNames {
		if b.tag == t {
			return true
		}
	}
	return false
}
