package graph

import (
	"path"
	"strings"

	"kdd/compiler/dialect"
)

// siteTable finds the pages of one site by their addresses.
type siteTable struct {
	*dialect.Site
	pages   map[string]tally[int] // by normal address
	aliases map[string]tally[int] // by the other addresses that pages have: they give way to a page's own
	tops    map[string]bool       // the first segments of the addresses of pages
	above   *siteTable            // the site in whose folder this one lies; nil if there is none
}

// page is where a document is published.
type page struct {
	site *siteTable // never nil: the plain one publishes nothing
	tree *dialect.Tree
	at   string // its address
	// around is the site in whose folder a document lies that it does not publish, so that its pages may show it; nil if
	// there is none.
	around *siteTable
}

// maxHops bounds redirects that lead to redirects.
const maxHops = 8

// fillSites finds out where each document is published.
func (b *builder) fillSites() {
	tables := map[*dialect.Site]*siteTable{}
	table := func(s *dialect.Site) *siteTable {
		t := tables[s]
		if t == nil {
			t = &siteTable{Site: s, pages: map[string]tally[int]{}, aliases: map[string]tally[int]{}, tops: map[string]bool{}}
			tables[s] = t
		}
		return t
	}
	b.pages = make([]page, len(b.docs))
	for d, doc := range b.docs {
		s, tree := b.opts.Sites.Of(doc.Path)
		p := page{site: table(s), tree: tree}
		if tree != nil {
			fields := &b.facts[d].fields
			for i, address := range s.Addresses(tree, dialect.Page{
				Path: strings.TrimPrefix(strings.TrimPrefix(doc.Path, tree.Dir), "/"), Title: doc.Title, Field: fields.values,
			}) {
				if i == 0 {
					p.at = address
					count(p.site.pages, address, d)
				} else {
					count(p.site.aliases, address, d)
				}
				top, _, _ := strings.Cut(address, "/")
				p.site.tops[top] = true
			}
		}
		if s.IsPlain() {
			if around := b.opts.Sites.Around(doc.Path); around != nil {
				p.around = table(around)
			}
		}
		b.pages[d] = p
	}
	for s, t := range tables {
		if above := b.opts.Sites.Above(s); above != nil {
			t.above = tables[above]
		}
	}
}

// values returns the values of a field of the front matter.
func (s *fieldSet) values(name string) []string {
	if i, ok := s.index[fieldName(name)]; ok {
		return s.fields[i].Values
	}
	return nil
}

// routeSite follows a path as the generator of document d's site does.
func (b *builder) routeSite(d int, target string) route {
	p, slash := &b.pages[d], strings.HasSuffix(target, "/")
	if strings.HasPrefix(target, "/") {
		return b.routeRooted(p, target, slash)
	}
	clean, inside := joinInside(b.dirs[d], target)
	file := func() (route, bool) {
		if doc, ok := b.docAt(clean, slash); inside && ok {
			return route{outcome: isDocument, doc: doc, path: clean}, true
		}
		return route{}, false
	}
	address, climbs := "", false
	published := func() (r route, ok bool) {
		for i, base := range b.bases(d) {
			at, below := joinInside(base, target)
			if i == 0 {
				address, climbs = at, !below
			}
			if below {
				r, ok = b.inSite(p.site, at, 0)
			} else if above := p.site.above; above != nil {
				if at, below = joinInside(path.Join(p.site.Below(above.Site), base), target); below {
					r, ok = b.inSite(above, at, 0)
				}
			}
			if ok {
				return r, true
			}
		}
		return r, false
	}
	steps := []func() (route, bool){published, file}
	if isPathName(target) {
		steps = []func() (route, bool){file, published}
	}
	steps = append(steps, func() (route, bool) { return b.fromTreeTop(p, target, slash) })
	for _, step := range steps {
		if r, ok := step(); ok {
			return r
		}
	}
	switch {
	case inside && b.paths.folder[clean]:
		return route{outcome: isFolder, path: clean}
	case inside && (isAssetPath(clean) || b.isThere(clean)):
		return route{outcome: isAsset, path: clean}
	case inside && p.site.Unplaced && isPublished(target):
		return route{outcome: isOutside, path: clip(target)}
	case p.site.Hook != "" && isWord(target):
		return route{outcome: isOutside, path: clip(target)}
	case !isPathName(target) && (climbs || b.isForeign(p, address)), !inside:
		return route{outcome: isOutside, path: clip(target)}
	}
	if doc, ok := b.onlyMeant(clean); ok && doc != d {
		return route{outcome: isDocument, doc: doc, moved: true, path: clean}
	}
	return route{outcome: isMissing, path: clean}
}

// isPublished reports whether a target is the name of a published page, not of a source.
func isPublished(target string) bool {
	_, html := cutHTML(target)
	return html
}

// isWord reports whether a target is neither path nor file.
func isWord(target string) bool { return !strings.ContainsAny(target, "/.#?") }

// bases returns the folders of addresses that relative links of document d count from, the likely one first.
func (b *builder) bases(d int) []string {
	p := &b.pages[d]
	beside := path.Dir("/" + p.at)[1:]
	if p.site.Pretty || b.rules.indexFiles[strings.ToLower(stemOf(b.docs[d].Path))] {
		return []string{p.at, beside}
	}
	return []string{beside, p.at}
}

// fromTreeTop follows a target without "/" or dots at its beginning from the top of the page's tree, where the
// generator does.
func (b *builder) fromTreeTop(p *page, target string, slash bool) (route, bool) {
	if !p.site.FromTop || strings.HasPrefix(target, ".") {
		return route{}, false
	}
	for _, dir := range []string{p.tree.Dir, p.site.Dir} {
		if clean, ok := joinInside(dir, target); ok {
			if doc, ok := b.docAt(clean, slash); ok {
				return route{outcome: isDocument, doc: doc, path: clean}, true
			}
		}
	}
	if at, ok := joinInside(p.tree.Prefix, target); ok {
		if r, ok := b.inSite(p.site, at, 0); ok && r.outcome == isDocument {
			return r, true
		}
	}
	return route{}, false
}

// routeRooted follows a target that begins with "/": an address of the site, else a file from the top of its tree, of
// the site's folder or of the sources.
func (b *builder) routeRooted(p *page, target string, slash bool) route {
	below, local := p.site.Local(target)
	address, _ := joinInside("", below)
	if r, ok := b.inSite(p.site, address, 0); ok {
		return r
	}
	clean, _ := joinInside("", target)
	for _, dir := range []string{p.tree.Dir, p.site.Dir, ""} {
		file := path.Join(dir, clean)
		if doc, ok := b.docAt(file, slash); ok {
			return route{outcome: isDocument, doc: doc, path: file}
		}
		if b.paths.folder[file] {
			return route{outcome: isFolder, path: file}
		}
	}
	switch {
	case !local || b.isForeign(p, address):
		return route{outcome: isOutside, path: clip(target)}
	case isAssetPath(clean) || b.isThere(clean):
		return route{outcome: isAsset, path: clean}
	}
	return route{outcome: isMissing, path: clean}
}

// isThere reports whether there is a file or folder at a path: one that is no document, such as LICENSE.
func (b *builder) isThere(p string) bool { return p != "" && b.opts.Exists != nil && b.opts.Exists(p) }

// inSite follows an address of a site: to its page, by a redirect, to a file or list that the generator publishes, to
// the page in the default language.
func (b *builder) inSite(s *siteTable, address string, hops int) (r route, ok bool) {
	key := dialect.Normal(address)
	for _, addresses := range []map[string]tally[int]{s.pages, s.aliases} {
		if t, found := addresses[key]; found {
			if t.n > 1 {
				return route{outcome: isAmbiguous, others: t.n - 1, path: address}, true
			}
			return route{outcome: isDocument, doc: t.first, path: b.docs[t.first].Path}, true
		}
	}
	to, found := s.Redirects[key]
	if !found {
		to, found = s.Moved(key)
	}
	if found && hops < maxHops {
		if hasScheme(to) || strings.HasPrefix(to, "//") {
			return route{outcome: isURL}, true
		}
		below, _ := s.Local(to)
		if next, inside := joinInside("", below); inside {
			return b.inSite(s, next, hops+1)
		}
	}
	if file, found := s.Pages[key]; found {
		return route{outcome: isAsset, path: file}, true
	}
	if s.IsGenerated(key) {
		return route{outcome: isAsset}, true
	}
	if address != "" {
		for _, file := range s.Places(strings.TrimSuffix(address, "/")) {
			if b.isThere(file) {
				return route{outcome: isAsset, path: file}, true
			}
		}
	}
	for i := range s.Trees {
		t := &s.Trees[i]
		if rest, found := cutFolder(strings.Trim(address, "/"), t.Prefix); found && b.paths.folder[path.Join(t.Dir, rest)] {
			return route{outcome: isFolder, path: path.Join(t.Dir, rest)}, true
		}
	}
	if rest, found := s.Untranslated(address); found && hops < maxHops {
		return b.inSite(s, rest, hops+1)
	}
	return r, false
}

// cutFolder takes a folder off the beginning of a path.
func cutFolder(p, folder string) (rest string, found bool) {
	if folder == "" {
		return p, true
	}
	rest, found = strings.CutPrefix(p, folder)
	return strings.TrimPrefix(rest, "/"), found && (rest == "" || rest[0] == '/')
}

// isForeign reports whether the first folder of an address is that of no page and of no folder of the sources: it
// belongs to another site of the host.
func (b *builder) isForeign(p *page, address string) bool {
	top, _, nested := strings.Cut(address, "/")
	if !nested || p.site.tops[dialect.Normal(top)] {
		return false
	}
	dirs := []string{p.site.Dir, ""}
	if p.tree != nil {
		dirs = append(dirs, p.tree.Dir)
	}
	for _, dir := range dirs {
		folder := path.Join(dir, top)
		if b.paths.folder[folder] || b.isThere(folder) {
			return false
		}
	}
	return true
}
