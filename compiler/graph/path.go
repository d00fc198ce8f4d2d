package graph

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"kdd/compiler/markdown"
	"kdd/format"
	"kdd/format/prefix"
	"kdd/runtime/analyze"
)

// extensions are those of documents, in the order in which a target without one is tried.
var extensions = []string{".md", ".mdx", ".markdown", ".feature"}

// indexNames are the files that answer for their folder, in order.
var indexNames = []string{"index", "README", "_index", "readme"}

// maxTargetBytes bounds link targets: longer ones are data, not paths.
const maxTargetBytes = 4096

// pathTable finds documents by the paths that links have.
type pathTable struct {
	byPath map[string]int
	folded map[string]tally2 // by folded path without extension
	folder map[string]bool
	tail   map[string]tally2 // by the folded last two segments without extension
	stem   map[string]tally2 // by folded stem
	urls   map[string]tally2 // by a slug or former URL from the front matter
	public map[string]tally2 // by the path that generators make of the document's, where that is another: see publicPath
	dated  map[string]tally2 // by date and name of a post: "2024/05/06/name"
}

// tally2 is a document, and how many there are.
type tally2 struct{ doc, n int }

func bump(m map[string]tally2, key string, doc int) {
	c, ok := m[key]
	if ok && c.doc == doc {
		return
	}
	if !ok {
		c.doc = doc
	}
	c.n++
	m[key] = c
}

func newPathTable(docs []*markdown.Document, rules *Rules, facts []docFacts) *pathTable {
	t := &pathTable{
		byPath: make(map[string]int, len(docs)), folded: make(map[string]tally2, len(docs)), folder: map[string]bool{"": true},
		tail: make(map[string]tally2, len(docs)), stem: make(map[string]tally2, len(docs)), urls: map[string]tally2{},
		public: map[string]tally2{}, dated: map[string]tally2{},
	}
	for d, doc := range docs {
		if _, taken := t.byPath[doc.Path]; !taken {
			t.byPath[doc.Path] = d
		}
		for dir := path.Dir(doc.Path); dir != "." && dir != "/" && !t.folder[dir]; dir = path.Dir(dir) {
			t.folder[dir] = true
		}
		bare := analyze.Fold(rules.bare(doc.Path))
		bump(t.folded, bare, d)
		bump(t.tail, tailOf(bare), d)
		bump(t.stem, path.Base(bare), d)
		if public := publicPath(bare); public != bare {
			bump(t.public, public, d)
		}
		if dated := datedName(path.Base(bare)); dated != "" {
			bump(t.dated, dated, d)
		}
		for _, name := range append([]string{"aliases"}, rules.fields.paths...) {
			i, ok := facts[d].fields.index[name]
			if !ok {
				continue
			}
			for _, value := range facts[d].fields.fields[i].Values {
				value = strings.TrimSpace(value)
				switch {
				case strings.HasPrefix(value, "/"):
					if name == "slug" { // from the top of the pages, as Docusaurus has it, which may be their folder
						bump(t.urls, analyze.Fold(strings.Trim(path.Join(path.Dir(doc.Path), value), "/")), d)
					}
				case name == "slug" && value != "" && !strings.Contains(value, ":"):
					value = path.Join(path.Dir(doc.Path), value)
				default:
					continue
				}
				bump(t.urls, analyze.Fold(strings.Trim(value, "/")), d)
			}
		}
	}
	return t
}

// bare returns a path without extension, and an index file's path as its folder's.
func (r *Rules) bare(p string) string {
	p = trimExtension(p, extensions)
	if dir, base := path.Split(p); dir != "" && r.indexFiles[strings.ToLower(base)] {
		return strings.TrimSuffix(dir, "/")
	}
	return p
}

// tailOf returns the last two segments of a path, "" if it has only one.
func tailOf(p string) string {
	last := strings.LastIndexByte(p, '/')
	if last < 0 {
		return ""
	}
	return p[strings.LastIndexByte(p[:last], '/')+1:]
}

type outcome uint8

const (
	isURL outcome = iota
	isDocument
	isAsset
	isFolder
	isOutside
	isMissing
)

// route is where a link's target leads.
type route struct {
	outcome  outcome
	doc      int
	fragment string // without "#", decoded
	moved    bool   // the path is wrong, but only this document can be meant
	path     string // relative to the source root, as far as it could be made out
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

// local turns an absolute URL below the site's into a path, and says whether a target is any other URL.
func (b *builder) local(target string) (string, bool) {
	if site := b.site; site != "" {
		rest, ok := strings.CutPrefix(target, site)
		if !ok && strings.HasPrefix(target, "//") {
			if i := strings.Index(site, "//"); i >= 0 {
				rest, ok = strings.CutPrefix(target, site[i:])
			}
		}
		if ok && (rest == "" || strings.IndexByte("/#?", rest[0]) >= 0) {
			if rest == "" || rest[0] != '/' {
				rest = "/" + rest
			}
			return rest, false
		}
	}
	return target, hasScheme(target) || strings.HasPrefix(target, "//") || isComputed(target)
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
	if c, ok := b.paths.urls[analyze.Fold(clean)]; ok && c.n == 1 {
		return route{outcome: isDocument, doc: c.doc, path: clean}
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
	if r, ok := b.fromSiteRoot(d, target, clean); ok {
		return r
	}
	if doc, ok := b.published(clean); ok {
		return route{outcome: isDocument, doc: doc, path: clean}
	}
	if c, ok := b.paths.folded[analyze.Fold(b.rules.bare(clean))]; ok && c.n == 1 {
		moved := isPathName(clean) || !strings.HasPrefix(target, "/")
		return route{outcome: isDocument, doc: c.doc, moved: moved, path: clean}
	}
	if strings.HasPrefix(target, "/") {
		if doc, ok := b.withoutBase(clean, slash); ok {
			return route{outcome: isDocument, doc: doc, moved: true, path: clean}
		}
	}
	if isAssetPath(clean) {
		return route{outcome: isAsset, path: clean}
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
	bare := analyze.Fold(b.rules.bare(target))
	if tail := tailOf(bare); tail != "" {
		if c := b.paths.tail[tail]; c.n == 1 {
			return c.doc, true
		}
	}
	base := path.Base(bare)
	if c := b.paths.stem[base]; c.n != 0 {
		return c.doc, c.n == 1
	}
	if head := idHead(path.Base(target)); head != "" {
		f, ok := b.names.resolve(head, asker{}, format.HeadName)
		if ok && f.others == 0 && int(f.node) < len(b.docs) && b.names.only(head) {
			return int(f.node), true
		}
	}
	return 0, false
}

// joinInside joins a target to a folder. ok is false if it climbs above the root.
func joinInside(dir, target string) (string, bool) {
	depth := 0
	if dir != "" {
		depth = strings.Count(dir, "/") + 1
	}
	for segment := range strings.SplitSeq(target, "/") {
		switch segment {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return "", false
			}
		default:
			depth++
		}
	}
	clean := path.Join(dir, target)
	if clean == "." || clean == "/" {
		return "", true
	}
	return strings.TrimPrefix(clean, "/"), true
}

// isAssetPath reports whether a path has the extension of a file that is no document: one letter first, up to eight
// letters and digits, as in .png, .mp4, .js.
func isAssetPath(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	if len(ext) < 2 || len(ext) > 9 || !isLetter(ext[1]) {
		return false
	}
	for i := 1; i < len(ext); i++ {
		if !isLetter(ext[i]) && !isDigit(ext[i]) {
			return false
		}
	}
	for _, known := range extensions {
		if ext == known {
			return false
		}
	}
	return ext != ".html" && ext != ".htm"
}

// clip cuts a text for a message.
func clip(s string) string { return prefix.Ellipsis(s, 120) }
