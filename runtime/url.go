package runtime

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"kdd/format"
)

// locator gives the URLs of one artifact's documents during one call: below the published site if there is one, else the
// source file where it is found with the size that was compiled, else a kdd://doc/ address that the artifact serves.
type locator struct {
	x       *artifact
	base    string // --base-url
	several bool
	root    string
	at      map[int]string // root → folder in which a document was found
}

func (s *Service) locator(a *artifact, several bool) *locator {
	root := s.config.Root
	if root == "" {
		root = s.config.Environ["KDD_ROOT"]
	}
	return &locator{x: a, base: a.Meta.BaseURL, root: root, several: several, at: map[int]string{}}
}

// url returns the address of an anchor of a document, and whether the source file there has another size than was
// compiled. Cost: a stat per call, a few more at the first.
func (l *locator) url(d format.DocID, anchor string) (address string, stale bool) {
	path := l.x.DocPath(d)
	if l.base != "" {
		return l.published(path) + fragment(anchor), false
	}
	if file, stale, ok := l.file(d, path); ok {
		return fileURL(file) + fragment(anchor), stale
	}
	address = "kdd://doc/" + escapePath(path)
	if l.several {
		address += "?index=" + url.QueryEscape(l.x.name)
	}
	return address + fragment(anchor), false
}

// published joins the site's address and a path: where the address holds {path} that is replaced, else the path is
// appended as sites have it, without .md and without a trailing index.
func (l *locator) published(path string) string {
	if strings.Contains(l.base, "{path}") {
		return strings.ReplaceAll(l.base, "{path}", escapePath(path))
	}
	for _, ext := range []string{".md", ".mdx", ".markdown"} {
		path = strings.TrimSuffix(path, ext)
	}
	for _, index := range []string{"index", "README"} {
		if path == index {
			return l.base + "/"
		}
		path = strings.TrimSuffix(path, "/"+index)
	}
	return l.base + "/" + escapePath(path)
}

// file finds a document's source below the root that was named, else below the artifact's folder or one of its parents,
// up to the repository's top, joined with the stored hint.
func (l *locator) file(d format.DocID, path string) (file string, stale, ok bool) {
	root := l.x.DocRoot(d)
	meta := l.x.Meta.Roots[root]
	if len(l.x.Meta.Roots) > 1 {
		path = strings.TrimPrefix(path, meta.Base+"/")
	}
	if !filepath.IsLocal(filepath.FromSlash(path)) || !filepath.IsLocal(filepath.FromSlash(meta.Hint)) && meta.Hint != "." {
		return "", false, false
	}
	try := func(folder string) bool {
		file = filepath.Join(folder, filepath.FromSlash(path))
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		stale = uint64(info.Size()) != l.x.DocSize(d)
		return true
	}
	if folder, found := l.at[root]; found {
		return file, stale, folder != "" && try(folder)
	}
	for _, folder := range l.candidates(meta.Hint) {
		if try(folder) {
			l.at[root] = folder
			return file, stale, true
		}
	}
	l.at[root] = ""
	return "", false, false
}

func (l *locator) candidates(hint string) []string {
	hint = filepath.FromSlash(hint)
	if l.root != "" {
		root, err := filepath.Abs(l.root)
		if err != nil {
			return nil
		}
		return []string{root, filepath.Join(root, hint)}
	}
	dir, err := filepath.Abs(filepath.Dir(l.x.File.Path))
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

func fileURL(path string) string {
	slash := filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(slash, "/") {
		slash = "/" + slash
	}
	return "file://" + escapePath(slash)
}

// escapePath percent-encodes what a URL's path may not hold.
func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func fragment(anchor string) string {
	if anchor == "" {
		return ""
	}
	return "#" + (&url.URL{Fragment: anchor}).EscapedFragment()
}
