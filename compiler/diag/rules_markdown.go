package diag

// Rules about single documents, their markdown, front matter and anchors: KDD100 to KDD199.
var (
	FrontMatterSyntax = rule(101, "front-matter-syntax", Warning, "front matter cannot be parsed in full",
		"quote values that hold \": \" or begin with a special character")
	FrontMatterLost = rule(102, "front-matter-lost", Warning,
		"a converter turned front matter into a table and lost values",
		"restore the front matter between two lines of ---")
	FrontMatterDuplicate = rule(103, "front-matter-duplicate", Warning,
		"front matter gives a key twice; the first one counts", "keep one of them")
	FrontMatterOpen = rule(104, "front-matter-open", Warning,
		"front matter has no closing line", "close it with a line of ---")
	FrontMatterSize = rule(105, "front-matter-size", Warning,
		"front matter is larger than is read, or expands without end", "move the data to a file of its own")
	FrontMatterForm = rule(106, "front-matter-form", Note,
		"front matter is in another form than YAML at the top of the file",
		"write it as YAML between two lines of --- at the top")
	FrontMatterRoot = rule(107, "front-matter-root", Warning,
		"what stands between the lines of --- is not keys and values", "")
	DuplicateAnchor = rule(110, "duplicate-anchor", Warning, "two headings give the same explicit anchor",
		"give each heading an anchor of its own: links reach the first one only")
	NestedTooDeep = rule(111, "nested-too-deep", Warning,
		"quotes or lists are nested beyond the limit; their text is kept as it is", "")
	LongBlock = rule(112, "long-block", Note,
		"a block of text is too long to look for markup in; it is kept as it is written", "")
	GherkinSyntax = rule(113, "gherkin-syntax", Warning,
		"a .feature file has no Feature line, or a keyword is out of place", "")
	ManyHeadings = rule(114, "many-headings", Warning,
		"a document has more headings than sections are made of; the rest is kept as text", "split the document")
)
