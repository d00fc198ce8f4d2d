package dialect

// plain is markdown that no generator publishes, as on GitHub: links are paths of files from the document's own
// folder, or, behind a "/", from the top of the repository; anchors are GitHub's.
//
// Source: https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax
type plain struct{}

// Name returns "plain".
func (plain) Name() string { return Plain }

// Marks returns none: it is what is left.
func (plain) Marks() []string { return nil }

// Read reads nothing.
func (plain) Read(*Site, *Reader) bool { return true }

// Addresses returns none.
func (plain) Addresses(*Site, *Tree, Page) []string { return nil }
