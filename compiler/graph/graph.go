package graph

import "kdd/compiler/diag"

// NodeID numbers nodes: documents first ([0, D), as DocID), then their sections ([D, D+S), in document order, each
// document's section 0 included), then other things that documents define (scenarios).
type NodeID uint32

// DocInfo is what the rules say about one document.
type DocInfo struct {
	NodeID    string // "BR:BR-DOCUMENT-001"; "doc:PATH" for a document without a kind
	ID        string // front-matter id, "" if there is none
	Kind      string // "document" if nothing says otherwise
	ChunkType string // ENTITY, USE_CASE, RULE, PROCESS, DEFAULT
	Domain    string // front matter, else a rule on the path
	Status    string
	Tags      []string // distinct, sorted
	Aliases   []string
	Date      string // 2006-01-02: updated, date or created, the first there is
	Layer     int    // 0-4 for 00-requirements … 04-verification; -1 without one
}

// Edge is one relation, from the most specific node that holds its source (the section it is written in; the document
// for front matter) to the most specific node that its target names.
type Edge struct {
	From, To  NodeID
	Type      string // a name of the edge type table
	Found     string // "link", "wiki", "front-matter", "mention", "section", "structure": how it was found
	Doc       int    // the document it is written in
	Line      int    // and its line
	Text      string // the link's text, "" if it has none
	Violation bool   // breaks the layer rule
}

// Extra is a node that is neither a document nor a section.
type Extra struct {
	ID      string // "SCN:..."
	Kind    string
	Type    string // "scenario"
	Doc     int
	Section int // index into the document's sections
	Name    string
}

// NameClass says what a name is to its node; smaller is stronger.
type NameClass uint8

// The classes of names, in the order in which targets are resolved.
const (
	NodeIDName NameClass = iota // the exact node id
	IDName                      // front-matter id
	StemName                    // file stem
	HeadName                    // the PREFIX-NNN head of a stem
	PathName
	AliasName
	TitleName
	HeadingName
)

// Name leads from a folded name to a node.
type Name struct {
	Key   string // analyze.Fold of the name
	Class NameClass
	Node  NodeID
}

// Graph is what Build makes of all documents.
type Graph struct {
	Docs  []DocInfo
	Extra []Extra
	Edges []Edge // sorted by From, Type, To, Line, Text
	Names []Name // sorted by Key, Class, Node; distinct
	Diags []diag.Diagnostic
}
