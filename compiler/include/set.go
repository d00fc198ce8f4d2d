package include

import (
	"bytes"
	"slices"
	"sort"

	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/compiler/source"
)

// Limits of a document and of a build.
const (
	maxDepth      = 10      // files within files
	maxDirectives = 20_000  // in a document and what it includes
	maxAdded      = 8 << 20 // bytes that are put into a document
	maxTotalAdded = 512 << 20
	// bytes of files that are looked through for the parts that a document asks for, and those of all documents
	maxSearched      = 256 << 20
	maxTotalSearched = 8 << 30
)

// Reader gives the files that documents include. source.Included is one.
type Reader interface {
	// Read returns the file at a slash path below the folder of a source; the same one each time.
	Read(dir int, rel string) (*source.File, error)
	// Base returns the name of a source.
	Base(dir int) string
}

// Set expands the documents of one build. It is not safe for concurrent use: the limits of a build make what comes
// later depend on what came before.
type Set struct {
	reader   Reader
	sites    *dialect.Sites
	known    map[string]bool // the dialects of the sites
	files    []*source.File
	ids      map[*source.File]int
	lines    map[*source.File]*lines
	added    int // bytes that were put into documents
	searched int // bytes that were looked through
	// the syntaxes that the sources really use: an include of theirs was found
	proved   map[use]bool
	doubtful []doubt
}

// use is a syntax in a source folder.
type use struct {
	dir    int
	syntax string
}

// doubt is a finding that holds only where its syntax is really used.
type doubt struct {
	use
	diag diag.Diagnostic
	text *Text
}

// New returns a Set that reads files from r, for documents of sites; nil where none is known.
func New(r Reader, sites *dialect.Sites) *Set {
	s := &Set{
		reader: r, sites: sites, known: map[string]bool{},
		ids: map[*source.File]int{}, lines: map[*source.File]*lines{}, proved: map[use]bool{},
	}
	for _, site := range sites.List() {
		s.known[site.Dialect] = true
	}
	return s
}

// Files returns the files that were included, in the order in which they were first met. Row.File is an index of it.
func (s *Set) Files() []*source.File { return s.files }

// Text is a document with the files that it includes.
type Text struct {
	Data []byte
	// Rows say which lines of Data do not stand in the document's own file: ascending, and no line in two.
	Rows []Row
	// Hidden are the parts of Data that are no text of the document: markers, and directives around what they include.
	Hidden []Span
	// Diags have the paths and lines of the files. They are complete after Set.Finish.
	Diags []diag.Diagnostic
	// Found counts includes that were followed, Missed those that could not be, after Set.Finish.
	Found, Missed int
	Files         []int // ids of all files that it includes, ascending

	doubts int
}

// Row says that lines [Line, Line+Lines) of a text are lines [First, First+Lines) of a file, or that they stand in no
// file: the fences around included code; or, where Lines is 0, that a part of line Line comes from the file. All count
// from 1.
type Row struct {
	Line, Lines int
	File        int // index of Set.Files; Made for lines that stand in no file
	First       int // 0 for Made
	before      int // lines of the rows above it
}

// Made is the File of a row of lines that stand in no file.
const Made = -1

// Span is bytes [Start, End) of a text.
type Span struct{ Start, End int }

// Own returns the line of the document's own file that a line of the text stands for: itself, or that of the directive.
func (t *Text) Own(line int) int {
	i := sort.Search(len(t.Rows), func(i int) bool { return t.Rows[i].Line > line }) - 1
	if i < 0 {
		return line
	}
	r := &t.Rows[i]
	return max(1, line-r.before-min(r.Lines, line-r.Line+1))
}

// Origin returns the file that a line of the text comes from, and its line there; ok is false if that is no included
// file.
func (t *Text) Origin(line int) (file, at int, ok bool) {
	i := sort.Search(len(t.Rows), func(i int) bool { return t.Rows[i].Line > line }) - 1
	if i < 0 || line >= t.Rows[i].Line+t.Rows[i].Lines || t.Rows[i].File == Made {
		return 0, 0, false
	}
	return t.Rows[i].File, t.Rows[i].First + line - t.Rows[i].Line, true
}

// Expand returns the text of a document with what it includes; nil if it has no directive.
//
// Cost: one look at the document; for a document with directives linear in its text and the files that it names, up to
// the limits.
func (s *Set) Expand(f *source.File) *Text {
	if !mayInclude(f.Data) || bytes.IndexByte(f.Data, '\n') < 0 && bytes.IndexByte(f.Data, '\r') >= 0 {
		return nil
	}
	x := &expansion{set: s, file: f, text: &Text{}}
	x.document()
	t := x.text
	if t.Found+t.Missed+t.doubts == 0 {
		return nil
	}
	slices.Sort(t.Files)
	t.Files = slices.Compact(t.Files)
	if t.Found == 0 {
		t.Data, t.Rows, t.Hidden = f.Data, nil, nil
	}
	return t
}

// Finish adds the findings that depend on all documents to their texts: a file that is not there is one where another
// include of that syntax was followed in the same source. Otherwise what looks like an include is likely prose about
// one, or belongs to another tool.
func (s *Set) Finish() {
	for _, d := range s.doubtful {
		if s.proved[d.use] {
			d.text.Diags = append(d.text.Diags, d.diag)
			d.text.Missed++
		}
	}
	s.doubtful = nil
}

// id returns the number of a file, and gives it one when it is first met.
func (s *Set) id(f *source.File) int {
	id, ok := s.ids[f]
	if !ok {
		id = len(s.files)
		s.ids[f], s.files = id, append(s.files, f)
	}
	return id
}

// linesOf returns the lines of a file.
func (s *Set) linesOf(f *source.File) *lines {
	l, ok := s.lines[f]
	if !ok {
		l = indexLines(f.Data)
		s.lines[f] = l
	}
	return l
}
