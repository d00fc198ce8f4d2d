package include

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"kdd/compiler/dialect"
)

// Names of the syntaxes.
const (
	MdBook     = "mdbook"     // {{#include a.rs:anchor}}
	Snippets   = "snippets"   // --8<-- "a.md" of PyMdown, which MkDocs and Zensical use
	VitePress  = "vitepress"  // <<< @/a.ts and <!--@include: a.md-->
	Hugo       = "hugo"       // {{% readfile "a.md" %}} and the like
	Docusaurus = "docusaurus" // import A from '!!raw-loader!./a.js'
)

// syntax is how one generator includes files.
type syntax struct {
	name string
	// signs are such that a text without any of them includes nothing.
	signs []string
	// read returns the directives in a line, in order; and whether the line is no text although it has none.
	read func(r *reading, n int, line []byte) plan
	// dialects are the generators that have it. Where a site of one of them is among the sources, its pages have the
	// syntax; other documents only show it.
	dialects []string
	// places returns the slash paths below the source folder where the file of a directive may lie, best first.
	places func(w place, d *directive) []string
}

// syntaxes has a row for each syntax.
var syntaxes []*syntax

func init() { // the functions of the rows refer to the table
	syntaxes = []*syntax{
		{MdBook, []string{"{{"}, readMdBook, []string{"mdbook"}, besideFile},
		{Snippets, []string{"-8<-"}, readSnippets, []string{"mkdocs"}, snippetPlaces},
		{VitePress, []string{"<<<", "@include:"}, readVitePress, []string{"vitepress"}, vitePressPlaces},
		{Hugo, []string{"{{<", "{{%"}, readHugo, []string{"hugo"}, hugoPlaces},
		{Docusaurus, []string{"raw-loader!", "?raw"}, readRawImport, []string{"docusaurus", "starlight"}, rawImportPlaces},
	}
}

// directive is one place in a line that includes a file.
type directive struct {
	syntax     *syntax
	start, end int    // bytes of the line that it takes
	file       string // as written
	folder     string // below one above the document: the file may lie there too
	// choose returns the lines of a file that are asked for, of those in within, and how much white space is taken off
	// them; missing says what the file does not have. nil: all of within.
	choose func(l *lines, within ranges) (chosen ranges, dedent int, missing string)
	strip  bool   // leave front matter out
	fence  bool   // the lines become code, in a fence with info
	info   string // such as a language
}

// plan is what becomes of a line.
type plan struct {
	directives []directive
	hide       bool // the line is no text of the document
}

// place is where a directive stands.
type place struct {
	document string // slash path of the document below the source folder
	file     string // of the file with the directive
	base     string // name of the source folder
	known    bool   // a generator's site has the document
	tree     string // the folder of the site's pages, below the source folder
}

// has reports whether documents of a site have the syntax.
func (s *syntax) has(site *dialect.Site, known map[string]bool) bool {
	return slices.Contains(s.dialects, site.Dialect) || !slices.ContainsFunc(s.dialects, func(name string) bool { return known[name] })
}

// mayInclude reports whether a text has a sign of any syntax.
func mayInclude(data []byte) bool {
	for _, s := range syntaxes {
		if s.in(data) {
			return true
		}
	}
	return false
}

// in reports whether a text has a sign of the syntax.
func (s *syntax) in(data []byte) bool {
	for _, sign := range s.signs {
		if bytes.Contains(data, []byte(sign)) {
			return true
		}
	}
	return false
}

// reading is how far the lines of a frame are read.
type reading struct {
	*frame
	now      int // the line that is read
	syntaxes []*syntax
	fence    fenceState
	plans    map[int]plan      // of lines further down, by number
	block    bool              // between the two lines of scissors around names of files
	imports  map[string]string // files by the names under which they are imported
}

// newReading returns the reading of a frame: of the document in the syntaxes of its site, of a file in the one that
// includes it. known are the dialects that there are.
func newReading(f *frame, known map[string]bool) *reading {
	r := &reading{frame: f, plans: map[int]plan{}}
	for _, s := range syntaxes {
		if (f.syntax == s || f.syntax == nil && s.has(f.site, known)) && s.in(f.lines.data) {
			r.syntaxes = append(r.syntaxes, s)
		}
	}
	return r
}

// maxLine is the longest line that is looked at.
const maxLine = 16 << 10

// read returns what becomes of line n.
func (r *reading) read(n int) plan {
	line := r.lines.text(n)
	r.now = n
	if p, ok := r.plans[n]; ok {
		delete(r.plans, n)
		return p
	}
	if len(r.syntaxes) == 0 || len(line) > maxLine {
		return plan{}
	}
	defer r.fence.next(line)
	for _, s := range r.syntaxes {
		p := s.read(r, n, line)
		if len(p.directives) == 0 && !p.hide {
			continue
		}
		s.claim(&p)
		for n, later := range r.plans {
			s.claim(&later)
			r.plans[n] = later
		}
		return p
	}
	return plan{}
}

// claim says of directives without a syntax that they are of s.
func (s *syntax) claim(p *plan) {
	for i := range p.directives {
		if p.directives[i].syntax == nil {
			p.directives[i].syntax = s
		}
	}
}

// fenceState says whether a line is inside a fence.
type fenceState struct {
	mark byte // of the fence that is open, 0 for none
	size int
}

// next takes the line into account.
func (f *fenceState) next(line []byte) {
	line = bytes.TrimLeft(line, " \t>")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return
	}
	mark := line[0]
	n := len(line) - len(bytes.TrimLeft(line, string(mark)))
	rest := bytes.TrimSpace(line[n:])
	switch {
	case f.mark == 0 && n >= 3 && (mark == '~' || bytes.IndexByte(rest, '`') < 0):
		f.mark, f.size = mark, n
	case f.mark == mark && n >= f.size && len(rest) == 0:
		f.mark = 0
	}
}

// besideFile resolves a path from the folder of the file that it is written in.
func besideFile(w place, d *directive) []string { return beside(w.file, d.file) }

// beside resolves a path from the folder of a file.
func beside(from, file string) []string {
	if path.IsAbs(file) {
		return []string{".."} // out of the source folder
	}
	return []string{path.Join(path.Dir(from), file)}
}

// parents returns the folder of a slash path and those above it, the nearest first; the last one is "".
func parents(file string) []string {
	var list []string
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		list = append(list, dir)
	}
	return append(list, "")
}

// below returns a path, or one that begins with "/", below each of the folders.
func below(folders []string, file string) []string {
	list := make([]string, len(folders))
	for i, dir := range folders {
		list[i] = path.Join(dir, strings.TrimLeft(file, "/"))
	}
	return list
}

// valid returns text as UTF-8.
func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
