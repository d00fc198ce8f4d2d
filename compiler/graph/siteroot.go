package graph

import (
	"iter"
	"path"
	"slices"
	"strings"

	"kdd/format/text"
)

// maxSiteRoots bounds how many folders are tried as a site's root.
const maxSiteRoots = 16

// siteRoots gives each folder above document d, outermost first. The source root is not among them. Any of these
// folders may be the root of the site that d belongs to: on a Hugo site, for example, content/en is.
func (b *builder) siteRoots(d int) iter.Seq[string] {
	return func(yield func(root string) bool) {
		dir := b.dirs[d]
		for i, n := 0, 0; i < len(dir) && n < maxSiteRoots; n++ {
			end := strings.IndexByte(dir[i:], '/')
			if end < 0 {
				end = len(dir) - i
			}
			if i += end; !yield(dir[:i]) {
				return
			}
			i++
		}
	}
}

// fromRoots follows a target to where it leads on a site, which is not as the files lie. clean is where it leads from
// the source root or, without a "/" at its beginning, from the document's folder.
func (b *builder) fromRoots(d int, target, clean string) (r route, ok bool) {
	slash := strings.HasSuffix(target, "/")
	if !strings.HasPrefix(target, "/") {
		if r, ok = b.fromTop(d, target, slash); ok {
			return r, true
		}
		return b.fromSourceRoot(clean, false)
	}
	if r, ok = b.fromSiteRoot(d, clean, slash); ok {
		return r, true
	}
	if doc, ok := b.withoutBase(clean, slash); ok {
		return route{outcome: isDocument, doc: doc, moved: true, path: clean}, true
	}
	return r, false
}

// fromSiteRoot follows a target that begins with "/", from the top of the site.
//
// A file of that very path counts more than a page whose address it is. Two documents of which one counts as much as
// the other make the target ambiguous: which folder is the site's root is not known.
func (b *builder) fromSiteRoot(d int, clean string, slash bool) (r route, ok bool) {
	if r, ok = b.belowRoots(d, clean, func(p string) (int, bool) { return b.docAt(p, slash) }); ok {
		return r, true
	}
	if r, ok = b.fromSourceRoot(clean, true); ok {
		return r, true
	}
	if r, ok = b.belowRoots(d, clean, func(p string) (int, bool) { return b.addressed(p, true) }); ok {
		r.moved = isPathName(clean)
		return r, true
	}
	for root := range b.siteRoots(d) {
		if p := path.Join(root, clean); b.paths.folder[p] {
			return route{outcome: isFolder, path: p}, true
		}
	}
	return r, false
}

// fromTop follows a target without "/" at its beginning that leads nowhere beside the page: Docusaurus and Obsidian
// look for it from the top of the site, unless it begins with a dot.
func (b *builder) fromTop(d int, target string, slash bool) (r route, ok bool) {
	clean, inside := joinInside("", target)
	if strings.HasPrefix(target, ".") || !inside || clean == "" {
		return r, false
	}
	for _, find := range []func(string) (int, bool){
		func(p string) (int, bool) { return b.docAt(p, slash) },
		func(p string) (int, bool) { return b.addressed(p, false) },
	} {
		if doc, ok := find(clean); ok {
			return route{outcome: isDocument, doc: doc, path: clean, moved: true}, true
		}
		if r, ok = b.belowRoots(d, clean, find); ok {
			r.moved = true
			return r, true
		}
	}
	return r, false
}

// belowRoots looks for clean below each folder that may be the site's root. The target is ambiguous if there are
// several documents.
func (b *builder) belowRoots(d int, clean string, find func(p string) (int, bool)) (r route, ok bool) {
	for root := range b.siteRoots(d) {
		p := path.Join(root, clean)
		doc, found := find(p)
		switch {
		case !found || ok && doc == r.doc:
		case !ok:
			r, ok = route{outcome: isDocument, doc: doc, path: p}, true
		default:
			r.outcome = isAmbiguous
			r.others++
		}
	}
	return r, ok
}

// fromSourceRoot finds the only document whose address from the source root clean is, written small or as generators
// make it.
func (b *builder) fromSourceRoot(clean string, rooted bool) (r route, ok bool) {
	r = route{outcome: isDocument, path: clean, moved: isPathName(clean)}
	if r.doc, ok = b.paths.folded[text.Fold(b.rules.bare(clean))].only(); ok {
		r.moved = r.moved || !rooted
		return r, true
	}
	r.doc, ok = b.published(clean)
	return r, ok
}

// addressed finds the only document that has the path p as its address: by a slug or a former URL, in small letters
// whatever the file's name is, or as generators make it of the file's name.
func (b *builder) addressed(p string, rooted bool) (doc int, ok bool) {
	folded := text.Fold(p)
	if doc, ok = b.paths.urls[folded].only(); ok {
		return doc, true
	}
	if doc, ok = b.paths.folded[folded].only(); ok && rooted && !isPathName(p) {
		return doc, true
	}
	return b.published(p)
}

// published finds the only document to which generators give the path p; none if there are several.
func (b *builder) published(p string) (doc int, ok bool) {
	if bare, html := cutHTML(p); html {
		p = bare
	}
	p = text.Fold(b.rules.bare(p))
	if doc, ok = b.paths.public[publicPath(p)].only(); ok {
		return doc, true
	}
	i := len(p)
	for range 4 {
		if i = strings.LastIndexByte(p[:max(0, i)], '/'); i < 0 {
			break
		}
	}
	return b.paths.dated[p[i+1:]].only()
}

// publicPath returns the path that a document has on its site: without the "_" before a collection of Jekyll's, the
// number before a name by which Docusaurus orders pages, and the date before the name of a post.
func publicPath(bare string) string {
	segments := strings.Split(bare, "/")
	for i, s := range segments {
		if i < len(segments)-1 && len(s) > 1 && s[0] == '_' {
			s = s[1:]
		}
		if dated := datedName(s); dated != "" {
			s = s[len("2006-01-02-"):]
		} else {
			s = withoutNumber(s)
		}
		segments[i] = s
	}
	return strings.Join(segments, "/")
}

// datedName returns "2024/05/06/name" of "2024-05-06-name", "" of any other name.
func datedName(name string) string {
	const form = "0000-00-00-"
	if len(name) <= len(form) {
		return ""
	}
	for i := range form {
		if form[i] == '0' && !isDigit(name[i]) || form[i] == '-' && name[i] != '-' {
			return ""
		}
	}
	return name[:4] + "/" + name[5:7] + "/" + name[8:10] + "/" + name[11:]
}

// withoutNumber takes off "01-", "2_" or "3. " in front of a name that begins with a letter.
func withoutNumber(name string) string {
	i := 0
	for i < len(name) && i < 4 && isDigit(name[i]) {
		i++
	}
	rest := strings.TrimLeft(name[i:], "-_. ")
	if i == 0 || rest == name[i:] || rest == "" || isDigit(rest[0]) {
		return name
	}
	return rest
}

// withoutBase finds the document of a path from a site's root after leaving out a segment that no folder stands for:
// the first, if it is the site's base path or the language of a page that is not translated, and the second, if it is a
// version, such as "next".
func (b *builder) withoutBase(clean string, slash bool) (doc int, ok bool) {
	first, rest, found := strings.Cut(clean, "/")
	if !found {
		return 0, false
	}
	base := !b.paths.folder[first]
	if doc, ok := b.docAt(rest, slash); ok && base {
		return doc, true
	}
	version, after, found := strings.Cut(rest, "/")
	if !found || !isVersion(version) && !unnumbered[version] || b.paths.folder[path.Join(first, version)] {
		return 0, false
	}
	if doc, ok := b.docAt(path.Join(first, after), slash); ok {
		return doc, true
	}
	if !base {
		return 0, false
	}
	return b.docAt(after, slash)
}

// unnumbered are what sites call the versions that they keep changing.
var unnumbered = map[string]bool{"current": true, "latest": true, "main": true, "next": true, "stable": true}

// assetRoots are folders whose files generators put at the top of the site.
var assetRoots = [...]string{"", "static", "public", "assets", "website/static", ".vuepress/public"}

// hasAsset reports whether the file at r.path exists or may exist. A target that begins with "/" is looked for from
// each folder that may be the site's root. It is given the benefit of the doubt if the source folder has no folder
// named like its first segment.
func (b *builder) hasAsset(d int, target string, r route) bool {
	if b.opts.Exists(r.path) {
		return true
	}
	if !strings.HasPrefix(target, "/") {
		return false
	}
	for _, root := range slices.Insert(slices.Collect(b.siteRoots(d)), 0, "") {
		for _, in := range assetRoots {
			if b.opts.Exists(path.Join(root, in, r.path)) {
				return true
			}
		}
	}
	top, _, nested := strings.Cut(r.path, "/")
	return nested && !b.opts.Exists(top)
}
