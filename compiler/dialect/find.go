package dialect

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// Files are what lies below the sources, documents or not.
type Files interface {
	// Names returns the names in a folder; none if there is no such folder.
	Names(dir string) []string
	// Read returns the bytes of a file of at most limit bytes.
	Read(file string, limit int64) ([]byte, error)
}

// Choice is what the user says of a folder: that its documents are of a dialect.
type Choice struct {
	Dir     string // slash path as the artifact has it; "" = all
	Dialect string
}

// maxFolders bounds the folders that are looked into for configuration files, and maxSites the sites.
const (
	maxFolders = 20000
	maxSites   = 500
)

// Find looks for the sites of documents: in each folder above one, and in "docs" and "website" beside it, which have a
// configuration for documents elsewhere. Choices come first. It never fails: what cannot be read is a finding.
func Find(files Files, documents []string, choices []Choice) (*Sites, []diag.Diagnostic) {
	f := finder{files: files, sites: &Sites{plain: plainSite()}}
	folders := foldersOf(documents)
	for _, c := range choices {
		f.choose(c, folders)
	}
	var weak []string
	for _, dir := range folders {
		if f.chosen(dir, choices) {
			continue
		}
		if !f.look(dir) {
			weak = append(weak, dir)
		}
	}
	for _, dir := range weak {
		if s, _ := f.sites.Of(join(dir, "SUMMARY.md")); s.IsPlain() && !f.chosen(dir, choices) && f.has(dir, summary) {
			f.read(gitbook{}, dir, summary)
		}
	}
	slices.SortFunc(f.sites.list, func(a, b *Site) int { return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Config, b.Config)) })
	for _, s := range f.sites.list {
		f.say(s)
	}
	return f.sites, f.diags
}

// finder is the state of one Find.
type finder struct {
	files Files
	sites *Sites
	diags []diag.Diagnostic
	seen  map[string][]string
}

// foldersOf returns the folders in which a configuration may lie, outermost first.
func foldersOf(documents []string) []string {
	seen := map[string]bool{}
	var list []string
	add := func(dir string) bool {
		if seen[dir] || len(list) >= maxFolders {
			return false
		}
		seen[dir] = true
		list = append(list, dir)
		return true
	}
	for _, d := range documents {
		for dir := join(path.Dir(d)); ; dir = join(path.Dir(dir)) {
			if !add(dir) && dir != "" {
				break
			}
			add(join(dir, "website"))
			add(join(dir, "docs"))
			if dir == "" {
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	return list
}

// names returns the names in a folder.
func (f *finder) names(dir string) []string {
	names, known := f.seen[dir]
	if !known {
		if f.seen == nil {
			f.seen = map[string][]string{}
		}
		names = f.files.Names(dir)
		f.seen[dir] = names
	}
	return names
}

func (f *finder) has(dir, name string) bool { return slices.Contains(f.names(dir), name) }

// match returns the first file below dir that a mark matches.
func (f *finder) match(dir, mark string) (string, bool) {
	sub, pattern := path.Split(mark)
	sub = strings.TrimSuffix(sub, "/")
	if top, _, _ := strings.Cut(sub, "/"); sub != "" && !f.has(dir, top) {
		return "", false
	}
	for _, name := range f.names(join(dir, sub)) {
		if ok, _ := path.Match(pattern, name); ok {
			return join(sub, name), true
		}
	}
	return "", false
}

// look reads the sites of a folder, if it has any.
func (f *finder) look(dir string) bool {
	for _, d := range all() {
		for _, mark := range d.Marks() {
			if file, ok := f.match(dir, mark); ok && mark != summary && f.read(d, dir, file) {
				return true
			}
		}
	}
	return false
}

// read adds the site of a configuration.
func (f *finder) read(d Dialect, dir, file string) bool {
	if len(f.sites.list) >= maxSites {
		return false
	}
	s := &Site{Dialect: d.Name(), Dir: dir, dialect: d}
	if file != "" {
		s.Config = join(dir, file)
	}
	r := &Reader{files: f.files, site: s, finder: f, sum: sha256.New()}
	if !d.Read(s, r) {
		return false
	}
	if r.used {
		s.SHA256 = hex.EncodeToString(r.sum.Sum(nil))
	}
	if len(s.Trees) == 0 {
		s.add(Tree{Dir: dir})
	}
	f.sites.list = append(f.sites.list, s)
	return true
}

// chosen reports whether the user has said what the dialect of a folder is.
func (f *finder) chosen(dir string, choices []Choice) bool {
	return slices.ContainsFunc(choices, func(c Choice) bool { return c.Dir == "" || c.Dir == dir || within(dir, c.Dir) })
}

// choose makes a folder a site of a dialect, by the configuration in it or in one below it if there is one.
func (f *finder) choose(c Choice, folders []string) {
	d := byName(c.Dialect)
	if d == nil {
		return
	}
	found := false
	for _, dir := range folders {
		if c.Dir != "" && dir != c.Dir && !within(dir, c.Dir) {
			continue
		}
		for _, mark := range d.Marks() {
			if file, ok := f.match(dir, mark); ok && f.read(d, dir, file) {
				found = true
				break
			}
		}
	}
	if !found {
		f.read(d, c.Dir, "")
	}
}

// say tells what is assumed of a site's configuration, once.
func (f *finder) say(s *Site) {
	if len(s.Assume) > 0 {
		f.diags = append(f.diags, diag.New(diag.GeneratorConfig, s.Config, "%s", strings.Join(s.Assume, "; ")))
	}
}
