package dialect

import "strings"

// mdbook is mdBook.
//
// Sources: https://rust-lang.github.io/mdBook/format/configuration/general.html (src),
// https://rust-lang.github.io/mdBook/format/configuration/renderers.html (site-url, redirect,
// smart-punctuation: on from 0.5 on),
// https://rust-lang.github.io/mdBook/format/summary.html (README.md becomes index.html).
type mdbook struct{}

// Name returns "mdbook".
func (mdbook) Name() string { return "mdbook" }

// Marks returns its configuration file.
func (mdbook) Marks() []string { return []string{"book.toml"} }

// Read takes the folder of the chapters, the base and the redirects.
func (mdbook) Read(s *Site, c *Reader) bool {
	v := c.config()
	src := s.at(v.get("book", "src").text("src"))
	if s.Config == "" && !c.has("src") {
		src = s.Dir
	}
	s.add(Tree{Dir: src})
	s.Assets = []string{src}
	s.setURL(v.get("output", "html", "site-url").text(""))
	s.SlugOf = mdbookSlug
	s.SmartDashes = v.get("output", "html", "smart-punctuation").truth(true)
	s.Generated = []string{"print", "toc"}
	s.Redirects = map[string]string{}
	redirects := v.get("output", "html", "redirect")
	for _, from := range redirects.keys() {
		s.redirect(from, redirects.get(from).text(""), from)
	}
	return true
}

// Addresses returns the path of the chapter; README.md answers for its folder.
func (mdbook) Addresses(_ *Site, _ *Tree, p Page) []string {
	return []string{bareIndex(p.Path, "README", "index"), bare(p.Path)}
}

// redirect notes that one address leads to another, which may be relative to the first.
func (s *Site) redirect(from, to, base string) {
	if to == "" || from == "" || strings.ContainsAny(from, ":*") {
		return
	}
	if s.Redirects == nil {
		s.Redirects = map[string]string{}
	}
	to, _, _ = strings.Cut(to, "#")
	if !strings.Contains(to, "://") && !strings.HasPrefix(to, "/") && base != "" {
		to = join("/"+base, "..", to)
	}
	if key := Normal(from); s.Redirects[key] == "" {
		s.Redirects[key] = to
	}
}
