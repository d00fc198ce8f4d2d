// Package markdown turns one source file into a Document: sections, blocks of plain text, links, running text and
// front matter, each with its exact place in the source.
//
// Parse never fails. Whatever is wrong with a file becomes a diagnostic, and its text is kept as far as it can be read.
// The phases are:
//
//	front matter  found, decoded, and blanked out in the copy that the next phase sees
//	blocks        goldmark's CommonMark block parser, with blocks of our own for JSX, comments, footnotes, and for what
//	              generators of sites add: containers, notes, tabs, definitions, tags of templates
//	inlines       goldmark's inline parser over each leaf block, with parsers of our own for links, tags, bare URLs, tags
//	              of templates and attribute lists; then one walk that writes text and knows every byte's place
//	sections      headings numbered, anchors made unique
//
// Cost is linear in the size of the file; where CommonMark would need more (nesting without end, lines of megabytes)
// the text is taken as it is written, and a diagnostic says so.
//
// The package does not resolve links, follow includes or render anything.
package markdown
