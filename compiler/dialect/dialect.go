package dialect

import (
	"path"
	"slices"
	"strings"

	"kdd/format/text"
)

// Dialect is what one generator makes of markdown.
type Dialect interface {
	// Name is how kdd.yaml, build and stats call it: "hugo".
	Name() string
	// Marks are the files by which a site is found, as patterns of path.Match below the site's folder, the best first.
	Marks() []string
	// Read fills in what a site's configuration says. It returns false if the file is another program's. The
	// configuration is "" where kdd.yaml names the dialect of a folder that has none.
	Read(s *Site, c *Reader) bool
	// Addresses returns the addresses of a page, its own first; none if it is not published.
	Addresses(s *Site, t *Tree, p Page) []string
}

// Plain is the name of the dialect of documents that no generator publishes.
const Plain = "plain"

// all are the dialects in the order in which their marks are looked for.
func all() []Dialect {
	return []Dialect{mdbook{}, hugo{}, docusaurus{}, mkdocs{}, vitepress{}, starlight{}, jekyll{}, obsidian{}, gitbook{}, plain{}}
}

// Names returns the names of all dialects.
func Names() []string {
	var names []string
	for _, d := range all() {
		names = append(names, d.Name())
	}
	slices.Sort(names)
	return names
}

func byName(name string) Dialect {
	for _, d := range all() {
		if d.Name() == name {
			return d
		}
	}
	return nil
}

// Page is a document that a site publishes.
type Page struct {
	Path  string                     // below its tree, with extension
	Field func(name string) []string // of its front matter; no values = there is none
	Title string                     // its title
}

// field returns the first value of a field of the front matter.
func (p Page) field(name string) string {
	if p.Field == nil {
		return ""
	}
	if values := p.Field(name); len(values) > 0 {
		return strings.TrimSpace(values[0])
	}
	return ""
}

// fields returns the values of a field of the front matter, trimmed.
func (p Page) fields(name string) []string {
	if p.Field == nil {
		return nil
	}
	var list []string
	for _, value := range p.Field(name) {
		list = append(list, strings.TrimSpace(value))
	}
	return list
}

// githubSlug is GitHub's anchor of a heading, which generators use for names too.
func githubSlug(heading string) string { return text.Slug(heading) }

// Normal returns the normal form of an address.
func Normal(address string) string {
	address = strings.Trim(path.Clean("/"+address), "/")
	for _, extension := range []string{".html", ".htm", ".md", ".mdx", ".markdown"} {
		if bare, found := strings.CutSuffix(address, extension); found {
			address = bare
			break
		}
	}
	if address == "index" {
		return ""
	}
	return text.Fold(strings.TrimSuffix(address, "/index"))
}

// bare returns a path without the extension of a document.
func bare(p string) string {
	switch extension := path.Ext(p); strings.ToLower(extension) {
	case ".md", ".mdx", ".markdown", ".html":
		return p[:len(p)-len(extension)]
	}
	return p
}

// bareIndex returns a path without extension, and of a file that answers for its folder the folder's.
func bareIndex(p string, names ...string) string {
	p = bare(p)
	dir, base := path.Split(p)
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(base, name) }) {
		return strings.TrimSuffix(dir, "/")
	}
	return p
}

// join joins the parts of a path or address; "" for the top.
func join(parts ...string) string {
	joined := strings.Trim(path.Join(parts...), "/")
	if joined == "." {
		return ""
	}
	return joined
}
