package dialect

import (
	"bytes"
	"strings"
)

// starlight is Astro with Starlight.
//
// Sources: https://starlight.astro.build/guides/pages/ (src/content/docs, src/pages),
// https://starlight.astro.build/guides/i18n/ (root locale, fallback content),
// https://starlight.astro.build/reference/frontmatter/ (slug),
// https://docs.astro.build/en/reference/configuration-reference/ (base, redirects, srcDir, publicDir).
type starlight struct{}

// Name returns "starlight".
func (starlight) Name() string { return "starlight" }

// Marks returns Astro's configuration file, a program.
func (starlight) Marks() []string { return []string{"astro.config.*"} }

// Read takes base, languages and redirects of a site that has Starlight.
func (starlight) Read(s *Site, c *Reader) bool {
	v := c.config()
	if s.Config != "" && !bytes.Contains(c.bytes(s.Config), []byte("starlight")) {
		return false
	}
	src := v.get("srcDir").text("src")
	s.add(Tree{Dir: s.at(src, "content/docs"), Kind: "docs"})
	s.add(Tree{Dir: s.at(src, "pages"), Kind: "pages"})
	if s.Config == "" && !c.has("src") {
		s.Trees = []Tree{{Dir: s.Dir, Kind: "docs"}}
	}
	s.setURL(v.get("base").text("/"))
	s.Host = strings.TrimRight(v.get("site").text(""), "/")
	s.Pretty = true
	s.Makes = Components
	s.SmartDashes = v.get("markdown", "smartypants").truth(true)
	s.Assets = []string{s.at(v.get("publicDir").text("public"))}
	for _, extension := range []string{".astro", ".html", ".js", ".ts"} {
		s.Files = append(s.Files, s.at(src, "pages/*"+extension), s.at(src, "pages/*/index"+extension))
	}
	for _, integration := range v.get("integrations").list() {
		if integration.get(calledBy).text("") != "starlight" {
			continue
		}
		s.Default = integration.get("defaultLocale").text("")
		for _, locale := range integration.get("locales").keys() {
			if locale != "root" {
				s.Locales = append(s.Locales, locale)
			}
		}
	}
	redirects := v.get("redirects")
	for _, from := range redirects.keys() {
		s.redirect(from, redirects.get(from).text(redirects.get(from, "destination").text("")), "")
	}
	s.hostRedirects(c)
	return true
}

// Addresses returns the slug, or the path with each segment as a slug.
func (starlight) Addresses(_ *Site, t *Tree, p Page) []string {
	if slug := p.field("slug"); slug != "" && t.Kind != "pages" {
		return []string{slug}
	}
	segments := strings.Split(bareIndex(p.Path, "index"), "/")
	if t.Kind != "pages" {
		for i, s := range segments {
			segments[i] = githubSlug(s)
		}
	}
	return []string{join(strings.Join(segments, "/"))}
}
