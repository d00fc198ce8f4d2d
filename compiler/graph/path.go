package graph

import (
	"path"
	"slices"
	"strings"

	"kdd/compiler/markdown"
	"kdd/format/text"
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
	folded map[string]tally[int] // by folded path without extension
	folder map[string]bool
	tail   map[string]tally[int] // by the folded last two segments without extension
	stem   map[string]tally[int] // by folded stem
	urls   map[string]tally[int] // by a slug or former URL from the front matter
	// by the path that generators make of the document's, where that is another: see publicPath
	public map[string]tally[int]
	dated  map[string]tally[int] // by date and name of a post: "2024/05/06/name"
}

// tally counts what has a key, and knows the first.
type tally[T comparable] struct {
	first T
	n     int
}

// only returns the item that has the key, if exactly one item has it.
func (t tally[T]) only() (T, bool) { return t.first, t.n == 1 }

func count[T comparable](m map[string]tally[T], key string, it T) {
	t := m[key]
	switch {
	case t.n == 0:
		t.first = it
	case t.first == it:
		return
	}
	t.n++
	m[key] = t
}

func newPathTable(docs []*markdown.Document, rules *Rules, facts []docFacts) *pathTable {
	t := &pathTable{
		byPath: make(map[string]int, len(docs)), folded: make(map[string]tally[int], len(docs)), folder: map[string]bool{"": true},
		tail: make(map[string]tally[int], len(docs)), stem: make(map[string]tally[int], len(docs)), urls: map[string]tally[int]{},
		public: map[string]tally[int]{}, dated: map[string]tally[int]{},
	}
	for d, doc := range docs {
		if _, taken := t.byPath[doc.Path]; !taken {
			t.byPath[doc.Path] = d
		}
		for dir := path.Dir(doc.Path); dir != "." && dir != "/" && !t.folder[dir]; dir = path.Dir(dir) {
			t.folder[dir] = true
		}
		bare := text.Fold(rules.bare(doc.Path))
		count(t.folded, bare, d)
		count(t.tail, tailOf(bare), d)
		count(t.stem, path.Base(bare), d)
		if public := publicPath(bare); public != bare {
			count(t.public, public, d)
		}
		if dated := datedName(path.Base(bare)); dated != "" {
			count(t.dated, dated, d)
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
						count(t.urls, text.Fold(strings.Trim(path.Join(path.Dir(doc.Path), value), "/")), d)
					}
				case name == "slug" && value != "" && !strings.Contains(value, ":"):
					value = path.Join(path.Dir(doc.Path), value)
				default:
					continue
				}
				count(t.urls, text.Fold(strings.Trim(value, "/")), d)
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
	const known = "0123456789abcdefghijklmnopqrstuvwxyz"
	if len(ext) < 2 || len(ext) > 9 || !isLetter(ext[1]) || strings.Trim(ext[1:], known) != "" {
		return false
	}
	return ext != ".html" && ext != ".htm" && !slices.Contains(extensions, ext)
}

// clip cuts a text for a message.
func clip(s string) string { return text.Ellipsis(s, 120) }
