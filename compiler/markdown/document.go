package markdown

import (
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// Document is one parsed source file. All offsets are byte offsets into Source; all lines count from 1.
type Document struct {
	Path   string // slash path relative to the source folder, as the artifact has it
	Source []byte // the text as stored: the file's bytes, or their UTF-8 transcription

	FrontMatter *FrontMatter // nil if the file has none
	Title       string       // front matter, else the heading that is the first text, else the file stem
	TitleFrom   string       // "front-matter", "heading" or "stem"
	Draft       bool         // draft: true or published: false

	// Sections in document order. Sections[0] is the document itself: Level 0, Anchor "", Heading = Title, whole file;
	// its own blocks are the preamble. A section's descendants follow it directly, so a subtree is one range.
	Sections []Section
	Links    []Link    // in source order
	Mentions []TextRun // running text outside code, headings included: where ids are looked for
	Anchors  []Anchor  // ids that links may name beside the sections' own, in source order
	Diags    []diag.Diagnostic

	lines lineIndex // of Source
}

// Line returns the number of the line that holds the byte at offset in Source. Cost: O(log lines) after Parse.
func (d *Document) Line(offset int) int {
	if d.lines.starts == nil {
		return indexLines(d.Source).line(offset)
	}
	return d.lines.line(offset)
}

// ReleaseText frees the text that chunks were cut from. Only sections with tables keep their blocks, without text,
// since rows of tables name relations, and of the running text only what has a "-" or "_" is kept, since every id that
// text can mention has one. All documents are in memory until they are linked, and text is most of that memory. Slices
// that grew by doubling are copied to their size.
func (d *Document) ReleaseText() {
	d.Mentions = slices.DeleteFunc(d.Mentions, func(t TextRun) bool { return !t.Tag && !strings.ContainsAny(t.Text, "-_") })
	d.Sections, d.Links, d.Mentions = slices.Clone(d.Sections), slices.Clone(d.Links), slices.Clone(d.Mentions)
	for i := range d.Mentions {
		d.Mentions[i].Text = strings.Clone(d.Mentions[i].Text) // not the whole block's text
	}
	for i := range d.Sections {
		s := &d.Sections[i]
		if !slices.ContainsFunc(s.Blocks, func(b Block) bool { return b.Kind == Table }) {
			s.Blocks = nil
			continue
		}
		for k := range s.Blocks {
			s.Blocks[k].Text, s.Blocks[k].Map = "", nil
		}
	}
}

// ReleaseReferences frees what the graph was made from: the other blocks, links, mentions, anchors and the index of
// lines.
func (d *Document) ReleaseReferences() {
	for i := range d.Sections {
		d.Sections[i].Blocks = nil
	}
	d.Links, d.Mentions, d.Anchors, d.lines = nil, nil, nil, lineIndex{}
}

// Section is a heading and what follows it up to the next heading of the same or a higher level.
type Section struct {
	Parent  int    // index into Document.Sections; -1 for Sections[0]
	Level   int    // 0 the document, 1-6 the heading's level
	Heading string // plain text, explicit anchor taken out
	Anchor  string // explicit id or GitHub slug; duplicates numbered; unique in the document
	// Explicit says that the source gives the anchor itself.
	Explicit bool
	// Aliases are other names by which links may call the section: further explicit ids, and GitHub's slug where the
	// anchor is explicit. No alias is another section's anchor.
	Aliases []string
	Tags    []string // of a .feature file's feature, rule or scenario, "@" left out
	// Scenario says that the section is a scenario, outline or example of a .feature file.
	Scenario bool

	Start, End         int // bytes [Start, End): from the heading line to the end of the subtree
	LineStart, LineEnd int // first and last line, inclusive
	Blocks             []Block
}

// BlockKind says how a block may be cut and shown.
type BlockKind uint8

// The kinds of block.
const (
	Paragraph BlockKind = iota
	ListItem
	Code  // fenced or indented: its text is the code, verbatim
	Table // a whole table, text is one line a row, cells joined with " | "
	HTML  // text content only
	Quote
)

// Block is a leaf run of text that belongs to one section.
type Block struct {
	Kind       BlockKind
	Start, End int    // source bytes, widened to whole lines
	Text       string // plain text: links reduced to their text, markup and comments removed
	Info       string // a fence's info string
	// Map relates Text to Source: Text[Map[i].Text:] starts at Source[Map[i].Source:]; ascending, first entry Text 0.
	Map []Place
	// Rows are a table's rows after its header, for readers of relation tables; nil for other kinds.
	Header []string
	Rows   []Row
}

// Row is one body row of a table.
type Row struct {
	Line  int
	Cells []string // plain text, one per column; a short row has fewer, and none has more
}

// Place pairs an offset in a block's plain text with one in the source.
type Place struct{ Text, Source int }

// LinkKind says how a link is written.
type LinkKind uint8

// The kinds of link.
const (
	Inline    LinkKind = iota // [text](target)
	Reference                 // [text][ref], [ref]
	Wiki                      // [[target]], [[target|alias]], [[domain::target#anchor]]
	Auto                      // <https://…> and bare URLs
	Image                     // ![alt](target)
	Raw                       // <a href="target">text</a>
)

// Link is one link outside code.
type Link struct {
	Kind    LinkKind
	Text    string // what the reader sees: link text, alias or target
	Target  string // as written (percent signs kept); for Wiki without domain and alias, with "#anchor"
	Domain  string // Wiki only: the part before "::"
	Offset  int    // source byte of the link's first character
	Line    int
	Col     int // from 1, in characters (diag.Col)
	Section int // index into Sections
}

// Anchor is an id that stands in a document outside its sections' headings: of a tag, or of a heading inside a quote
// or list item, which is no section.
type Anchor struct {
	ID      string
	Offset  int // source byte of the tag or heading
	Line    int
	Section int // index into Sections: where the id stands
}

// TextRun is a stretch of running text.
type TextRun struct {
	Text    string
	Offset  int // source byte of its first character
	Line    int
	Section int
	Tag     bool // a tag of a .feature file, without its "@"
}

// FrontMatter is the metadata of a document, in source order.
type FrontMatter struct {
	Fields             []Field
	LineStart, LineEnd int
	// Form is "yaml" (at the top), "heading" (a YAML block under the first heading), "table" (recovered), "toml" or
	// "json".
	Form string
}

// ValueType is the type a front-matter value was written as.
type ValueType uint8

// The types of front-matter values. Values are always held as text in canonical form.
const (
	StringValue ValueType = iota
	BoolValue             // "true", "false"
	IntValue
	FloatValue
	DateValue // "2006-01-02" or RFC 3339
	NullValue // ""
)

// Field is one key of the front matter; nested maps are flattened with "." between the keys.
type Field struct {
	Name   string // as written
	Line   int
	List   bool // written as a list; Values has its items
	Type   ValueType
	Values []string
}

// Get returns the field of that name (ASCII case-insensitive), or nil.
func (m *FrontMatter) Get(name string) *Field {
	if m == nil {
		return nil
	}
	for i := range m.Fields {
		if equalFold(m.Fields[i].Name, name) {
			return &m.Fields[i]
		}
	}
	return nil
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		x, y := a[i], b[i]
		if 'A' <= x && x <= 'Z' {
			x += 'a' - 'A'
		}
		if 'A' <= y && y <= 'Z' {
			y += 'a' - 'A'
		}
		if x != y {
			return false
		}
	}
	return true
}
