package dialect

// obsidian is a vault of Obsidian: links name files, from the note's folder or from the top of the vault, and headings
// by their text.
//
// Sources: https://help.obsidian.md/links, https://help.obsidian.md/publish/permalinks (permalink).
type obsidian struct{}

// Name returns "obsidian".
func (obsidian) Name() string { return "obsidian" }

// Marks returns the folder of a vault's settings.
func (obsidian) Marks() []string { return []string{".obsidian"} }

// Read takes no setting: none says where links lead.
func (obsidian) Read(s *Site, _ *Reader) bool {
	s.add(Tree{Dir: s.Dir})
	s.Assets = []string{s.Dir}
	s.FromTop = true
	return true
}

// Addresses returns the path of the note, and its permalink.
func (obsidian) Addresses(_ *Site, _ *Tree, p Page) []string {
	if permalink := p.field("permalink"); permalink != "" {
		return []string{permalink, bare(p.Path)}
	}
	return []string{bare(p.Path)}
}
