package dialect

import (
	"cmp"
	"strings"
)

// mkdocs is MkDocs, with the Material theme and its plugins.
//
// Sources: https://www.mkdocs.org/user-guide/configuration/ (docs_dir, site_url, use_directory_urls, hooks),
// https://www.mkdocs.org/user-guide/writing-your-docs/ (index.md and README.md, links by file),
// https://squidfunk.github.io/mkdocs-material/plugins/blog/ (blog_dir),
// https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/ (slugify, combine_header_slug),
// https://mkdocs-macros-plugin.readthedocs.io/, https://mkdocstrings.github.io/usage/ (anchors of objects).
type mkdocs struct{}

// Name returns "mkdocs".
func (mkdocs) Name() string { return "mkdocs" }

// Marks returns its configuration files; zensical.toml is that of the successor of Material.
func (mkdocs) Marks() []string { return []string{"mkdocs.yml", "mkdocs.yaml"} }

// Read takes the folder of the pages, the base and the slugs.
func (mkdocs) Read(s *Site, c *Reader) bool {
	v := c.config()
	docs := s.at(v.get("docs_dir").text("docs"))
	if s.Config == "" && !c.has("docs") {
		docs = s.Dir
	}
	s.add(Tree{Dir: docs})
	s.Assets = []string{docs}
	s.setURL(v.get("site_url").text(""))
	s.Pretty = v.get("use_directory_urls").truth(true)
	s.SlugOf, s.Joint, s.LastDefinition = pythonSlug, "_", true
	if custom := slugOption(v); strings.Contains(custom, "pymdownx") || custom == "object" {
		s.SlugOf = pymdownSlug
	}
	s.Generated = []string{"tags", "search", "feed_rss_created", "feed_rss_updated"}
	for _, plugin := range v.get("plugins").list() {
		switch name := cmp.Or(plugin.text(""), strings.Join(plugin.keys(), "")); name {
		case "macros":
			s.Makes |= Templates
		case "mkdocstrings":
			s.Makes |= Objects
		}
		if name := plugin.text(""); name == "blog" || plugin.has("blog") {
			blog := plugin.get("blog", "blog_dir").text("blog")
			s.add(Tree{Dir: join(docs, blog, "posts"), Prefix: blog, Kind: "blog"})
			s.Generated = append(s.Generated, join(blog, "archive"), join(blog, "category"), join(blog, "page"))
		}
		redirects := plugin.get("redirects", "redirect_maps")
		for _, from := range redirects.keys() {
			s.redirect(from, "/"+strings.TrimPrefix(redirects.get(from).text(""), "/"), "")
		}
	}
	if tabs := extension(v, "pymdownx.tabbed"); tabs.has("slugify") {
		s.TabOf, s.TabBelow = pymdownSlug, tabs.get("combine_header_slug").truth(false)
	}
	if hooks := v.get("hooks").list(); len(hooks) > 0 {
		s.Hook = hooks[0].text("hooks")
		s.Makes |= Comments
	}
	return true
}

// slugOption returns the slugify option of the toc extension: a name, "object" for a call with parameters.
func slugOption(v values) string {
	if toc := extension(v, "toc"); toc.has("slugify") {
		return toc.get("slugify").text("object")
	}
	return ""
}

// extension returns the options of an extension of Python-Markdown, which are a list or a table.
func extension(v values, name string) values {
	for _, item := range v.get("markdown_extensions").list() {
		if options := item.get(name); options.any != nil {
			return options
		}
	}
	return values{}
}

// Addresses returns the path of the page; README.md answers for its folder. A post of the blog has its date before its
// slug.
func (mkdocs) Addresses(_ *Site, t *Tree, p Page) []string {
	own := join(t.Prefix, bareIndex(p.Path, "README", "index"))
	if t.Kind == "blog" {
		return []string{own, join(t.Prefix, "posts", bareIndex(p.Path, "README", "index"))}
	}
	return []string{own}
}
