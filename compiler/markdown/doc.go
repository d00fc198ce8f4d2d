// Package markdown turns one source file into a Document: sections, blocks of plain text, links, running text and
// front matter, each with its exact place in the source.
//
// Parse never fails. Whatever is wrong with a file becomes a diagnostic, and its text is kept as far as it can be read.
// The phases are:
//
//	front matter  found, decoded, and blanked out in the copy that the next phase sees
//	blocks        goldmark's CommonMark block parser, with blocks of our own for JSX, comments, footnotes, and for what
//	              generators of sites add: containers, notes, tabs, definitions, tags of templates
//	inlines       our own scanner over each leaf block: linear on any input, and it knows every byte's place; it takes
//	              template tags and attribute lists out of the text
//	sections      headings numbered, anchors made unique
//
// Cost is linear in the size of the file; where CommonMark would need more (nesting without end, lines of megabytes)
// the text is taken as it is written, and a diagnostic says so.
//
// The package does not resolve links, follow includes or render anything.
package markdown
