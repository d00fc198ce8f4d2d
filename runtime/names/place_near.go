package names

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// nearAnchors returns anchors of a document: first the one most similar to want, then the first ones of the document.
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

// maxNearPaths bounds the paths that an error suggests, maxSameName the documents of one name that are compared.
const (
	maxNearPaths = 5
	maxSameName  = 200
)

// nearPaths returns the paths of documents with the name of a file, or a similar one; paths that share the most folders
// with the file come first. For FOLDER/README.md and FOLDER/index.html the name of the folder counts too.
func nearPaths(set *artifact.Set, file string) []string {
	file, _, _ = strings.Cut(file, "#")
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded // it may be from an address
	}
	parts := strings.FieldsFunc(file, func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) == 0 {
		return nil
	}
	base := place.StemOfPage(parts[len(parts)-1])
	names := []string{base}
	if n := len(parts); n > 1 && (strings.EqualFold(base, "readme") || strings.EqualFold(base, "index")) {
		names = append(names, parts[n-2])
	}
	list := documentsNamed(set, names)
	if len(list) == 0 {
		names = append(names, suggestions(set, base)...)
		list = documentsNamed(set, names)
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(place.SameEnd(parts, b), place.SameEnd(parts, a)) })
	if len(list) > 0 {
		if best := place.SameEnd(parts, list[0]); best > 1 { // its folder is the same too
			list = slices.DeleteFunc(list, func(path string) bool { return place.SameEnd(parts, path) < best })
		}
	}
	return list[:min(maxNearPaths, len(list))]
}

// documentsNamed returns the paths of the documents that have one of the names, or a section that has it.
func documentsNamed(set *artifact.Set, names []string) (list []string) {
	for _, a := range set.Artifacts {
		for _, name := range names {
			for _, m := range place.Resolve(a.Index, name) {
				if path := a.DocPath(a.NodeDoc(m.Node)); len(list) < maxSameName && !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	return list
}
