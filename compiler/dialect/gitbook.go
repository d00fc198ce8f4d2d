package dialect

// gitbook is GitBook, and what came of its first version (HonKit).
//
// Sources: https://gitbook.com/docs/getting-started/git-sync/content-configuration (root, redirects, SUMMARY.md),
// https://honkit.netlify.app/structure (book.json).
type gitbook struct{}

// summary is the table of contents of GitBook, of mdBook and of others, so that it tells less than a configuration.
const summary = "SUMMARY.md"

// Name returns "gitbook".
func (gitbook) Name() string { return "gitbook" }

// Marks returns its configuration files.
func (gitbook) Marks() []string { return []string{".gitbook.yaml", "book.json", summary} }

// Read takes the folder of the pages and the redirects.
func (gitbook) Read(s *Site, c *Reader) bool {
	v := values{}
	if s.Config != "" && s.Config != s.at(summary) {
		v = c.config()
	}
	s.Unplaced = s.Config == s.at(summary)
	root := s.at(v.get("root").text("."))
	s.add(Tree{Dir: root})
	s.Assets = []string{root}
	s.Pretty = true
	redirects := v.get("redirects")
	for _, from := range redirects.keys() {
		s.redirect(from, "/"+bare(redirects.get(from).text("")), "")
	}
	return true
}

// Addresses returns the path of the page; README.md answers for its folder.
func (gitbook) Addresses(_ *Site, _ *Tree, p Page) []string {
	return []string{bareIndex(p.Path, "README", "index")}
}
