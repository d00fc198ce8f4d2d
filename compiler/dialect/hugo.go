package dialect

import (
	"path"
	"strings"
)

// hugo is Hugo.
//
// Sources: https://gohugo.io/content-management/urls/ (slug, url, aliases), https://gohugo.io/configuration/permalinks/,
// https://gohugo.io/configuration/module/ (mounts), https://gohugo.io/configuration/languages/,
// https://gohugo.io/content-management/organization/ (_index and index), https://gohugo.io/render-hooks/links/,
// https://gohugo.io/configuration/markup/ (autoIDType: github; typographer).
type hugo struct{}

// Name returns "hugo".
func (hugo) Name() string { return "hugo" }

// Marks returns its configuration files, the older names last.
func (hugo) Marks() []string {
	return []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config/_default/hugo.*", "config/_default/config.*",
		"config.toml", "config.yaml", "config.yml", "config.json"}
}

// Read takes the folders of content, languages, base and permalinks.
func (hugo) Read(s *Site, c *Reader) bool {
	v := c.config()
	older := strings.HasPrefix(path.Base(s.Config), "config.")
	if older && !v.has("baseURL") && !v.has("languageCode") && !v.has("theme") {
		return false // a configuration of anything
	}
	part := func(name string) values { // of config/_default, one file for each
		own := v.get(name)
		if dir := path.Dir(s.Config); own.any == nil && strings.HasSuffix(dir, "config/_default") {
			for _, extension := range []string{".toml", ".yaml", ".yml", ".json"} {
				if c.has(path.Join("config/_default", name+extension)) {
					return c.values(join(dir, name+extension))
				}
			}
		}
		return own
	}
	s.setURL(v.get("baseURL").text(""))
	s.Pretty, s.FromTop = !v.get("uglyURLs").truth(false), true
	s.Default = v.get("defaultContentLanguage").text("en")
	s.Makes = Shortcodes
	s.SmartDashes = !part("markup").get("goldmark", "extensions", "typographer", "disable").truth(false)
	subdir := v.get("defaultContentLanguageInSubdir").truth(false)
	prefix := func(language string) string {
		if language == s.Default && !subdir {
			return ""
		}
		return strings.ToLower(language)
	}
	languages := part("languages")
	for _, language := range languages.keys() {
		s.Locales = append(s.Locales, strings.ToLower(language))
		if dir := languages.get(language, "contentDir").text(""); dir != "" {
			s.add(Tree{Dir: s.at(dir), Prefix: prefix(language), Locale: language})
		}
	}
	s.Assets = []string{s.at(v.get("staticDir").text("static"))}
	for _, mount := range part("module").get("mounts").list() {
		source, target := mount.get("source").text(""), mount.get("target").text("")
		language := mount.get("lang").text("")
		if list := mount.get("sites", "matrix", "languages").list(); language == "" && len(list) == 1 {
			language = list[0].text("")
		}
		switch below, found := strings.CutPrefix(target, "content"); {
		case found && (below == "" || below[0] == '/'):
			top := ""
			if language != "" {
				top = prefix(language)
			}
			s.add(Tree{Dir: s.at(source), Prefix: join(top, below), Locale: language})
		case target == "static" || target == "assets":
			s.Assets = append(s.Assets, s.at(source))
		}
	}
	content := s.at(v.get("contentDir").text("content"))
	if s.Config == "" && !c.has("content") {
		content = s.Dir
	}
	s.add(Tree{Dir: content})
	s.Generated = []string{"tags", "categories", "sitemap.xml", "index.xml"}
	taxonomies := part("taxonomies")
	for _, name := range taxonomies.keys() {
		s.Generated = append(s.Generated, Normal(taxonomies.get(name).text(name)))
	}
	s.permalinks(part("permalinks"))
	for _, hook := range []string{"layouts/_markup/render-link.html", "layouts/_default/_markup/render-link.html"} {
		if c.has(hook) {
			s.Hook = s.at(hook)
		}
	}
	return true
}

// permalinks keeps the patterns of addresses by section, for Addresses.
func (s *Site) permalinks(v values) {
	s.patterns = map[string]string{}
	for _, table := range []values{v, v.get("page")} {
		for _, section := range table.keys() {
			if pattern := table.get(section).text(""); pattern != "" {
				s.patterns[strings.Trim(section, "/")] = pattern
			}
		}
	}
}

// Addresses returns url, or the path with the slug for its last segment or by its section's pattern, and the aliases.
func (h hugo) Addresses(s *Site, t *Tree, p Page) []string {
	file, prefix := bare(p.Path), t.Prefix
	dir, base := path.Split(file)
	if name, language, found := strings.Cut(base, "."); found && s.isLocale(language) { // "page.fr.md"
		if base = name; !strings.EqualFold(language, s.Default) {
			prefix = join(language, prefix)
		}
	}
	own := join(dir, strings.ReplaceAll(base, " ", "-"))
	section, _, _ := strings.Cut(own, "/")
	switch {
	case base == "_index" || base == "index":
		own = join(dir)
	case p.field("slug") != "":
		own = join(dir, p.field("slug"))
	}
	if pattern := s.patterns[section]; pattern != "" && base != "_index" {
		own = expand(pattern, p, join(dir), base)
	}
	if url := p.field("url"); url != "" && !strings.Contains(url, "://") {
		own = url
	}
	list := []string{join(prefix, own)}
	for _, alias := range p.fields("aliases") {
		if strings.HasPrefix(alias, "/") {
			list = append(list, join(prefix, alias), join(alias))
		} else if alias != "" {
			list = append(list, join(prefix, dir, alias), join(prefix, own, "..", alias))
		}
	}
	return list
}

func (s *Site) isLocale(name string) bool {
	for _, locale := range s.Locales {
		if strings.EqualFold(locale, name) {
			return true
		}
	}
	return strings.EqualFold(name, s.Default) && name != ""
}

// expand fills in the parts of a pattern of addresses, as Hugo and Jekyll have them: ":year", ":title". dir is the
// page's folder, base the name of its file without extension, and without its date.
func expand(pattern string, p Page, dir, base string) string {
	date := p.field("date")
	if len(base) > 11 && isDated(base) {
		date, base = base[:10], base[11:]
	}
	var year, month, day string
	if len(date) >= 10 {
		year, month, day = date[:4], date[5:7], date[8:10]
	}
	slug := p.field("slug")
	named := slug
	if named == "" {
		named = base
	}
	title := slug
	if title == "" {
		title = githubSlug(p.Title)
	}
	section, _, _ := strings.Cut(dir, "/")
	if base == "index" {
		named = path.Base(dir)
	}
	return strings.NewReplacer(":slugorcontentbasename", named, ":slugorfilename", named, ":contentbasename", base, ":filename", base,
		":sections", dir, ":section", section, ":slug", title, ":title", title, ":year", year, ":month", month, ":day", day,
		":i_month", strings.TrimPrefix(month, "0"), ":i_day", strings.TrimPrefix(day, "0"), ":path", join(dir, base), ":name", named,
		":basename", base, ":output_ext", "", ":categories", strings.Join(p.fields("categories"), "/")).Replace(pattern)
}

// isDated reports whether a name begins with a date: "2024-05-06-name".
func isDated(name string) bool {
	const form = "0000-00-00-"
	if len(name) <= len(form) {
		return false
	}
	for i := range form {
		if digit := '0' <= name[i] && name[i] <= '9'; form[i] == '0' && !digit || form[i] == '-' && name[i] != '-' {
			return false
		}
	}
	return true
}
