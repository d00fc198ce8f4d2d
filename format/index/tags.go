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
	tagUnitPlace  = format.Tag{'U', 'N', 'O', 'F'}
	tagUnits      = format.Tag{'U', 'N', 'I', 'T'}
)

// The optional blocks; FORMAT.md §11. Those of the query encoder belong to package format/encoder.
var (
	TagVectors  = format.Tag{'V', 'E', 'C', 'S'} // int8 rows with a float32 scale
	tagSketches = format.Tag{'V', 'S', 'K', 'T'} // 1-bit sign sketches
	TagFloats   = format.Tag{'V', 'F', '3', '2'} // float32 rows
	TagVocab    = format.Tag{'E', 'V', 'O', 'C'} // wordpieces
	TagPieces   = format.Tag{'P', 'I', 'E', 'C'} // wordpieces by text
	TagTable    = format.Tag{'E', 'T', 'A', 'B'} // distilled query encoder
	TagExact    = format.Tag{'E', 'E', 'X', 'A'} // the transformer's int8 weights
	TagSelfTest = format.Tag{'E', 'T', 'S', 'T'} // a text and its vector
	TagGolden   = format.Tag{'G', 'O', 'L', 'D'} // a question set

	tagIncluded       = format.Tag{'I', 'N', 'C', 'F'} // files that documents include
	tagIncludedHashes = format.Tag{'I', 'N', 'C', 'H'}
	tagOrigins        = format.Tag{'I', 'N', 'C', 'L'} // lines that come from them

	tagDuplicates = format.Tag{'D', 'U', 'P', 'S'} // groups of near duplicates
	tagPairs      = format.Tag{'P', 'A', 'I', 'R'} // chunks that hold a pair of neighbouring terms
	tagCentroids  = format.Tag{'V', 'C', 'E', 'N'} // of the clusters of vectors
	tagClusters   = format.Tag{'V', 'C', 'L', 'U'} // rows and sketches of each cluster
	// the upper levels of the dictionaries of terms and of names
	tagTermTop      = format.Tag{'T', 'R', 'M', 'T'}
	tagTermTopPlace = format.Tag{'T', 'R', 'M', 'P'}
	tagNameTop      = format.Tag{'N', 'A', 'M', 'T'}
	tagNameTopPlace = format.Tag{'N', 'A', 'M', 'P'}
	// beside TagPieces: its upper level, and the added tokens
	tagPieceTop      = format.Tag{'P', 'I', 'E', 'T'}
	tagPieceTopPlace = format.Tag{'P', 'I', 'E', 'P'}
	tagAddedTokens   = format.Tag{'P', 'I', 'E', 'A'}
	// which pairs a document may have
	tagFilterPlace = format.Tag{'P', 'F', 'O', 'F'}
	tagFilters     = format.Tag{'P', 'F', 'I', 'L'}
)

// blockName describes a block that this version knows.
type blockName struct {
	tag  format.Tag
	name string // for stats and dumps
	hot  bool   // every search reads it
}

// blockNames has the blocks in the order of the file: what every search reads, what it reads rows or lists of, what it
// does not read.
var blockNames = []blockName{
	{tagMeta, "meta", true},
	// Ahead of the hashes, so that they are among the first 64 KiB, which a browser reads at once.
	{tagAddedTokens, "added tokens", true}, {tagPieceTop, "first wordpieces", true},
	{tagPieceTopPlace, "first wordpiece places", true}, {format.TagTree, "page hashes", true},

	{tagFilterPlace, "pair filter places", true}, {tagFacets, "facets", true}, {tagFacetPlace, "facet places", true},
	{tagTermTop, "first terms", true}, {tagTermTopPlace, "first term places", true},
	{tagNameTop, "first names", true}, {tagNameTopPlace, "first name places", true},
	{tagBitmaps, "facet bitmaps", true}, {tagDocLists, "tags and aliases", true}, {tagDocs, "documents", true},
	{tagChunks, "chunks", true}, {tagSections, "sections", true}, {tagTerms, "dictionary", true},
	{tagTermLists, "posting list of each term", true}, {tagLists, "posting list places", true},
	{tagLinks, "link texts", true}, {tagNameStarts, "name places", true}, {tagNameNodes, "name nodes", true},
	{tagNames, "names", true}, {tagFieldStart, "front-matter places", true}, {tagFields, "front matter", true},
	{tagDuplicates, "near duplicates", true}, {tagIncluded, "included files", true},
	{tagOrigins, "included lines", true}, {tagStrings, "strings", true},

	{tagPostings, "postings", false}, {tagPairs, "pairs of terms", false}, {tagFilters, "pair filters", false},
	{TagPieces, "wordpieces by text", false},
	{TagSelfTest, "encoder self-test", false}, {TagVocab, "wordpieces", false},
	{TagTable, "query encoder (distilled)", false}, {tagSketches, "vector sketches", false},
	{tagCentroids, "centroids of vectors", false}, {tagClusters, "clusters of sketches", false},
	{TagVectors, "vectors (int8)", false}, {tagText, "text", false}, {tagPositions, "positions", false},
	{tagUnitPlace, "unit places", false}, {tagUnits, "units", false},

	{tagNodes, "nodes", false}, {tagOut, "outgoing edges (CSR)", false}, {tagEdges, "edges", false},
	{tagIn, "incoming edges (CSR)", false}, {tagInEdges, "incoming edge numbers", false},
	{tagFindings, "findings", false}, {TagExact, "query encoder (exact)", false},
	{TagFloats, "vectors (float32)", false}, {TagGolden, "question set", false},
	{tagDocHashes, "document hashes", false}, {tagChunkHash, "chunk hashes", false},
	{tagIncludedHashes, "hashes of included files", false}, {format.TagSums, "checksums", false},
}

// What a reader of a file that lies elsewhere reads before it knows what it needs: of the blocks that every search reads
// those of up to wholeBytes, from the first one on while they fit into hotBytes. The others have small pages.
const (
	hotBytes   = 1 << 20
	wholeBytes = 1 << 17
)

// hot says which of the lengths, those of the blocks that every search reads in the order of the file, are read whole.
func hot(lengths []uint64) []bool {
	whole, left := make([]bool, len(lengths)), uint64(hotBytes)
	for i, n := range lengths {
		if whole[i] = n <= min(left, wholeBytes); whole[i] {
			left -= n
		}
	}
	return whole
}

// Arrange puts blocks in the order of the file, those that this version does not know last, and gives them their pages.
func Arrange(blocks []format.RawBlock) {
	place := func(t format.Tag) int {
		i := slices.IndexFunc(blockNames, func(b blockName) bool { return b.tag == t })
		if i < 0 {
			return len(blockNames)
		}
		return i
	}
	slices.SortStableFunc(blocks, func(a, b format.RawBlock) int { return place(a.Tag) - place(b.Tag) })
	var lengths []uint64
	for i := range blocks {
		at := place(blocks[i].Tag)
		blocks[i].Pages, blocks[i].Ahead = pagesOf(blocks[i].Tag), at > place(tagMeta) && at < place(format.TagTree)
		if at < len(blockNames) && blockNames[at].hot {
			lengths = append(lengths, uint64(len(blocks[i].Data)))
		}
	}
	whole := hot(lengths)
	var byPage []format.RawBlock // what is read whole lies side by side, before the others
	for i := range whole {
		if whole[i] {
			continue
		}
		byPage = append(byPage, blocks[i])
	}
	kept := 0
	for i := range whole {
		if whole[i] {
			blocks[kept], kept = blocks[i], kept+1
		}
	}
	copy(blocks[kept:], byPage)
}

// pagesOf returns the size of a block's pages.
func pagesOf(tag format.Tag) format.PageSize {
	switch tag {
	case tagPairs, tagUnitPlace, TagPieces:
		return format.RowPages
	case TagExact, TagFloats:
		return format.CoarsePages
	default:
		return format.FinePages
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
