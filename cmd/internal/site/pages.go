package site

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// own is the folder of what is not a document: search, styles, lists of kinds and tags.
const own = "kdd"

// page is the page of a document.
type page struct {
	doc    index.DocID
	path   string // of the document
	file   string // of the page
	source string // of the document's text beside it
	title  string
	folder *folder
	prev   *page
	next   *page
}

// folder is a folder of documents.
type folder struct {
	path    string // "" for the root, else without a slash at its end
	title   string
	file    string // of its page: that of its index, or a list
	index   *page  // nil: the list is written
	pages   []*page
	folders []*folder
	parent  *folder
	count   int // documents in it and below
}

// plan is what is written.
type plan struct {
	pages    []*page
	byDoc    []*page // nil for a document that has no page
	root     *folder
	folders  map[string]*folder
	taken    map[string]string // files by their names without case, and whose they are
	warnings []string
}

// bare is the path of a markdown file without its ending; other files keep theirs.
func bare(file string) string {
	for _, ext := range []string{".md", ".mdx", ".markdown"} {
		if len(file) > len(ext) && strings.EqualFold(file[len(file)-len(ext):], ext) {
			return file[:len(file)-len(ext)]
		}
	}
	return file
}

// isIndex says whether a name, without ending, is that of a folder's page.
func isIndex(name string) bool {
	return slices.Contains([]string{"index", "_index", "readme"}, strings.ToLower(name))
}

// usable says whether a path can be a file's, on any system.
func usable(file string) bool {
	return fs.ValidPath(file) && file != "." && !strings.ContainsFunc(file, func(r rune) bool {
		return r < ' ' || strings.ContainsRune(`\:*?"<>|`, r)
	})
}

// newPlan gives documents their pages.
func newPlan(x *index.Index, title string) *plan {
	p := &plan{byDoc: make([]*page, x.Docs()), folders: map[string]*folder{}, taken: map[string]string{}}
	p.root = p.folderOf("")
	p.root.title = title
	docs := make([]index.DocID, 0, x.Docs())
	for d := range index.DocID(x.Docs()) {
		docs = append(docs, d)
	}
	// index.md before README.md before _index.md: the first of a folder is the folder's page.
	rank := func(d index.DocID) int {
		return slices.Index([]string{"index", "readme", "_index"}, strings.ToLower(path.Base(bare(x.DocPath(d)))))
	}
	slices.SortStableFunc(docs, func(a, b index.DocID) int { return cmp.Compare(uint(rank(a)), uint(rank(b))) })
	for _, d := range docs {
		p.add(x, d)
	}
	p.root.finish()
	var last *page
	p.root.each(func(at *page) {
		if at.prev = last; last != nil {
			last.next = at
		}
		last = at
		p.pages = append(p.pages, at)
	})
	return p
}

// add gives a document a page, unless its path is none that can be written.
func (p *plan) add(x *index.Index, d index.DocID) {
	at := &page{doc: d, path: x.DocPath(d), title: cmp.Or(strings.TrimSpace(x.DocTitle(d)), x.DocPath(d))}
	if !usable(at.path) || strings.HasPrefix(strings.ToLower(at.path), own+"/") {
		p.warn("%q: left out, want a path that can be a file's on any system, outside of %s/", at.path, own)
		return
	}
	name := bare(at.path)
	at.folder = p.folderOf(dirOf(at.path))
	at.file, at.source = name+".html", at.path
	switch first := at.folder.index; {
	case !isIndex(path.Base(name)):
	case first == nil:
		at.file = join(at.folder.path, "index.html")
	default:
		p.warn(
			"%q: its page is %s, since %q is that of the folder; hits of the search lead there",
			at.path,
			at.file,
			first.path,
		)
	}
	if !p.take(at.file, at.path) {
		whose := p.taken[strings.ToLower(at.file)]
		at.file = at.path + ".html"
		if !p.take(at.file, at.path) {
			p.warn("%q: left out, %s is the page of %q", at.path, at.file, whose)
			return
		}
		p.warn("%q: its page is %s, since %q has the other one", at.path, at.file, whose)
	}
	if !p.take(at.source, at.path) {
		p.warn("%q: left out, %q has the same path but for case", at.path, p.taken[strings.ToLower(at.source)])
		return
	}
	if at.file == join(at.folder.path, "index.html") {
		at.folder.index, at.folder.title = at, at.title
	} else {
		at.folder.pages = append(at.folder.pages, at)
	}
	p.byDoc[d] = at
}

// take claims a file, if nothing has one of this name, whatever its case.
func (p *plan) take(file, whose string) bool {
	key := strings.ToLower(file)
	if _, taken := p.taken[key]; taken {
		return false
	}
	p.taken[key] = whose
	return true
}

func (p *plan) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

// dirOf is the folder of a path, "" for the root.
func dirOf(file string) string {
	if dir := path.Dir(file); dir != "." {
		return dir
	}
	return ""
}

func join(dir, name string) string { return strings.TrimPrefix(dir+"/"+name, "/") }

// folderOf returns a folder, and makes it and those above it.
func (p *plan) folderOf(dir string) *folder {
	if f := p.folders[dir]; f != nil {
		return f
	}
	f := &folder{path: dir, title: titled(path.Base(dir)), file: join(dir, "index.html")}
	p.folders[dir] = f
	if dir != "" {
		f.parent = p.folderOf(dirOf(dir))
		f.parent.folders = append(f.parent.folders, f)
	}
	return f
}

// titled makes a title of a folder's name.
func titled(name string) string {
	name = strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// finish orders a folder, and counts what is in it.
func (f *folder) finish() {
	slices.SortFunc(f.pages, func(a, b *page) int { return natural(a.path, b.path) })
	slices.SortFunc(f.folders, func(a, b *folder) int { return natural(a.path, b.path) })
	f.count = len(f.pages)
	if f.index != nil {
		f.count++
	}
	for _, sub := range f.folders {
		sub.finish()
		f.count += sub.count
	}
}

// each calls do with all pages in the order of the navigation.
func (f *folder) each(do func(*page)) {
	if f.index != nil {
		do(f.index)
	}
	for _, p := range f.pages {
		do(p)
	}
	for _, sub := range f.folders {
		sub.each(do)
	}
}

// natural compares names so that 2 stands before 10.
func natural(a, b string) int {
	x, y := text.Fold(a), text.Fold(b)
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
		if n > 0 && m > 0 {
			left, right := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
			if c := cmp.Or(cmp.Compare(len(left), len(right)), cmp.Compare(left, right)); c != 0 {
				return c
			}
			x, y = x[n:], y[m:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits counts the digits that a text begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
