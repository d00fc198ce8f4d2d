// Package include puts the text of plain files where documents include them, as the generators of their sites do.
//
// It runs nothing. It knows the forms in which generators include the text of a file: mdBook, the snippets of PyMdown
// (MkDocs), VitePress, shortcodes of Hugo's themes, raw imports of Docusaurus. Each form is a row of a table, in
// syntax.go, with a function that reads it and one that says where its files lie.
//
// The result is a text with rows that say which of its lines come from which lines of which file. The line of the
// directive stays a line of the document: a marker, which names file and lines, takes its place. So the lines of the
// document itself are all there, in their order, and what was put between them can be counted off.
//
//	set := include.New(files, sites)
//	for each document, by path {
//		text := set.Expand(file) // nil: it includes nothing
//	}
//	diags := set.Finish()
//
// The files are read from inside the source folder only, see source.Included. Depth, bytes and work are limited.
package include
