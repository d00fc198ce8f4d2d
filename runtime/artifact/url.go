package artifact

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"kdd/format/index"
)

// Locator gives the URLs of one artifact's documents during one call: below the published site if there is one, else
// the source file where it is found, else a kdd://doc/ address that the artifact serves.
type Locator struct {
	X       *Artifact
	Base    string // --base-url
	several bool
	Private bool // files are not looked for
	root    string
	Folders map[int]string // of the roots, once they have been looked for; "" = not found
}

// Locator gives the URLs of an artifact; several says that it is not the only one that answers.
func (s *Store) Locator(a *Artifact, several bool) *Locator {
	root := cmp.Or(s.config.Root, s.config.Environ["KDD_ROOT"], s.config.Environ["KDD_SPECS_PATH"])
	if root != "" {
		root = s.abs(root)
	}
	return &Locator{X: a, Base: a.Meta.BaseURL, root: root, several: several, Private: s.config.Private, Folders: map[int]string{}}
}

// Url returns the address of an anchor of a document, and whether the source file there has another size than was
// compiled. Cost: a stat per call, a few more at the first.
func (l *Locator) URL(d index.DocID, anchor string) (address string, stale bool) {
	path := l.X.DocPath(d)
	if l.Base != "" {
		return l.Published(path) + Fragment(anchor), false
	}
	if !l.Private {
		if file, stale, ok := l.File(d, path); ok {
			return FileURL(filepath.ToSlash(file)) + Fragment(anchor), stale
		}
	}
	address = "kdd://doc/" + escapePath(path)
	if l.several {
		address += "?index=" + url.QueryEscape(l.X.Name)
	}
	return address + Fragment(anchor), false
}

// Published joins the site's address and a path: where the address holds {path} that is replaced, else the path is
// appended as sites have it, without .md and without a trailing index.
func (l *Locator) Published(path string) string {
	if strings.Contains(l.Base, "{path}") {
		return strings.ReplaceAll(l.Base, "{path}", escapePath(path))
	}
	for _, ext := range []string{".md", ".mdx", ".markdown"} {
		path = strings.TrimSuffix(path, ext)
	}
	for _, index := range []string{"index", "_index", "README"} {
		if path == index {
			return l.Base + "/"
		}
		path = strings.TrimSuffix(path, "/"+index)
	}
	return l.Base + "/" + escapePath(path)
}

// File finds a document's source below the folder of its root; stale says that it has another size than was compiled.
func (l *Locator) File(d index.DocID, path string) (file string, stale, ok bool) {
	root := l.X.DocRoot(d)
	folder := l.Folder(root)
	if folder == "" {
		return "", false, false
	}
	return l.at(folder, root, d, path)
}

// Folder returns the folder of a root, "" if it is not found. Cost: that of find, once.
func (l *Locator) Folder(root int) string {
	folder, known := l.Folders[root]
	if !known {
		folder = l.find(root)
		l.Folders[root] = folder
	}
	return folder
}

// at looks for a document's source in a folder.
func (l *Locator) at(folder string, root int, d index.DocID, path string) (file string, stale, ok bool) {
	if len(l.X.Meta.Roots) > 1 {
		path = strings.TrimPrefix(path, l.X.Meta.Roots[root].Base+"/")
	}
	local := filepath.FromSlash(path)
	if !filepath.IsLocal(local) {
		return "", false, false
	}
	file = filepath.Join(folder, local)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return "", false, false
	}
	return file, uint64(info.Size()) != l.X.DocSize(d), true
}

// probes is how many documents of a root say which folder it is.
const probes = 8

// find returns the folder of a root, or "". It looks for a few of the root's documents in each folder that may be it,
// and takes the folder that has most of them, preferably in the size that was compiled. So a missing file, or one of
// the same name elsewhere, does not mislead it. Cost: a few stats for each folder; it ends at a folder that has them
// all.
func (l *Locator) find(root int) string {
	if root >= len(l.X.Meta.Roots) {
		return ""
	}
	hint := filepath.FromSlash(l.X.Meta.Roots[root].Hint)
	if hint != "" && !filepath.IsLocal(hint) {
		return ""
	}
	var docs []index.DocID
	n := l.X.Docs()
	if len(l.X.Meta.Roots) == 1 {
		for i := range min(n, probes) {
			docs = append(docs, index.DocID(i*n/min(n, probes)))
		}
	} else {
		var all []index.DocID
		for d := range index.DocID(n) {
			if l.X.DocRoot(d) == root {
				all = append(all, d)
			}
		}
		for i := range min(len(all), probes) {
			docs = append(docs, all[i*len(all)/min(len(all), probes)])
		}
	}
	best, bestScore := "", 0
	for _, folder := range l.candidates(root, hint) {
		score := 0
		for _, d := range docs {
			if _, stale, ok := l.at(folder, root, d, l.X.DocPath(d)); ok && stale {
				score++
			} else if ok {
				score += 2
			}
		}
		if score > bestScore {
			best, bestScore = folder, score
		}
		if bestScore == 2*len(docs) {
			break
		}
	}
	return best
}

// candidates returns the folders that may be a root: the folder that was named, and the stored hint and base name below
// it. If none was named, it is the hint below the artifact's folder and below each of its parents up to the
// repository's top.
func (l *Locator) candidates(root int, hint string) []string {
	if l.root != "" {
		folder, err := filepath.Abs(l.root)
		if err != nil {
			return nil
		}
		list := []string{folder, filepath.Join(folder, hint)}
		if base := l.X.Meta.Roots[root].Base; filepath.IsLocal(base) {
			list = append(list, filepath.Join(folder, base))
		}
		return list
	}
	dir, err := filepath.Abs(filepath.Dir(l.X.File.Path))
	if err != nil {
		return nil
	}
	var list []string
	for {
		list = append(list, filepath.Join(dir, hint))
		parent := filepath.Dir(dir)
		if isTop(dir) || parent == dir {
			return list
		}
		dir = parent
	}
}

// FileURL returns the address of a local file, by its absolute path with forward slashes: /a/b, C:/a/b or //server/a/b.
func FileURL(path string) string {
	switch {
	case strings.HasPrefix(path, "//"):
		return "file:" + escapePath(path)
	case !strings.HasPrefix(path, "/"):
		path = "/" + path
	}
	return "file://" + escapePath(path)
}

// escapePath percent-encodes what a URL's path may not hold.
func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func Fragment(anchor string) string {
	if anchor == "" {
		return ""
	}
	return "#" + (&url.URL{Fragment: anchor}).EscapedFragment()
}
