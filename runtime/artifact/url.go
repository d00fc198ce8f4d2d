package artifact

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"kdd/format/index"
)

// Locator gives the URLs of one artifact's documents during one call: an address of the published site if there is one,
// else the source file if it is found, else a kdd://doc/ address, which the artifact itself serves.
type Locator struct {
	Artifact *Artifact
	Base     string // --base-url
	several  bool
	Private  bool // URLs never name source files
	root     string
	folders  *sourceFolders
}

// Locator returns the Locator of an artifact; several says that other artifacts answer too.
func (s *Store) Locator(a *Artifact, several bool) *Locator {
	root := cmp.Or(s.config.Root, s.config.Environ["KDD_ROOT"], s.config.Environ["KDD_SPECS_PATH"])
	if root != "" {
		root = s.abs(root)
	}
	return &Locator{Artifact: a, Base: a.Meta.BaseURL, root: root, several: several, Private: s.config.Private, folders: &a.folders}
}

// Anew makes the Locator look for the folders of the sources again, for a report on how they are now.
func (l *Locator) Anew() *Locator {
	l.folders = new(sourceFolders)
	return l
}

// URL returns the address of an anchor of a document, and whether the size of the source file has changed since it was
// compiled. Cost: a stat per call, a few more where the folder of the sources has to be found.
func (l *Locator) URL(d index.DocID, anchor string) (address string, stale bool) {
	path := l.Artifact.DocPath(d)
	if l.Base != "" {
		return l.Published(path) + Fragment(anchor), false
	}
	if !l.Private {
		if file, stale, ok := l.SourceFile(d, path); ok {
			return FileURL(filepath.ToSlash(file)) + Fragment(anchor), stale
		}
	}
	address = "kdd://doc/" + escapePath(path)
	if l.several {
		address += "?index=" + url.QueryEscape(l.Artifact.Name)
	}
	return address + Fragment(anchor), false
}

// Published returns the address of a document on the published site. If the site's address holds {path}, the path
// replaces it; else the path is appended without .md and without a trailing index, as site generators do.
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

// SourceFile finds a document's source below the folder of its root; stale says that its size has changed since it was
// compiled.
func (l *Locator) SourceFile(d index.DocID, path string) (file string, stale, ok bool) {
	root := l.Artifact.DocRoot(d)
	folder := l.SourceFolder(root)
	if folder == "" {
		return "", false, false
	}
	return l.at(folder, root, d, path)
}

// SourceFolder returns the folder of a root, "" if it is not found. Cost: that of findFolder, once in folderAge.
func (l *Locator) SourceFolder(root int) string {
	known := l.folders
	known.mu.Lock()
	defer known.mu.Unlock()
	found, ok := known.of[root]
	if !ok || time.Since(found.when) > folderAge {
		found = sourceFolder{l.findFolder(root), time.Now()}
		if known.of == nil {
			known.of = map[int]sourceFolder{}
		}
		known.of[root] = found
	}
	return found.path
}

// at looks for a document's source in a folder.
func (l *Locator) at(folder string, root int, d index.DocID, path string) (file string, stale, ok bool) {
	return l.file(folder, root, path, l.Artifact.DocSize(d))
}

// file looks for a source of a path in a folder; stale says that it has another size.
func (l *Locator) file(folder string, root int, path string, size uint64) (file string, stale, ok bool) {
	if len(l.Artifact.Meta.Roots) > 1 {
		path = strings.TrimPrefix(path, l.Artifact.Meta.Roots[root].Base+"/")
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
	return file, uint64(info.Size()) != size, true
}

// folderAge is how long a folder is not looked for again, found or not. Where there are no sources, as on a server, that
// takes 8 stats in each folder above the artifact, for every answer.
const folderAge = time.Second

// sourceFolders are the folders of an artifact's roots, where they have been looked for.
type sourceFolders struct {
	mu sync.Mutex
	of map[int]sourceFolder
}

type sourceFolder struct {
	path string // "" = not found
	when time.Time
}

// probes is how many documents of a root are looked for in each folder that may be the root.
const probes = 8

// findFolder returns the folder of a root, or "". It looks for a few of the root's documents in each candidate folder,
// and takes the folder that has most of them; files of the compiled size count twice. So a missing file, or a file of
// the same name elsewhere, does not mislead it. Cost: a few stats for each candidate, up to the first that has all
// documents.
func (l *Locator) findFolder(root int) string {
	if root >= len(l.Artifact.Meta.Roots) {
		return ""
	}
	hint := filepath.FromSlash(l.Artifact.RootHint(root))
	if hint != "" && !filepath.IsLocal(hint) {
		return ""
	}
	docs := l.probed(root)
	best, bestScore := "", 0
	for _, folder := range l.candidateFolders(root, hint) {
		score := 0
		for _, d := range docs {
			if _, stale, ok := l.at(folder, root, d, l.Artifact.DocPath(d)); ok && stale {
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

// probed returns up to probes documents of a root, spread over all of them. Cost: a look at each document if there are
// several roots.
func (l *Locator) probed(root int) []index.DocID {
	n, doc := l.Artifact.Docs(), func(i int) index.DocID { return index.DocID(i) }
	if len(l.Artifact.Meta.Roots) > 1 {
		var all []index.DocID
		for d := range index.DocID(n) {
			if l.Artifact.DocRoot(d) == root {
				all = append(all, d)
			}
		}
		n, doc = len(all), func(i int) index.DocID { return all[i] }
	}
	docs := make([]index.DocID, min(n, probes))
	for i := range docs {
		docs[i] = doc(i * n / len(docs))
	}
	return docs
}

// candidateFolders returns the folders that may be a root: the folder that was named, and the stored hint and base name
// below it. If none was named, these are the hint below the artifact's folder, and below each of its parents up to the
// top of the repository.
func (l *Locator) candidateFolders(root int, hint string) []string {
	if l.root != "" {
		folder, err := filepath.Abs(l.root)
		if err != nil {
			return nil
		}
		list := []string{folder, filepath.Join(folder, hint)}
		if base := l.Artifact.Meta.Roots[root].Base; filepath.IsLocal(base) {
			list = append(list, filepath.Join(folder, base))
		}
		return list
	}
	dir, err := filepath.Abs(filepath.Dir(l.Artifact.File.Path))
	if err != nil || l.Artifact.File.Remote() {
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

// escapePath percent-encodes the characters that a URL's path may not hold.
func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// Fragment returns "#" and an anchor as URLs have it, "" for no anchor.
func Fragment(anchor string) string {
	if anchor == "" {
		return ""
	}
	return "#" + (&url.URL{Fragment: anchor}).EscapedFragment()
}
