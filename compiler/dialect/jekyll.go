package dialect

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// jekyll is Jekyll, also as GitHub Pages runs it.
//
// Sources: https://jekyllrb.com/docs/permalinks/, https://jekyllrb.com/docs/collections/,
// https://jekyllrb.com/docs/posts/, https://jekyllrb.com/docs/configuration/options/ (source, baseurl, kramdown),
// https://github.com/jekyll/jekyll-redirect-from (redirect_from).
type jekyll struct{}

// Name returns "jekyll".
func (jekyll) Name() string { return "jekyll" }

// Marks returns its configuration file.
func (jekyll) Marks() []string { return []string{"_config.yml", "_config.yaml", "_config.toml"} }

// Read takes the base, the collections and the patterns of addresses.
func (jekyll) Read(s *Site, c *Reader) bool {
	v := c.config()
	if c.has("_toc.yml") || v.has("public_dir") { // Jupyter Book's, Hexo's
		return false
	}
	top := s.at(v.get("source").text("."))
	s.add(Tree{Dir: top, Kind: "pages"})
	s.Assets = []string{top}
	s.Files = []string{join(top, "*.html"), join(top, "*/index.html")}
	s.Host = strings.TrimRight(v.get("url").text(""), "/")
	s.Base = join(v.get("baseurl").text(""))
	s.Pretty = true
	s.Makes = Templates
	s.Generated = []string{"feed.xml", "sitemap.xml", "tags", "categories"}
	if engine := v.get("kramdown", "input").text("GFM"); !strings.EqualFold(engine, "GFM") {
		s.SlugOf = kramdownSlug
	}
	s.templates(c, top, 0)
	s.patterns = map[string]string{"posts": jekyllPattern(v.get("permalink").text("date"))}
	collections, in := v.get("collections"), v.get("collections_dir").text("")
	for _, name := range append(collections.keys(), "posts", "drafts") {
		s.add(Tree{Dir: join(top, in, "_"+name), Kind: name})
		if pattern := collections.get(name, "permalink").text(""); pattern != "" {
			s.patterns[name] = jekyllPattern(pattern)
		}
	}
	for _, item := range collections.list() { // a list of names only
		if name := item.text(""); name != "" {
			s.add(Tree{Dir: join(top, in, "_"+name), Kind: name})
		}
	}
	for _, d := range v.get("defaults").list() {
		kind, pattern := d.get("scope", "type").text(""), d.get("values", "permalink").text("")
		if kind != "" && pattern != "" && s.patterns[kind] == "" {
			s.patterns[kind] = jekyllPattern(pattern)
		}
	}
	return true
}

// maxTemplates bounds the files and folders of a site that are looked into for addresses.
const maxTemplates = 2000

// templates notes the addresses that the front matter of pages in HTML gives them, in a folder and those below it but
// for Jekyll's own.
func (s *Site) templates(c *Reader, dir string, depth int) {
	if depth > maxDepth || s.looked > maxTemplates {
		return
	}
	for _, name := range c.finder.names(dir) {
		file := join(dir, name)
		switch extension := path.Ext(name); {
		case strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor":
		case extension == ".html" || extension == ".htm":
			if s.looked++; s.looked <= maxTemplates {
				s.template(c, file)
			}
		case extension == "":
			s.looked++
			s.templates(c, file, depth+1)
		}
	}
}

// template notes the addresses of one page in HTML.
func (s *Site) template(c *Reader, file string) {
	data, err := c.files.Read(file, maxConfig)
	matter, found := bytes.CutPrefix(data, []byte("---\n"))
	matter, _, closed := bytes.Cut(matter, []byte("\n---"))
	if err != nil || !found || !closed {
		return
	}
	v, _ := parse(".yml", matter)
	for _, address := range append(v.get("redirect_from").list(), v.get("permalink")) {
		if at := address.text(""); at != "" && !strings.Contains(at, ":") {
			if s.Pages == nil {
				s.Pages = map[string]string{}
			}
			s.Pages[Normal(at)] = file
			fmt.Fprintf(c.sum, "%s %s\n", file, at)
		}
	}
}

// jekyllPattern returns the pattern of a style's name.
func jekyllPattern(style string) string {
	switch style {
	case "date", "pretty":
		return "/:categories/:year/:month/:day/:title"
	case "none":
		return "/:categories/:title"
	case "weekdate", "ordinal":
		return ""
	}
	return style
}

// Addresses returns the permalink, or the path, of a post by its date; and what redirect_from says.
func (jekyll) Addresses(s *Site, t *Tree, p Page) []string {
	dir, base := path.Split(bare(p.Path))
	dir = strings.TrimSuffix(dir, "/")
	posts := t.Kind == "posts" || t.Kind == "pages" && path.Base(dir) == "_posts"
	own := join(bareIndex(p.Path, "index"))
	switch {
	case posts:
		category := ""
		if t.Kind == "pages" {
			category = path.Dir(dir)
		}
		own = join(category, expand(s.patterns["posts"], slugged(p, base), "", base))
	case t.Kind != "pages":
		own = join(t.Kind, own)
		if pattern := s.patterns[t.Kind]; pattern != "" {
			own = expand(strings.ReplaceAll(pattern, ":collection", t.Kind), slugged(p, base), dir, base)
		}
	case strings.HasPrefix(base, "_") || strings.HasPrefix(dir, "_") || strings.Contains(dir, "/_"):
		return nil
	case strings.EqualFold(base, "README"):
		own = dir
	}
	if permalink := p.field("permalink"); permalink != "" {
		own = expand(permalink, slugged(p, base), dir, base)
	}
	return append([]string{own}, p.fields("redirect_from")...)
}

// slugged gives a page the name of its file for a slug, if it has none: titles do not count for addresses.
func slugged(p Page, base string) Page {
	if isDated(base) {
		base = base[len("2006-01-02-"):]
	}
	own := p.Field
	p.Field = func(name string) []string {
		if own != nil {
			if values := own(name); len(values) > 0 {
				return values
			}
		}
		if name == "slug" {
			return []string{base}
		}
		return nil
	}
	return p
}
