package dialect

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Site is a folder that one generator publishes, with what its configuration says. It is read only once Find returns.
type Site struct {
	Dialect string // its name
	Dir     string // slash path of its folder as the artifact has it; "" = the top of the sources
	Config  string // path of the configuration; "" = none: kdd.yaml names the dialect
	SHA256  string // in hex, over all that was read of the site's own files; "" if nothing was

	Trees   []Tree
	Host    string   // "https://example.com", without path; "" = not known
	Base    string   // what all its addresses begin with on the host, without "/" at the ends: "docs/manual"
	Locales []string // first segments of addresses that are languages
	Default string   // the locale that has no segment of its own; "" = not known
	Assets  []string // folders whose files are published at the top
	// Files are files that are published as the page whose address takes the place of "*".
	Files []string
	// Pages are the files that are published at a normal address which they name themselves, and are no documents.
	Pages map[string]string
	// Generated are the beginnings of addresses of pages that the generator makes: lists of tags, feeds.
	Generated []string
	Redirects map[string]string // from a normal address to another, or to a URL
	Splats    []Splat           // redirects of all that lies below an address

	// Pretty says that a page's address is a folder for relative links: "../other" of "guide/setup" is "guide/other".
	Pretty bool
	// FromTop says that a path without "/" and dots at its beginning may count from the top of the page's tree.
	FromTop bool
	// Unplaced says that nothing tells where the site is published, so that pages of another may lie beside its own.
	Unplaced bool
	// Hook says that the site has a program of its own for links, which may take what is no path: "g".
	Hook string
	// Makes are the programs of the site that may write anchors which no page has in its text, see Maker.
	Makes  Programs
	Assume []string // what is taken for granted where the configuration could not be read

	SlugOf         func(heading string) string // nil: GitHub's
	LastDefinition bool                        // of several definitions of a link's label the last one counts, as in Python-Markdown

	// SmartDashes says that "--" and "---" of a heading are dashes before its anchor is made of it.
	SmartDashes bool

	Joint string // between an anchor and the number of its repetition; "" = "-"
	// TabOf is the anchor of a tab of PyMdown; nil: tabs have none that pages name. TabBelow says that the anchor of the
	// heading above stands before it.
	TabOf    func(title string) string
	TabBelow bool

	dialect  Dialect
	looked   int               // files and folders that were read for Pages
	patterns map[string]string // of addresses, by what the dialect names them by
}

// Splat is a redirect of each address below From to the same below To.
type Splat struct {
	From string // a normal address
	To   string // with "/" at its end; may be a URL
}

// Moved returns where a redirect of all below an address leads.
func (s *Site) Moved(address string) (to string, ok bool) {
	for _, m := range s.Splats {
		if rest, found := strings.CutPrefix(address, m.From+"/"); found {
			return m.To + rest, true
		}
	}
	return "", false
}

// Tree is a folder of pages, and where they are published.
type Tree struct {
	Dir    string // slash path as the artifact has it
	Prefix string // of its pages' addresses, without "/" at the ends
	Kind   string // what the dialect tells its trees apart by: "blog", "docs", "pages"
	Locale string // of its pages, "" = the default one
}

// covers reports whether a file lies in a tree.
func (t *Tree) covers(file string) bool { return within(file, t.Dir) }

func within(file, dir string) bool {
	return dir == "" || len(file) > len(dir) && file[len(dir)] == '/' && file[:len(dir)] == dir
}

// Slug returns the anchor that the site makes of a heading.
func (s *Site) Slug() func(heading string) string {
	if s == nil {
		return nil
	}
	return s.SlugOf
}

// IsPlain says that no generator publishes the site.
func (s *Site) IsPlain() bool { return s.Dialect == Plain }

// Addresses returns the normal addresses of a page, its own first.
func (s *Site) Addresses(t *Tree, p Page) []string {
	if s.dialect == nil || t == nil {
		return nil
	}
	var list []string
	for _, a := range s.dialect.Addresses(s, t, p) {
		if a = Normal(a); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// tree returns the tree with the longest folder that covers a file.
func (s *Site) tree(file string) *Tree {
	var best *Tree
	for i := range s.Trees {
		if t := &s.Trees[i]; t.covers(file) && (best == nil || len(t.Dir) > len(best.Dir)) {
			best = t
		}
	}
	return best
}

// Local takes the base off a rooted address. ok is false if it leads to another site of the host.
func (s *Site) Local(address string) (below string, ok bool) {
	address = strings.TrimLeft(address, "/")
	if s.Base == "" {
		return address, true
	}
	rest, found := strings.CutPrefix(address, s.Base)
	if found && (rest == "" || rest[0] == '/') {
		return strings.TrimLeft(rest, "/"), true
	}
	return address, false
}

// IsGenerated reports whether an address is that of a page that the generator makes.
func (s *Site) IsGenerated(address string) bool {
	return slices.ContainsFunc(s.Generated, func(g string) bool { return address == g || strings.HasPrefix(address, g+"/") })
}

// Untranslated returns an address without the segment of its language; ok is false if it has none.
func (s *Site) Untranslated(address string) (string, bool) {
	first, rest, _ := strings.Cut(address, "/")
	for _, locale := range s.Locales {
		if strings.EqualFold(locale, first) {
			return rest, true
		}
	}
	return "", false
}

// Places returns the files that may be published at an address, by paths as the artifact has them.
func (s *Site) Places(address string) []string {
	var list []string
	for _, dir := range s.Assets {
		list = append(list, join(dir, address))
	}
	for _, pattern := range s.Files {
		list = append(list, join(strings.ReplaceAll(pattern, "*", address)))
	}
	return list
}

// Sites are the sites of all sources.
type Sites struct {
	list  []*Site
	plain *Site
}

// Of returns the site that publishes a file, and the tree that it lies in; the plain one for a file that none does.
func (s *Sites) Of(file string) (*Site, *Tree) {
	if s == nil {
		return plainSite(), nil
	}
	best, in := s.plain, (*Tree)(nil)
	for _, site := range s.list {
		t := site.tree(file)
		if t != nil && (in == nil || cmp.Or(cmp.Compare(len(t.Dir), len(in.Dir)), cmp.Compare(len(site.Dir), len(best.Dir))) > 0) {
			best, in = site, t
		}
	}
	return best, in
}

// List returns the sites that were found, by folder.
func (s *Sites) List() []*Site {
	if s == nil {
		return nil
	}
	return s.list
}

// Around returns the site with the longest folder, not that of all sources, that a file lies in; nil if there is none.
func (s *Sites) Around(file string) *Site {
	var around *Site
	for _, site := range s.List() {
		if site.Dir != "" && within(file, site.Dir) && (around == nil || len(site.Dir) > len(around.Dir)) {
			around = site
		}
	}
	return around
}

// Above returns the site whose folder the folder of a site lies in; nil if there is none.
func (s *Sites) Above(site *Site) *Site {
	var above *Site
	for _, other := range s.List() {
		if other != site && other.Dir != site.Dir && within(site.Dir, other.Dir) && (above == nil || len(other.Dir) > len(above.Dir)) {
			above = other
		}
	}
	return above
}

// Below returns where a site lies in the one above it: the path of its folder from the other's.
func (s *Site) Below(above *Site) string {
	return strings.TrimPrefix(strings.TrimPrefix(s.Dir, above.Dir), "/")
}

// plainSite is the site of files that no generator publishes.
func plainSite() *Site { return &Site{Dialect: Plain, dialect: plain{}} }

// add adds a tree, unless there is one of that folder.
func (s *Site) add(t Tree) {
	t.Dir, t.Prefix = join(t.Dir), join(t.Prefix)
	if !slices.ContainsFunc(s.Trees, func(other Tree) bool { return other.Dir == t.Dir }) {
		s.Trees = append(s.Trees, t)
	}
}

// at returns a path below the site's folder. A path that climbs out of it may still be among the sources.
func (s *Site) at(parts ...string) string {
	p := path.Join(append([]string{"/" + s.Dir}, parts...)...)
	return join(p)
}

// setURL takes host and base from the URL of a site.
func (s *Site) setURL(url string) {
	url = strings.TrimSpace(url)
	if scheme, rest, found := strings.Cut(url, "://"); found && scheme != "" {
		host, base, _ := strings.Cut(rest, "/")
		s.Host, url = scheme+"://"+host, base
	}
	if url, _, _ = strings.Cut(url, "?"); !strings.ContainsAny(url, "{}$%") {
		s.Base = join(url)
	}
}
