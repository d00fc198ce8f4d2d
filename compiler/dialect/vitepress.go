package dialect

import "strings"

// vitepress is VitePress.
//
// Sources: https://vitepress.dev/guide/routing (srcDir, index.md, clean URLs, rewrites),
// https://vitepress.dev/reference/site-config (base), https://vitepress.dev/guide/i18n,
// https://vitepress.dev/guide/asset-handling (public), https://vitepress.dev/guide/markdown#header-anchors.
type vitepress struct{}

// Name returns "vitepress".
func (vitepress) Name() string { return "vitepress" }

// Marks returns its configuration file, a program.
func (vitepress) Marks() []string {
	return []string{".vitepress/config.*", ".vitepress/config/index.*"}
}

// Read takes the folder of the pages, base, languages and rewrites.
func (vitepress) Read(s *Site, c *Reader) bool {
	v := c.config()
	src := s.at(v.get("srcDir").text("."))
	s.add(Tree{Dir: src})
	s.Assets = []string{join(src, "public")}
	s.setURL(v.get("base").text("/"))
	s.SlugOf = vitepressSlug
	s.Makes = Components
	for _, locale := range v.get("locales").keys() {
		if locale != "root" {
			s.Locales = append(s.Locales, locale)
		}
	}
	s.patterns = map[string]string{}
	rewrites := v.get("rewrites")
	for _, from := range rewrites.keys() {
		if to := rewrites.get(from).text(""); to != "" && !strings.Contains(from, ":") {
			s.patterns[from] = to
		} else {
			c.assume("its rewrites have patterns: addresses are taken to be as the files lie")
		}
	}
	s.hostRedirects(c)
	return true
}

// Addresses returns the path of the page, or what rewrites make of it.
func (vitepress) Addresses(s *Site, _ *Tree, p Page) []string {
	if to := s.patterns[p.Path]; to != "" {
		return []string{bareIndex(to, "index"), bareIndex(p.Path, "index")}
	}
	return []string{bareIndex(p.Path, "index")}
}
