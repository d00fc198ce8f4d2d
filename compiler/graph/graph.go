package graph

import (
	"kdd/compiler/diag"
	"kdd/format/index"
)

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
	Stale     bool   // no longer in force: its status says so, or another document supersedes it
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

	// Relation and Cardinality are what the row of a relation table says: "pertenece a", "N:1"; else "". Relation is
	// also the field's name where front matter names a REFERENCES.
	Relation, Cardinality string
}

// Reasons of orphan edges.
const (
	NoSuchDocument = "no such document"
	NoSuchDomain   = "no such domain"
	OutsideSources = "outside the sources"
	Ambiguous      = "ambiguous"
)

// Orphan is an edge without a target.
type Orphan struct {
	From   NodeID
	Type   string
	Found  string
	Doc    int
	Line   int
	Target string // as written, with "domain::" if it has one
	Text   string
	Reason string   // one of the reasons above
	Near   []string // ids or paths that may have been meant, best first; at most 3
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

// Name leads from a folded name to a node.
type Name struct {
	Key   string // text.Fold of the name, cut to 256 bytes
	Class index.NameClass
	Node  NodeID
}

// Stats counts what became of links. Links = Resolved + the orphans that are links, but for those that lead outside.
type Stats struct {
	Links    int            // markdown and wiki links that should lead to a document, images aside
	Resolved int            // of these, those that do
	Assets   int            // that lead to a file that is no document (.pdf, .js, ...) or to a page that a generator makes
	Folders  int            // that lead to a folder without an index document
	URLs     int            // links that leave the documents
	Outside  int            // that lead to what is not among the sources: above them, or another site of the host
	Orphans  map[string]int // edges of every type without a target, by reason
}

// Graph is what Build makes of all documents.
type Graph struct {
	Docs    []DocInfo
	Extra   []Extra
	Edges   []Edge   // sorted by From, Type, To, Line, Text; distinct
	Orphans []Orphan // sorted by Doc, Line, Type, Target
	Names   []Name   // sorted by Key, Class, Node; distinct
	Stats   Stats
	Diags   []diag.Diagnostic // sorted

	sectionBase []int // the number of sections before each document's, and the total
}

// Node returns the node of a document's section; 0 is the document itself.
func (g *Graph) Node(doc, section int) NodeID {
	if section == 0 {
		return NodeID(doc)
	}
	return NodeID(len(g.Docs) + g.sectionBase[doc] + section)
}

// Place returns the document and the section that a node stands for; section 0 is the document. It panics if there is
// no such node.
func (g *Graph) Place(n NodeID) (doc, section int) {
	i := int(n)
	if i < len(g.Docs) {
		return i, 0
	}
	i -= len(g.Docs)
	if i < g.sectionBase[len(g.Docs)] {
		doc = placeOf(g.sectionBase, i)
		return doc, i - g.sectionBase[doc]
	}
	extra := &g.Extra[i-g.sectionBase[len(g.Docs)]]
	return extra.Doc, extra.Section
}
