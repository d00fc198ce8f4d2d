package index

import (
	"math"

	"kdd/format"
)

// Content is everything that a compilation puts into an artifact, as plain values. Ids are positions: a document's is
// its index in Docs, and so on. Encode turns it into blocks.
type Content struct {
	Meta     Meta
	Docs     []Doc
	Sections []Section // of document 0, then of document 1, ...; each document's own section 0 first
	Chunks   []Chunk   // in section order
	Texts    *Texts    // sources, by document
	Terms    []string  // ascending; see package format/text for their form
	TermList []uint32  // index into Lists, by term
	Lists    Lists     // equal lists are stored once
	Links    []LinkText
	Names    []Name // by Key, Class, Node
	Facets   []Facet
	Nodes    []Node // beyond documents and sections
	Edges    []Edge // by From
	Findings []Finding
	Fields   []Field // front matter, by Doc in source order
	Extra    []format.RawBlock
	Pairs    []PairCount // by Hash

	Units       [][]byte // by chunk, of AppendUnits
	PairFilters [][]byte // by document, of PairFilter; none = no document has one

	Included []Included // files that documents include, by path
	Origins  []Origin   // by document and line

	Duplicates [][]ChunkID // groups of near duplicates, each ascending and of two or more; no chunk is in two
}

// Lists are posting lists that may be made one by one, so that not all of them are in memory at once.
type Lists interface {
	Len() int
	// Reader returns a function for one goroutine that gives list i, good until it is called again.
	Reader() func(i int) *List
}

// DocID numbers documents, from 0.
type DocID uint32

// SectionID numbers sections over all documents, from 0.
type SectionID uint32

// ChunkID numbers chunks over all documents, from 0.
type ChunkID uint32

// TermID numbers terms by their order, from 0.
type TermID uint32

// NodeID numbers nodes: documents, then sections, then other things.
type NodeID uint32

// None stands for "no such row" in columns that allow it.
const None = math.MaxUint32

// Doc is one document.
type Doc struct {
	Path, Title, NodeID, ID, Kind, Domain, Status, Language, Date string
	ChunkType                                                     uint8 // index into Meta.ChunkTypes
	Layer                                                         int8  // -1 without one
	TitleTokens                                                   uint32
	Root                                                          uint8 // index into Meta.Roots
	Lines                                                         uint32
	SHA256                                                        [32]byte // of the file on disk
	Size                                                          uint64   // of the file on disk
	Tags, Aliases                                                 []string
	FirstSection                                                  SectionID
	FirstChunk                                                    ChunkID
}

// Section is one section; Start and End are bytes of its document's text.
type Section struct {
	Heading, Anchor    string
	Parent             uint32 // sections back to the parent; 0 for a document's section 0
	Level              uint8
	Explicit           bool
	Start, End         uint64
	LineStart, LineEnd uint32
	PathTokens         uint32
	FirstChunk         ChunkID
}

// Chunk is one chunk; Start and End are bytes of its document's text.
type Chunk struct {
	Start, End         uint64
	LineStart, LineEnd uint32
	BodyTokens         uint32
	SHA256             [32]byte // of the embedded text
}

// LinkText is a distinct text of links that point at a node.
type LinkText struct {
	Target NodeID
	Text   string
	Tokens uint32
	Count  uint32  // links that have it
	IDF    float32 // sum of the idf of its terms
}

// Name leads from a folded name to a node.
type Name struct {
	Key   string
	Class NameClass
	Node  NodeID
}

// Facet is the set of documents that have a value in a field.
type Facet struct {
	Field, Value string
	Docs         []uint32
}

// Node is a node that is neither a document nor a section.
type Node struct {
	ID, Kind, Type, Name string
	Doc                  DocID
	Section              SectionID
}

// Edge is one relation.
type Edge struct {
	From, To    NodeID
	Type        uint8 // index into Meta.EdgeTypes
	Found       uint8 // index into Meta.FoundBy
	Doc         DocID
	Line        uint32
	Text        string
	Relation    string // what a relation table or a front-matter field calls it
	Cardinality string
	Violation   bool
}

// Finding is one diagnostic of the build.
type Finding struct {
	Path, Rule, Code, Text, Hint string
	Severity                     uint8 // index into Meta.Severities
	Line, Col                    uint32
}

// Field is one value of a document's front matter.
type Field struct {
	Doc   DocID
	Name  string
	Value string
	Type  uint8
	List  bool
	Line  uint32
}
