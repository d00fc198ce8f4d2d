package site

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// view is what the template of a page shows.
type view struct {
	Lang, Dir   string // of the document
	Title, Site string
	Root        string // the way to the root, "" or ../ for each folder
	Canonical   string
	Source      string // the markdown beside the page
	Search      string // the address of the search's data
	Origin      string // its host, if that is another one
	Home        string
	Crumbs      []relation
	Nav         []*entry
	Facts       []fact
	Top         template.HTML // up to the document's own heading
	HTML        template.HTML
	Headline    string // shown where the document has no heading of its own
	Headings    []heading
	Lists       []list
	Prev, Next  *relation
	Out, In     []relation
	Graph       template.HTML
	FromFolder  bool // the search works when the page is opened from a folder
}

// entry is a line of the navigation.
type entry struct {
	Text, URL string
	Folder    bool
	Current   bool
	Open      bool
	Entries   []*entry
}

// fact is a field of a document.
type fact struct {
	Name   string
	Values []relation
}

// list is a list of pages under a heading.
type list struct {
	Heading string
	Entries []relation
}

const (
	maxEntries = 150 // lines of one folder in the navigation
	tocDepth   = 3
)

// document writes the page of a document, and its markdown beside it.
func (s *site) document(t *template.Template, p *page) error {
	body, err := s.docs.render(p)
	if err != nil {
		return err
	}
	v := s.view(p.file, p.title, p.folder)
	v.Lang = s.docs.language(p.doc)
	v.Dir = direction(v.Lang)
	v.HTML, v.Headings = body.HTML, slices.DeleteFunc(
		body.Headings,
		func(h heading) bool { return h.Level < 2 || h.Level > tocDepth },
	)
	if !body.Titled {
		v.Headline = p.title
	} else if top, rest, ok := strings.Cut(string(body.HTML), "</h1>"); ok {
		v.Top, v.HTML = template.HTML(top+"</h1>"), template.HTML(rest)
	}
	v.Source = reference(p.file, p.source)
	v.Crumbs = s.crumbs(p.file, p.folder, p.folder.index == p)
	v.Nav = s.navigation(p.file, p)
	v.Facts = s.facts(p)
	if p.prev != nil {
		v.Prev = &relation{p.prev.title, reference(p.file, p.prev.file), ""}
	}
	if p.next != nil {
		v.Next = &relation{p.next.title, reference(p.file, p.next.file), ""}
	}
	out, in := s.edgesOf(p.doc)
	v.Out = s.relations(p, out, func(e edge) index.DocID { return e.to })
	v.In = s.relations(p, in, func(e edge) index.DocID { return e.from })
	v.Graph = template.HTML(s.picture(p, out, in))
	if p.folder.index == p {
		v.Lists = s.folderLists(p.file, p.folder)
	}
	if err := s.page(t, p.file, v); err != nil {
		return err
	}
	return s.put(p.source, s.docs.source(p.doc))
}

// view is what all pages show.
func (s *site) view(file, title string, f *folder) *view {
	v := &view{
		Lang: s.docs.lang, Title: title, Site: s.plan.root.title, Root: strings.Repeat("../", strings.Count(file, "/")),
		Home: reference(file, "index.html"), FromFolder: s.o.Size <= s.o.Inline && s.o.Source == "",
	}
	v.Dir = direction(v.Lang)
	v.Search = reference(file, own+"/"+cmp.Or(s.o.Source, s.o.Name))
	if u, err := url.Parse(s.o.Source); err == nil && u.Host != "" {
		v.Search, v.Origin = s.o.Source, u.Scheme+"://"+u.Host
	}
	if s.o.Base != "" {
		v.Canonical = s.o.Base + strings.TrimSuffix(reference("x", file), "index.html")
	}
	return v
}

// page writes one page.
func (s *site) page(t *template.Template, file string, v *view) error {
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return s.put(file, b.Bytes())
}

// crumbs are the folders above a page; own says that the page is that of its folder.
func (s *site) crumbs(file string, f *folder, own bool) []relation {
	var list []relation
	if own {
		f = f.parent
	}
	for ; f != nil; f = f.parent {
		list = append(list, relation{f.title, reference(file, f.file), ""})
	}
	slices.Reverse(list)
	return list
}

// navigation is the tree of folders, open where the page is.
func (s *site) navigation(file string, at *page) []*entry {
	above := map[*folder]bool{}
	if at != nil {
		for f := at.folder; f != nil; f = f.parent {
			above[f] = true
		}
	}
	var entries func(f *folder) []*entry
	entries = func(f *folder) []*entry {
		var list []*entry
		for _, p := range f.pages {
			list = append(list, &entry{Text: p.title, URL: reference(file, p.file), Current: p == at})
		}
		if len(list) > maxEntries {
			i := slices.Index(f.pages, at)
			from := max(0, min(i-maxEntries/2, len(list)-maxEntries))
			rest := &entry{Text: fmt.Sprintf("all %d pages", len(list)), URL: reference(file, f.file)}
			list = append(slices.Clone(list[from:from+maxEntries]), rest)
		}
		for _, sub := range f.folders {
			e := &entry{
				Text:    sub.title,
				URL:     reference(file, sub.file),
				Folder:  true,
				Open:    above[sub],
				Current: sub.index != nil && sub.index == at,
			}
			if e.Open {
				e.Entries = entries(sub)
			}
			list = append(list, e)
		}
		return list
	}
	return entries(s.plan.root)
}

// facts are the fields of a document that readers know.
func (s *site) facts(p *page) []fact {
	x := s.x
	var facts []fact
	add := func(name string, pages map[string]string, values ...string) {
		f := fact{Name: name}
		for _, v := range values {
			if v == "" || v == "unknown" {
				continue
			}
			r := relation{Text: v}
			if file := pages[text.Fold(v)]; file != "" {
				r.URL = reference(p.file, file)
			}
			f.Values = append(f.Values, r)
		}
		if len(f.Values) > 0 {
			facts = append(facts, f)
		}
	}
	add("Id", nil, x.DocFrontID(p.doc))
	if kind := x.DocKind(p.doc); kind != "document" {
		add("Kind", s.kinds, kind)
	}
	add("Status", nil, x.DocStatus(p.doc))
	add("Domain", nil, x.DocDomain(p.doc))
	add("Date", nil, x.DocDate(p.doc))
	add("Tags", s.tags, x.DocTags(p.doc)...)
	return facts
}

// listings write the pages of folders without one, of kinds and of tags, and that of addresses that are none.
func (s *site) listings(t *template.Template) error {
	var err error
	write := func(file, title string, f *folder, lists []list) {
		if err != nil || !s.plan.take(file, "a list") {
			return
		}
		v := s.view(file, title, f)
		v.Headline, v.Lists, v.Nav = title, lists, s.navigation(file, nil)
		if f != nil {
			v.Crumbs = s.crumbs(file, f, true)
		} else {
			v.Crumbs = s.crumbs(file, s.plan.root, false)
		}
		err = s.page(t, file, v)
	}
	s.plan.root.walk(func(f *folder) {
		if f.index == nil {
			write(f.file, f.title, f, s.folderLists(f.file, f))
		}
	})
	for _, facet := range []struct {
		field, name string
		pages       map[string]string
	}{{"kind", "Kind", s.kinds}, {"tag", "Tag", s.tags}} {
		for _, value := range slices.Sorted(maps.Keys(facet.pages)) {
			file := facet.pages[value]
			l := list{}
			for it := s.x.Facet(facet.field, value).Iterator(); it.HasNext(); {
				if p := s.plan.byDoc[it.Next()]; p != nil {
					l.Entries = append(l.Entries, relation{p.title, reference(file, p.file), dirOf(p.path)})
				}
			}
			write(file, facet.name+": "+value, nil, []list{l})
		}
	}
	write(
		"404.html",
		"Page not found",
		nil,
		[]list{{Entries: []relation{{"Home", reference("404.html", "index.html"), ""}}}},
	)
	return err
}

// folderLists are the folders and pages of a folder; of the root the kinds and tags too.
func (s *site) folderLists(file string, f *folder) []list {
	var lists []list
	add := func(heading string, entries []relation) {
		if len(entries) > 0 {
			lists = append(lists, list{heading, entries})
		}
	}
	var pages, folders []relation
	for _, p := range f.pages {
		pages = append(pages, relation{p.title, reference(file, p.file), ""})
	}
	for _, sub := range f.folders {
		folders = append(folders, relation{sub.title, reference(file, sub.file), count(sub.count)})
	}
	add("Pages", pages)
	add("Folders", folders)
	if f.parent == nil {
		for _, facet := range []struct {
			heading string
			pages   map[string]string
			field   string
		}{{"Kinds", s.kinds, "kind"}, {"Tags", s.tags, "tag"}} {
			var entries []relation
			values, counts := s.x.FacetValues(facet.field)
			for i, v := range values {
				if name := facet.pages[v]; name != "" {
					entries = append(entries, relation{v, reference(file, name), count(counts[i])})
				}
			}
			add(facet.heading, entries)
		}
	}
	return lists
}

func count(n int) string {
	if n == 1 {
		return "1 page"
	}
	return fmt.Sprintf("%d pages", n)
}
