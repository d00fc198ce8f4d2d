package names

import (
	"net/url"
	"path/filepath"
	"strings"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
)

// DocAddress returns the path and anchor in a kdd://doc/ address, and the name of the index in it. It returns other
// text as it is.
func DocAddress(text string) (path, index string) {
	const scheme = "kdd://doc/"
	if !strings.HasPrefix(text, scheme) {
		return text, ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return text, ""
	}
	path = strings.TrimPrefix(u.Path, "/")
	if u.Fragment != "" {
		path += "#" + u.Fragment
	}
	return path, u.Query().Get("index")
}

// sourceOf returns the path, with the anchor, of the document that a text points at. The text may be an address below
// the published site, a file:// address, the file's path on this machine, or its path below the top of its repository.
// It is called for texts that name no document. It compares the text with paths in the artifact, and never opens the
// text as a file.
func sourceOf(set *artifact.Set, text string) (path, index string, ok bool) {
	if len(text) > maxAddress {
		return "", "", false
	}
	site := strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
	file := filepath.ToSlash(text)
	if strings.HasPrefix(text, "file:") {
		u, err := url.Parse(text)
		if err != nil {
			return "", "", false
		}
		if file = u.Path; u.Host != "" {
			file = "//" + u.Host + file
		} else if drive := strings.TrimPrefix(file, "/"); filepath.VolumeName(drive) != "" {
			file = drive
		}
		if u.Fragment != "" {
			file += "#" + u.Fragment
		}
	}
	for strings.HasPrefix(file, "./") {
		file = file[2:]
	}
	for _, a := range set.Artifacts {
		l := set.Where(a)
		if site {
			path, ok = pageAt(l, text)
		} else {
			path, ok = documentAt(l, file)
		}
		if ok {
			return path, a.Name, true
		}
	}
	return "", "", false
}

// maxAddress is the length of the longest address, in bytes.
const maxAddress = 8192

// pageAt returns the document, with its anchor, that is published at an address. Cost: a look at each document, if the
// address is on the site.
func pageAt(l *artifact.Locator, address string) (path string, ok bool) {
	address, anchor, _ := strings.Cut(address, "#")
	address = strings.TrimRight(address, "/")
	site, _, _ := strings.Cut(l.Base, "{path}")
	if l.Base == "" || !strings.HasPrefix(address+"/", strings.TrimRight(site, "/")+"/") {
		return "", false
	}
	for d := range index.DocID(l.Artifact.Docs()) {
		if path = l.Artifact.DocPath(d); strings.TrimRight(l.Published(path), "/") == address {
			return path + artifact.Fragment(anchor), true
		}
	}
	return "", false
}

// documentAt returns the path, with the anchor, of the document whose source is a file.
func documentAt(l *artifact.Locator, file string) (path string, ok bool) {
	for i, root := range l.Artifact.Meta.Roots {
		folder := filepath.ToSlash(l.Artifact.RootHint(i))
		if filepath.IsAbs(filepath.FromSlash(file)) {
			if l.Private {
				continue
			}
			folder = filepath.ToSlash(l.SourceFolder(i))
		}
		rest, below := strings.CutPrefix(file, strings.TrimRight(folder, "/")+"/")
		if folder == "" || !below {
			continue
		}
		if len(l.Artifact.Meta.Roots) > 1 {
			rest = root.Base + "/" + rest
		}
		if _, _, ok := place.FindFile(l.Artifact.Index, rest); ok {
			return rest, true
		}
	}
	return "", false
}
