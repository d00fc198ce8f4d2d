package names

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// nearAnchors returns anchors of a document: first those like the one that was asked for, then its first ones.
func nearAnchors(a *artifact.Artifact, d index.DocID, want string) []string {
	var all, list []string
	from, to := a.DocSections(d)
	for s := from; s < to && len(all) < 1000; s++ {
		if anchor := a.SectionAnchor(s); anchor != "" {
			all = append(all, anchor)
		}
	}
	if near := wire.Nearest(want, all); near != "" {
		list = append(list, "#"+near)
	}
	for _, anchor := range all {
		if len(list) == 10 {
			break
		}
		if !slices.Contains(list, "#"+anchor) {
			list = append(list, "#"+anchor)
		}
	}
	return list
}

// maxNearPaths bounds the paths that an error suggests, maxSameName the documents of that name that are compared.
const (
	maxNearPaths = 5
	maxSameName  = 200
)

// nearPaths returns paths of documents whose name is that of a file, or near to it, those first that end most like it.
// Of FOLDER/README.md and FOLDER/index.html the folder's name counts too.
func nearPaths(set *artifact.Set, file string) []string {
	file, _, _ = strings.Cut(file, "#")
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded // as addresses have it
	}
	parts := strings.FieldsFunc(file, func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) == 0 {
		return nil
	}
	base := stemOfPage(parts[len(parts)-1])
	names := []string{base}
	if n := len(parts); n > 1 && (strings.EqualFold(base, "readme") || strings.EqualFold(base, "index")) {
		names = append(names, parts[n-2])
	}
	list := documentsNamed(set, names)
	if len(list) == 0 {
		names = append(names, suggestions(set, base)...)
		list = documentsNamed(set, names)
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(sameEnd(parts, b), sameEnd(parts, a)) })
	if len(list) > 0 {
		if best := sameEnd(parts, list[0]); best > 1 { // its folder is the same too
			list = slices.DeleteFunc(list, func(path string) bool { return sameEnd(parts, path) < best })
		}
	}
	return list[:min(maxNearPaths, len(list))]
}

// documentsNamed returns the paths of the documents that names mean, themselves or a place in them.
func documentsNamed(set *artifact.Set, names []string) (list []string) {
	for _, a := range set.Artifacts {
		for _, name := range names {
			for _, m := range Resolve(a.Index, name) {
				if path := a.DocPath(a.NodeDoc(m.Node)); len(list) < maxSameName && !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	return list
}

// stemOfPage is a file's name without an extension that documents or their pages have.
func stemOfPage(name string) string {
	for _, ext := range []string{".md", ".mdx", ".html"} {
		if stem, ok := strings.CutSuffix(name, ext); ok {
			return stem
		}
	}
	return name
}

// sameEnd counts the last parts of a path that another has too, but for case and the extension of the last.
func sameEnd(parts []string, path string) (n int) {
	others := strings.Split(path, "/")
	for n < len(parts) && n < len(others) {
		a, b := parts[len(parts)-1-n], others[len(others)-1-n]
		if n == 0 {
			a, b = stemOfPage(a), stemOfPage(b)
		}
		if !strings.EqualFold(a, b) {
			break
		}
		n++
	}
	return n
}
