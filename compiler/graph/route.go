package graph

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

type outcome uint8

const (
	isURL outcome = iota
	isDocument
	isAsset
	isFolder
	isOutside
	isMissing
	isAmbiguous
)

// route is where a link's target leads.
type route struct {
	outcome  outcome
	doc      int
	fragment string // without "#", decoded
	moved    bool   // the path is wrong, but only this document can be meant
	path     string // relative to the source root, as far as it could be made out
	others   int    // isAmbiguous: how many more documents it may be
}

// route follows the target of a link in document d.
func (b *builder) route(d int, target string) route {
	target = strings.TrimSpace(target)
	if len(target) > maxTargetBytes || strings.ContainsAny(target, "\x00\n") {
		return route{outcome: isMissing, path: clip(target)}
	}
	target, external := b.local(target)
	if external {
		return route{outcome: isURL}
	}
	target, fragment, _ := strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	if fragment != "" {
		fragment = unescape(fragment)
	}
	if target == "" {
		return route{outcome: isDocument, doc: d, fragment: fragment, path: b.docs[d].Path}
	}
	r := b.routePath(d, target)
	if (r.outcome == isMissing || r.outcome == isOutside) && strings.Contains(target, `\`) {
		// Browsers read "\" as "/" (WHATWG URL Standard, path state), and those who write on Windows find that it
		// works.
		target = strings.ReplaceAll(target, `\`, "/")
		r = b.routePath(d, target)
	}
	if (r.outcome != isDocument || r.moved) && strings.Contains(target, "%") {
		if decoded := unescape(target); decoded != target {
			if plain := b.routePath(d, decoded); r.outcome != isDocument || plain.outcome == isDocument && !plain.moved {
				r = plain
			}
		}
	}
	r.fragment = fragment
	return r
}

// local turns a URL below the site's into a path from the source root, and says whether a target is any other URL.
func (b *builder) local(target string) (string, bool) {
	for _, site := range b.forms {
		if rest, ok := strings.CutPrefix(target, site); ok && (rest == "" || strings.IndexByte("/#?", rest[0]) >= 0) {
			if rest == "" || rest[0] != '/' {
				rest = "/" + rest
			}
			return rest, false
		}
	}
	return target, hasScheme(target) || strings.HasPrefix(target, "//") || isComputed(target)
}

// siteForms returns the ways in which a page of the site is addressed: by its whole URL, without the scheme, and from
// the top of its host, which is another folder than the source's where the URL has a path.
func siteForms(site string) []string {
	site = strings.TrimRight(strings.TrimSpace(site), "/")
	if site == "" {
		return nil
	}
	forms := []string{site}
	if i := strings.Index(site, "//"); i >= 0 {
		forms = append(forms, site[i:])
		if at := strings.IndexByte(site[i+2:], '/'); at >= 0 {
			forms = append(forms, site[i+2+at:])
		}
	}
	return forms
}

// isComputed reports whether a target holds what only a generator knows, such as "{{ site.repository }}/issues".
func isComputed(target string) bool {
	return strings.Contains(target, "{{") || strings.Contains(target, "{%") || strings.Contains(target, "<%")
}

// hasScheme reports whether a target begins as a URL does: "https:", "mailto:". One letter is a drive, not a scheme.
func hasScheme(target string) bool {
	for i := 0; i < len(target); i++ {
		switch c := target[i]; {
		case c == ':':
			return i > 1
		case isLetter(c) || i > 0 && (isDigit(c) || c == '+' || c == '-'):
		default:
			return false
		}
	}
	return false
}

func unescape(s string) string {
	if decoded, err := url.PathUnescape(s); err == nil && utf8.ValidString(decoded) {
		return decoded
	}
	return s
}

// routePath follows a path without fragment and query.
func (b *builder) routePath(d int, target string) route {
	if !b.pages[d].site.IsPlain() {
		return b.routeSite(d, target)
	}
	dir := b.dirs[d]
	if strings.HasPrefix(target, "/") {
		dir = ""
	}
	clean, ok := joinInside(dir, target)
	if !ok {
		// The folders that it climbs out of may be gone, as where files of several folders were put into one.
		if doc, ok := b.onlyMeant(target); ok && doc != d {
			return route{outcome: isDocument, doc: doc, moved: true, path: b.docs[doc].Path}
		}
		return route{outcome: isOutside, path: clip(target)}
	}
	slash := strings.HasSuffix(target, "/")
	if doc, ok := b.docAt(clean, slash); ok {
		return route{outcome: isDocument, doc: doc, path: clean}
	}
	if doc, ok := b.paths.urls[text.Fold(clean)].only(); ok {
		return route{outcome: isDocument, doc: doc, path: clean}
	}
	if b.paths.folder[clean] {
		return route{outcome: isFolder, path: clean}
	}
	// A page's URL is a folder of its own on many sites, so that "../other" means what "other" does in the source.
	if dir != "" || !strings.HasPrefix(target, "/") {
		page := b.rules.bare(b.docs[d].Path)
		if page != dir {
			if beside, ok := joinInside(page, target); ok {
				if doc, ok := b.docAt(beside, slash); ok {
					return route{outcome: isDocument, doc: doc, path: beside}
				}
			}
		}
	}
	if r, ok := b.fromRoots(d, target, clean); ok {
		return r
	}
	if isAssetPath(clean) || b.isThere(clean) {
		return route{outcome: isAsset, path: clean}
	}
	if around := b.pages[d].around; around != nil && strings.HasPrefix(target, "/") {
		if below, local := around.Local(target); local {
			if r, ok := b.inSite(around, strings.Trim(below, "/"), 0); ok {
				return r
			}
		}
	}
	rooted, climbs := strings.HasPrefix(target, "/"), strings.HasPrefix(target, "../")
	if (rooted || climbs) && !isPathName(target) {
		if b.isForeign(&b.pages[d], clean) {
			return route{outcome: isOutside, path: clip(target)}
		}
		if rooted {
			return route{outcome: isMissing, path: clean}
		}
	}
	if doc, ok := b.onlyMeant(clean); ok && doc != d {
		return route{outcome: isDocument, doc: doc, moved: true, path: clean}
	}
	return route{outcome: isMissing, path: clean}
}

// docAt finds the document that a clean path stands for.
func (b *builder) docAt(p string, slash bool) (int, bool) {
	if !slash {
		if d, ok := b.paths.byPath[p]; ok {
			return d, true
		}
	}
	if p != "" {
		for _, extension := range extensions {
			if d, ok := b.paths.byPath[p+extension]; ok {
				return d, true
			}
		}
		if bare, ok := cutHTML(p); ok {
			if d, ok := b.docAt(bare, false); ok {
				return d, true
			}
		}
	}
	if b.paths.folder[p] {
		for _, name := range indexNames {
			for _, extension := range extensions {
				if d, ok := b.paths.byPath[path.Join(p, name+extension)]; ok {
					return d, true
				}
			}
		}
	}
	return 0, false
}

// cutHTML removes the extension that a published page has.
func cutHTML(p string) (string, bool) {
	if bare, ok := strings.CutSuffix(p, ".html"); ok {
		return bare, true
	}
	return strings.CutSuffix(p, ".htm")
}

// onlyMeant finds the one document that a wrong path can mean: by its last two segments, else by its stem, else by the
// PREFIX-NNN that the stem begins with.
func (b *builder) onlyMeant(target string) (int, bool) {
	if isAssetPath(target) {
		return 0, false
	}
	target = path.Clean("/" + target)[1:]
	if bare, ok := cutHTML(target); ok {
		target = bare
	}
	if target == "" {
		return 0, false
	}
	bare := text.Fold(b.rules.bare(target))
	if tail := tailOf(bare); tail != "" {
		if doc, ok := b.paths.tail[tail].only(); ok {
			return doc, true
		}
	}
	base := path.Base(bare)
	if c := b.paths.stem[base]; c.n != 0 {
		return c.only()
	}
	if head := idHead(path.Base(target)); head != "" {
		f, ok := b.names.resolve(head, asker{}, index.HeadName)
		if ok && f.others == 0 && int(f.node) < len(b.docs) && b.names.only(head) {
			return int(f.node), true
		}
	}
	return 0, false
}
